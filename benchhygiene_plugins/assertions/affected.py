"""The test files whose checks a change may have touched, by themselves or through a helper."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.tree import Change, SourceTree
from benchhygiene.inventory.collection import CollectionRules, collect
from benchhygiene.inventory.pairing import Pairing, pair
from benchhygiene.inventory.reach import reach
from benchhygiene_plugins.assertions.modules import is_test_side


def affected(change: Change) -> Pairing:
    """Return the nodes whose checks may differ, paired, by the parent's collection rules."""
    rules = CollectionRules.of(change.parent)
    differing = [path for path in change.differing() if path.endswith(".py")]
    shared = [path for path in differing if is_test_side(path)]
    paths = {*reach(change, rules), *_dependents(change, shared, rules)}
    sides = (change.parent, change.candidate)
    parent, candidate = (
        collect(tree, rules, sorted(path for path in paths if tree.is_file(path))) for tree in sides
    )
    return pair(parent, candidate)


def _dependents(change: Change, shared: list[str], rules: CollectionRules) -> Iterator[str]:
    """Yield the unchanged test files below a changed conftest, or naming a changed module."""
    conftests = tuple(
        f"{posixpath.dirname(path)}/".lstrip("/") for path in shared if _name(path) == "conftest"
    )
    tokens = tuple(
        _name(path).encode(errors="surrogatepass")
        for path in shared
        if _name(path) not in ("conftest", "__init__")
    )
    if not conftests and not tokens:
        return
    for path in change.candidate.files(".py"):
        if not rules.is_test_file(path):
            continue
        if (path.startswith(conftests) if conftests else False) or (
            tokens and _mentions(change.candidate, path, tokens)
        ):
            yield path


def _name(path: str) -> str:
    return posixpath.basename(path).removesuffix(".py")


def _mentions(tree: SourceTree, path: str, tokens: tuple[bytes, ...]) -> bool:
    try:
        data = tree.read(path)
    except EvidenceUnavailable:
        return False
    return any(token in data for token in tokens)
