"""What cannot be seen, which is never a pass."""

from __future__ import annotations

from benchhygiene import Verdict
from benchhygiene.evidence import (
    Change,
    CollectedChange,
    CollectedNodes,
    CollectionEnd,
    EntryKind,
    SourceTree,
    TreeEntry,
)
from benchhygiene.testing import Case, case
from benchhygiene_plugins.nodes.cases.suite import PATH, SLUGS, edit
from benchhygiene_plugins.nodes.findings import DELETED, DISAGREEMENT, UNCOLLECTED, UNSEEN

_UNREAD = SourceTree({PATH: TreeEntry(EntryKind.FILE, error="larger than the limit")})
_LINKED = SourceTree({PATH: TreeEntry(EntryKind.SYMLINK, "sha256:0", data=b"elsewhere.py")})
_IDS = tuple(
    f"{PATH}::{name}"
    for name in (
        "test_lower",
        "test_spaces",
        "test_blank[-0]",
        "test_blank[ ]",
        "TestLength::test_cut",
    )
)
_SAME = edit(('"hello"', "'hello'"))

COLLECTED: tuple[Case, ...] = (
    case(
        "both collections find what the sources show",
        _SAME,
        CollectedChange(CollectedNodes(_IDS), CollectedNodes(_IDS)),
        innocent_of=[DISAGREEMENT, UNCOLLECTED],
        verdict=Verdict.PASS,
    ),
    case(
        "the candidate's collection no longer finds a test",
        _SAME,
        CollectedChange(CollectedNodes(_IDS), CollectedNodes(_IDS[1:])),
        reports=[UNCOLLECTED, DISAGREEMENT],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a test that only the collections show is gone",
        _SAME,
        CollectedChange(CollectedNodes((*_IDS, f"{PATH}::test_made")), CollectedNodes(_IDS)),
        reports=[DELETED, DISAGREEMENT],
    ),
    case(
        "the candidate's collection says nothing",
        _SAME,
        CollectedChange(CollectedNodes(_IDS), CollectedNodes(end=CollectionEnd.TIMED_OUT)),
        reports=[UNSEEN],
        verdict=Verdict.INCONCLUSIVE,
    ),
)
CASES: tuple[Case, ...] = (
    case(
        "the candidate's file could not be read",
        Change({PATH: SLUGS}, _UNREAD),
        reports=[UNSEEN],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "the source gave up on part of the tree",
        Change({PATH: SLUGS}, SourceTree({PATH: SLUGS}, unseen=("more than 200000 entries",))),
        reports=[UNSEEN],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "the candidate's file is a link",
        Change({PATH: SLUGS}, _LINKED),
        reports=[UNSEEN],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "the rows come from where nobody can look",
        edit(('["", " ", "-", "--"]', "slugify.CASES")),
        reports=[UNSEEN],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "text is run as code",
        edit((SLUGS, f"{SLUGS}\n\nexec(slugify.SETUP)\n")),
        reports=[UNSEEN],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "nothing is hidden",
        edit(('"hello"', "'hello'")),
        innocent_of=[UNSEEN],
        verdict=Verdict.PASS,
    ),
    *COLLECTED,
)
