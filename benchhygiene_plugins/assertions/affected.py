"""The test files whose checks a change may have touched, by themselves or through a helper."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from benchhygiene.evidence.tree import Change
from benchhygiene.inventory.collection import CollectionRules
from benchhygiene.inventory.pairing import Pairing, of_change, pair
from benchhygiene.inventory.touched import Touched, collected, dependents, rules_of
from benchhygiene_plugins.assertions.modules import is_test_side


def affected(change: Change) -> Pairing:
    """Return the nodes whose checks may differ, paired, by the parent's collection rules."""
    touched, rules = change.surveyed(Touched.by), rules_of(change)
    shared = [one for one in change.differing() if one.endswith(".py") and is_test_side(one)]
    using = dependents(change, shared)
    found = {one for one in using if rules.is_test_file(one)}
    for path in (*shared, *using):
        if posixpath.basename(path) == "conftest.py":
            found.update(_below(change, path, rules))
    if found <= {*touched.paths}:
        return change.surveyed(of_change)
    return pair(*collected(change, {*touched.paths, *found}))


def _below(change: Change, conftest: str, rules: CollectionRules) -> Iterator[str]:
    """Yield the test files below a conftest."""
    prefix = f"{posixpath.dirname(conftest)}/".lstrip("/")
    files = (one for one in change.candidate.files(".py") if one.startswith(prefix))
    yield from (one for one in files if rules.is_test_file(one))
