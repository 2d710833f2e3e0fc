"""Objects of a session that hooks look at and change: what is known of them."""

from __future__ import annotations

import ast
import fnmatch
import functools
import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import attrs

from benchhygiene.inventory.python import FunctionNode
from benchhygiene.inventory.values import Opaque, Unknown

ROOT = "/rootdir"
UNKNOWN = Opaque("?")

Arguments: TypeAlias = Sequence[object]
Keywords: TypeAlias = Mapping[str, object]


@attrs.frozen
class External(Opaque):
    """Something outside the tree by its dotted name; as a value it is not known."""


@attrs.frozen
class Variable(Opaque):
    """The value of a variable of the environment that is set: some text that is not empty."""


@attrs.define(eq=False, repr=False)
class Thing:
    """An object of which some attributes are known."""

    attributes: dict[str, object] = attrs.field(factory=dict[str, object], kw_only=True)

    def member(self, name: str) -> object:
        """Return an attribute. Raises Unknown."""
        if name in self.attributes:
            return self.attributes[name]
        raise Unknown(name)

    def store(self, name: str, value: object) -> None:
        """Give an attribute a value."""
        self.attributes[name] = value

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


@attrs.frozen(eq=False, repr=False)
class Native:
    """A function that is known here."""

    name: str
    function: Callable[[Arguments, Keywords], object]

    def __repr__(self) -> str:
        return f"<{self.name}>"


def answering(value: object) -> Native:
    """Return a function that gives the same whatever it is asked."""
    return Native("constant", lambda arguments, words: value)


@attrs.define(eq=False, repr=False)
class Frame:
    """The names of a module, a function or a comprehension, inside another one."""

    path: str
    names: dict[str, object] = attrs.field(factory=dict[str, object])
    outer: Frame | None = None
    yields: list[object] | None = None
    declared: frozenset[str] = frozenset()  # names that are bound further out

    def home(self, name: str) -> Frame | None:
        """Return the innermost frame that binds the name."""
        frame: Frame | None = self
        while frame is not None and (name not in frame.names or name in frame.declared):
            frame = frame.outer
        return frame

    def bind(self, name: str, value: object) -> None:
        """Give a name a value here, or further out where it was declared so."""
        target = self
        while name in target.declared and target.outer is not None:
            target = target.outer
        target.names[name] = value

    @property
    def module(self) -> Frame:
        """Return the frame of the module."""
        frame = self
        while frame.outer is not None:
            frame = frame.outer
        return frame


@attrs.frozen(eq=False, repr=False)
class Routine:
    """A function of the tree, where it was defined, and the object it is a method of."""

    node: FunctionNode | ast.Lambda
    frame: Frame
    owner: object = None

    @functools.cached_property
    def is_generator(self) -> bool:
        """Return whether it yields."""
        return not isinstance(self.node, ast.Lambda) and any(_yields(self.node.body))

    @property
    def is_static(self) -> bool:
        """Return whether it is no method, although it stands in a class."""
        decorators = getattr(self.node, "decorator_list", ())
        return any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in decorators)

    def __repr__(self) -> str:
        return f"<function {getattr(self.node, 'name', '<lambda>')}>"


def _yields(body: Sequence[ast.AST]) -> Iterator[bool]:
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            yield True
        if not isinstance(node, FunctionNode | ast.Lambda | ast.ClassDef):
            pending.extend(ast.iter_child_nodes(node))


@attrs.define(eq=False, repr=False)
class Kind(Thing):
    """A class of the tree; the names of its body are its attributes."""

    node: ast.ClassDef
    bases: tuple[object, ...] = ()

    def member(self, name: str) -> object:
        """Return what the class or a base of it in the tree has. Raises Unknown."""
        if name in self.attributes:
            return self.attributes[name]
        for base in self.bases:
            if isinstance(base, Kind):
                try:
                    return base.member(name)
                except Unknown:
                    continue
        if name == "__name__":
            return self.node.name
        raise Unknown(name)


@attrs.define(eq=False, repr=False)
class Instance(Thing):
    """An object of a class of the tree."""

    kind: Kind

    def member(self, name: str) -> object:
        """Return an attribute, a method bound to the object. Raises Unknown."""
        if name in self.attributes:
            return self.attributes[name]
        found = self.kind.member(name)
        if not isinstance(found, Routine) or found.owner is not None or found.is_static:
            return found
        return attrs.evolve(found, owner=self)


@attrs.frozen(repr=False)
class PathText:
    """A path, or a text that is used as one; absolute below ``ROOT``."""

    text: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"PathText({self.text!r})"

    def __contains__(self, part: object) -> bool:
        return isinstance(part, str) and part in self.text

    def __truediv__(self, other: object) -> PathText:
        return PathText(posixpath.normpath(posixpath.join(self.text, str(other))))

    def member(self, name: str) -> object:
        """Return an attribute or method of the path. Raises Unknown."""
        plain = _PARTS.get(name)
        if plain is not None:
            return plain(self.text)
        method = _PATH_METHODS.get(name)
        if method is None:
            raise Unknown(name)
        return Native(name, lambda arguments, words: method(self.text, arguments))


def relative(text: str) -> str:
    """Return a path relative to the root, itself where it lies elsewhere."""
    return posixpath.relpath(text, ROOT) if text.startswith(ROOT) else text


def _stem(text: str) -> object:
    return posixpath.splitext(posixpath.basename(text))[0]


_PARTS: Mapping[str, Callable[[str], object]] = {
    "name": posixpath.basename,
    "basename": posixpath.basename,
    "stem": _stem,
    "purebasename": _stem,
    "suffix": lambda text: posixpath.splitext(text)[1],
    "ext": lambda text: posixpath.splitext(text)[1],
    "strpath": lambda text: text,
    "parent": lambda text: PathText(posixpath.dirname(text)),
    "dirname": posixpath.dirname,
    "parts": lambda text: ("/", *(part for part in text.split("/") if part)),
    "parents": lambda text: _parents(text),
}


def _parents(text: str) -> list[object]:
    found: list[object] = []
    while text not in ("/", ""):
        text = posixpath.dirname(text)
        found.append(PathText(text))
    return found


def _joined(text: str, arguments: Arguments) -> object:
    return PathText(posixpath.normpath(posixpath.join(text, *map(str, arguments))))


def _matches(text: str, arguments: Arguments) -> object:
    pattern = str(arguments[0])
    if "/" in pattern:
        return fnmatch.fnmatchcase(text, f"*/{pattern}".replace("//", "/"))
    return fnmatch.fnmatchcase(posixpath.basename(text), pattern)


def _below(text: str, arguments: Arguments) -> object:
    base = str(arguments[0])
    if text != base and not text.startswith(f"{base}/"):
        raise Unknown("not below it")
    return PathText(posixpath.relpath(text, base))


def _same(text: str, arguments: Arguments) -> object:
    return PathText(text)


_PATH_METHODS: Mapping[str, Callable[[str, Arguments], object]] = {
    "as_posix": lambda text, arguments: text,
    "joinpath": _joined,
    "join": _joined,
    "match": _matches,
    "fnmatch": _matches,
    "resolve": _same,
    "absolute": _same,
    "relative_to": _below,
    "is_relative_to": lambda text, arguments: f"{text}/".startswith(f"{arguments[0]}/"),
    "check": lambda text, arguments: True,
    "exists": lambda text, arguments: True,
    "is_file": lambda text, arguments: text.endswith(".py"),
    "is_dir": lambda text, arguments: not text.endswith(".py"),
    "with_name": lambda text, arguments: PathText(
        posixpath.join(posixpath.dirname(text), str(arguments[0]))
    ),
}
