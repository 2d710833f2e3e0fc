"""Which files a test file names: paths it builds, folders it lists, and texts that may be names.

A path that begins at the file itself begins with ``@``, its folder, so that the answer is made of
the bytes alone.
"""

from __future__ import annotations

import ast
import fnmatch
import posixpath
from collections.abc import Iterator, Mapping

import attrs

from benchhygiene.inventory.python import PythonFile, parse
from benchhygiene.inventory.spelling import dotted

_HERE = "@"
_DEEPEST = 25
_LONGEST = 400  # characters of a text that may be a path
_SAME_WORDS = """
str fspath abspath realpath normpath Path PurePath PosixPath PurePosixPath local expanduser
as_file
"""
_SAME = frozenset(_SAME_WORDS.split())
_KEEPING_WORDS = """
resolve absolute expanduser as_posix __str__ __fspath__
"""
_KEEPING = frozenset(_KEEPING_WORDS.split())
_LISTING_WORDS = """
glob rglob iterdir listdir scandir walk iglob
"""
_LISTING = frozenset(_LISTING_WORDS.split())
_ROOTS = frozenset(("rootpath", "rootdir", "invocation_dir"))
_FOLDERS = frozenset(
    (
        "request.path.parent",
        "request.fspath.dirname",
        "request.node.path.parent",
        "request.node.fspath.dirname",
    )
)
_READERS_WORDS = """
open Path PurePath read_text read_bytes load loadtxt read_csv read_json
"""
_READERS = frozenset(_READERS_WORDS.split())


@attrs.frozen
class Mentions:
    """What a file names: ``paths`` it builds, ``listed`` folders with a pattern, plain ``texts``.

    ``opened`` are the texts that are handed straight to what opens a file.
    """

    paths: frozenset[str] = frozenset()
    listed: frozenset[tuple[str, str]] = frozenset()
    texts: frozenset[str] = frozenset()
    opened: frozenset[str] = frozenset()
    is_unread: bool = False

    def names(self, file: str, path: str, bases: frozenset[str] = frozenset()) -> bool:
        """Return whether the file at ``file`` names a path.

        ``bases`` are folders that other test files name, which this one may import.
        """
        folder, name = posixpath.dirname(file), posixpath.basename(path)
        placed_all = (placed(one, folder) for one in self.paths)
        built = {one for one in placed_all if one is not None}
        if path in built or any("*" in one and fnmatch.fnmatchcase(path, one) for one in built):
            return True
        for base, pattern in self.listed:
            at = placed(base, folder)
            if at is not None and is_below(path, at) and fnmatch.fnmatchcase(name, pattern):
                return True
        if any("/" in one and is_below_end(path, one) for one in self.texts):
            return True
        if path in self.opened:
            return True
        own = {one for one in built if one and is_below(path, one)}
        return any(
            path[len(base) + 1 :] in self.texts for base in own | bases if is_below(path, base)
        )


def is_below(path: str, folder: str) -> bool:
    """Return whether a path lies in a folder, or below it; the root holds everything."""
    return folder == "" or path.startswith(f"{folder}/")


def is_below_end(path: str, text: str) -> bool:
    """Return whether a path is, or ends in, a relative path of several parts."""
    if len(text) > _LONGEST or "\n" in text:
        return False
    plain = posixpath.normpath(text).lstrip("./")
    return "/" in plain and (path == plain or path.endswith(f"/{plain}"))


def placed(path: str, folder: str) -> str | None:
    """Return a built path from the root on; None where it leaves the tree."""
    whole = posixpath.normpath(path.replace(_HERE, folder or ".", 1) if path[:1] == _HERE else path)
    if whole in (".", ""):
        return ""
    return None if whole.startswith(("../", "/")) or whole == ".." else whole


def mentions(data: bytes) -> Mentions:
    """Return what a file names; made for ``tree.derived``."""
    file = parse(data)
    if file.module is None:
        return Mentions(is_unread=True)
    try:
        return _Reader(file).read()
    except RecursionError:
        return Mentions(is_unread=True)


