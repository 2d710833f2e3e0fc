"""Command-line words that remember where they were written."""

from __future__ import annotations

import enum
import io
import re
import shlex
from collections.abc import Callable, Iterator
from functools import lru_cache

import attrs

_VARIABLE = re.compile(r"\$(\w{1,200}|\{[^}]{0,200}\})")
_BLANK = re.compile(r"[ \t\r\n]*")


class OriginKind(enum.Enum):
    """Who wrote a word."""

    ARGUMENT = "argument"
    VARIABLE = "variable"
    FILE = "file"


@attrs.frozen
class Origin:
    """Where a word was written.

    ``name`` is a path for a file, a variable's name for a variable, empty for an argument. Line and
    column are 1-based and None where the place could not be told apart.
    """

    kind: OriginKind
    name: str = ""
    line: int | None = None
    column: int | None = None


ARGUMENT = Origin(OriginKind.ARGUMENT)


@attrs.frozen
class Word:
    """One word as pytest reads it, and who wrote it."""

    text: str
    origin: Origin = ARGUMENT


@attrs.frozen(eq=False, repr=False)
class Split:
    """One shell word and the offset in the text at which it begins."""

    text: str
    offset: int


def expand_variables(text: str, variable: Callable[[str], str | None]) -> str:
    """Replace ``$NAME`` and ``${NAME}`` as ``os.path.expandvars`` does; unset ones stay."""

    def value(match: re.Match[str]) -> str:
        found = variable(match.group(1).strip("{}"))
        return match.group() if found is None else found

    return _VARIABLE.sub(value, text)


@lru_cache(maxsize=256)
def shell_split(text: str) -> tuple[Split, ...]:
    """Split text as ``shlex.split`` does and keep each word's offset.

    Raises ValueError where a quote is not closed or a backslash ends the text.
    """
    return tuple(_splits(text))


def _splits(text: str) -> Iterator[Split]:
    # The stream is ours, so its position tells how far the lexer has read.
    stream = io.StringIO(text)
    lexer = shlex.shlex(stream, posix=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    while True:
        before = stream.tell()
        token = lexer.get_token()
        if token is None:
            return
        blank = _BLANK.match(text, before)
        yield Split(token, before if blank is None else blank.end())
