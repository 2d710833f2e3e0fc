"""The shape of a failure: its exception and message, without what differs from run to run.

The ledger's ``signature`` is such a shape. Version 1 of the shape, which a signature may rely on:

* The exception is its type's last name: ``requests.exceptions.Timeout`` is ``Timeout``.
* Of the message only the first line that says something counts, and after it pytest's own lines
  that say where a value came from (``+  where``, ``+    and``). Blanks are one blank each.
* These become a placeholder, wherever they stand: a UUID ``<uuid>``; a date, a time of day or both
  ``<time>``; a URL ``<url>``; an absolute path ``<path>``; an IPv4 address ``<address>``; a memory
  address or a hexadecimal digest of 12 or more digits ``<hex>``; a number with a unit of time
  ``<duration>``; any other number, a port among them, ``<n>``. Numbers in a row are as one.
* A quoted value that is longer than 40 characters after that becomes ``<text>`` in its quotes.

A number within a name, as in ``int32``, stays: it is part of what failed.
"""

from __future__ import annotations

import re

from benchhygiene.evidence.suite import Failure

_LONGEST_LINE = 2_000  # characters of a message's line that count
_MOST_ORIGINS = 8  # lines that say where a value came from
_MOST_LINES = 200  # of a message that are looked at for them
_MOST_PASSES = 4

_ESCAPE_SEQUENCE = re.compile(r"\x1b\[[0-9;?]{0,20}[@-~]")
_NAME = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_EXCEPTION = re.compile(rf"({_NAME})(?::(?:\s+|$)(.*))?", re.DOTALL)
_ORIGIN = re.compile(r"\+\s+(?:where|and)\s")
_DAY = r"\d{4}-\d\d-\d\d"
_CLOCK = r"\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?"
_ZONE = r"(?:Z\b|[+-]\d\d:?\d\d\b)?"
_UNIT = r"(?:ns|us|µs|μs|ms|s|secs?|seconds?|mins?|minutes?|h|hours?|days?)"
_NUMBER = r"\d[\d_]*(?:[.,]\d+){0,8}(?:[eE][+-]?\d+)?"  # bounded: many dots would take long
_PATH = r"[\w.@+~%-]+"
_VOLATILE = re.compile(
    rf"""
      (?P<kept> <(?:uuid|time|url|path|address|hex|duration|n|text)> )
    | (?P<uuid> \b[0-9a-fA-F]{{8}}-(?:[0-9a-fA-F]{{4}}-){{3}}[0-9a-fA-F]{{12}}\b )
    | (?P<time> (?<![\w.:/-])(?:{_DAY}(?:[T\ ]{_CLOCK}{_ZONE})?|{_CLOCK}{_ZONE})(?![\w:/]) )
    | (?P<url> \b[a-z][a-z0-9+.]{{1,15}}://[^\s'"<>()\[\]]+ )
    | (?P<path> (?<![\w./:<>~])(?:~?/|[A-Za-z]:[\\/]){_PATH}(?:[\\/]+{_PATH})*[\\/]? )
    | (?P<address> (?<![\w.])\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?![\w.]) )
    | (?P<hex> \b0[xX][0-9a-fA-F]+\b | \b(?=[a-f]*\d)[0-9a-f]{{12,}}\b(?<![0-9]{{12}}) )
    | (?P<duration> (?<![\w.])[+-]?{_NUMBER}\ ?{_UNIT}\b )
    | (?P<n> (?<![\w.])[+-]?{_NUMBER}(?![\w]) )
    """,
    re.VERBOSE,
)
_ROW = re.compile(r"<n>(?:, ?<n>)+")
_LONG_QUOTE = re.compile(r"(?<!\w)(?:'[^']{41,}'|\"[^\"]{41,}\"|`[^`]{41,}`)(?!\w)")


def failure_of(text: str) -> Failure:
    """Return the failure that a printed exception names.

    ``AssertionError: no``, ``pkg.Error: no`` and ``KeyError`` name their exception; what begins
    with ``assert`` is how pytest prints a failed assertion. Anything else is a message whose
    exception is not known, an empty text.
    """
    told = _ESCAPE_SEQUENCE.sub("", text).strip()
    if told.startswith("assert "):
        return Failure("AssertionError", told)
    found = _EXCEPTION.fullmatch(told)
    return Failure(found[1], found[2] or "") if found else Failure("", told)


def shape(failure: Failure) -> str:
    """Return the shape of a failure: ``TYPE: message``, either part alone where one is missing."""
    known = _named(failure)
    return _joined(known, _told(known.message))


def matches(signature: str, failure: Failure) -> bool:
    """Return whether the signature is of the failure's shape.

    It may be a shape or the failure as it was printed once, and it may leave the lines out that say
    where a value came from.
    """
    given = shape(failure_of(signature))
    known = _named(failure)
    return given in (shape(known), _joined(known, _told(known.message)[:1]))


def without_volatile_parts(text: str) -> str:
    """Return one line with a placeholder for what differs from run to run; twice is as once."""
    line = " ".join(_ESCAPE_SEQUENCE.sub("", text).split())
    for _ in range(_MOST_PASSES):  # a placeholder may free its neighbour
        before, line = line, _ROW.sub("<n>", _VOLATILE.sub(_placeholder, line))
        line = _LONG_QUOTE.sub(_emptied, line)
        if line == before:
            break
    return line


def _named(failure: Failure) -> Failure:
    """Return the failure with its exception, which some records leave to the message."""
    return failure if failure.exception else failure_of("\n".join(_told(failure.message)))


def _placeholder(found: re.Match[str]) -> str:
    kind = found.lastgroup or "kept"
    return found[0] if kind == "kept" else f"<{kind}>"


def _emptied(found: re.Match[str]) -> str:
    quote = found[0][0]
    return f"{quote}<text>{quote}"


def _joined(failure: Failure, lines: tuple[str, ...]) -> str:
    kind = failure.exception.rpartition(".")[2]
    message = " ".join(without_volatile_parts(line) for line in lines)
    return f"{kind}: {message}" if kind and message else kind or message


def _told(message: str) -> tuple[str, ...]:
    """Return the first line that says something, and those after it that say where it came from."""
    lines = message[: _LONGEST_LINE * _MOST_LINES].splitlines()[:_MOST_LINES]
    said = [line[:_LONGEST_LINE].strip() for line in lines if line.strip()]
    origins = [line for line in said[1:] if _ORIGIN.match(line)]
    return (*said[:1], *origins[:_MOST_ORIGINS])
