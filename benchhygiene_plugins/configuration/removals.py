"""Which items the options of a session take away."""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Callable, Iterator, Sequence

import attrs

from benchhygiene_plugins.configuration.matching import NoExpression, by_keyword, by_mark
from benchhygiene_plugins.configuration.session.items import Item
from benchhygiene_plugins.configuration.session.options import ARGUMENTS, Cause, Options
from benchhygiene_plugins.configuration.session.things import relative

#: With these no test runs at all.
NOTHING_RUNS = (
    "collectonly",
    "setuponly",
    "setupplan",
    "showfixtures",
    "show_fixtures_per_test",
    "markers",
    "help",
    "version",
    "cacheshow",
)
#: With these a run may leave tests out, depending on what happened before.
MAY_STOP = {
    "maxfail": "a run stops before its end once so many tests have failed",
    "stepwise": "a run stops at the first failure, and the next one starts there",
    "lf": "only what failed in the last run is run",
    "testmon": "only what is affected by the last edit is run",
    "picked": "only what is not committed yet is run",
    "splits": "only one part of the tests is run",
    "test_group": "only one part of the tests is run",
    "test_group_count": "only one part of the tests is run",
    "num_shards": "only one part of the tests is run",
    "benchmark_only": "only benchmarks are run",
    "shouldstop": "a hook tells the run to stop",
    "usepdb": "a run stops at the first failure and asks what to do",
    "trace": "a run stops at every test and asks what to do",
}


@attrs.frozen(eq=False)
class Removal:
    """One thing that takes items away: which, and how it is put into words."""

    option: str
    cause: Cause
    takes: Callable[[Item], bool]
    words: str


def removals(options: Options, positional: Sequence[str]) -> Iterator[Removal]:
    """Yield what the options take away."""
    for name in NOTHING_RUNS:
        if options.is_on(name):
            yield _removal(options, name, lambda item: True, "no test is run")
    yield from _expressions(options)
    deselected = tuple(one for one in options.texts("deselect") if one)
    if deselected:
        takes = _prefixed(deselected)
        yield _removal(options, "deselect", takes, "--deselect takes them out")
    yield from _ignored(options)
    yield from _plugins(options)
    if positional:
        below = tuple(posixpath.normpath(relative(one).partition("::")[0]) for one in positional)
        exact = tuple(relative(one) for one in positional if "::" in one)
        takes = _outside(below, exact)
        yield _removal(options, ARGUMENTS, takes, "only other paths are collected")


def _removal(options: Options, name: str, takes: Callable[[Item], bool], words: str) -> Removal:
    return Removal(name, options.causes.get(name, Cause("")), takes, words)


def _expressions(options: Options) -> Iterator[Removal]:
    for name, flag, read in (("keyword", "-k", by_keyword), ("markexpr", "-m", by_mark)):
        text = options.text(name)
        if not text:
            continue
        words = f'{flag} "{text[:200]}" leaves them out'
        if text == "?":
            yield _removal(options, name, lambda item: True, f"{flag} is computed")
            continue
        try:
            keeps = read(text)
        except NoExpression:
            yield _removal(options, name, lambda item: True, f"{words}: pytest refuses it")
            continue
        yield _removal(options, name, _inverted(keeps), words)


def _inverted(keeps: Callable[[Item], bool]) -> Callable[[Item], bool]:
    return lambda item: not keeps(item)


def _prefixed(prefixes: tuple[str, ...]) -> Callable[[Item], bool]:
    return lambda item: item.node_id.startswith(prefixes)


def _ignored(options: Options) -> Iterator[Removal]:
    paths = tuple(posixpath.normpath(relative(one)) for one in options.texts("ignore") if one)
    if paths:
        takes = _below(paths)
        yield _removal(options, "ignore", takes, "--ignore keeps their files out")
    globs = tuple(one for one in options.texts("ignore_glob") if one)
    if globs:
        yield _removal(options, "ignore_glob", _fitting(globs), "--ignore-glob keeps them out")


def _below(paths: tuple[str, ...]) -> Callable[[Item], bool]:
    return lambda item: any(
        one in (".", item.node.path) or item.node.path.startswith(f"{one}/") for one in paths
    )


def _fitting(globs: tuple[str, ...]) -> Callable[[Item], bool]:
    return lambda item: any(is_ignored_by_glob(item.node.path, glob) for glob in globs)


def is_ignored_by_glob(path: str, glob: str) -> bool:
    """Return whether ``--ignore-glob`` keeps a path, or a directory above it, out."""
    pattern = posixpath.normpath(f"/{relative(glob).removeprefix('./')}")
    while path:
        if fnmatch.fnmatchcase(f"/{path}", pattern):
            return True
        path = posixpath.dirname(path)
    return False


def _outside(below: tuple[str, ...], exact: tuple[str, ...]) -> Callable[[Item], bool]:
    def takes(item: Item) -> bool:
        if exact and any(one.partition("::")[0] == item.node.path for one in exact):
            return not item.node_id.startswith(exact)
        return not any(
            one in (".", item.node.path) or item.node.path.startswith(f"{one}/") for one in below
        )

    return takes


def _plugins(options: Options) -> Iterator[Removal]:
    blocked = {one.removeprefix("no:") for one in options.texts("plugins") if one[:3] == "no:"}
    if blocked & {"python", "main", "runner", "session"}:
        words = "without this plugin pytest collects or runs nothing"
        yield _removal(options, "plugins", lambda item: True, words)
    elif "unittest" in blocked:
        words = "without this plugin no unittest class is collected"
        yield _removal(options, "plugins", lambda item: item.node.is_unittest, words)
