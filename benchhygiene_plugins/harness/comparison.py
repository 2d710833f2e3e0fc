"""What a candidate does to the harness that its parent did not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from benchhygiene_plugins.harness.deeds import Act, Deed


@attrs.frozen(eq=False)
class Fresh:
    """One deed of the candidate's, and the text of the parent's that it stands in place of."""

    deed: Deed
    old_text: str = ""


def fresh(before: Iterable[Deed], after: Iterable[Deed]) -> Iterator[Fresh]:
    """Yield the deeds that no deed of the parent's is the like of.

    Each of the parent's accounts for one: of the same name, as grave, and under no more conditions.
    One in the same file is taken first, so that a deed may move.
    """
    pool: dict[tuple[Act, str], list[Deed]] = {}
    for one in before:
        pool.setdefault((one.act, one.what), []).append(one)
    left: list[Deed] = []
    for one in after:
        known = pool.get((one.act, one.what), [])
        same = next((each for each in known if _covers(each, one, same_file=True)), None)
        if same is None:
            left.append(one)
        else:
            known.remove(same)
    for one in left:
        known = pool.get((one.act, one.what), [])
        same = next((each for each in known if _covers(each, one, same_file=False)), None)
        if same is None:
            milder = next((each for each in known if each.place.path == one.place.path), None)
            yield Fresh(one, milder.place.text if milder is not None else "")
        else:
            known.remove(same)


def _covers(old: Deed, new: Deed, *, same_file: bool) -> bool:
    if same_file and old.place.path != new.place.path:
        return False
    return old.weight >= new.weight and (new.is_guarded or not old.is_guarded)
