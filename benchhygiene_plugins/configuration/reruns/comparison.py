"""Compare what has tests run again on two sides."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.index import words
from benchhygiene.inventory.modules import Modules
from benchhygiene.inventory.pairing import Pair, of_change
from benchhygiene.inventory.python import FunctionNode, parse, statements
from benchhygiene_plugins.configuration.reruns.loops import (
    calls_again,
    replaces_test,
    reruns_test,
    tries_again,
)
from benchhygiene_plugins.configuration.reruns.tests import Rerun, reruns_of
from benchhygiene_plugins.configuration.reruns.vocabulary import WORDS
from benchhygiene_plugins.configuration.side import Side


@attrs.frozen(eq=False)
class Added:
    """One test that is run again more often than it was, and where that stands."""

    node: Node
    path: str
    line: int
    times: int
    old_text: str
    new_text: str
    words: str


def added(change: Change, before: Side, after: Side) -> Iterator[Added]:
    """Yield the tests that are run again, or more often, when they fail."""
    if not any(_may_rerun(change.candidate, path) for path in change.differing()):
        return
    for pair in change.surveyed(of_change).pairs:
        found = _of_pair(pair, before.modules, after.modules)
        if found is not None:
            yield found


def _may_rerun(tree: SourceTree, path: str) -> bool:
    if not path.endswith(".py") or not tree.is_file(path):
        return False
    try:
        return bool(WORDS & tree.derived(path, words))
    except EvidenceUnavailable:
        return True


def _of_pair(pair: Pair, old: Modules, new: Modules) -> Added | None:
    if pair.new is None:
        return None
    after = reruns_of(new, pair.new)
    if not after:
        return None
    before = reruns_of(old, pair.old)
    most = max(after, key=lambda one: one.times)
    was = max((one.times for one in before), default=0)
    if most.times <= was and len(after) <= len(before):
        return None
    fresh = [one for one in after if one.times > was] or [most]
    return _added(pair.old, fresh[0], before)


def _added(node: Node, one: Rerun, before: tuple[Rerun, ...]) -> Added:
    words = "as often as it takes" if one.times > 50 else f"up to {one.times} times"
    old = before[0].text if before else ""
    return Added(node, one.path, one.line, one.times, old, one.text, words)


@attrs.frozen
class Looping:
    """A hook that runs a test in a loop."""

    path: str
    line: int
    text: str


def looping(change: Change) -> Iterator[Looping]:
    """Yield the hooks of conftests and plugins that newly run a test in a loop."""
    for path in change.differing():
        if not path.endswith(".py") or not change.candidate.is_file(path):
            continue
        known = {name for name, _ in _loops(change.parent, path)}
        for name, found in _loops(change.candidate, path):
            if name not in known:
                yield found


def _loops(tree: SourceTree, path: str) -> Iterator[tuple[str, Looping]]:
    if not tree.is_file(path):
        return
    try:
        if not any(word.startswith((b"pytest", b"_pytest")) for word in tree.derived(path, words)):
            return
        file = tree.derived(path, parse)
    except EvidenceUnavailable:
        return
    is_conftest = posixpath.basename(path) == "conftest.py"
    puts = is_conftest and any(map(replaces_test, statements(file.body)))
    for node in statements(file.body):
        if not isinstance(node, FunctionNode):
            continue
        is_hook = node.name.startswith("pytest_") and reruns_test(node)
        if is_hook or (puts and (calls_again(node) or tries_again(node))):
            yield node.name, Looping(path, node.lineno, file.definition_text(node)[:1_000])
