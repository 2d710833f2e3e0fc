"""What people have agreed that a server's tools declare: the content of ``mcp.lock.json``."""

from __future__ import annotations

from collections.abc import Mapping

import attrs


def _sorted(value: Mapping[str, str]) -> dict[str, str]:
    return dict(sorted(value.items()))


@attrs.frozen(kw_only=True, hash=False)
class LockedTool:
    """One tool as it was agreed on.

    ``input_schema`` and ``output_schema`` are canonical JSON, None where there was none. ``hints``
    maps the four hints' names to ``true``, ``false``, ``absent`` or ``malformed``. ``sha256`` is
    the digest of the whole declaration, in which the order of members does not count.
    """

    name: str
    sha256: str
    title: str | None = None
    description: str | None = None
    input_schema: str | None = None
    output_schema: str | None = None
    hints: Mapping[str, str] = attrs.field(factory=dict[str, str], converter=_sorted)


def _by_name(tools: tuple[LockedTool, ...]) -> tuple[LockedTool, ...]:
    return tuple(sorted(tools, key=lambda tool: tool.name))


@attrs.frozen(kw_only=True)
class ToolLock:
    """The tools of one server, by name; a name stands once.

    ``server`` says for people which one it was.
    """

    server: str = ""
    tools: tuple[LockedTool, ...] = attrs.field(default=(), converter=_by_name)
