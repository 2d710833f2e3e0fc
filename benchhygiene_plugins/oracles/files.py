"""What became of each fixture file of the parent's."""

from __future__ import annotations

import enum
import posixpath
from collections.abc import Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, EntryKind, SourceTree, TreeEntry
from benchhygiene_plugins.oracles.contents import (
    Content,
    ContentReader,
    emptied_part,
    only_adds_records,
    suffix_of,
)
from benchhygiene_plugins.oracles.excerpts import excerpts
from benchhygiene_plugins.oracles.moves import Moves
from benchhygiene_plugins.oracles.naming import naming
from benchhygiene_plugins.oracles.territory import (
    Standing,
    Territory,
    is_oracle,
    is_paperwork,
)


class Fate(enum.Enum):
    """What became of a fixture file."""

    CHANGED = "changed"
    EXTENDED = "extended"
    EMPTIED = "emptied"
    PARTLY_EMPTIED = "partly emptied"
    DELETED = "deleted"
    MOVED = "moved"
    UNSEEN = "unseen"


@attrs.frozen
class Edit:
    """One fixture file that is not what it was; ``what`` says how, in words.

    ``names`` are the tests' files that name one which lies outside of the tests.
    """

    path: str
    fate: Fate
    what: str
    old: Content | None = None
    new: Content | None = None
    texts: tuple[str, str] = ("", "")
    names: tuple[str, ...] = ()


def edits(change: Change) -> Iterator[Edit]:
    """Yield, by path, what became of every fixture file that differs."""
    territory = change.parent.surveyed(Territory.of)
    moves = change.surveyed(Moves)
    for path in change.differing():
        if path not in change.parent.entries:
            continue
        names = naming_tests(change.parent, territory, path)
        if names is not None:
            yield from _edits(change, path, moves, names)


def naming_tests(tree: SourceTree, territory: Territory, path: str) -> tuple[str, ...] | None:
    """Return None for what is no fixture, else who names it where that makes it one."""
    match territory.standing(path):
        case Standing.FIXTURE:
            return None if _is_doctest(tree, territory, path) else ()
        case Standing.PROSE:
            return naming(tree, path) or None
        case Standing.OUTSIDE if not path.endswith(".py") and not is_paperwork(path):
            linked = tuple(sorted(tree.surveyed(linked_targets).get(path, ())))
            return linked or naming(tree, path) or None
        case _:
            return None


def linked_targets(tree: SourceTree) -> dict[str, list[str]]:
    """Return the files outside that links among the tests lead to; for ``tree.surveyed``."""
    territory = tree.surveyed(Territory.of)
    found: dict[str, list[str]] = {}
    for path, one in tree.entries.items():
        if one.kind is EntryKind.SYMLINK and territory.is_among_tests(path):
            target = tree.resolve(path)
            if target is not None:
                found.setdefault(target, []).append(path)
    return found


def folders(tree: SourceTree) -> frozenset[str]:
    """Return every folder of a tree; made for ``tree.surveyed``."""
    parents = {posixpath.dirname(path) for path in tree.entries}
    parts = (parent.split("/") for parent in parents)
    return frozenset("/".join(one[:end]) for one in parts for end in range(1, len(one) + 1))


def _is_doctest(tree: SourceTree, territory: Territory, path: str) -> bool:
    """Return whether a text file's examples are run: what they say is judged as tests are."""
    name = posixpath.basename(path)
    globs = territory.rules.doctest_globs
    if not any(posixpath.basename(path).endswith(one.rpartition("*")[2]) for one in globs):
        return False
    try:
        return path.endswith(".txt") and name.startswith("test") and b">>> " in tree.read(path)
    except EvidenceUnavailable:
        return False


def _edits(change: Change, path: str, moves: Moves, names: tuple[str, ...]) -> Iterator[Edit]:
    old, new = change.parent.entries[path], change.candidate.entries.get(path)
    if new is None:
        yield _gone(change, path, moves, names)
        return
    if new.kind is EntryKind.SYMLINK and old.kind is EntryKind.FILE:
        yield _linked(change, path, names)
        return
    if old.kind is not new.kind or EntryKind.FILE is not new.kind:
        yield _of_other_kind(change, path, old, new, names)
        return
    yield from _of_bytes(change, path, names)


def _gone(change: Change, path: str, moves: Moves, names: tuple[str, ...]) -> Edit:
    before = _content(change.parent, path)
    text = (_text(change.parent, path), "")
    if path in change.candidate.surveyed(folders):
        return Edit(path, Fate.EMPTIED, "is a folder now", before, None, text, names)
    target = moves.followed(path)
    if target is not None:
        what = f"moved to {target}, and what names it follows"
        return Edit(path, Fate.MOVED, what, before, before, names=names)
    elsewhere = moves.target(path)
    what = "is gone"
    if elsewhere is not None:
        what = f"was moved away, to {elsewhere}, where no test that named it looks for it"
    elif change.candidate.unseen:
        what = "is not in the candidate, as far as it was seen"
    return Edit(path, Fate.DELETED, what, before, None, text, names)


