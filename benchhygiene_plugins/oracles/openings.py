"""The one sign of all ways to name a file, and of all ways to read it."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Sequence

from benchhygiene_plugins.oracles.reading import Reading
from benchhygiene_plugins.oracles.signs import Sign, of_value, sign, text_of

_PATHS = frozenset(("pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath", "os.fspath", "str"))
_SAME = frozenset(("os.path.abspath", "os.path.realpath", "os.path.normpath"))
_KEEPING = frozenset(("resolve", "absolute", "expanduser", "as_posix"))
_READING = {"json.load": "json.loads", "yaml.safe_load": "yaml.safe_load", "yaml.load": "yaml.load",
            "tomllib.load": "tomllib.loads", "pickle.load": "pickle.loads"}  # fmt: skip
_DEEPEST = 40


def climbed(reading: Reading, base: Sign, index: ast.expr) -> Sign | None:
    """Return the folder that ``path.parents[index]`` is."""
    steps = index.value if isinstance(index, ast.Constant) else None
    if base.kind != "path" or not isinstance(steps, int) or not 0 <= steps < _DEEPEST:
        return None
    found = base.value
    for _ in range(steps + 1):
        found = posixpath.dirname(found)
    return reading.path(found)


def path_part(reading: Reading, base: Sign, name: str) -> Sign | None:
    """Return what an attribute of a path is, None of anything else."""
    if base.kind != "path" or name not in ("parent", "name", "stem"):
        return None
    folder, last = posixpath.split(base.value)
    if name == "parent":
        return reading.path(folder)
    return of_value(last if name == "name" else posixpath.splitext(last)[0])


def path_call(
    reading: Reading, node: ast.Call, called: Sign, arguments: Sequence[Sign]
) -> Sign | None:
    """Return the path that a call makes, None where it makes none."""
    name = called.value if called.kind == "name" else ""
    if name in _PATHS or name in _SAME:
        if name == "str" and arguments and arguments[0].kind != "path":
            return None
        return under(reading, *arguments) if arguments and not node.keywords else None
    if name == "os.path.join" and arguments:
        return under(reading, *arguments)
    if name == "os.path.dirname" and len(arguments) == 1 and arguments[0].kind == "path":
        return reading.path(posixpath.dirname(arguments[0].value))
    if called.kind != "attribute" or called.parts[0].kind != "path":
        return None
    if called.value in _KEEPING:
        return called.parts[0]
    return under(reading, called.parts[0], *arguments) if called.value == "joinpath" else None


def read_call(
    reading: Reading, node: ast.Call, called: Sign, arguments: Sequence[Sign]
) -> Sign | None:
    """Return the one sign of all ways to read a file."""
    name = called.value if called.kind == "name" else ""
    owner = called.parts[0] if called.kind == "attribute" else None
    if name in ("open", "io.open") and arguments:
        return sign("opened", _as_path(reading, arguments[0])) if _is_reading(node, 1) else None
    if owner is not None and called.value == "open" and _is_reading(node, 0):
        return sign("opened", _as_path(reading, owner))
    if owner is not None and called.value in ("read_text", "read_bytes"):
        return sign("read", _as_path(reading, owner))
    if owner is not None and called.value == "read" and owner.kind == "opened":
        return sign("read", *owner.parts)
    if name in _READING and arguments and arguments[0].kind == "opened":
        read = sign("read", *arguments[0].parts)
        return sign("call", sign("name", value=_READING[name]), read, *arguments[1:])
    return None


def under(reading: Reading, *parts: Sign) -> Sign:
    """Return the path that parts make; of parts that are not known, how it is put together."""
    texts = [_path_text(one) for one in parts]
    known = [one for one in texts if one is not None]
    if len(known) == len(texts):
        return reading.path(posixpath.join(*known))
    return sign("under", *parts)


def _as_path(reading: Reading, one: Sign) -> Sign:
    text = _path_text(one)
    return one if text is None else reading.path(text)


def _path_text(one: Sign) -> str | None:
    return one.value if one.kind == "path" else text_of(one)


def _is_reading(node: ast.Call, at: int) -> bool:
    words = [*node.args[at : at + 1], *(one.value for one in node.keywords if one.arg == "mode")]
    modes = [one.value if isinstance(one, ast.Constant) else "w" for one in words]
    return all(isinstance(mode, str) and not set(mode) & set("wax+") for mode in modes)
