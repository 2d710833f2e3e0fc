"""The words of one JSON Schema that need no look into the schemas in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, cast

import attrs

from benchhygiene_plugins.oracles.bounds import loosened_bounds
from benchhygiene_plugins.oracles.pointers import step

Json: TypeAlias = object
Object: TypeAlias = Mapping[str, object]

_ALL_TYPES = frozenset(("array", "boolean", "integer", "null", "number", "object", "string"))
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


_NOTES_WORDS = """
title description default example examples deprecated readOnly writeOnly $comment $id id $schema
$anchor externalDocs xml definitions $defs contentMediaType
"""
NOTES = frozenset(_NOTES_WORDS.split())


def is_open(schema: Json) -> bool:
    """Return whether everything is allowed."""
    if schema is True or schema is None:
        return True
    return isinstance(schema, dict) and all(word in NOTES for word in cast("Object", schema))


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
        values = listed(given.get("enum")) or [given.get("const")]
        found = frozenset(_type_of(one) for one in values)
    for word in ("anyOf", "oneOf"):
        if listed(given.get(word)):
            each = (types_of(one, depth + 1) for one in listed(given[word]))
            found &= frozenset[str]().union(*each)
    for one in listed(given.get("allOf")):
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


def loosened_types(old: Object, new: Object, at: str) -> Iterator[Loosening]:
    """Yield the types that are allowed as well."""
    if "$ref" in old:
        return
    before, after = types_of(old), types_of(new)
    more = after - before
    if more:
        word = "nullable" if new.get("nullable") != old.get("nullable") else "type"
        texts = (spelled(old.get(word)), spelled(new.get(word)))
        yield Loosening(step(at, word), f"{', '.join(sorted(more))} allowed as well", *texts)


def loosened_values(old: Object, new: Object, at: str) -> Iterator[Loosening]:
    """Yield the single values that are allowed as well."""
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
        return frozenset(map(spelled, listed(schema["enum"])))
    return frozenset((spelled(schema["const"]),)) if "const" in schema else None


def loosened_required(old: Object, new: Object, at: str) -> Iterator[Loosening]:
    """Yield what has not to be there any more."""
    before, after = (listed(one.get("required")) for one in (old, new))
    lost = frozenset(map(spelled, before)) - frozenset(map(spelled, after))
    if lost:
        names = ", ".join(sorted(lost))
        texts = (spelled(before), spelled(after))
        yield Loosening(step(at, "required"), f"{names} not required any more", *texts)
    for word in ("dependentRequired", "dependencies"):
        for name, needs in mapping(old.get(word)).items():
            now = mapping(new.get(word)).get(name)
            wanted, given = ({*map(spelled, listed(one))} for one in (needs, now))
            if needs != now and not (wanted and wanted <= given):
                place = step(step(at, word), name)
                yield Loosening(place, "the dependency is gone", spelled(needs), spelled(now))


def loosened_flags(old: Object, new: Object, at: str) -> Iterator[Loosening]:
    """Yield what may repeat, or is not told apart any more."""
    if old.get("uniqueItems") is True and new.get("uniqueItems") is not True:
        yield Loosening(step(at, "uniqueItems"), "items may repeat", "true", "false")
    if "discriminator" in old and "discriminator" not in new:
        yield Loosening(step(at, "discriminator"), "is gone", spelled(old["discriminator"]), "")


def loosened_texts(old: Object, new: Object, at: str) -> Iterator[Loosening]:
    """Yield the patterns and formats that are gone, or are others."""
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


def mapping(value: Json) -> Object:
    """Return an object, an empty one for what is none."""
    return cast("Object", value) if isinstance(value, dict) else {}


def listed(value: Json) -> Sequence[Json]:
    """Return a list, an empty one for what is none."""
    return cast("Sequence[Json]", value) if isinstance(value, list) else ()


def short_list(value: Json) -> Sequence[Json]:
    """Return a list that is short enough to be compared part by part. Raises TooMuch."""
    found = listed(value)
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
