"""Whether one JSON Schema allows more than another, keyword by keyword.

Keywords: JSON Schema draft 4 to 2020-12 and OpenAPI's ``nullable``. What is not shown to be as
strict as before counts as looser; descriptions, examples and defaults are no part of the contract.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import attrs

from benchhygiene_plugins.oracles.keywords import (
    NOTES,
    Json,
    Loosening,
    Object,
    TooMuch,
    is_open,
    listed,
    loosened_bounds_of,
    loosened_flags,
    loosened_required,
    loosened_texts,
    loosened_types,
    loosened_values,
    mapping,
    short_list,
    spelled,
)
from benchhygiene_plugins.oracles.pointers import resolve, step

_DEFINITIONS = ("definitions", "$defs")
_STEPS = 200_000
_DEEPEST = 60


@attrs.define(eq=False)
class Comparison:
    """Compares the schemas of two documents; ``old`` and ``new`` are what references lead into."""

    old: Json
    new: Json
    left: int = _STEPS

    def schema(self, old: Json, new: Json, at: str, depth: int = 0) -> Iterator[Loosening]:
        """Yield what the new schema allows and the old one did not."""
        self.left -= 1
        if self.left < 0 or depth > _DEEPEST:
            raise TooMuch("more is nested in it, or referred to, than is looked at")
        if old == new and old is not None and not _has_other_reference(old, self):
            return
        if is_open(old):
            return
        if is_open(new):
            yield Loosening(at, "anything is allowed", spelled(old), spelled(new))
            return
        if not isinstance(old, dict) or not isinstance(new, dict):
            return  # nothing is as strict as false, and what is no schema says nothing
        yield from self._object(cast("Object", old), cast("Object", new), at, depth)

    def _object(self, old: Object, new: Object, at: str, depth: int) -> Iterator[Loosening]:
        if old.get("$ref") != new.get("$ref"):
            yield from self._redirected(old, new, at, depth)
            return
        alternatives = _whole_alternatives(old, new)
        if alternatives and any(
            not [*self.schema(one, new, at, depth + 1)] for one in alternatives
        ):
            return
        for compare in (
            loosened_types,
            loosened_values,
            loosened_required,
            loosened_flags,
            loosened_texts,
            loosened_bounds_of,
        ):
            yield from compare(old, new, at)
        for inside in (self._properties, self._extras, self._items, self._combined, self._named):
            yield from inside(old, new, at, depth + 1)

    def _redirected(self, old: Object, new: Object, at: str, depth: int) -> Iterator[Loosening]:
        """Yield what following a reference that is another one leads to."""
        before, after = (
            self._followed(one, root) for one, root in ((old, self.old), (new, self.new))
        )
        if before is None or after is None:
            texts = (spelled(old.get("$ref", old)), spelled(new.get("$ref", new)))
            yield Loosening(step(at, "$ref"), "the reference leads elsewhere", *texts)
            return
        yield from self.schema(before, after, at, depth + 1)

    def _followed(self, one: Object, root: Json) -> Json | None:
        found: Json = one
        for _ in range(_DEEPEST):
            reference = mapping(found).get("$ref")
            if not isinstance(reference, str):
                return found
            found = resolve(root, reference)
            if found is None:
                return None
        return None

    def _properties(self, old: Object, new: Object, at: str, depth: int) -> Iterator[Loosening]:
        for word in ("properties", "patternProperties"):
            before, after = mapping(old.get(word)), mapping(new.get(word))
            closed = new.get("additionalProperties") is False
            for name, schema in before.items():
                place = step(step(at, word), name)
                if name in after:
                    yield from self.schema(schema, after[name], place, depth)
                elif not closed and not is_open(schema):
                    yield Loosening(place, "is not described any more", spelled(schema), "")

    def _extras(self, old: Object, new: Object, at: str, depth: int) -> Iterator[Loosening]:
        words = ("additionalProperties", "unevaluatedProperties", "additionalItems")
        for word in (*words, "unevaluatedItems", "propertyNames", "contains"):
            before = old.get(word, True)
            after = new.get(word, True)
            if before is False and after is not False:
                texts = (spelled(before), spelled(new.get(word)))
                yield Loosening(step(at, word), "what is not described is allowed", *texts)
            else:
                yield from self.schema(before, after, step(at, word), depth)
        if "not" in old and old["not"] != new.get("not"):
            texts = (spelled(old["not"]), spelled(new.get("not")))
            yield Loosening(step(at, "not"), "what was ruled out is ruled out otherwise", *texts)

    def _items(self, old: Object, new: Object, at: str, depth: int) -> Iterator[Loosening]:
        for word in ("items", "prefixItems"):
            before, after = old.get(word, True), new.get(word, True)
            if isinstance(before, list):
                rows = cast("Sequence[Json]", before)
                given = (
                    cast("Sequence[Json]", after)
                    if isinstance(after, list)
                    else [after] * len(rows)
                )
                for k, schema in enumerate(rows):
                    inner = given[k] if k < len(given) else True
                    yield from self.schema(schema, inner, step(step(at, word), str(k)), depth)
            elif before is False and after is not False:
                yield Loosening(
                    step(at, word), "further items are allowed", "false", spelled(after)
                )
            elif not isinstance(after, list):
                yield from self.schema(before, after, step(at, word), depth)

    def _combined(self, old: Object, new: Object, at: str, depth: int) -> Iterator[Loosening]:
        yield from self._all_of(old, new, at, depth)
        for word in ("anyOf", "oneOf"):
            yield from self._one_of(word, old, new, at, depth)
        for word in ("if", "then", "else"):
            if word in old and old[word] != new.get(word):
                if "if" in new and word != "if" and word in new and old.get("if") == new["if"]:
                    yield from self.schema(old[word], new[word], step(at, word), depth)
                else:
                    texts = (spelled(old[word]), spelled(new.get(word)))
                    yield Loosening(step(at, word), "the condition is another", *texts)

    def _all_of(self, old: Object, new: Object, at: str, depth: int) -> Iterator[Loosening]:
        before, after = short_list(old.get("allOf")), short_list(new.get("allOf"))
        rest = [one for one in after if one not in before]
        for one in (each for each in before if each not in after):
            place = step(at, "allOf")
            looser = [[*self.schema(one, other, place, depth)] for other in (*rest, new)]
            if all(looser):
                fewest = min(looser[: len(rest)], key=len, default=list[Loosening]())
                lost = Loosening(
                    place, "a part that had to hold is gone", spelled(one), spelled(after)
                )
                yield from fewest or [lost]

    def _one_of(
        self, word: str, old: Object, new: Object, at: str, depth: int
    ) -> Iterator[Loosening]:
        before, after = short_list(old.get(word)), short_list(new.get(word))
        if not before:
            return
        place = step(at, word)
        if not after:
            yield Loosening(place, "the alternatives are gone", spelled(before), "")
            return
        for k, one in enumerate(after):
            if one in before:
                continue
            found = [[*self.schema(other, one, step(place, str(k)), depth)] for other in before]
            if all(found):
                same = found[k] if k < len(before) and len(after) <= len(before) else []
                added = Loosening(step(place, str(k)), "an alternative is added", "", spelled(one))
                yield from same or [added]

    def _named(self, old: Object, new: Object, at: str, depth: int) -> Iterator[Loosening]:
        """Yield what is looser in definitions: whoever refers to them by the same name, follows."""
        for word in (*_DEFINITIONS, "dependentSchemas"):
            before, after = mapping(old.get(word)), mapping(new.get(word))
            for name in sorted(before.keys() & after.keys()):
                yield from self.schema(before[name], after[name], step(step(at, word), name), depth)


def _has_other_reference(schema: Json, comparison: Comparison) -> bool:
    """Return whether an equal schema is a reference that could not be followed on one side."""
    reference = cast("Object", schema).get("$ref") if isinstance(schema, dict) else None
    if not isinstance(reference, str) or not reference.startswith("#"):
        return False
    was, now = resolve(comparison.old, reference), resolve(comparison.new, reference)
    return was is not None and now is None


def _whole_alternatives(old: Object, new: Object) -> Sequence[Json]:
    """Return the alternatives of a schema that is nothing but alternatives, where they are gone."""
    words = [one for one in old if one not in NOTES]
    if words in (["anyOf"], ["oneOf"]) and words[0] not in new:
        return listed(old[words[0]])
    return ()
