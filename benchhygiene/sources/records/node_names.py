"""Put node ids together from what JUnit XML and unittest have instead: a class and a name."""

from __future__ import annotations

import re

import attrs

_SUBTEST = re.compile(r"(\w+) [\[(].*[\])]", re.DOTALL)
_PYTHON = ".py"


@attrs.frozen
class NodeName:
    """A node id, and whether it is a guess."""

    node_id: str
    is_guessed: bool


def named(classname: str, name: str, path: str | None = None) -> NodeName:
    """Return the node id of a test by its dotted class and its name.

    With the ``path`` of its file, which xunit1 has, the rest of the class says which classes it is
    in. Without one, or where the class does not begin with the file's module, the last parts that
    begin like a class are taken for classes.
    """
    parts = [part for part in classname.split(".") if part]
    if path is not None:
        module = _module(path)
        if parts[: len(module)] == module:
            return NodeName("::".join((_slashed(path), *parts[len(module) :], name)), False)
    if not parts:
        return NodeName(name, True)
    cut = _first_class(parts)
    return NodeName("::".join((f"{'/'.join(parts[:cut])}{_PYTHON}", *parts[cut:], name)), True)


def collector(name: str, path: str | None = None) -> str:
    """Return the node id of a module by its dotted name, or by the path of its file."""
    return f"{name.replace('.', '/')}{_PYTHON}" if path is None else _slashed(path)


def without_subtest(name: str) -> str:
    """Return the test's name of ``test_a [message] (i=1)``, which unittest calls its subtests."""
    found = _SUBTEST.fullmatch(name)
    return found[1] if found else name


def _slashed(path: str) -> str:
    return path.replace("\\", "/")


def _module(path: str) -> list[str]:
    return _slashed(path).removesuffix(_PYTHON).removesuffix("/__init__").split("/")


def _first_class(parts: list[str]) -> int:
    """Return where the classes begin: at least one part is the module's."""
    cut = len(parts)
    while cut > 1 and parts[cut - 1].lstrip("_")[:1].isupper():
        cut -= 1
    return cut
