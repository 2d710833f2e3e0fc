"""Whether a supplier supplies less, or something else, than it did."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene_plugins.oracles.signs import Sign, extends, literals
from benchhygiene_plugins.oracles.steps import Form, Step, of_step

_LOSSY = re.compile(
    r"^(?:clear|pop|popitem|remove|discard|delete|truncate|drop\w*|flush|reset\w*|del\w+"
    r"|unlink|rmtree|write\w*|setitem|delattr|delitem|reverse|shuffle|intersection_update|difference_update|__setitem__|__delitem__|fill)$"
)
_CUTS = frozenset(("slice", "if", "unless", "ifexp"))
_CUTTERS = re.compile(r"(?:^|\.)(?:filter|islice|head|tail|limit|takewhile|dropwhile|sample|next)$")
_SIZES = re.compile(r"^(?:n|k|count|size|num\w*|rows|length|total|amount|limit|max\w*|how_many)$")


class Difference(enum.Enum):
    """How what is supplied differs."""

    NONE = "the same"
    MORE = "more"
    OTHER = "something else"
    LESS = "less, or other data"


@attrs.frozen
class Compared:
    """How two forms differ, and the first steps that do."""

    difference: Difference
    old: Step | None = None
    new: Step | None = None


def compared(old: Form, new: Form) -> Compared:
    """Return how what a function supplies differs from what it supplied."""
    old, new = _ordered(old), _ordered(new)
    if old == new:
        return Compared(Difference.NONE)
    if not _has_weaker_defaults(old, new):
        rest = _beyond(old.steps, new.steps)
        if rest is not None and all(_is_harmless(one, old.steps) for one in rest):
            return Compared(Difference.MORE if rest or old.steps != new.steps else Difference.NONE)
    before, after = _first(old.steps, new.steps)
    loses = _loses(old, new)
    return Compared(Difference.LESS if loses else Difference.OTHER, before, after)


def _ordered(form: Form) -> Form:
    """Return the form with attributes that are set one after the other in one order."""
    steps: list[Step] = []
    run: list[Step] = []
    for one in form.steps:
        targets = {each.target for each in run}
        rests = any(inner in targets for inner in one.what.walked())
        is_plain = one.kind == "set" and one.target is not None and one.target.kind == "own"
        if not is_plain or rests or one.target in targets:
            steps += sorted(run, key=_place)
            run = []
        (run if is_plain else steps).append(one)
    steps += sorted(run, key=_place)
    return Form(tuple(steps), form.defaults)


def _place(step: Step) -> str:
    target = step.target.value if step.target is not None else ""
    return f"{[one.digest for one in step.under]} {step.after} {target}"


def compared_values(old: Sign, new: Sign) -> Compared:
    """Return how one value differs from another."""
    step, other = Step("supply", old), Step("supply", new)
    return compared(Form((step,)), Form((other,)))


def _has_weaker_defaults(old: Form, new: Form) -> bool:
    """Return whether a default is another one; a larger size makes more of the same."""
    if len(old.defaults) != len(new.defaults):
        before, after = dict(old.defaults), dict(new.defaults)
        shared = before.keys() & after.keys()
        return any(before[name] != after[name] for name in shared)
    pairs = zip(old.defaults, new.defaults, strict=True)
    return any(
        was != now and not (_SIZES.match(name) and _number(now) > _number(was) > 0)
        for (name, was), (_, now) in pairs
    )


def _number(one: Sign) -> int:
    kind, _, text = one.value.partition(" ")
    is_number = one.kind == "constant" and kind == "int" and len(text) < 18
    return int(text) if is_number else -1


def _beyond(old: Sequence[Step], new: Sequence[Step]) -> list[Step] | None:
    """Return the steps that were added, None where one that was there is gone or supplies less."""
    rest = iter(new)
    added: list[Step] = []
    for one in old:
        if one.after:
            continue  # what is cleaned up afterwards supplies nothing
        for other in rest:
            if _covers(one, other):
                break
            added.append(other)
        else:
            return None
    return [*added, *rest]


def _covers(old: Step, new: Step) -> bool:
    if (old.kind, old.target, len(old.under)) != (new.kind, new.target, len(new.under)):
        return False
    return all(map(extends, (old.what, *old.under), (new.what, *new.under)))


def _is_harmless(step: Step, before: Sequence[Step]) -> bool:
    """Return whether a step that is new takes nothing away from what was supplied."""
    if step.after:
        return True
    if step.kind == "set" and step.target is not None:
        is_known = any(
            step.target in each.what.walked() or step.target == each.target for each in before
        )
        return not is_known and step.target.kind in ("own", "attribute")
    if step.kind != "do":
        return False
    return not any(
        one.kind in ("attribute", "name") and _LOSSY.match(one.value.rpartition(".")[2])
        for one in step.what.walked()
    )


def _first(old: Sequence[Step], new: Sequence[Step]) -> tuple[Step | None, Step | None]:
    for k in range(max(len(old), len(new))):
        before = old[k] if k < len(old) else None
        after = new[k] if k < len(new) else None
        if before != after:
            return before, after
    return None, None


def _loses(old: Form, new: Form) -> bool:
    """Return whether data is lost: a literal, a step, a part that is cut off."""
    was, now = [*_signs(old)], [*_signs(new)]
    if literals(was) - literals(now):
        return True
    if sum(one.kind in ("do", "set") for one in new.steps) < sum(
        one.kind in ("do", "set") for one in old.steps
    ) and len(new.steps) < len(old.steps):
        return True
    return _cuts(now) > _cuts(was)


def _signs(form: Form) -> Iterator[Sign]:
    yield from map(of_step, form.steps)
    yield from (one for _, one in form.defaults)


def _cuts(signs: Sequence[Sign]) -> int:
    found = (one for each in signs for one in each.walked())
    return sum(
        one.kind in _CUTS
        or (one.kind in ("name", "attribute") and _CUTTERS.search(one.value) is not None)
        for one in found
    )
