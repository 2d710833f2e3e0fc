"""Split words of a command line and of config files into the paths they may name.

Too many is harmless, one too few makes a wrong prediction: what is not recorded does not exist.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping

_TOKEN = re.compile(r"""[^\s"',=\[\]{}()]+""")
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_VARIABLE = re.compile(r"\$(?:(\w+)|\{([^}]*)\})", re.ASCII)  # as os.path.expandvars
_BREAKS = frozenset(" \t\n\r\"',[](){}")
_CLUSTER = 8  # short options in one word before a glued value: -xvvqsl is six

# A path after one of these is its value; after any other word it may be an argument.
_TAKES_VALUE = frozenset(
    {
        "-c",
        "--config-file",
        "--rootdir",
        "--confcutdir",
        "-p",
        "-k",
        "-m",
        "-o",
        "--override-ini",
        "-W",
        "--pythonwarnings",
        "-r",
        "--junitxml",
        "--junit-xml",
        "--junit-prefix",
        "--junitprefix",
        "--ignore",
        "--ignore-glob",
        "--deselect",
        "--basetemp",
        "--log-file",
        "--maxfail",
        "--tb",
        "--capture",
        "--color",
        "--durations",
        "--durations-min",
        "--import-mode",
        "--assert",
        "--doctest-glob",
        "--pastebin",
        "--verbosity",
        "--log-level",
        "--log-cli-level",
        "--cov-config",
        "--cov-report",
        "--cov-fail-under",
        "-n",
        "--dist",
        "--timeout",
    }
)


def split(line: str) -> tuple[str, ...]:
    """Return the words of a shell-like line; one that a shell would refuse is cut at blanks."""
    try:
        return tuple(shlex.split(line))
    except ValueError:
        return tuple(line.split())


def tokens(text: str) -> Iterator[str]:
    """Yield every word-like part of a config file's text, in order, repeated ones too."""
    return (match.group() for match in _TOKEN.finditer(text))


def candidates(word: str) -> Iterator[str]:
    """Yield every path that a word may name, in pytest's own grammar or a plugin's."""
    for part in _parts(word):
        yield part
        if "::" in part:
            yield part.partition("::")[0]
        if _DOTTED.fullmatch(part):  # a module, for -p, --cov or --pyargs
            stem = part.replace(".", "/")
            yield from (stem, f"{stem}.py", f"{stem}/__init__.py")


def _parts(word: str) -> Iterator[str]:
    yield word
    if "=" in word:
        yield word.partition("=")[2]
    if word.startswith("@"):
        yield word[1:]
    if word.startswith("-") and not word.startswith("--"):
        yield from (word[start:] for start in range(2, min(len(word), _CLUSTER)))
    if not _BREAKS.isdisjoint(word):
        yield from tokens(word)


def positional(words: tuple[str, ...]) -> Iterator[str]:
    """Yield the words that pytest most likely takes as test paths."""
    before = ""
    for word in words:
        if not word.startswith("-") and before not in _TAKES_VALUE:
            yield word.partition("::")[0]
        before = word


def variables_in(text: str) -> Iterator[str]:
    """Yield the name of every variable that the text refers to."""
    return (match.group(1) or match.group(2) for match in _VARIABLE.finditer(text))


def expand(text: str, environ: Mapping[str, str]) -> str:
    """Replace variables by their values, leaving unset ones as they are."""
    return _VARIABLE.sub(
        lambda match: environ.get(match.group(1) or match.group(2), match.group()), text
    )