@attrs.frozen(eq=False)
class _Reader:
    file: PythonFile
    built: dict[int, str | None] = attrs.field(factory=dict[int, "str | None"])

    def read(self) -> Mentions:
        paths: set[str] = set()
        listed: set[tuple[str, str]] = set()
        texts: set[str] = set()
        opened: set[str] = set()
        for node in ast.walk(self.file.module or ast.Module([], [])):
            if isinstance(node, ast.Constant):
                if isinstance(node.value, str) and len(node.value) <= _LONGEST:
                    texts.add(node.value)
            elif isinstance(node, ast.BinOp | ast.Call | ast.Attribute):
                found = self.path(node)
                if found is not None:
                    paths.add(found)
                if isinstance(node, ast.Call):
                    listed.update(self._listed(node))
                    opened.update(_opened(node))
            elif isinstance(node, ast.arg) and node.arg in ("shared_datadir", "datadir"):
                listed.add((f"{_HERE}/data" if node.arg == "shared_datadir" else _HERE, "*"))
        return Mentions(frozenset(paths), frozenset(listed), frozenset(texts), frozenset(opened))

    def _listed(self, call: ast.Call) -> Iterator[tuple[str, str]]:
        name = dotted(call.func).rpartition(".")[2] or getattr(call.func, "attr", "")
        if name not in _LISTING:
            return
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        base = self.path(owner) if owner is not None else None
        given = self.path(call.args[0]) if call.args else None
        if base is not None:
            yield base, posixpath.basename(given) if given else "*"
        elif given is not None and name in ("glob", "iglob"):
            yield posixpath.dirname(given.split("*")[0] + "x"), posixpath.basename(given)
        elif given is not None:
            yield given, "*"

    def path(self, node: ast.expr, depth: int = 0) -> str | None:
        """Return the path an expression builds, None where that is not known."""
        if id(node) not in self.built:
            self.built[id(node)] = None  # for a name that is made of itself
            self.built[id(node)] = self._path(node, depth + 1) if depth < _DEEPEST else None
        return self.built[id(node)]

    def _path(self, node: ast.expr, depth: int) -> str | None:
        match node:
            case ast.Constant(value=str() as text):
                return text if len(text) <= _LONGEST and "\n" not in text else None
            case ast.Name(id="__file__"):
                return f"{_HERE}/__file__"
            case ast.Name(id=name):
                known = self.file.constants.get(name)
                return None if known is None else self.path(known, depth)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return _joined(self.path(left, depth), self.path(right, depth))
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                first, second = self.path(left, depth), self.path(right, depth)
                return None if first is None or second is None else (first + second)[:_LONGEST]
            case ast.Subscript(value=ast.Attribute(value=base, attr="parents"), slice=index):
                return self._climbed(base, index, depth)
            case ast.Attribute():
                return self._attribute(node, depth)
            case ast.Call():
                return self._called(node, depth)
            case _:
                return None

    def _climbed(self, base: ast.expr, index: ast.expr, depth: int) -> str | None:
        found = self.path(base, depth)
        steps = index.value if isinstance(index, ast.Constant) else None
        if found is None or not isinstance(steps, int) or not 0 <= steps < _DEEPEST:
            return None
        for _ in range(steps + 1):
            found = _above(found)
        return found

    def _attribute(self, node: ast.Attribute, depth: int) -> str | None:
        name = dotted(node)
        if name in _FOLDERS:
            return _HERE
        if node.attr in _ROOTS:
            return "."
        if node.attr in ("parent", "dirpath"):
            found = self.path(node.value, depth)
            return None if found is None else _above(found)
        return None

    def _called(self, node: ast.Call, depth: int) -> str | None:
        name = dotted(node.func).rpartition(".")[2] or getattr(node.func, "attr", "")
        given = [self.path(one, depth) for one in node.args]
        if name == "dirname" and len(given) == 1:
            return None if given[0] is None else _above(given[0])
        if name in ("cwd", "getcwd"):
            return "."
        if name == "join" and len(given) > 1:
            return _joined(*given)
        if name == "files" and len(given) == 1 and given[0] is not None:
            return f"*{given[0].replace('.', '/')}"  # below whichever root the package has
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        if name in _SAME and given:
            return _joined(*given)
        base = self.path(owner, depth) if owner is not None else None
        if base is None:
            return None
        if name in _KEEPING:
            return base
        if name in ("joinpath", "join"):
            return _joined(base, *given)
        if name in ("with_name", "with_suffix") and len(given) == 1 and given[0] is not None:
            kept = _above(base) if name == "with_name" else posixpath.splitext(base)[0]
            return f"{kept}/{given[0]}" if name == "with_name" else kept + given[0]
        return None


def _joined(*parts: str | None) -> str | None:
    known = [one for one in parts if one is not None]
    return posixpath.join(*known)[:_LONGEST] if known and len(known) == len(parts) else None


def _above(path: str) -> str:
    last = path.rpartition("/")[2]
    return f"{path}/.." if last in (_HERE, "..", ".") else posixpath.dirname(path) or "."


def _opened(call: ast.Call) -> Iterator[str]:
    name = dotted(call.func).rpartition(".")[2]
    if name not in _READERS or not call.args:
        return
    words = [*call.args[1:2], *(one.value for one in call.keywords if one.arg == "mode")]
    modes = [one.value for one in words if isinstance(one, ast.Constant)]
    if any(isinstance(mode, str) and set(mode) & set("wax+") for mode in modes):
        return
    first = call.args[0]
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        yield first.value


@attrs.frozen(eq=False)
class Named:
    """Which test files of a tree name a path."""

    found: Mapping[str, Mentions]
    bases: frozenset[str]

    def by(self, path: str) -> tuple[str, ...]:
        """Return, sorted, the files that name the path."""
        return tuple(sorted(f for f, one in self.found.items() if one.names(f, path, self.bases)))
