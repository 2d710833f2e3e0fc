"""The tests whose checks a change may have touched, by themselves or through what they use."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.evidence.tree import Change
from benchhygiene.inventory.collection import CollectionRules
from benchhygiene.inventory.importers import users
from benchhygiene.inventory.pairing import Pairing, of_change, pair
from benchhygiene.inventory.touched import Touched, collected, rules_of
from benchhygiene_plugins.assertions.alterations import Alterations, Owners, alterations
from benchhygiene_plugins.assertions.modules import Project, is_test_side


@attrs.frozen(eq=False)
class Affected:
    """Nodes whose checks may differ, paired by the parent's rules, and the names that may."""

    pairing: Pairing
    altered: Alterations


def affected(change: Change, sides: Sequence[Project]) -> Affected:
    """Return the nodes whose checks may differ, and what can make them."""
    touched, rules = change.surveyed(Touched.by), rules_of(change)
    altered = alterations(change, sides, (touched.parent.nodes, touched.candidate.nodes))
    names = {path: found for path, found in altered.names.items() if found}
    using = sorted(users(change.parent, names)) if names else []
    found = {one for one in using if rules.is_test_file(one)}
    shared = (one for one in change.differing() if one.endswith(".py") and is_test_side(one))
    for path in (*shared, *using):
        if posixpath.basename(path) == "conftest.py":
            found.update(_below(change, path, rules))
    if found <= {*touched.paths}:
        pairing = change.surveyed(of_change)
    else:
        pairing = pair(*collected(change, {*touched.paths, *found}))
    nodes = (pairing.parent.nodes, pairing.candidate.nodes)
    owners = Owners(tuple(zip(sides, nodes, strict=True)))
    return Affected(pairing, altered.spread(sides, _paths(pairing, sides, using), owners))


def _paths(pairing: Pairing, sides: Sequence[Project], using: Sequence[str]) -> tuple[str, ...]:
    """Return the files that nodes are read with."""
    found = dict.fromkeys(using)
    for one in (*pairing.parent.nodes, *pairing.candidate.nodes):
        found.update(dict.fromkeys((one.path, one.definition_path)))
    for path in tuple(found):
        for side in sides:
            found.update(dict.fromkeys(side.conftests(path)))
    return tuple(found)


def _below(change: Change, conftest: str, rules: CollectionRules) -> Iterator[str]:
    """Yield the test files below a conftest."""
    prefix = f"{posixpath.dirname(conftest)}/".lstrip("/")
    files = (one for one in change.candidate.files(".py") if one.startswith(prefix))
    yield from (one for one in files if rules.is_test_file(one))
