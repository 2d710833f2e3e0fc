"""What the official Python SDK's models make of a declaration, where the raw text says otherwise.

The rules are those of pydantic's lax mode for ``bool | None`` and of the models' aliases, as seen
by giving the same texts to mcp 2.3.0 and mcp 1.30.0; a test does that again.
"""

from __future__ import annotations

import enum
from typing import cast

import attrs

from benchhygiene.inventory.declarations import ToolDeclaration
from benchhygiene.inventory.declarations.hints import HINTS
from benchhygiene.inventory.declarations.raw import parse, plain

_TRUE = frozenset(("1", "on", "t", "true", "y", "yes"))
_FALSE = frozenset(("0", "off", "f", "false", "n", "no"))


class Sdk(enum.Enum):
    """A generation of the SDK, by the release that was asked."""

    V1 = "mcp 1.30.0"
    V2 = "mcp 2.3.0"


@attrs.frozen
class SdkView:
    """The four hints as a model holds them; None where one such tool fails the whole listing."""

    sdk: Sdk
    hints: tuple[tuple[str, bool | None], ...] | None


class _RefusedError(ValueError):
    """The model does not take the value."""


def views(tool: ToolDeclaration) -> tuple[SdkView, ...]:
    """Return what each generation makes of one declaration."""
    entry = cast("dict[str, object]", plain(parse(tool.text)))
    return tuple(_view(sdk, entry) for sdk in Sdk)


def _view(sdk: Sdk, entry: dict[str, object]) -> SdkView:
    try:
        _require_fields(sdk, entry)
        block = entry.get("annotations")
        if block is not None and not isinstance(block, dict):
            raise _RefusedError
        members = cast("dict[str, object]", block or {})
        return SdkView(sdk, tuple((name, _hint(sdk, members, name)) for name in HINTS))
    except _RefusedError:
        return SdkView(sdk, None)


def _require_fields(sdk: Sdk, entry: dict[str, object]) -> None:
    """Raise where another member of the tool fails the model."""
    schema = _member(sdk, entry, "inputSchema")
    if not isinstance(schema, dict):
        raise _RefusedError
    output = _member(sdk, entry, "outputSchema")
    if output is not None and not isinstance(output, dict):
        raise _RefusedError
    for name in ("title", "description"):
        if not isinstance(entry.get(name), str | None):
            raise _RefusedError


def _member(sdk: Sdk, members: dict[str, object], name: str) -> object:
    """Return a member by its name on the wire, or by the field's own where the model takes it."""
    if name in members or sdk is Sdk.V1:
        return members.get(name)
    return members.get(_snake(name))


def _snake(name: str) -> str:
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in name)


def _hint(sdk: Sdk, block: dict[str, object], name: str) -> bool | None:
    value = _member(sdk, block, name)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _of_text(value.lower())
    if isinstance(value, int | float) and value in (0, 1):
        return value == 1
    raise _RefusedError


def _of_text(text: str) -> bool:
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise _RefusedError


def differs(tool: ToolDeclaration, view: SdkView) -> bool:
    """Return whether the model holds another declaration than the text makes."""
    if view.hints is None:
        return True
    said = {hint.name: hint.value.value for hint in tool.hints}
    held = {name: "absent" if value is None else str(value).lower() for name, value in view.hints}
    return any(held[name] != said[name] for name in said)
