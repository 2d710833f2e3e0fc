"""What a test class is made of: its bases across files, and whether pytest looks into it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.inventory.bindings import Binding, Changed, Class, Function, Gone, Value
from benchhygiene.inventory.modules import External, Found, Modules
from benchhygiene.inventory.spelling import decorator_call

_DEEPEST = 150
_MOST_BASES = 200
#: Bases that add nothing pytest would look at.
_PLAIN = frozenset(
    ("object", "abc.ABC", "ABC", "typing.Generic", "typing.Protocol", "Generic", "Protocol")
)
_WITH_INIT = frozenset(
    name
    for name in dir(builtins)
    if isinstance(getattr(builtins, name), type) and name not in ("object", "type")
)
_WITH_NEW = ("enum.", "typing.NamedTuple", "collections.", "typing.TypedDict", "threading.")
_GIVES_INIT = frozenset(("dataclasses.dataclass", "attr.s", "attr.attrs", "attrs.define"))
_GIVES_INIT_TOO = frozenset(("attr.define", "attrs.frozen", "attr.frozen", "attrs.mutable"))


@attrs.frozen(eq=False)
class ClassAt:
    """A class of the tree and the file it stands in."""

    path: str
    binding: Class

    @property
    def definition(self) -> ast.ClassDef:
        """Return its definition."""
        return self.binding.definition


@attrs.frozen(eq=False)
class Lineage:
    """A class with its bases in the order attributes are looked up.

    ``classes`` are those the tree holds, the class itself first; ``externals`` the dotted names of
    the others.
    """

    classes: tuple[ClassAt, ...]
    externals: tuple[str, ...]

    @property
    def is_unittest(self) -> bool:
        """Return whether it is a ``unittest.TestCase``, as far as names tell."""
        return any(name.rpartition(".")[2].endswith("TestCase") for name in self.externals)

    @property
    def foreign(self) -> tuple[str, ...]:
        """Return the bases whose tests nobody here can see."""
        return tuple(
            name
            for name in self.externals
            if name not in _PLAIN
            and not name.startswith(("unittest.", "enum.", "typing."))
            and name not in _WITH_INIT
        )

    def member(self, name: str) -> tuple[ClassAt, Binding] | None:
        """Return what an attribute of the class is and which class has it."""
        for one in self.classes:
            binding = one.binding.scope.names.get(name)
            if binding is not None:
                return one, binding
        return None

    def constructor(self) -> str | None:
        """Return the constructor that keeps pytest from looking into the class, or None."""
        for name in ("__init__", "__new__"):
            found = self.member(name)
            if found is not None and not isinstance(found[1], Gone):
                return name
        if any(name in _WITH_INIT or name.startswith(_WITH_NEW) for name in self.externals):
            return "__init__"
        return None


def lineage(modules: Modules, at: ClassAt) -> Lineage:
    """Return the class and all its bases."""
    return _lineage(modules, at, 0)


def _lineage(modules: Modules, at: ClassAt, depth: int) -> Lineage:
    known = modules.lines.get(id(at.binding))
    if known is not None and isinstance(known[1], Lineage):
        return known[1]
    if depth > _DEEPEST:
        return Lineage((at,), ("?",))
    # Until it is known, a class that has itself for a base has no bases.
    modules.lines[id(at.binding)] = (at.binding, Lineage((at,), ()))
    externals: dict[str, None] = {}
    bases = list(_bases(modules, at, externals))
    lines = [_lineage(modules, base, depth + 1) for base in bases]
    for line in lines:
        externals.update(dict.fromkeys(line.externals))
    merged = _merge([*(list(line.classes) for line in lines), bases])
    made = Lineage((at, *merged)[:_MOST_BASES], tuple(externals))
    modules.lines[id(at.binding)] = (at.binding, made)
    return made


def _merge(lines: list[list[ClassAt]]) -> list[ClassAt]:
    """Merge the orders of the bases as Python does (C3); what it refuses is taken as it comes."""
    merged: list[ClassAt] = []
    lines = [list(line) for line in lines if line]
    while lines and len(merged) < _MOST_BASES:
        tails = {id(one.binding) for line in lines for one in line[1:]}
        heads = (line[0] for line in lines)
        chosen = next((one for one in heads if id(one.binding) not in tails), lines[0][0])
        merged.append(chosen)
        kept = ([one for one in line if one.binding is not chosen.binding] for line in lines)
        lines = [line for line in kept if line]
    return merged


def _bases(modules: Modules, at: ClassAt, externals: dict[str, None]) -> Iterator[ClassAt]:
    for node in _base_expressions(at.definition):
        found = modules.meaning(node, at.path)
        if isinstance(found, Found) and isinstance(found.binding, Class):
            if found.binding is not at.binding:
                yield ClassAt(found.path, found.binding)
        elif isinstance(found, External):
            externals[found.name] = None
        elif not (isinstance(node, ast.Name) and found is None):
            externals["?"] = None
        else:
            externals[node.id] = None


def _base_expressions(definition: ast.ClassDef) -> Iterator[ast.expr]:
    for base in definition.bases:
        node = base.value if isinstance(base, ast.Subscript) else base
        if isinstance(node, ast.Call):
            yield from node.args[1:]  # with_metaclass(Meta, Base)
            yield node.func
        else:
            yield node
    for word in definition.keywords:
        if word.arg == "metaclass":
            yield word.value


def flag(modules: Modules, line: Lineage, name: str = "__test__") -> bool | None:
    """Return whether an attribute of the class holds, None where it is not set or not known."""
    found = line.member(name)
    if found is None or not isinstance(found[1], Value | Changed):
        return None
    at, binding = found
    if not isinstance(binding, Value) or binding.expression is None:
        return None
    return modules.constants(at.path).evaluator().truth(binding.expression)


def is_abstract(modules: Modules, line: Lineage) -> bool:
    """Return whether the class cannot be instantiated: it has abstract methods left."""
    if not any(name.rpartition(".")[2] in ("ABC", "ABCMeta") for name in line.externals):
        return False
    names = dict.fromkeys(name for one in line.classes for name in one.binding.scope.names)
    for name in names:
        found = line.member(name)
        if found is not None and isinstance(found[1], Function):
            named = _decorators(modules, found[0].path, found[1].definition.decorator_list)
            if any(one.rpartition(".")[2].startswith("abstract") for one in named):
                return True
    return False


def gives_init(modules: Modules, at: ClassAt) -> bool:
    """Return whether a decorator, such as ``dataclass``, gives the class an ``__init__``."""
    for node in at.definition.decorator_list:
        named, call = decorator_call(node)
        words = call.keywords if call is not None else []
        off = any(
            word.arg == "init" and isinstance(word.value, ast.Constant) and not word.value.value
            for word in words
        )
        if not off and _dotted(modules, at.path, named) in _GIVES_INIT | _GIVES_INIT_TOO:
            return True
    return False


def _decorators(modules: Modules, path: str, nodes: Sequence[ast.expr]) -> Iterator[str]:
    for node in nodes:
        yield _dotted(modules, path, decorator_call(node)[0])


def _dotted(modules: Modules, path: str, node: ast.expr) -> str:
    return modules.constants(path).resolved(node)
