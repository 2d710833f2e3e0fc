"""Whether an edit of a check comes from the test itself, or only from what sets the test up.

A fixture or a ``setUp`` that supplies something else is one edit, and is said once where it stands
(``fixture.code_changed``), not for every check of every test that is set up by it. So a node whose
checks differ is followed again without a look into what sets it up: where a check is then the same
on both sides, only its set-up differs. What is left to say of it is what the set-up asserts by
itself, and that the check has come to be worth nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from benchhygiene_plugins.assertions.checks import Place
from benchhygiene_plugins.assertions.comparison import compare
from benchhygiene_plugins.assertions.edits import Edit, Kind
from benchhygiene_plugins.assertions.exceptions import Hierarchy
from benchhygiene_plugins.assertions.following import Followed
from benchhygiene_plugins.assertions.terms import Term

#: What makes a check worth nothing, wherever it comes from.
_ANNULLING = frozenset(
    (Kind.TAUTOLOGY, Kind.SELF_ORACLE, Kind.UNREACHABLE, Kind.SWALLOWED, Kind.GUARDED)
)


def own_edits(
    edits: Iterable[Edit], old: Followed, new: Followed, hierarchy: Hierarchy
) -> Iterator[Edit]:
    """Yield the edits that are the test's own, given both sides without what sets them up.

    Where the test itself does something else than it did, that may bear on any of its checks.
    """
    if _done(old) != _done(new):
        yield from edits
        return
    followed = {check.place for check in old.checks}
    differing = {_place(edit) for edit in compare(old, new, hierarchy)}
    for edit in edits:
        place = _place(edit)
        if place not in followed or place in differing or edit.kind in _ANNULLING:
            yield edit


def _done(side: Followed) -> Counter[Term]:
    return Counter(effect for effect, _ in side.effects)


def _place(edit: Edit) -> Place | None:
    return edit.old.place if edit.old is not None else None
