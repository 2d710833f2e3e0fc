"""What a function does, step by step, whatever it, its locals and its helpers are called."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.inventory.python import FunctionNode, imported
from benchhygiene.inventory.spelling import dotted
from benchhygiene_plugins.oracles.gathering import gathered
from benchhygiene_plugins.oracles.passing import named_alike
from benchhygiene_plugins.oracles.signs import Sign, sign

_SILENT = ("print", "logging", "logger", "log", "warnings.warn")
_SKIPPING = ("skip", "skipTest", "xfail", "importorskip")
_AFTERWARDS = frozenset(
    ("addfinalizer", "addCleanup", "addClassCleanup", "addModuleCleanup", "addAsyncCleanup")
)
#: How long whoever uses it may wait, and how it is looked at: no part of what is supplied.
_TUNING = frozenset(("settimeout", "setblocking", "setsockopt", "set_debug"))
_MOST = 2_000  # steps of one function


class Unfollowed(Exception):
    """A function is too large, or too deeply nested, to be followed."""


@attrs.frozen
class Step:
    """One thing a function does: ``kind`` is supply, set, do, raise or another.

    ``under`` are the conditions and loops around it, ``after`` says that it follows a yield.
    """

    kind: str
    what: Sign
    target: Sign | None = None
    under: tuple[Sign, ...] = ()
    after: bool = False


@attrs.frozen
class Form:
    """All that a function does; ``defaults`` are those of its own parameters, by name."""

    steps: tuple[Step, ...] = ()
    defaults: tuple[tuple[str, Sign], ...] = ()

    @property
    def result(self) -> Sign | None:
        """Return what it hands out, where that is all it does."""
        if len(self.steps) != 1 or self.steps[0].kind != "supply" or self.steps[0].under:
            return None
        return self.steps[0].what


class Speller:
    """Gives expressions their signs; see ``expressions.Expressions``."""

    names: dict[str, Sign]

    def spell(self, node: ast.expr) -> Sign:
        """Return the sign of an expression."""
        raise NotImplementedError

    def inner(self, names: dict[str, Sign]) -> Speller:
        """Return one that knows these names instead."""
        raise NotImplementedError

    def truth(self, node: ast.expr) -> bool | None:
        """Return whether a condition holds, None where that is not known."""
        raise NotImplementedError


@attrs.define(eq=False)
class Walker:
    """Follows the statements of one function."""

    speller: Speller
    assigned: Counter[str]
    used: Counter[str]
    steps: list[Step] = attrs.field(factory=list[Step])
    under: tuple[Sign, ...] = ()
    after: bool = False
    is_generator: bool = False

    @classmethod
    def of(cls, definition: FunctionNode, speller: Speller) -> Walker:
        """Return one that is about to follow a function."""
        stored: Counter[str] = Counter()
        loaded: Counter[str] = Counter()
        yields = False
        for node in (one for each in definition.body for one in ast.walk(each)):
            if isinstance(node, ast.Name):
                (loaded if isinstance(node.ctx, ast.Load) else stored)[node.id] += 1
            elif isinstance(node, ast.Nonlocal | ast.Global):
                stored.update(dict.fromkeys(node.names, 2))
            elif isinstance(node, ast.Yield | ast.YieldFrom):
                yields = True
        return cls(speller, stored, loaded, is_generator=yields)

    def block(self, body: Sequence[ast.stmt]) -> bool:
        """Follow a body; return whether it always ends before its end."""
        for statement in gathered(body):
            if len(self.steps) > _MOST:
                raise Unfollowed
            if self.statement(statement):
                return True
        return False

    def statement(self, node: ast.stmt) -> bool:
        """Follow one statement; return whether nothing comes after it."""
        match node:
            case ast.Return():
                if node.value is not None or self.is_generator is False:
                    self._supply(node.value)
                return True
            case ast.Raise():
                shown = self.speller.spell(node.exc) if node.exc is not None else sign("again")
                self._add("raise", shown)
                return True
            case ast.Expr():
                return self._expression(node.value)
            case ast.Assign():
                for target in node.targets:
                    self._assign(target, node.value)
            case ast.AnnAssign():
                if node.value is not None:
                    self._assign(node.target, node.value)
            case ast.AugAssign():
                value = sign("added", self.speller.spell(node.value), value=type(node.op).__name__)
                self._add("change", value, self._place(node.target))
            case ast.If():
                return self._branches(node)
            case ast.With() | ast.AsyncWith():
                return self._with(node)
            case ast.For() | ast.AsyncFor():
                self._for(node)
            case ast.While():
                self._inside(sign("while", self.speller.spell(node.test)), node.body)
                self._inside(sign("else"), node.orelse)
            case ast.Try() | ast.TryStar():
                self._try(node)
            case ast.Match():
                self._match(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._bind(node.name, self._function(node))
            case ast.ClassDef():
                self._bind(node.name, sign("class", value=ast.dump(node)))
            case ast.Import() | ast.ImportFrom():
                for name, meant in imported(node):
                    self._bind(name, sign("name", value=named_alike(meant)))
            case ast.Delete():
                for target in node.targets:
                    self._add("delete", self._place(target))
            case ast.Break() | ast.Continue():
                self._add("jump", sign(type(node).__name__))
                return True
            case _:  # pass, assert, global: nothing that supplies anything
                pass
        return False

    def _add(self, kind: str, what: Sign, target: Sign | None = None) -> None:
        self.steps.append(Step(kind, what, target, self.under, self.after))

    def _supply(self, value: ast.expr | None) -> None:
        found = (
            sign("constant", value="NoneType None") if value is None else self.speller.spell(value)
        )
        self._add("supply", found)

    def _expression(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Yield):
            self._supply(node.value)
            self.after = self.after or not self.under
        elif isinstance(node, ast.YieldFrom):
            self._add("supply", sign("each", self.speller.spell(node.value)))
            self.after = True
        elif not _is_idle(node):
            self._add("do", self.speller.spell(node))
        return False

    def _bind(self, name: str, value: Sign) -> None:
        self.speller.names[name] = value

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(value, ast.Yield):
            self._supply(value.value)
            self.after = True
            return
        if isinstance(target, ast.Name):
            self._name(target.id, self.speller.spell(value))
        elif (
            isinstance(target, ast.Tuple | ast.List)
            and isinstance(value, ast.Tuple | ast.List)
            and len(target.elts) == len(value.elts)
        ):
            for one, given in zip(target.elts, value.elts, strict=True):
                self._assign(one, given)
        elif isinstance(target, ast.Tuple | ast.List):
            whole = self.speller.spell(value)
            for k, one in enumerate(target.elts):
                part = sign("part", whole, value=str(k))
                if isinstance(one, ast.Name):
                    self._name(one.id, part)
                else:
                    self._add("set", part, self._place(one))
        else:
            self._add("set", self.speller.spell(value), self._place(target))

    def _name(self, name: str, value: Sign) -> None:
        if self.assigned[name] > 1:
            known = self.speller.names.get(name)
            place = known if known is not None and known.kind == "variable" else None
            if place is None:
                place = sign("variable", value=str(len(self.speller.names)))
                self._bind(name, place)
            self._add("set", value, place)
        else:
            self._bind(name, value)
            if not self.used[name] and value.kind in ("call", "await"):
                self._add("do", value)

    def _place(self, target: ast.expr) -> Sign:
        return self.speller.spell(target)

    def _branches(self, node: ast.If) -> bool:
        known = self.speller.truth(node.test)
        if known is not None:
            return self.block(node.body if known else node.orelse)
        test = self.speller.spell(node.test)
        first = self._inside(sign("if", test), node.body)
        otherwise = sign("unless", test)
        if first and not node.orelse:
            # What follows runs only otherwise: the same as if it stood under ``else``.
            self.under = (*self.under, otherwise)
            return False
        return self._inside(otherwise, node.orelse) and first and bool(node.orelse)

    def _inside(self, head: Sign, body: Sequence[ast.stmt]) -> bool:
        before = self.under
        self.under = (*before, head)
        ended = self.block(body)
        self.under = before
        return ended

    def _with(self, node: ast.With | ast.AsyncWith) -> bool:
        before = self.under
        for item in node.items:
            entered = self.speller.spell(item.context_expr)
            if entered.kind != "opened":
                self.under = (*self.under, sign("with", entered))
            if item.optional_vars is not None:
                given = entered if entered.kind == "opened" else sign("entered", entered)
                self._targets(item.optional_vars, given)
        ended = self.block(node.body)
        self.under = before
        return ended

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        rows = self.speller.spell(node.iter)
        self._targets(node.target, sign("element", rows))
        self._inside(sign("for", rows), node.body)
        self._inside(sign("else"), node.orelse)

    def _targets(self, target: ast.expr, value: Sign) -> None:
        if isinstance(target, ast.Name):
            self._bind(target.id, value)
        elif isinstance(target, ast.Tuple | ast.List):
            for k, one in enumerate(target.elts):
                self._targets(one, sign("part", value, value=str(k)))
        else:
            self._add("set", value, self._place(target))

    def _try(self, node: ast.Try | ast.TryStar) -> None:
        if node.handlers:
            self._inside(sign("try"), node.body)
        else:
            self.block(node.body)
        for handler in node.handlers:
            caught = [self.speller.spell(handler.type)] if handler.type is not None else []
            if handler.name:
                self._bind(handler.name, sign("caught"))
            self._inside(sign("except", *caught), handler.body)
        self._inside(sign("else"), node.orelse)
        after, self.after = self.after, self.after or self.is_generator
        self.block(node.finalbody)
        self.after = after

    def _match(self, node: ast.Match) -> None:
        subject = self.speller.spell(node.subject)
        for case in node.cases:
            self._inside(sign("case", subject, value=ast.dump(case.pattern)), case.body)

    def _function(self, node: FunctionNode) -> Sign:
        """Return the sign of a function in a function: what it does with what is around it."""
        own = [one.arg for one in _parameters(node)]
        names = {**self.speller.names}
        depth = len(self.under)
        names.update({name: sign("given", value=f"{depth}.{k}") for k, name in enumerate(own)})
        inner = Walker.of(node, self.speller.inner(names))
        inner.block(node.body)
        defaults = [
            self.speller.spell(one) for one in (*node.args.defaults, *node.args.kw_defaults) if one
        ]
        return sign("function", *defaults, *map(of_step, inner.steps))


def of_step(step: Step) -> Sign:
    """Return the sign of a step."""
    target = (step.target,) if step.target is not None else ()
    return sign("step", step.what, *target, *step.under, value=f"{step.kind} {step.after}")


def _parameters(node: FunctionNode | ast.Lambda) -> Iterator[ast.arg]:
    given = node.args
    yield from (*given.posonlyargs, *given.args, *given.kwonlyargs)
    yield from (one for one in (given.vararg, given.kwarg) if one is not None)


def _is_idle(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Call) and _is_silent(node.func))


def _is_silent(node: ast.expr) -> bool:
    name = dotted(node)
    last = name.rpartition(".")[2]
    is_apart = last in _SKIPPING or last in _AFTERWARDS or last in _TUNING
    is_apart = is_apart or last.startswith("assert")
    return is_apart or name.startswith(_SILENT)
