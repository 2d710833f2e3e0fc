"""Whether one OpenAPI description (2.0 to 3.1) allows more than another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

import attrs

from benchhygiene_plugins.oracles.keywords import Json, Loosening, Object, spelled
from benchhygiene_plugins.oracles.pointers import resolve, step
from benchhygiene_plugins.oracles.schemas import Comparison

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def is_openapi(document: Json) -> bool:
    """Return whether a document describes an HTTP interface."""
    if not isinstance(document, dict):
        return False
    words = cast("Object", document).keys()
    return bool({"openapi", "swagger"} & words) or {"paths", "info"} <= words


@attrs.frozen(eq=False)
class Interface:
    """Compares two descriptions; ``schemas`` compares the schemas in them."""

    old: Json
    new: Json
    schemas: Comparison

    def loosenings(self) -> Iterator[Loosening]:
        """Yield what the new description allows and the old one did not."""
        old, new = _mapping(self.old), _mapping(self.new)
        yield from self._paths(_mapping(old.get("paths")), _mapping(new.get("paths")), "/paths")
        yield from self._paths(
            _mapping(old.get("webhooks")), _mapping(new.get("webhooks")), "/webhooks"
        )
        yield from self._components(old, new)
        yield from _security(old, new, "")

    def _paths(self, old: Object, new: Object, at: str) -> Iterator[Loosening]:
        renamed = {_unnamed(path): path for path in new}
        for path, item in old.items():
            found = path if path in new else renamed.get(_unnamed(path))
            if found is None:
                yield Loosening(step(at, path), "the path is gone", spelled(item), "")
                continue
            before, after = self._both(item, new[found])
            place = step(at, found)
            yield from self._parameters(before, after, place)
            for method in METHODS:
                if method not in before:
                    continue
                inner = step(place, method)
                if method not in after:
                    yield Loosening(inner, "the operation is gone", spelled(before[method]), "")
                else:
                    yield from self._operation(before[method], after[method], inner)

    def _operation(self, old: Json, new: Json, at: str) -> Iterator[Loosening]:
        before, after = self._both(old, new)
        yield from self._parameters(before, after, at)
        yield from self._body(before, after, at)
        yield from self._responses(before, after, at)
        yield from _security(before, after, at)

    def _responses(self, old: Object, new: Object, at: str) -> Iterator[Loosening]:
        place = step(at, "responses")
        before, after = (
            {str(k): v for k, v in _mapping(one.get("responses")).items()} for one in (old, new)
        )
        for status, response in before.items():
            inner = step(place, status)
            if status not in after:
                yield Loosening(inner, "the response is gone", spelled(response), "")
            else:
                yield from self._response(response, after[status], inner)

    def _response(self, old: Json, new: Json, at: str) -> Iterator[Loosening]:
        before, after = self._both(old, new)
        yield from self.schemas.schema(
            before.get("schema"), after.get("schema"), step(at, "schema")
        )
        yield from self._content(before, after, at)
        was, now = _mapping(before.get("headers")), _mapping(after.get("headers"))
        for name, header in was.items():
            place = step(step(at, "headers"), name)
            if name not in now:
                yield Loosening(place, "the header is gone", spelled(header), "")
            else:
                yield from self._parameter(*self._both(header, now[name]), place)

    def _content(self, old: Object, new: Object, at: str) -> Iterator[Loosening]:
        before, after = _mapping(old.get("content")), _mapping(new.get("content"))
        for kind, media in before.items():
            place = step(step(at, "content"), kind)
            if kind not in after:
                yield Loosening(place, "the content is gone", spelled(media), "")
                continue
            was, now = _mapping(media).get("schema"), _mapping(after[kind]).get("schema")
            yield from self.schemas.schema(was, now, step(place, "schema"))

    def _body(self, old: Object, new: Object, at: str) -> Iterator[Loosening]:
        if "requestBody" not in old:
            return
        place = step(at, "requestBody")
        if "requestBody" not in new:
            yield Loosening(place, "the request body is gone", spelled(old["requestBody"]), "")
            return
        before, after = self._both(old["requestBody"], new["requestBody"])
        yield from _requiredness(before, after, place)
        yield from self._content(before, after, place)

    def _parameters(self, old: Object, new: Object, at: str) -> Iterator[Loosening]:
        place = step(at, "parameters")
        before, after = (self._keyed(one.get("parameters")) for one in (old, new))
        after_root = _mapping(_mapping(self.new).get("components")).get("parameters")
        for key, parameter in before.items():
            inner = step(place, key[1])
            if key in after:
                yield from self._parameter(parameter, after[key], inner)
            elif after_root is None or parameter.get("required") is True:
                yield Loosening(inner, "the parameter is gone", spelled(parameter), "")

    def _keyed(self, value: Json) -> dict[tuple[str, str], Object]:
        rows = cast("Sequence[Json]", value) if isinstance(value, list) else ()
        found = [self._at_home(row) for row in rows]
        return {(str(one.get("in")), str(one.get("name"))): one for one in found}

    def _at_home(self, value: Json) -> Object:
        """Follow a reference in whichever document has it."""
        one = _mapping(value)
        reference = one.get("$ref")
        if not isinstance(reference, str):
            return one
        found = resolve(self.old, reference) or resolve(self.new, reference)
        return _mapping(found) or one

    def _parameter(self, old: Object, new: Object, at: str) -> Iterator[Loosening]:
        yield from _requiredness(old, new, at)
        if "schema" in old:
            yield from self.schemas.schema(old["schema"], new.get("schema"), step(at, "schema"))
        elif "type" in old:  # version 2 has the schema's words in the parameter itself
            words = ("required", "name", "in")
            was, now = ({k: v for k, v in one.items() if k not in words} for one in (old, new))
            yield from self.schemas.schema(was, now, at)

    def _components(self, old: Object, new: Object) -> Iterator[Loosening]:
        homes = (
            (_mapping(old.get("components")), _mapping(new.get("components")), "/components"),
            (old, new, ""),
        )
        for before, after, at in homes:
            for word in ("schemas", "definitions"):
                was, now = _mapping(before.get(word)), _mapping(after.get(word))
                for name in (one for one in was if one in now):
                    place = step(step(at, word), name)
                    yield from self.schemas.schema(was[name], now[name], place)
            was, now = _mapping(before.get("responses")), _mapping(after.get("responses"))
            for name in (one for one in was if one in now):
                yield from self._response(was[name], now[name], step(f"{at}/responses", name))
            was, now = _mapping(before.get("requestBodies")), _mapping(after.get("requestBodies"))
            for name in (one for one in was if one in now):
                place = step(f"{at}/requestBodies", name)
                yield from _requiredness(_mapping(was[name]), _mapping(now[name]), place)
                yield from self._content(_mapping(was[name]), _mapping(now[name]), place)
            if at:
                was, now = _mapping(before.get("parameters")), _mapping(after.get("parameters"))
                for name in (one for one in was if one in now):
                    place = step(f"{at}/parameters", name)
                    yield from self._parameter(_mapping(was[name]), _mapping(now[name]), place)

    def _both(self, old: Json, new: Json) -> tuple[Object, Object]:
        """Follow references that differ; the same one is compared where it leads."""
        before, after = _mapping(old), _mapping(new)
        if before.get("$ref") == after.get("$ref"):
            return before, after
        return self._followed(before, self.old), self._followed(after, self.new)

    def _followed(self, one: Object, root: Json) -> Object:
        reference = one.get("$ref")
        return _mapping(resolve(root, reference)) if isinstance(reference, str) else one


def _requiredness(old: Object, new: Object, at: str) -> Iterator[Loosening]:
    if old.get("required") is True and new.get("required") is not True:
        yield Loosening(step(at, "required"), "is not required any more", "true", "false")


def _security(old: Object, new: Object, at: str) -> Iterator[Loosening]:
    before, after = old.get("security"), new.get("security")
    if "security" in new and not before and not after:
        before = None  # it was inherited, and may have been anything
    if before and before != after and (not after or _is_wider(before, after)):
        yield Loosening(step(at, "security"), "less is asked for", spelled(before), spelled(after))
    elif at and "security" in new and after == [] and "security" not in old:
        yield Loosening(step(at, "security"), "nothing is asked for any more", "", "[]")


def _is_wider(old: Json, new: Json) -> bool:
    before = cast("Sequence[Json]", old) if isinstance(old, list) else ()
    after = cast("Sequence[Json]", new) if isinstance(new, list) else ()
    return any(one not in before for one in after)


def _unnamed(path: str) -> str:
    """Return a path whose parameters have no names: those may be renamed."""
    parts = path.split("/")
    return "/".join("{}" if one.startswith("{") and one.endswith("}") else one for one in parts)


def _mapping(value: Json) -> Object:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}
