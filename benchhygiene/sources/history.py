"""Read what a repository says of its commits."""

from __future__ import annotations

import datetime
import os
import re

from benchhygiene.errors import EvidenceUnavailable, InputError
from benchhygiene.evidence.commits import Commit, Commits
from benchhygiene.sources.git_objects import ObjectStore

_LARGEST = 1 << 20  # bytes of a commit
_COMMITTER = re.compile(rb"^committer [^\n]*> (?P<seconds>[0-9]{1,11}) [+-][0-9]{4}$", re.MULTILINE)


def commit(repository: str | os.PathLike[str], revision: str) -> Commit | None:
    """Return the commit that a revision leads to, None where it leads to a tree.

    Raises InputError for what is no repository or revision.
    """
    path = os.fspath(repository)
    if not os.path.isdir(path):
        raise InputError(f"git {path!r}: no such directory; expected a git repository")
    store = ObjectStore(os.path.realpath(path), _LARGEST)
    if not revision or "\n" in revision or "\0" in revision:
        raise InputError(f"revision {revision!r}: expected a commit, a tag or a branch")
    try:
        found = store.read(f"{revision}^{{}}")  # of a tag what it leads to
    except EvidenceUnavailable as error:
        raise InputError(f"revision {revision!r}: not in the repository {path!r}") from error
    finally:
        store.close()
    head = found.data.partition(b"\n\n")[0]
    seconds = _COMMITTER.search(head) if found.kind == "commit" else None
    if seconds is None:
        return None
    time = datetime.datetime.fromtimestamp(int(seconds["seconds"]), datetime.UTC)
    return Commit(found.identity, time)


def commits(repository: str | os.PathLike[str], parent: str, candidate: str | None) -> Commits:
    """Return the commits that two revisions lead to; raises InputError as ``commit`` does."""
    after = None if candidate is None else commit(repository, candidate)
    return Commits(commit(repository, parent), after)
