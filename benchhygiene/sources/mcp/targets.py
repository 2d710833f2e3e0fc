"""What ``benchhygiene mcp`` can be pointed at: a command, a URL, a saved listing, a client's file.

Clients keep their servers in JSON files under ``mcpServers`` (VS Code: ``servers``): a command with
``args`` and ``env``, or a ``url``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import cast

import attrs

from benchhygiene.errors import InputError
from benchhygiene.evidence.listing import ToolListing
from benchhygiene.sources.documents import json_of, shown
from benchhygiene.sources.mcp.limits import ListingLimits
from benchhygiene.sources.mcp.listings import AUTHORIZATION, http_listing, stdio_listing
from benchhygiene.sources.mcp.saved import listing_of
from benchhygiene.sources.reading import read_regular, reason_of

_LARGEST = 256 * 2**20
_TABLES = ("mcpServers", "servers")
_VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}")


@attrs.frozen(kw_only=True)
class Target:
    """One server: a command, a URL, or a listing that was saved.

    ``environment`` and ``authorization`` may hold secrets, and are never shown.
    """

    name: str | None = None
    command: tuple[str, ...] = ()
    environment: Mapping[str, str] = attrs.field(factory=dict[str, str], repr=False)
    url: str | None = None
    authorization: str | None = attrs.field(default=None, repr=False)
    saved: ToolListing | None = None

    def listing(self, limits: ListingLimits | None = None) -> ToolListing:
        """Return what the server declares; raises InputError where it cannot be asked."""
        if self.saved is not None:
            return self.saved
        if self.url is None:
            return stdio_listing(
                self.command, environment=self.environment, limits=limits, name=self.name
            )
        secret = self.authorization or os.environ.get(AUTHORIZATION)
        given = {} if secret is None else {AUTHORIZATION: secret}
        return http_listing(self.url, limits=limits, environment=given, name=self.name)


def targets(word: str | None, command: Sequence[str] = ()) -> tuple[Target, ...]:
    """Return the servers that a command line names.

    ``word`` is a URL, the path of a saved listing, or that of a client's file, of which
    ``FILE#NAME`` is one entry; ``command`` starts a server. Raises InputError where there is
    neither or both, and for a file that is nothing of these.
    """
    if (word is None) == (not command):
        raise InputError(
            "expected one TARGET: a URL, a file, or after -- the command that starts the server"
        )
    if word is None:
        return (Target(command=tuple(command)),)
    if word.startswith(("http://", "https://")):
        return (Target(url=word),)
    path, _, entry = word.partition("#")
    data = _read(path)
    table = _table(data, path)
    if table is None:
        return (Target(saved=listing_of(data, path)),)
    return _entries(table, path, entry)


def _read(path: str) -> bytes:
    try:
        return read_regular(path, _LARGEST)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "not a path"
        raise InputError(f"{path}: cannot be read: {reason}") from error


def _table(data: bytes, path: str) -> Mapping[str, object] | None:
    """Return the servers of a client's file, None for any other."""
    if not any(f'"{name}"'.encode() in data for name in _TABLES):
        return None
    try:
        raw = json_of(data, path)
    except InputError:
        return None
    if not isinstance(raw, dict):
        return None
    values = cast("dict[str, object]", raw)
    for name in _TABLES:
        if isinstance(values.get(name), dict):
            return cast("Mapping[str, object]", values[name])
    return None


def _entries(table: Mapping[str, object], path: str, entry: str) -> tuple[Target, ...]:
    if entry and entry not in table:
        known = ", ".join(sorted(table)) or "none"
        raise InputError(f"{path}: there is no server {shown(entry)}; it has {known}")
    if not table:
        raise InputError(f"{path}: names no server")
    names = (entry,) if entry else sorted(table)
    return tuple(_target(name, table[name], f"{path}: {name}") for name in names)


def _target(name: str, raw: object, where: str) -> Target:
    if not isinstance(raw, dict):
        raise InputError(f"{where}: expected an object with a command or a url")
    entry = cast("Mapping[str, object]", raw)
    url, command = entry.get("url"), entry.get("command")
    if isinstance(url, str):
        return Target(name=name, url=_filled(url, where), authorization=_header(entry, where))
    if not isinstance(command, str):
        raise InputError(f"{where}: expected a command or a url")
    words = [command, *_texts(entry.get("args"), f"{where}.args")]
    return Target(
        name=name,
        command=tuple(_filled(word, where) for word in words),
        environment=_environment(entry.get("env"), where),
    )


def _texts(raw: object, where: str) -> list[str]:
    if raw is None:
        return []
    items = cast("list[object]", raw) if isinstance(raw, list) else [raw]
    words = [item for item in items if isinstance(item, str)]
    if not isinstance(raw, list) or len(words) != len(items):
        raise InputError(f"{where}: expected a list of texts")
    return words


def _environment(raw: object, where: str) -> dict[str, str]:
    members = _members(raw)
    if raw is not None and not members and raw != {}:
        raise InputError(f"{where}.env: expected an object of texts")
    found: dict[str, str] = {}
    for key, value in members.items():
        if not isinstance(value, str):
            raise InputError(f"{where}.env.{key}: expected text")
        found[key] = _filled(value, where)
    return found


def _header(entry: Mapping[str, object], where: str) -> str | None:
    for key, value in _members(entry.get("headers")).items():
        if key.lower() == "authorization" and isinstance(value, str):
            return _filled(value, where)
    return None


def _members(raw: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", raw) if isinstance(raw, dict) else {}


def _filled(text: str, where: str) -> str:
    """Return the text with ``${NAME}`` filled in from the environment, as clients do."""

    def value(match: re.Match[str]) -> str:
        name = match.group(1)
        if name not in os.environ:
            raise InputError(f"{where}: the environment variable {name} is not set")
        return os.environ[name]

    return _VARIABLE.sub(value, text)
