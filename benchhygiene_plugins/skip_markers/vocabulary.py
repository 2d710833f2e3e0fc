"""The names by which pytest, unittest and their kin leave a test out or expect it to fail."""

from __future__ import annotations

import enum

from benchhygiene.inventory.index import words


class Means(enum.Enum):
    """How a name exempts a test."""

    SKIP = "skip"
    SKIP_IF = "skip_if"
    SKIP_UNLESS = "skip_unless"
    XFAIL = "xfail"
    EXPECTED_FAILURE = "expected_failure"
    IMPORT = "importorskip"
    FOREIGN = "foreign"  # somebody else's marker: on a condition that is theirs


_MARKERS = {
    "pytest.mark.skip": Means.SKIP,
    "pytest.mark.skipif": Means.SKIP_IF,
    "pytest.mark.xfail": Means.XFAIL,
    "unittest.skip": Means.SKIP,
    "unittest.skipIf": Means.SKIP_IF,
    "unittest.skipUnless": Means.SKIP_UNLESS,
    "unittest.expectedFailure": Means.EXPECTED_FAILURE,
}
_CALLS = {
    "pytest.skip": Means.SKIP,
    "pytest.xfail": Means.XFAIL,
    "pytest.importorskip": Means.IMPORT,
    "unittest.TestCase.skipTest": Means.SKIP,
    "pytest.skip.__call__": Means.SKIP,
}
_EXCEPTIONS = {
    "pytest.skip.Exception": Means.SKIP,
    "pytest.xfail.Exception": Means.XFAIL,
    "unittest.SkipTest": Means.SKIP,
}
# Modules that no Python is without.
_ALWAYS_THERE = """
abc argparse ast asyncio base64 bisect builtins calendar codecs collections configparser
contextlib copy csv dataclasses datetime decimal difflib email enum fractions functools
gc glob gzip hashlib heapq html http importlib inspect io itertools json locale logging
math mimetypes numbers operator os pathlib pickle platform pprint pytest queue random re
shlex shutil signal socket stat statistics string struct subprocess sys tempfile
textwrap threading time timeit tokenize traceback types typing unicodedata unittest
urllib uuid warnings weakref xml zipfile
"""
ALWAYS_THERE = frozenset(_ALWAYS_THERE.split())
#: Methods that put a marker on an item or a collector.
ADDING = frozenset(("add_marker", "applymarker", "append", "extend", "insert", "appendleft"))
#: What a file must hold, in one of these spellings, to exempt anything by itself.
WORDS = (b"skip", b"Skip", b"SKIP", b"xfail", b"XFail", b"expectedFailure", b"expecting_failure")
#: Words that only a test framework, or what skips with one, goes by.
FRAMEWORK_WORDS = frozenset(
    b"pytest _pytest unittest unittest2 testtools nose nose2 twisted absl ward SkipTest Skipped"
    b" skipTest skipIf skipUnless skipif importorskip xfail expectedFailure".split()
)
#: What a file must hold to exempt anything at all: a spelling may be put together from parts.
FRAMEWORKS = (*WORDS, b"pytest", b"unittest")


def marker(name: str) -> Means | None:
    """Return what a decorator of this name does to the test it stands on."""
    name = name.removesuffix(".mark").removesuffix(".with_args")
    known = _MARKERS.get(name)
    if known is not None or name.startswith(("pytest.", "unittest.mock.")):
        return known
    head, dot, last = name.rpartition(".")
    if not dot or "(" in head:
        return None
    word = last.lower().lstrip("_")
    if last == "expectedFailure":
        return Means.EXPECTED_FAILURE
    return Means.FOREIGN if word.startswith(("skip", "xfail", "knownfail")) else None


def call(name: str) -> Means | None:
    """Return what calling a function of this name does to the test that runs."""
    known = _CALLS.get(name)
    if known is not None or name.startswith(("pytest.", "unittest.")):
        return known
    last = name.rpartition(".")[2]
    is_kin = "." in name and last in ("skip", "skipTest", "skip_test") and _is_framework(name)
    return Means.SKIP if is_kin else None


def exception(name: str) -> Means | None:
    """Return what raising an exception of this name does to the test that runs."""
    known = _EXCEPTIONS.get(name)
    if known is not None:
        return known
    return Means.SKIP if "." in name and name.endswith((".SkipTest", ".Skipped")) else None


def _is_framework(name: str) -> bool:
    return name.partition(".")[0] in ("nose", "nose2", "testtools", "twisted", "ward", "absl")


def mentions(data: bytes) -> bool:
    """Return whether a file's bytes name anything that exempts; made for ``tree.derived``."""
    return any(word in data for word in WORDS)


def may_exempt(data: bytes) -> bool:
    """Return whether a file could exempt anything however it is spelled; for ``tree.derived``."""
    return any(word in data for word in FRAMEWORKS)


def names_framework(data: bytes) -> bool:
    """Return whether a file names a test framework or what one skips with; for ``tree.derived``."""
    return any(word in data for word in FRAMEWORKS) and not FRAMEWORK_WORDS.isdisjoint(words(data))
