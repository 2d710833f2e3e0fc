"""Follow the functions of a tree step by step, on values of which parts are unknown.

Expressions are computed by ``benchhygiene.inventory.values``; what is added here are objects that
can be changed, functions that are called, and conditions that are taken both ways.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, cast

import attrs

from benchhygiene.inventory.bindings import Changed, Class, Function, Value
from benchhygiene.inventory.modules import External as Outside
from benchhygiene.inventory.modules import Found, Module, Modules, Target
from benchhygiene.inventory.operations import COMPUTE
from benchhygiene.inventory.values import Budget, Evaluator, Opaque, Unknown
from benchhygiene_plugins.configuration.session import methods
from benchhygiene_plugins.configuration.session.calls import bound
from benchhygiene_plugins.configuration.session.deciding import Decisions, spelled
from benchhygiene_plugins.configuration.session.endings import Exhausted, Raised, Returned
from benchhygiene_plugins.configuration.session.environment import Environment
from benchhygiene_plugins.configuration.session.expressions import EXPRESSIONS
from benchhygiene_plugins.configuration.session.items import Marker
from benchhygiene_plugins.configuration.session.loaded import NAMED, ModuleOf, ModuleTable
from benchhygiene_plugins.configuration.session.natives import NATIVES
from benchhygiene_plugins.configuration.session.options import Cause
from benchhygiene_plugins.configuration.session.texts import (
    READING,
    OpenFile,
    file_text,
    globbed,
)
from benchhygiene_plugins.configuration.session.things import (
    ROOT,
    UNKNOWN,
    Arguments,
    External,
    Frame,
    Instance,
    Keywords,
    Kind,
    Native,
    PathText,
    Routine,
    Variable,
    answering,
)

_DEEPEST = 25
Execute: TypeAlias = "Callable[[Machine, Sequence[ast.stmt], Frame], None]"
Special: TypeAlias = "Callable[[Machine, Frame, Arguments, Keywords], object]"


@attrs.define(eq=False)
class Machine:
    """One run: how its unknown conditions are taken, and what it changes.

    ``cause`` is who is at work, ``items`` the list that pytest would run, ``doubts`` where that
    list was handed to something unknown.
    """

    modules: Modules
    decisions: Decisions
    execute: Execute
    specials: Mapping[str, Special]
    budget: Budget
    items: list[object] = attrs.field(factory=list[object])
    argv: list[object] = attrs.field(factory=lambda: ["pytest"])
    cause: Cause = attrs.field(factory=lambda: Cause(""))
    doubts: dict[Cause, None] = attrs.field(factory=dict[Cause, None])
    environ: Environment = attrs.field(init=False)
    depth: int = 0
    _frames: dict[str, Frame] = attrs.field(factory=dict[str, Frame])
    _values: dict[tuple[str, str], object] = attrs.field(factory=dict[tuple[str, str], object])

    def __attrs_post_init__(self) -> None:
        self.environ = Environment(lambda: self.cause, self.decisions.take)

    def frame_of(self, path: str) -> Frame:
        """Return the frame of a module's own names."""
        return self._frames.setdefault(path, Frame(path))

    def evaluator(self, frame: Frame) -> Evaluator:
        """Return what computes expressions in a frame."""
        table = {
            kind: functools.partial(compute, self, frame) for kind, compute in EXPRESSIONS.items()
        }
        lookup = functools.partial(self.lookup, frame)
        resolve = functools.partial(self.resolve, frame)
        return Evaluator({**COMPUTE, **table}, lookup, resolve, self.budget)

    def value(self, node: ast.expr, frame: Frame) -> object:
        """Return a value, an Opaque where it is not known."""
        if self.budget.steps < 0:
            raise Exhausted
        try:
            return self.evaluator(frame).value(node)
        except Unknown:
            return Opaque(f"{type(node).__name__}")

    def holds(self, node: ast.expr, frame: Frame) -> bool:
        """Return whether a condition holds, as this run takes it where nobody can tell."""
        if isinstance(node, ast.BoolOp):
            decides = isinstance(node.op, ast.Or)
            return (
                decides
                if any(self.holds(part, frame) is decides for part in node.values)
                else not decides
            )
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return not self.holds(node.operand, frame)
        return self.truth(self.value(node, frame), node, frame)

    def truth(self, value: object, node: ast.expr, frame: Frame) -> bool:
        """Return whether a value counts as true; of one that is not known its text decides."""
        if isinstance(value, Variable):
            return True
        if isinstance(value, Opaque):
            module = self.modules.constants(frame.path)
            return self.decisions.take(spelled(node, module.resolved))
        return bool(value)

    def resolve(self, frame: Frame, node: ast.expr) -> str:
        """Return the dotted name of something outside the tree, empty for anything else."""
        try:
            found = self.evaluator(frame).raw(node)
        except (Unknown, AttributeError, TypeError, LookupError, ValueError):
            return ""
        return found.text if isinstance(found, External) else ""

    def lookup(self, frame: Frame, name: str) -> object:
        """Return what a name stands for. Raises Unknown."""
        home = frame.home(name)
        if home is not None:
            return home.names[name]
        return self.module_value(frame.path, name)

    def module_value(self, path: str, name: str) -> object:
        """Return what a module's name stands for; a builtin's is outside the tree."""
        own = self._frames.get(path)
        if own is not None and name in own.names:
            return own.names[name]
        key = (path, name)
        if key not in self._values:
            self._values[key] = UNKNOWN  # until it is known: it may be made of itself
            self._values[key] = self._module_value(path, name)
        return self._values[key]

    def _module_value(self, path: str, name: str) -> object:
        module = self.modules.at(path)
        if module is None:
            return UNKNOWN
        if name == "__file__":
            return f"{ROOT}/{path}"
        if name == "__name__":
            return f"{NAMED}{path}"
        target = self.modules.member(module, name)
        if target is not None:
            return self.meant(target)
        aliases = module.file.aliases
        if name in aliases:  # imported inside a function
            return self.meant(self.modules.target(aliases[name], path))
        return self.external(name)

    def meant(self, target: Target) -> object:
        """Return what a name that was followed across files stands for."""
        if isinstance(target, Module):
            return ModuleOf(target.path, self)
        if isinstance(target, Outside):
            return self.external(target.name)
        binding = target.binding
        frame = self.frame_of(target.path)
        if isinstance(binding, Function):
            return Routine(binding.definition, frame)
        if isinstance(binding, Class):
            return self.kind(binding.definition, frame)
        if not isinstance(binding, Value | Changed):
            return UNKNOWN
        try:
            return self._constant(target, binding)
        except Raised:  # the module's own code does: nobody here stands in a try of it
            return Opaque("raises")

    def _constant(self, found: Found, binding: Value | Changed) -> object:
        try:
            value = self.modules.constants(found.path).bound(binding)
        except Unknown:
            value = UNKNOWN
        if isinstance(value, Opaque) and isinstance(binding, Value) and binding.expression:
            value = self.value(binding.expression, self.frame_of(found.path))
        if isinstance(value, list):
            return list(cast("list[object]", value))  # what is done to it is done in this run only
        return dict(cast("dict[object, object]", value)) if isinstance(value, dict) else value

    def external(self, name: str) -> object:
        """Return what stands for a dotted name outside the tree."""
        match name:
            case "sys.argv":
                return self.argv
            case "os.environ":
                return self.environ
            case "sys.modules":
                return ModuleTable(self)
            case "os.getenv":
                return Native(name, self.environ.get)
            case "os.putenv":
                return Native(name, self.environ.put)
            case _:
                return External(name)

    def kind(self, node: ast.ClassDef, frame: Frame) -> Kind:
        """Return a class, its body run."""
        body = Frame(frame.path, outer=frame)
        bases = tuple(self.value(base, frame) for base in node.bases)
        self.execute(self, node.body, body)
        kind = Kind(node, bases)
        for name, value in body.names.items():
            # A method does not see the names of its class.
            if isinstance(value, Routine) and value.frame is body:
                kind.attributes[name] = attrs.evolve(value, frame=frame)
            else:
                kind.attributes[name] = value
        return kind

    def member(self, base: object, name: str) -> object:
        """Return an attribute of a value. Raises Unknown."""
        if isinstance(base, External):
            return self.external(f"{base.text}.{name}")
        if isinstance(base, Opaque):
            raise Unknown(name)
        if isinstance(base, PathText) and name in READING:
            text = file_text(self.modules.tree, base.text)
            return answering(text if name == "read_text" else OpenFile(text))
        if isinstance(base, PathText) and name in ("glob", "rglob", "iterdir"):
            return Native(name, functools.partial(self._below, base.text, name))
        member = getattr(base, "member", None)
        if member is not None:
            return cast("Callable[[str], object]", member)(name)
        if isinstance(base, str | list | dict | frozenset | tuple):
            return Native(name, functools.partial(self._method, base, name))
        raise Unknown(name)

    def _below(self, base: str, how: str, arguments: Arguments, words: Keywords) -> object:
        pattern = "*" if how == "iterdir" else str(arguments[0])
        pattern = f"**/{pattern}" if how == "rglob" else pattern
        return [PathText(f"{ROOT}/{one}") for one in globbed(self.modules.tree, base, pattern)]

    def _method(self, base: object, name: str, arguments: Arguments, words: Keywords) -> object:
        if isinstance(base, str):
            return methods.text_method(base, name, arguments, words)
        if isinstance(base, list):
            self.budget.spend(len(cast("list[object]", base)) // 16)
            listed = cast("list[object]", base)
            return methods.list_method(listed, name, arguments, self.elements)
        if isinstance(base, dict):
            return methods.dict_method(cast("dict[object, object]", base), name, arguments, words)
        if isinstance(base, frozenset):
            return methods.set_method(cast("frozenset[object]", base), name, arguments)
        raise Unknown(name)

    def elements(self, value: object) -> list[object]:
        """Return the elements of a value. Raises Unknown."""
        return self.evaluator(Frame("")).elements(value)

    def call(self, target: object, arguments: Arguments, words: Keywords, frame: Frame) -> object:
        """Return what calling something gives. Raises Unknown."""
        if isinstance(target, Native):
            return target.function(arguments, words)
        if isinstance(target, Routine):
            return self.run(target, arguments, words)
        if isinstance(target, Kind):
            return self._instance(target, arguments, words)
        if isinstance(target, External):
            return self._outside(target.text, arguments, words, frame)
        if isinstance(target, Marker):  # pytest.mark.x(...)(function)
            return arguments[0] if arguments else UNKNOWN
        self._suspect(arguments, words)
        raise Unknown("a call of what is not known")

    def _outside(self, name: str, arguments: Arguments, words: Keywords, frame: Frame) -> object:
        special = self.specials.get(name)
        if special is not None:
            return special(self, frame, arguments, words)
        native = NATIVES.get(name)
        if native is not None:
            return native(arguments, words)
        kind, dot, method = name.partition(".")
        if dot and arguments and kind in ("list", "dict", "str"):  # list.clear(items)
            return self._method(arguments[0], method, arguments[1:], words)
        if name.startswith("pytest.mark."):
            mark = name.removeprefix("pytest.mark.").partition(".")[0]
            return Marker(mark, tuple(arguments), tuple(words.items()))
        self._suspect(arguments, words)
        raise Unknown(name)

    def _suspect(self, arguments: Arguments, words: Keywords) -> None:
        """Note that the items were handed to something that may take some away."""
        if any(one is self.items for one in (*arguments, *words.values())):
            self.doubts[self.cause] = None

    def _instance(self, kind: Kind, arguments: Arguments, words: Keywords) -> object:
        made = Instance(kind)
        try:
            start = made.member("__init__")
        except Unknown:
            start = None
        if isinstance(start, Routine):
            self.run(start, arguments, words)
        return made

    def run(self, routine: Routine, arguments: Arguments, words: Keywords) -> object:
        """Return what a function of the tree gives; a generator's is all that it yields."""
        if self.depth > _DEEPEST:
            raise Unknown("functions call one another too deeply")
        self.budget.spend(1)
        frame = Frame(routine.frame.path, outer=routine.frame)
        frame.names.update(bound(self, routine, arguments, words))
        if isinstance(routine.node, ast.Lambda):
            return self.value(routine.node.body, frame)
        frame.yields = [] if routine.is_generator else None
        self.depth += 1
        try:
            self.execute(self, routine.node.body, frame)
        except Returned as returned:
            return frame.yields if frame.yields is not None else returned.value
        finally:
            self.depth -= 1
        return frame.yields
