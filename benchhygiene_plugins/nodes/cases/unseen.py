"""What cannot be seen, which is never a pass."""

from __future__ import annotations

from benchhygiene import Verdict
from benchhygiene.evidence import Change
from benchhygiene.evidence.tree import EntryKind, SourceTree, TreeEntry
from benchhygiene.testing import Case, case
from benchhygiene_plugins.nodes.cases.suite import PATH, SLUGS, edit
from benchhygiene_plugins.nodes.findings import UNSEEN

_UNREAD = SourceTree({PATH: TreeEntry(EntryKind.FILE, error="larger than the limit")})
_LINKED = SourceTree({PATH: TreeEntry(EntryKind.SYMLINK, "sha256:0", data=b"elsewhere.py")})

CASES: tuple[Case, ...] = (
    case(
        "the candidate's file could not be read",
        Change({PATH: SLUGS}, _UNREAD),
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
)
