"""Command lines are read as the real ``argparse`` reads them on the Python that runs this."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchhygiene_plugins.ini_chain.command.scanning import Scan, ScanError, scan_final, scan_known
from benchhygiene_plugins.ini_chain.command.words import Word
from benchhygiene_plugins.ini_chain.starting.versions import Dialect, release
from benchhygiene_plugins.ini_chain.tables import Option, core_table, plugin_table
from tests.ini_chain import parsers

PYTHON = sys.version_info[:3]
VERSIONS = ("7.4.4", "8.4.2", "9.2.0")


def _options(version: str) -> tuple[Option, ...]:
    cov = plugin_table("pytest-cov")
    assert cov is not None
    return (*core_table(version).options, *cov.options)


OPTIONS = {version: _options(version) for version in VERSIONS}
BY_NAME = {v: {name: o for o in OPTIONS[v] for name in o.names} for v in VERSIONS}
PARSERS = {version: parsers.parser_of(OPTIONS[version]) for version in VERSIONS}

_NAMES = sorted(set.intersection(*(set(names) for names in BY_NAME.values())))
_SHORT = ["-x", "-v", "-q", "-s", "-l", "-k", "-m", "-p", "-c", "-o", "-W", "-r"]
_VALUES = ["", "a", "a/b.py", "x=1", "-1", "-1.5", "-x", "no:cov", "a b", "-a b", "=", "é", "\n"]
_LOOSE = ["--", "-", "-Z", "-Zx", "--unknown", "--unknown=1", "--cov-fail", "-1", "---", "--="]

names = st.sampled_from(_NAMES) | st.sampled_from([*_SHORT, "--cov", "--debug"])
values = st.sampled_from(_VALUES) | st.text(max_size=4)
clusters = st.lists(st.sampled_from("xvqslkprfcWZ=1-"), min_size=1, max_size=5).map(
    lambda letters: "-" + "".join(letters)
)
words = st.one_of(
    names,
    values,
    clusters,
    st.sampled_from(_LOOSE),
    st.tuples(names, values).map("=".join),
    st.tuples(names, values).map("".join),
)
lines = st.lists(words, max_size=7)

_Judging = Callable[[list[str], str, bool], None]


def _seen(scan: Scan) -> parsers.Parsed:
    return parsers.Parsed(
        tuple((found.name, found.value) for found in scan.given),
        tuple(word.text for word in scan.paths),
        tuple(word.text for word in scan.unknown),
    )


def _ours(line: Sequence[str], version: str, *, final: bool) -> parsers.Parsed | None:
    scan = scan_final if final else scan_known
    dialect = Dialect(release(version), PYTHON)
    try:
        return _seen(scan([Word(text) for text in line], BY_NAME[version], dialect))
    except ScanError:
        return None


def _real(line: Sequence[str], version: str, *, final: bool) -> parsers.Parsed | None:
    parse = parsers.parse_final if final else parsers.parse_known
    try:
        return parse(PARSERS[version], line, release(version))
    except parsers.Refused:
        return None


AWKWARD: tuple[list[str], ...] = (
    ["--", "-q", "a"],
    ["a", "--", "-q", "b"],
    ["a", "-q", "--", "b"],
    ["-q", "--", "--", "b"],
    ["--cov", "--", "b"],
    ["-k", "--", "b"],
    ["-xvk", "b", "c"],
    ["-xvk=b"],
    ["-xZ"],
    ["-x=1"],
    ["-xv=1"],
    ["--exitfirst="],
    ["-rfx", "-W", "error", "a", "-k", "-1"],
    ["--unknown", "value", "a", "-x", "b"],
    [""],
    ["a b", "-a b", "--no such"],
)


def awkward(test: _Judging) -> _Judging:
    """Try what has been got wrong before."""
    for line in AWKWARD:
        test = example(line=line)(test)
    return test


@pytest.mark.parametrize("final", [False, True], ids=["known", "final"])
@pytest.mark.parametrize("version", VERSIONS)
@settings(max_examples=120)
@awkward
@given(line=lines)
def test_words_are_read_as_argparse_reads_them(line: list[str], version: str, final: bool) -> None:
    assert _ours(line, version, final=final) == _real(line, version, final=final)


#: What argparse of one Python does that the running one may not, seen by running it.
Expected = tuple[list[tuple[str, str | None]], list[str], list[str]] | None
DIALECTS: list[tuple[str, tuple[int, int, int], list[str], Expected]] = [
    ("8.4.2", (3, 11, 7), ["-xZ"], None),
    ("8.4.2", (3, 13, 0), ["-xZ"], ([("-x", None)], [], ["-Z"])),
    ("9.2.0", (3, 11, 7), ["--", "-q", "a"], ([("-q", None)], ["a"], [])),
    ("9.2.0", (3, 12, 10), ["--", "-q", "a"], ([], ["-q", "a"], [])),
    ("9.2.0", (3, 12, 10), ["-q", "--", "--", "b"], ([("-q", None)], ["--", "b"], [])),
    ("9.2.0", (3, 12, 10), ["a", "-q", "b", "-Z"], ([("-q", None)], ["a", "b"], ["-Z"])),
    ("9.2.0", (3, 12, 10), ["-xk=", "b"], ([("-x", None), ("-k", "")], ["b"], [])),
    ("9.2.0", (3, 13, 0), ["-x-"], None),
]


@pytest.mark.parametrize(("version", "python", "line", "expected"), DIALECTS)
def test_every_python_has_its_own_argparse(
    version: str,
    python: tuple[int, int, int],
    line: list[str],
    expected: Expected,
) -> None:
    dialect = Dialect(release(version), python)
    try:
        seen = _seen(scan_final([Word(text) for text in line], BY_NAME[version], dialect))
    except ScanError:
        assert expected is None
    else:
        assert expected is not None
        options, paths, unknown = expected
        assert seen == parsers.Parsed(tuple(options), tuple(paths), tuple(unknown))
