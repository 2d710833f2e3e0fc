"""Whether one JSON Schema allows more than another, keyword by keyword.

Keywords: JSON Schema draft 4 to 2020-12 and OpenAPI's ``nullable``. What is not shown to be as
strict as before counts as looser; descriptions, examples and defaults are no part of the contract.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, cast

import attrs

from benchhygiene_plugins.oracles.bounds import loosened_bounds
from benchhygiene_plugins.oracles.pointers import resolve, step

Json: TypeAlias = object
Object: TypeAlias = Mapping[str, object]

_ALL_TYPES = frozenset("array boolean integer null number object string".split())
_DEFINITIONS = ("definitions", "$defs")
_STEPS = 200_000
_DEEPEST = 60
_MOST_PARTS = 300


class TooMuch(Exception):
    """A document holds more than is looked at."""


@attrs.frozen
class Loosening:
    """One thing that a contract no longer asks for: where, by which keyword, and what it was."""

    pointer: str
    what: str
    old: str
    new: str


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
        if "$ref" in old or "$ref" in new:
            if old.get("$ref") != new.get("$ref"):
                yield from self._redirected(old, new, at, depth)
                return
        alternatives = _whole_alternatives(old, new)
        if alternatives and any(
            not [*self.schema(one, new, at, depth + 1)] for one in alternatives
        ):
            return
        for compare in (_types, _values, _required, _flags, _texts, loosened_bounds_of):
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
            reference = cast("Object", found).get("$ref") if isinstance(found, dict) else None
            if not isinstance(reference, str):
                return found
            found = resolve(root, reference)
            if found is None:
                return None
        return None

    def _properties(self, old: Object, new: Object, at: str, depth: int) -> Iterator[Loosening]:
        for word in ("properties", "patternProperties"):
            before, after = _mapping(old.get(word)), _mapping(new.get(word))
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
        before, after = _short(old.get("allOf")), _short(new.get("allOf"))
        rest = [one for one in after if one not in before]
        for one in (each for each in before if each not in after):
            place = step(at, "allOf")
            looser = [[*self.schema(one, other, place, depth)] for other in (*rest, new)]
            if all(looser):
                fewest = min(looser[: len(rest)], key=len, default=[])
                lost = Loosening(
                    place, "a part that had to hold is gone", spelled(one), spelled(after)
                )
                yield from fewest or [lost]

    def _one_of(
        self, word: str, old: Object, new: Object, at: str, depth: int
    ) -> Iterator[Loosening]:
        before, after = _short(old.get(word)), _short(new.get(word))
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
            before, after = _mapping(old.get(word)), _mapping(new.get(word))
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
    words = [one for one in old if one not in _NOTES]
    if words in (["anyOf"], ["oneOf"]) and words[0] not in new:
        return _list(old[words[0]])
    return ()


_NOTES = frozenset(
    "title description default example examples deprecated readOnly writeOnly $comment $id id"
    " $schema $anchor externalDocs xml definitions $defs contentMediaType".split()
)


def is_open(schema: Json) -> bool:
    """Return whether everything is allowed."""
    if schema is True or schema is None:
        return True
    return isinstance(schema, dict) and all(word in _NOTES for word in cast("Object", schema))


def types_of(schema: Json, depth: int = 0) -> frozenset[str]:
    """Return the types a schema may allow, as far as its own words tell."""
    if not isinstance(schema, dict) or depth > 10:
        return _ALL_TYPES
    given = cast("Object", schema)
    found = _ALL_TYPES
    declared = given.get("type")
    if isinstance(declared, str):
        found = frozenset((declared,))
    elif isinstance(declared, list):
        found = frozenset(str(one) for one in cast("list[object]", declared))
    elif isinstance(given.get("enum"), list) or "const" in given:
        values = _list(given.get("enum")) or [given.get("const")]
        found = frozenset(_type_of(one) for one in values)
    for word in ("anyOf", "oneOf"):
        if _list(given.get(word)):
            each = (types_of(one, depth + 1) for one in _list(given[word]))
            found &= frozenset[str]().union(*each)
    for one in _list(given.get("allOf")):
        found &= types_of(one, depth + 1)
    if given.get("nullable") is True and isinstance(declared, str):
        found |= {"null"}
    return found | ({"integer"} if "number" in found else frozenset[str]())


def _type_of(value: Json) -> str:
    kinds: tuple[tuple[type, str], ...] = (
        (bool, "boolean"),
        (int, "integer"),
        (float, "number"),
        (str, "string"),
        (list, "array"),
        (dict, "object"),
    )
    return next((name for kind, name in kinds if isinstance(value, kind)), "null")


def _types(old: Object, new: Object, at: str) -> Iterator[Loosening]:
    if "$ref" in old:
        return
    before, after = types_of(old), types_of(new)
    more = after - before
    if more:
        word = "nullable" if new.get("nullable") != old.get("nullable") else "type"
        texts = (spelled(old.get(word)), spelled(new.get(word)))
        yield Loosening(step(at, word), f"{', '.join(sorted(more))} allowed as well", *texts)


def _values(old: Object, new: Object, at: str) -> Iterator[Loosening]:
    before, after = _allowed(old), _allowed(new)
    if before is None:
        return
    word = "enum" if "enum" in old else "const"
    texts = (spelled(old[word]), spelled(new.get("enum", new.get("const"))))
    if after is None:
        yield Loosening(step(at, word), "any value is allowed", *texts)
    elif after - before:
        more = ", ".join(sorted(after - before))
        yield Loosening(step(at, word), f"{more} allowed as well", *texts)


def _allowed(schema: Object) -> frozenset[str] | None:
    if isinstance(schema.get("enum"), list):
        return frozenset(map(spelled, _list(schema["enum"])))
    return frozenset((spelled(schema["const"]),)) if "const" in schema else None


def _required(old: Object, new: Object, at: str) -> Iterator[Loosening]:
    before, after = (_list(one.get("required")) for one in (old, new))
    lost = frozenset(map(spelled, before)) - frozenset(map(spelled, after))
    if lost:
        names = ", ".join(sorted(lost))
        texts = (spelled(before), spelled(after))
        yield Loosening(step(at, "required"), f"{names} not required any more", *texts)
    for word in ("dependentRequired", "dependencies"):
        for name, needs in _mapping(old.get(word)).items():
            now = _mapping(new.get(word)).get(name)
            wanted, given = ({*map(spelled, _list(one))} for one in (needs, now))
            if needs != now and not (wanted and wanted <= given):
                place = step(step(at, word), name)
                yield Loosening(place, "the dependency is gone", spelled(needs), spelled(now))


def _flags(old: Object, new: Object, at: str) -> Iterator[Loosening]:
    if old.get("uniqueItems") is True and new.get("uniqueItems") is not True:
        yield Loosening(step(at, "uniqueItems"), "items may repeat", "true", "false")
    if "discriminator" in old and "discriminator" not in new:
        yield Loosening(step(at, "discriminator"), "is gone", spelled(old["discriminator"]), "")


def _texts(old: Object, new: Object, at: str) -> Iterator[Loosening]:
    for word in ("format", "pattern", "contentEncoding"):
        before, after = old.get(word), new.get(word)
        if before is None or before == after:
            continue
        if word == "pattern" and isinstance(after, str) and _is_anchored(str(before), after):
            continue
        what = "is gone" if after is None else "is another, not known to be as strict"
        yield Loosening(step(at, word), what, spelled(before), spelled(after))


def _is_anchored(old: str, new: str) -> bool:
    """Return whether a pattern has only got an anchor that it lacked."""
    return new.removeprefix("^").removesuffix("$") == old.removeprefix("^").removesuffix("$") and (
        new.startswith("^") >= old.startswith("^") and new.endswith("$") >= old.endswith("$")
    )


def loosened_bounds_of(old: Object, new: Object, at: str) -> Iterator[Loosening]:
    """Yield the limits of numbers, lengths and sizes that are wider or gone."""
    for word, what, before, after in loosened_bounds(old, new):
        yield Loosening(step(at, word), what, spelled(before), spelled(after))


def _mapping(value: Json) -> Object:
    return cast("Object", value) if isinstance(value, dict) else {}


def _list(value: Json) -> Sequence[Json]:
    return cast("Sequence[Json]", value) if isinstance(value, list) else ()


def _short(value: Json) -> Sequence[Json]:
    found = _list(value)
    if len(found) > _MOST_PARTS:
        raise TooMuch(f"has {len(found)} parts in one place")
    return found


def spelled(value: Json) -> str:
    """Return a value as compact JSON, cut where it is long; empty for what is not there."""
    if value is None:
        return ""
    try:
        text = json.dumps(value, sort_keys=True, default=str, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= 400 else f"{text[:400]}..."
