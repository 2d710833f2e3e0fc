"""``mcp.lock.json``: read strictly, write so that a diff of two shows what changed."""

from __future__ import annotations

import enum
import json
from collections.abc import Callable, Iterator
from typing import cast

import attrs

from benchhygiene.errors import InputError
from benchhygiene.evidence.tool_lock import LockedTool, ToolLock
from benchhygiene.inventory.declarations.hints import HINTS, HintValue
from benchhygiene.inventory.declarations.raw import canonical, parse
from benchhygiene.sources.documents import json_of, structured
from benchhygiene.sources.mcp.leaves import any_text, one_of
from benchhygiene.sources.reading import read_regular, reason_of

_LARGEST = 64 * 2**20
_NAME = "mcp.lock.json"


class _Version(enum.Enum):
    """The versions of the file's form that can be read."""

    ONE = 1


@attrs.frozen(kw_only=True)
class _Tool:
    name: str
    sha256: str
    hints: dict[str, str]
    title: str | None = None
    description: str | None = None
    input_schema: str | None = None
    output_schema: str | None = None


@attrs.frozen(kw_only=True)
class _File:
    version: _Version
    server: str
    tools: tuple[_Tool, ...]


_HOOKS: dict[type, Callable[[object], object]] = {str: any_text, _Version: one_of(_Version)}


def read_lock(path: str) -> ToolLock:
    """Return the lock that a file holds.

    Raises InputError that names the file, and each wrong key by its path in it.
    """
    return lock_of(_bytes(path), path)


def lock_of(data: bytes, name: str = _NAME) -> ToolLock:
    """Return the lock that the bytes of a file hold; raises InputError as above."""
    raw = json_of(data, name)
    read = structured(_with_text(raw, name), _File, name, _HOOKS)
    names = [tool.name for tool in read.tools]
    for twice in sorted({each for each in names if names.count(each) > 1}):
        raise InputError(f"{name}: the tool {twice} stands twice")
    for index, tool in enumerate(read.tools):
        _require_hints(tool, f"{name}: tools[{index}].hints")
    tools = (LockedTool(**attrs.asdict(tool, recurse=False)) for tool in read.tools)
    return ToolLock(server=read.server, tools=tuple(tools))


def _with_text(raw: object, name: str) -> object:
    """Return the file's values with each schema as canonical JSON, as it is compared."""
    if not isinstance(raw, dict):
        raise InputError(f"{name}: expected an object")
    values = cast("dict[str, object]", raw)
    tools = values.get("tools")
    if not isinstance(tools, list):
        return values
    return {**values, "tools": [_texts(each) for each in cast("list[object]", tools)]}


def _texts(tool: object) -> object:
    if not isinstance(tool, dict):
        return tool
    values = cast("dict[str, object]", tool)
    return {**values, **dict(_schemas(values))}


def _schemas(values: dict[str, object]) -> Iterator[tuple[str, object]]:
    for key in ("input_schema", "output_schema"):
        if key in values:
            yield key, _schema(values[key])


def _schema(value: object) -> str:
    return canonical(parse(json.dumps(value)))


def _require_hints(tool: _Tool, where: str) -> None:
    allowed = [value.value for value in HintValue]
    for hint, value in tool.hints.items():
        if hint not in HINTS or value not in allowed:
            raise InputError(
                f"{where}.{hint}: is {value!r}; expected one of {', '.join(HINTS)} with one of "
                f"{', '.join(allowed)}"
            )


def lock_text(lock: ToolLock) -> str:
    """Return the file of a lock: one member a line, sorted, schemas laid out."""
    tools = [_written(tool) for tool in lock.tools]
    whole = {"version": 1, "server": lock.server, "tools": tools}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _written(tool: LockedTool) -> dict[str, object]:
    found: dict[str, object] = {"name": tool.name}
    for key, text in (("title", tool.title), ("description", tool.description)):
        if text is not None:
            found[key] = text
    found["hints"] = dict(tool.hints)
    schemas = (("input_schema", tool.input_schema), ("output_schema", tool.output_schema))
    for key, schema in schemas:
        if schema is not None:
            found[key] = cast("object", json.loads(schema))
    return {**found, "sha256": tool.sha256}


def _bytes(path: str) -> bytes:
    try:
        return read_regular(path, _LARGEST)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "not a path"
        raise InputError(f"{path}: cannot be read: {reason}") from error
