"""Items as hooks see them: one for each test, or for each known parameter set of it."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence

import attrs

from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.values import Opaque, Unknown
from benchhygiene_plugins.configuration.session.options import Cause
from benchhygiene_plugins.configuration.session.things import (
    ROOT,
    Arguments,
    External,
    Keywords,
    Native,
    PathText,
    Thing,
)

_MOST_ROWS = 200


@attrs.define(eq=False, repr=False)
class Marker(Thing):
    """A mark: its name, and the values it was made with as far as they are known."""

    name: str
    args: tuple[object, ...] = ()
    kwargs: tuple[tuple[str, object], ...] = ()
    cause: Cause | None = None

    def member(self, name: str) -> object:
        """Return one of its parts. Raises Unknown."""
        match name:
            case "name":
                return self.name
            case "args":
                return self.args
            case "kwargs":
                return dict(self.kwargs)
            case "mark":
                return self
            case _:
                raise Unknown(name)

    def store(self, name: str, value: object) -> None:
        """Forget what is written to it: nobody reads it here."""

    def __repr__(self) -> str:
        return f"<mark {self.name}>"


@attrs.define(eq=False, repr=False)
class Item(Thing):
    """One test: ``node_id`` with its parameters where they are known."""

    node: Node
    node_id: str
    row: str = ""
    marks: list[Marker] = attrs.field(factory=list[Marker])
    cause: Callable[[], Cause] | None = None

    def __repr__(self) -> str:
        return f"<item {self.node_id}>"

    @property
    def name(self) -> str:
        """Return its own name, with its parameters."""
        return f"{self.node.name}{self.row}"

    @property
    def names(self) -> tuple[str, ...]:
        """Return its name and those of what it is in, as ``-k`` looks at them."""
        folders = self.node.path.split("/")
        return (*folders, *(one.name for one in self.node.classes), self.name)

    def has(self, name: str) -> bool:
        """Return whether a mark of this name stands on it."""
        return any(mark.name == name for mark in self.marks)

    def member(self, name: str) -> object:
        """Return an attribute or method of a ``pytest.Function``. Raises Unknown."""
        if name in self.attributes:
            return self.attributes[name]
        facts = self._facts(name)
        if facts is not None:
            return facts
        match name:
            case "keywords":
                return ItemKeywords(self)
            case "get_closest_marker" | "get_marker":
                return Native(name, self._closest)
            case "iter_markers":
                return Native(name, self._every)
            case "add_marker":
                return Native(name, self._add)
            case "listnames":
                return Native(name, lambda arguments, words: ["", *self.names])
            case "own_markers":
                return self.marks
            case "cls":
                return _class_of(self.node)
            case "fixturenames":
                arguments = self.node.definition.args
                return [one.arg for one in (*arguments.args, *arguments.kwonlyargs)]
            case "callspec" if self.node.parameters.axes:
                return Thing(attributes={"id": self.row[1:-1]} if self.row else {})
            case _:
                raise Unknown(name)

    def lacks(self, name: str) -> bool:
        """Return whether it surely has no such attribute."""
        return name == "callspec" and not self.node.parameters.axes

    def _facts(self, name: str) -> object:
        node = self.node
        path = posixpath.join(ROOT, node.path)
        function = FunctionOf(node)
        facts: dict[str, object] = {
            "name": self.name,
            "nodeid": self.node_id,
            "originalname": node.name,
            "path": PathText(path),
            "fspath": PathText(path),
            "location": (node.path, node.line - 1, node.qualname + self.row),
            "function": function,
            "obj": function,
            "_obj": function,
            "module": ModuleOf(node.path),
            "parent": ParentOf(node.path, tuple(one.name for one in node.classes)),
        }
        return facts.get(name)

    def _closest(self, arguments: Arguments, words: Keywords) -> object:
        wanted = arguments[0] if arguments else words.get("name")
        if isinstance(wanted, Opaque):
            raise Unknown("a mark of any name")
        default = arguments[1] if len(arguments) > 1 else words.get("default")
        return next((mark for mark in self.marks if mark.name == wanted), default)

    def _every(self, arguments: Arguments, words: Keywords) -> object:
        wanted = arguments[0] if arguments else words.get("name")
        if isinstance(wanted, Opaque):
            raise Unknown("marks of any name")
        return [mark for mark in self.marks if wanted is None or mark.name == wanted]

    def _add(self, arguments: Arguments, words: Keywords) -> object:
        given = arguments[0] if arguments else words.get("marker")
        if isinstance(given, External) and given.text.startswith("pytest.mark."):
            given = given.text.rpartition(".")[2]
        made = Marker(given) if isinstance(given, str) else given
        if isinstance(made, Marker):
            cause = None if self.cause is None else self.cause()
            self.marks.append(attrs.evolve(made, cause=cause))
        return None


@attrs.frozen(eq=False, repr=False)
class ItemKeywords:
    """``item.keywords``: its names and the names of its marks."""

    item: Item

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def _names(self) -> Sequence[str]:
        return (*self.item.names, *(mark.name for mark in self.item.marks))

    def member(self, name: str) -> object:
        """Return a method of the mapping. Raises Unknown."""
        if name == "get":
            return Native(name, self._get)
        if name == "keys":
            return Native(name, lambda arguments, words: list(self._names()))
        raise Unknown(name)

    def _get(self, arguments: Arguments, words: Keywords) -> object:
        found = next((one for one in self.item.marks if one.name == arguments[0]), None)
        default = arguments[1] if len(arguments) > 1 else None
        return found or (True if arguments[0] in self else default)


@attrs.frozen(repr=False)
class FunctionOf:
    """The function of an item."""

    node: Node = attrs.field(eq=id)

    def member(self, name: str) -> object:
        """Return one of its names. Raises Unknown."""
        facts = {"__name__": self.node.name, "__qualname__": self.node.qualname}
        if name in facts:
            return facts[name]
        if name == "__module__":
            return _module_name(self.node.path)
        raise Unknown(name)


@attrs.frozen(repr=False)
class ModuleOf:
    """The test module that an item is in."""

    path: str

    def member(self, name: str) -> object:
        """Return its name or file. Raises Unknown."""
        if name == "__name__":
            return _module_name(self.path)
        if name == "__file__":
            return posixpath.join(ROOT, self.path)
        raise Unknown(name)


def _module_name(path: str) -> str:
    """Return the last part of the module's name; how much is before it depends on packages."""
    return posixpath.basename(path).removesuffix(".py")


