"""``mcp.lock.json``: read strictly, write so that a diff of two shows what changed."""

from __future__ import annotations

import collections
import enum
import json
from collections.abc import Callable, Iterable, Iterator
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
NAME = "mcp.lock.json"


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
class _Server:
    tools: tuple[_Tool, ...]


@attrs.frozen(kw_only=True)
class _File:
    version: _Version
    servers: dict[str, _Server]


_HOOKS: dict[type, Callable[[object], object]] = {str: any_text, _Version: one_of(_Version)}


def read_locks(path: str) -> dict[str, ToolLock]:
    """Return the locks that a file holds, by the names of their servers.

    Raises InputError that names the file, and each wrong key by its path in it.
    """
    try:
        data = read_regular(path, _LARGEST)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "not a path"
        raise InputError(f"{path}: cannot be read: {reason}") from error
    return locks_of(data, path)


def locks_of(data: bytes, name: str = NAME) -> dict[str, ToolLock]:
    """Return the locks that the bytes of a file hold; raises InputError as above."""
    read = structured(_with_text(json_of(data, name)), _File, name, _HOOKS)
    return {
        server: _lock(server, held, f"{name}: servers.{server}.tools")
        for server, held in sorted(read.servers.items())
    }


def _lock(server: str, held: _Server, where: str) -> ToolLock:
    counts = collections.Counter(tool.name for tool in held.tools)
    for twice in sorted(name for name, count in counts.items() if count > 1):
        raise InputError(f"{where}: {twice} stands twice")
    for index, tool in enumerate(held.tools):
        _require_hints(tool, f"{where}[{index}].hints")
    tools = (LockedTool(**attrs.asdict(tool, recurse=False)) for tool in held.tools)
    return ToolLock(server=server, tools=tuple(tools))


def _with_text(raw: object) -> object:
    """Return the file's values with each schema as canonical JSON, as it is compared."""
    servers = _members(raw).get("servers")
    if not isinstance(servers, dict):
        return raw
    held = cast("dict[str, object]", servers)
    return {**_members(raw), "servers": {name: _server(each) for name, each in held.items()}}


def _server(raw: object) -> object:
    tools = _members(raw).get("tools")
    if not isinstance(tools, list):
        return raw
    return {**_members(raw), "tools": [_tool(each) for each in cast("list[object]", tools)]}


def _tool(raw: object) -> object:
    members = _members(raw)
    return {**members, **dict(_schemas(members))} if members else raw


def _members(raw: object) -> dict[str, object]:
    return cast("dict[str, object]", raw) if isinstance(raw, dict) else {}


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


def lock_text(locks: Iterable[ToolLock]) -> str:
    """Return the file of one or more servers' locks: one member a line, sorted.

    Read again it gives equal locks.
    """
    servers = {
        lock.server: {"tools": [_written(tool) for tool in lock.tools]}
        for lock in sorted(locks, key=lambda lock: lock.server)
    }
    return json.dumps({"version": 1, "servers": servers}, indent=2) + "\n"


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
