"""What a candidate hides from sight that its parent did not."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from benchhygiene.inventory.collection import Node, Unseen
from benchhygiene.inventory.pairing import Pairing


@attrs.frozen(eq=False)
class Doubt:
    """Something that cannot be seen any more; ``hidden`` are nodes that it surely replaces."""

    unseen: Unseen
    is_parents: bool = False
    hidden: tuple[Node, ...] = ()


def doubts(pairing: Pairing) -> Iterator[Doubt]:
    """Yield what could not be seen on one side only, as far as it may have cost a test."""
    before = {_what(one) for one in pairing.parent.unseen}
    after = {_what(one) for one in pairing.candidate.unseen}
    known = {node.path for node in pairing.parent.nodes}
    for one in pairing.candidate.unseen:
        if one.is_addition or (one.is_broken and one.path in known):
            continue  # nodes of a file that is broken now are judged one by one
        if one.is_whole_file or _what(one) not in before:
            yield from _costs(one, pairing)
    doubted = {one.path for one in pairing.candidate.unseen if one.is_whole_file}
    for one in pairing.parent.unseen:
        hidden = one.is_whole_file and not one.is_broken and one.path not in doubted
        if hidden or (one.is_addition and _what(one) not in after):
            yield Doubt(one, is_parents=True)


def _what(one: Unseen) -> tuple[str, str, tuple[str, str], bool]:
    """Return what is not seen, whatever line it stands on."""
    reason = "" if one.line is not None and not one.is_addition else one.reason
    return f"{one.path} {reason}", one.prefix, one.pattern, one.hides


def _costs(one: Unseen, pairing: Pairing) -> Iterator[Doubt]:
    if one.is_whole_file:
        yield Doubt(one)
        return
    pairs = [pair for pair in pairing.pairs if one.concerns(pair.old)]
    if pairs:
        hidden = tuple(pair.old for pair in pairs if pair.new is not None)
        yield Doubt(one, hidden=hidden if one.hides else ())