def _linked(change: Change, path: str, names: tuple[str, ...]) -> Edit:
    before = _content(change.parent, path)
    target = _text(change.candidate, path)
    texts = (_text(change.parent, path), f"-> {target}")
    if target.startswith(("/dev/null", "/dev/zero")):
        return Edit(path, Fate.EMPTIED, f"is a link to {target} now", before, None, texts, names)
    resolved = change.candidate.resolve(path)
    if resolved is None:
        what = f"is a link to {target} now, which leads to no file of the tree"
        return Edit(path, Fate.DELETED, what, before, None, texts, names)
    after = _content(change.candidate, resolved)
    if after is not None and after.is_hollow and before is not None and not before.is_hollow:
        what = f"is a link to {resolved} now, which holds nothing"
        return Edit(path, Fate.EMPTIED, what, before, after, texts, names)
    return Edit(path, Fate.CHANGED, f"is a link to {resolved} now", before, after, texts, names)


def _of_other_kind(
    change: Change, path: str, old: TreeEntry, new: TreeEntry, names: tuple[str, ...]
) -> Edit:
    what = f"was a {old.kind.value} and is a {new.kind.value}"
    texts = (_text(change.parent, path), _text(change.candidate, path))
    if old.kind is new.kind:
        what = f"is another {new.kind.value}"
        if new.kind is EntryKind.SYMLINK:
            what = f"leads to {texts[1]} instead of {texts[0]}"
        texts = (texts[0] or old.identity, texts[1] or new.identity)
    return Edit(path, Fate.CHANGED, what, texts=texts, names=names)


def _of_bytes(change: Change, path: str, names: tuple[str, ...]) -> Iterator[Edit]:
    old, new = change.parent.entries[path], change.candidate.entries[path]
    try:
        before, after = change.parent.stored(path), change.candidate.stored(path)
    except EvidenceUnavailable as error:
        yield _unread(path, old, new, str(error), names)
        return
    was, now = _content(change.parent, path), _content(change.candidate, path)
    if before == after:
        mode = "executable" if new.is_executable else "not executable any more"
        yield Edit(path, Fate.CHANGED, f"is {mode}", was, now, ("mode", mode), names)
        return
    texts = excerpts(before, after)
    if was is None or now is None:  # a pointer to a content that is somewhere else
        yield Edit(path, Fate.CHANGED, "points to another content", was, now, texts, names)
    elif now.is_hollow and not was.is_hollow:
        yield Edit(path, Fate.EMPTIED, "holds nothing now", was, now, texts, names)
    elif not is_oracle(path) and only_adds_records(was.records, now.records):
        what = f"has more records ({was.rows} before, {now.rows} now), the old ones among them"
        yield Edit(path, Fate.EXTENDED, what, was, now, texts, names)
    else:
        yield Edit(path, Fate.CHANGED, _how(was, now), was, now, texts, names)
        pointer = emptied_part(was.records, now.records)
        if pointer is not None:
            what = f"holds nothing at {pointer} now"
            yield Edit(path, Fate.PARTLY_EMPTIED, what, was, now, texts, names)


def _unread(path: str, old: TreeEntry, new: TreeEntry, why: str, names: tuple[str, ...]) -> Edit:
    schemes = {one.identity.partition(":")[0] for one in (old, new)}
    if old.identity and new.identity and len(schemes) == 1 and old.identity != new.identity:
        texts = (old.identity, new.identity)
        return Edit(path, Fate.CHANGED, "holds other bytes", texts=texts, names=names)
    return Edit(path, Fate.UNSEEN, why.removeprefix(f"{path}: "), names=names)


def _how(old: Content, new: Content) -> str:
    if old.rows is not None and new.rows is not None and old.rows != new.rows:
        return f"holds {new.rows} instead of {old.rows} records"
    if old.is_parsed and new.is_parsed and old.records == new.records:
        return "holds the same values, written in other bytes"
    return f"holds other bytes ({old.size} before, {new.size} now)"


def _content(tree: SourceTree, path: str) -> Content | None:
    try:
        return tree.derived(path, ContentReader(suffix_of(path)))
    except EvidenceUnavailable:
        return None


def _text(tree: SourceTree, path: str) -> str:
    try:
        return excerpts(tree.stored(path), b"")[0]
    except EvidenceUnavailable:
        return ""
