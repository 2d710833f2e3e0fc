"""Build trees, and changes out of two of them, from all the ways people hold a change."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeAlias

from benchhygiene.errors import InputError
from benchhygiene.evidence.tree import Change, Memo, SourceTree
from benchhygiene.sources.git import Repository
from benchhygiene.sources.patch import apply_diff
from benchhygiene.sources.trees import LEFT_OUT, TreeLimits, directory_tree

Path: TypeAlias = "str | os.PathLike[str]"


def tree(
    path: Path | Repository,
    *,
    revision: str | None = None,
    limits: TreeLimits | None = None,
    leave_out: Iterable[str] = LEFT_OUT,
) -> SourceTree:
    """Return the tree of a directory, or of a revision of a git repository.

    Of a directory every file is hashed and none kept; its bytes are read again when asked for, and
    refused where they changed meanwhile. Links are never followed. Directories named by
    ``leave_out``, virtual environments and ``.git`` are passed over, see ``SourceTree.left_out``. A
    revision is read without a checkout, and a ``Repository`` keeps its own limits. Raises
    InputError for what is no directory, repository or revision.
    """
    if revision is not None:
        return _repository(path, limits).tree(revision)
    if isinstance(path, Repository):
        raise InputError(f"git {path.path!r}: expected a revision such as HEAD")
    return directory_tree(path, limits=limits or TreeLimits(), leave_out=leave_out)


def change(
    parent: Path,
    candidate: Path,
    *,
    limits: TreeLimits | None = None,
    leave_out: Iterable[str] = LEFT_OUT,
) -> Change:
    """Return what lies between two directories; see ``tree`` for how they are read."""
    memo = Memo()
    names = tuple(leave_out)
    before, after = (
        directory_tree(path, limits=limits or TreeLimits(), leave_out=names, memo=memo)
        for path in (parent, candidate)
    )
    return Change(before, after)


def git_change(
    repository: Path | Repository,
    parent: str,
    candidate: str,
    *,
    limits: TreeLimits | None = None,
) -> Change:
    """Return what lies between two revisions of a git repository, without a checkout.

    What both have in common is only read when an analyzer asks. Hand over a ``Repository`` to ask
    for many changes of one. Raises InputError for what is no repository or revision.
    """
    return _repository(repository, limits).change(parent, candidate)


def patch_change(
    parent: Path | SourceTree | Repository,
    diff: bytes | str,
    *,
    revision: str | None = None,
    strip: int = 1,
    limits: TreeLimits | None = None,
    leave_out: Iterable[str] = LEFT_OUT,
) -> Change:
    """Return what a unified diff makes of a directory, of a revision, or of a tree taken before.

    The diff may be git's (renames, copies, modes, binary hunks) or plain, and is applied in memory
    as ``git apply -pSTRIP`` would: a hunk may have moved, but not differ. Raises InputError for a
    diff that is damaged, leads out of the tree, or does not apply: it names file and hunk, and what
    was expected.
    """
    before = (
        parent
        if isinstance(parent, SourceTree)
        else tree(parent, revision=revision, limits=limits, leave_out=leave_out)
    )
    text = diff.encode(errors="surrogateescape") if isinstance(diff, str) else diff
    return Change(before, apply_diff(before, text, strip=strip, limits=limits or TreeLimits()))


def _repository(path: Path | Repository, limits: TreeLimits | None) -> Repository:
    return path if isinstance(path, Repository) else Repository(path, limits=limits)
