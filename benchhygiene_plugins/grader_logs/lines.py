"""The lines of a log that a grader takes for the end of a test.

Each grader is followed in what it does, be it a mistake: swebench 5.0.2
(``harness/log_parsers/python.py``) and terminal-bench 0.2.18 (``parsers/pytest_parser.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from benchhygiene import GraderParser

STATUSES = ("FAILED", "PASSED", "SKIPPED", "ERROR", "XFAIL")  # swebench's; it looks for no XPASS
_SUMMARY = re.compile(r"=+ ?short test summary info ?=+")
_COUNTS = re.compile(r"=* ?(?:\d+ [a-z]+(?: [a-z]+)?(?:, |,)?)+ in [\d.]+s.*")
_TB_SUMMARY = re.compile(r"=+\s*short test summary info\s*=+", re.IGNORECASE)
_TB_STATUSES = ("PASSED", "FAILED", "SKIPPED", "XFAIL", "XPASS", "ERROR")
_SKIP_COUNT = re.compile(r"\[\d+\]")
_COLOUR = re.compile(r"\[(\d+)m")
_CONTROLS = dict.fromkeys(range(1, 32))
_OPTION = re.compile(r"([^\[]*)\[(.*)\]", re.DOTALL)
_BRACKETED = re.compile(r"([^\[]*\[.*?\])(?: - .*)?")


@attrs.frozen
class StatusLine:
    """One line that gives a test a status.

    ``name`` is what the grader calls the test, ``node_id`` what pytest does. ``in_summary`` says
    whether the line stands in pytest's last summary, None where the log has none.
    """

    number: int
    status: str
    name: str
    node_id: str
    in_summary: bool | None


@attrs.frozen
class Part:
    """The part of a log that is graded, and the number of its first line."""

    text: str
    first: int = 1


def status_lines(part: Part, parser: GraderParser) -> tuple[StatusLine, ...]:
    """Return every line of the part that the grader takes for a status, in its order."""
    lines = _lines(part, parser)
    summary = _summary([line for _, line in lines])
    found: list[StatusLine] = []
    for at, (number, line) in enumerate(lines):
        told = _told(line, parser)
        if told is not None:
            status, name = told
            inside = None if summary is None else at in summary
            found.append(StatusLine(number, status, name, _node_id(line, status), inside))
    return tuple(found)


def as_read(text: str) -> str:
    """Return the text as a program that opens the file as text reads it: any line end is one."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _lines(part: Part, parser: GraderParser) -> list[tuple[int, str]]:
    if parser is not GraderParser.TERMINAL_BENCH:
        return list(enumerate(part.text.split("\n"), part.first))
    start = _TB_SUMMARY.search(part.text)
    if start is None:
        return []
    first = part.first + part.text.count("\n", 0, start.end())
    # It splits at every line end that Unicode knows; the numbers are those of an editor.
    return [
        (number, piece)
        for number, line in enumerate(part.text[start.end() :].split("\n"), first)
        for piece in line.splitlines()
    ]


def _summary(lines: list[str]) -> range | None:
    """Return where pytest's last summary stands: after its heading, up to the counts."""
    starts = [at for at, line in enumerate(lines) if _SUMMARY.fullmatch(_plain(line).strip())]
    if not starts:
        return None
    ends = (at for at in range(starts[-1], len(lines)) if _COUNTS.fullmatch(_plain(lines[at])))
    return range(starts[-1] + 1, next(ends, len(lines)))


def _plain(line: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", line[:400])


def _told(line: str, parser: GraderParser) -> tuple[str, str] | None:
    if parser is GraderParser.TERMINAL_BENCH:
        return _terminal_bench(line)
    if parser is GraderParser.SWEBENCH_PYTEST_V2:
        return _swebench_v2(line)
    if parser is GraderParser.PYTEST:
        return _pytest(line)
    found = _swebench(line)
    if found is None or parser is GraderParser.SWEBENCH_PYTEST:
        return found
    return found[0], _with_option(found[1])


def _swebench(line: str) -> tuple[str, str] | None:
    if not line.startswith(STATUSES):
        return None
    words = (line.replace(" - ", " ") if line.startswith("FAILED") else line).split()
    return None if len(words) < 2 or _is_skip_count(words) else (words[0], words[1])


def _with_option(name: str) -> str:
    found = _OPTION.match(name)
    if found is None:
        return name
    main, option = found.groups()
    if option.startswith("/") and not option.startswith("//") and "*" not in option:
        option = "/" + option.split("/")[-1]
    return f"{main}[{option}]"


def _swebench_v2(line: str) -> tuple[str, str] | None:
    told = _COLOUR.sub("", line).translate(_CONTROLS)
    if told.startswith(STATUSES):
        words = (told.split(" - ", 1)[0] if told.startswith("FAILED") else told).split()
        if len(words) < 2 or _is_skip_count(words):
            return None
        return words[0], " ".join(words[1:])
    words = told.split()
    if told.endswith(STATUSES) and len(words) > 1:
        return words[-1], " ".join(words[:-1])
    return None


def _is_skip_count(words: list[str]) -> bool:
    return words[0] == "SKIPPED" and _SKIP_COUNT.match(words[1]) is not None


def _terminal_bench(line: str) -> tuple[str, str] | None:
    if line.startswith("FAILED"):
        parts = line.split(" - ")
        line = " - ".join(parts[:-1]) if len(parts) > 1 else line
    words = line.split(maxsplit=1)
    if len(words) < 2 or words[0].strip(":") not in _TB_STATUSES:
        return None
    name = words[1].strip().split("::", 1)[-1]
    return (words[0].strip(":"), name) if name else None


def _pytest(line: str) -> tuple[str, str] | None:
    status, _, rest = line.partition(" ")
    if status not in (*STATUSES, "XPASS") or _SKIP_COUNT.match(rest):
        return None
    return (status, _node_id(line, status)) if rest.strip() else None


def _node_id(line: str, status: str) -> str:
    """Return the node id of a summary's line, its parameters and the spaces in them included."""
    told = _COLOUR.sub("", line).translate(_CONTROLS)
    rest = told.partition(" ")[2] if told.startswith(status) else told.rpartition(" ")[0]
    bracketed = _BRACKETED.fullmatch(rest) if "::" in rest.partition("[")[0] else None
    return (bracketed[1] if bracketed else rest.partition(" - ")[0]).strip()


def ends_of_names(lines: tuple[StatusLine, ...]) -> Iterator[tuple[str, tuple[StatusLine, ...]]]:
    """Yield each name with its lines: the last of them is the one that counts."""
    found: dict[str, list[StatusLine]] = {}
    for line in lines:
        found.setdefault(line.name, []).append(line)
    for name, all_of_it in found.items():
        yield name, tuple(all_of_it)