@attrs.frozen(repr=False)
class ParentOf:
    """The collector that an item is in: a class or a module."""

    path: str
    names: tuple[str, ...]

    def member(self, name: str) -> object:
        """Return its name, id or path. Raises Unknown."""
        if name == "name":
            return self.names[-1] if self.names else posixpath.basename(self.path)
        if name == "nodeid":
            return "::".join((self.path, *self.names))
        if name in ("path", "fspath"):
            return PathText(posixpath.join(ROOT, self.path))
        raise Unknown(name)


@attrs.frozen(repr=False)
class ClassOf:
    """The class of an item."""

    path: str
    names: tuple[str, ...]
    is_unittest: bool

    def member(self, name: str) -> object:
        """Return one of its names. Raises Unknown."""
        if name == "__name__":
            return self.names[-1]
        if name == "__qualname__":
            return ".".join(self.names)
        if name == "__module__":
            return _module_name(self.path)
        raise Unknown(name)


def _class_of(node: Node) -> object:
    names = tuple(one.name for one in node.classes)
    return ClassOf(node.path, names, node.is_unittest) if names else None


def items_of(node: Node, marks: Sequence[Marker]) -> Iterator[Item]:
    """Yield the items of a test: one, or one for each of its parameter sets where they are known.

    Marks come nearest first, as ``iter_markers`` gives them.
    """
    ids = node.parameters.ids if node.parameters.axes else None
    if ids is None or not 0 < len(ids) <= _MOST_ROWS:
        yield Item(node, node.node_id, marks=list(marks))
        return
    for one in ids:
        row = f"[{one}]"
        yield Item(node, node.node_id + row, row, list(marks))
