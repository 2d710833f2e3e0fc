"""Files of the tests: one path however it is put together, one content however it is read."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping

from benchhygiene_plugins.assertions.modules import Project
from benchhygiene_plugins.assertions.terms import Term, term
from benchhygiene_plugins.assertions.texts import formatted, joined

_SAME_PATH = frozenset(
    (
        "pathlib.Path",
        "pathlib.PurePath",
        "pathlib.PosixPath",
        "str",
        "os.fspath",
        "os.path.abspath",
        "os.path.realpath",
        "os.path.normpath",
        "py.path.local",
    )
)
_SAME_METHODS = frozenset(("resolve", "absolute", "as_posix", "expanduser", "__str__"))
_OF_PATH = {
    "os.path.exists": "exists",
    "os.path.isfile": "is_file",
    "os.path.isdir": "is_dir",
    "os.listdir": "iterdir",
}
_LOADERS = {
    "json.load": "json.loads",
    "tomllib.load": "tomllib.loads",
    "pickle.load": "pickle.loads",
}
_DEEPEST = 12
#: An empty directory, however it was come by.
FRESH = term("fixture", value="tmp_path")


def located(one: Term, project: Project) -> Term:
    """Return a file of the tree where a term is the path of one, else the term itself.

    A file that has moved as it was is the one that it was.
    """
    path = _path(one, _DEEPEST)
    if path is None or not project.tree.is_file(path):
        return one
    return term("file", value=project.origin(path), product=True, node=path)


def _path(one: Term, depth: int) -> str | None:
    """Return the path within the tree that a term comes to."""
    if one.kind == "file" or (one.kind == "free" and one.value == "__file__"):
        return str(one.node) if one.node else None
    step = _STEPS.get(one.kind)
    return step(one, depth - 1) if step is not None and depth > 0 else None


def _of_attribute(one: Term, depth: int) -> str | None:
    if one.value != "parent":
        return None
    base = _path(one.children[0], depth)
    return posixpath.dirname(base) if base is not None else None


def _of_item(one: Term, depth: int) -> str | None:
    parents, index = one.children
    if parents.kind != "attr" or parents.value != "parents" or not isinstance(index.node, int):
        return None
    base = _path(parents.children[0], depth)
    for _ in range(min(index.node, _DEEPEST) + 1):
        base = posixpath.dirname(base) if base is not None else None
    return base


def _of_division(one: Term, depth: int) -> str | None:
    return _below(one.children[0], one.children[1:], depth) if one.value == "Div" else None


def _below(base: Term, parts: tuple[Term, ...], depth: int) -> str | None:
    start = _path(base, depth)
    if start is None or not all(isinstance(part.node, str) for part in parts):
        return None
    return posixpath.normpath(posixpath.join(start, *(str(part.node) for part in parts)))


def _of_call(one: Term, depth: int) -> str | None:
    function, *given = one.children
    if any(part.kind == "keyword" for part in given):
        return None
    if function.kind == "attr":
        base = function.children[0]
        if function.value in _SAME_METHODS and not given:
            return _path(base, depth)
        return _below(base, tuple(given), depth) if function.value == "joinpath" else None
    if function.value == "os.path.join" and given:
        return _below(given[0], tuple(given[1:]), depth)
    if function.value == "os.path.dirname" and len(given) == 1:
        inner = _path(given[0], depth)
        return posixpath.dirname(inner) if inner is not None else None
    if function.value in _SAME_PATH and given:
        return _below(given[0], tuple(given[1:]), depth)
    return None


_STEPS: Mapping[str, Callable[[Term, int], str | None]] = {
    "attr": _of_attribute,
    "item": _of_item,
    "binary": _of_division,
    "call": _of_call,
}


def plain(call: Term, project: Project) -> Term:
    """Return the one form of the ways to write a path, and to read what is there."""
    function, *given = call.children
    if is_fresh_directory(call):
        return FRESH
    if function.value in _SAME_PATH and given == [FRESH]:
        return FRESH
    if function.kind == "attr":
        found = _method(call, function, given) or formatted(call) or joined(call)
        return found or located(call, project)
    if function.kind not in ("ref", "builtin"):
        return call
    if function.value in _OF_PATH and len(given) == 1:
        return term("call", term("attr", _bare(given[0]), value=_OF_PATH[function.value]))
    if function.value in _LOADERS and given:
        content = _content(given[0], "text")
        if content is not None:
            loads = _LOADERS[function.value]
            return term("call", term("ref", value=loads, node=loads), content, *given[1:])
    if function.value in _SAME_PATH or function.value in ("os.path.join", "os.path.dirname"):
        return located(call, project)
    return call


def is_fresh_directory(made: Term) -> bool:
    """Return whether a call makes an empty directory and yields its path."""
    function = made.children[0] if made.kind == "call" else made
    if function.kind == "attr":
        base = function.children[0]
        return function.value == "mktemp" and base.value in ("tmp_path_factory", "tmpdir_factory")
    return function.kind == "ref" and function.value == "tempfile.mkdtemp"


def is_temporary(made: Term) -> bool:
    """Return whether a value is an empty directory's holder."""
    return made.kind == "call" and made.children[0].value == "tempfile.TemporaryDirectory"


def _method(call: Term, function: Term, given: list[Term]) -> Term | None:
    base = function.children[0]
    if function.value == "read_text" and all(_is_usual(one) for one in given):
        return _reading(base, "text")
    if function.value == "write_text" and len(given) > 1 and all(map(_is_usual, given[1:])):
        return term("call", function, given[0])
    if function.value == "read_bytes" and not given:
        return _reading(base, "bytes")
    if function.value == "read" and not given:
        return _content(base, None)
    return None


def _content(file: Term, kind: str | None) -> Term | None:
    """Return the content of a file that is open to be read, None for anything else."""
    opened = file.children[0] if file.kind == "enter" else file
    if opened.kind != "call":
        return None
    function, *given = opened.children
    if function.kind == "attr" and function.value == "open":
        path = function.children[0]
    elif function.value in ("open", "io.open") and function.kind in ("builtin", "ref") and given:
        path, *given = given
    else:
        return None
    modes = [one for one in given if not _is_usual(one)]
    is_bytes = [str(one.node) for one in modes] == ["rb"]
    if modes and not is_bytes:
        return None
    return _reading(path, kind or ("bytes" if is_bytes else "text"))


def _reading(path: Term, kind: str) -> Term:
    return term("call", term("attr", _bare(path), value=f"read_{kind}"))


def _bare(path: Term) -> Term:
    """Return what a path is made of, where it is only turned into one."""
    while path.kind == "call" and len(path.children) == 2:
        function, inner = path.children
        if function.value not in _SAME_PATH or inner.kind in ("keyword", "starred"):
            return path
        path = inner
    return path


def _is_usual(argument: Term) -> bool:
    """Return whether an argument of a call that reads is what it would be without it."""
    if argument.kind == "keyword":
        return argument.value in ("encoding", "newline", "mode") and _is_usual(argument.children[0])
    named = argument.node
    return named == "" or (isinstance(named, str) and named.lower() in ("r", "rt", "utf-8", "utf8"))
