"""Names that change, calls that are followed, and what statements do to the things they touch."""

from __future__ import annotations

import ast

import attrs

from benchhygiene_plugins.assertions.bodies import yielded
from benchhygiene_plugins.assertions.calls import follow, roots
from benchhygiene_plugins.assertions.checks import Check, Flow, Place
from benchhygiene_plugins.assertions.elements import each_element, each_of, elements
from benchhygiene_plugins.assertions.expressions import (
    UNROLLED,
    Comprehension,
    alternatives,
    item,
    read,
)
from benchhygiene_plugins.assertions.files import located
from benchhygiene_plugins.assertions.lists import displayed, if_reached, joined, perhaps
from benchhygiene_plugins.assertions.records import enumerated
from benchhygiene_plugins.assertions.scope import Scope
from benchhygiene_plugins.assertions.tautologies import Sides
from benchhygiene_plugins.assertions.terms import Term, constant, display, lent, term

_MUTABLE = frozenset(("list", "dict", "set"))
# Written out where they are asked for, they would be made anew each time.
_PARTS = (ast.Attribute, ast.Subscript)
_SEVERAL = (ast.Tuple, ast.List)
_HARMLESS = frozenset(
    ("get", "keys", "values", "items", "index", "count", "copy", "join", "format", "union")
)


@attrs.frozen(eq=False)
class Saved:
    """The names and attributes as they were at one point."""

    names: dict[str, Term]
    attributes: dict[bytes, dict[str, Term]]


@attrs.define(eq=False)
class Reading(Scope):
    """A scope whose names change as statements go by."""

    is_checking: bool = False

    def read(self, node: ast.expr) -> Term:
        """Return the term of an expression."""
        return read(node, self)

    def bind(self, target: ast.expr, value: Term) -> None:
        """Note what a target holds from now on."""
        if isinstance(target, ast.Name):
            self.names[target.id] = value
        elif isinstance(target, _SEVERAL):
            for k, inner in enumerate(target.elts):
                if isinstance(inner, ast.Starred):
                    self.bind(inner.value, term("rest", value, constant(k)))
                else:
                    self.bind(inner, item(value, constant(k)))
        elif isinstance(target, ast.Attribute):
            base = read(target.value, self)
            self.trace.attributes.setdefault(base.digest, {})[target.attr] = value

    def assign(self, target: ast.expr, value: Term, node: ast.stmt) -> None:
        """Follow an assignment: to a name it binds, to a part of something it changes that."""
        if isinstance(target, ast.Name):
            self._record(value)
            self.names[target.id] = value
        elif isinstance(target, ast.Attribute):
            base = read(target.value, self)
            self.trace.attributes.setdefault(base.digest, {})[target.attr] = value
            if base.kind != "self":
                what = term("set", base, value, value=target.attr)
                self.trace.effect(what, self.place(node), [base])
        elif isinstance(target, ast.Subscript):
            base, index = read(target.value, self), read(target.slice, self)
            self.touch(target.value)
            what = term("put", base, index, value)
            self.trace.effect(what, self.place(node), [base])
        elif isinstance(target, _SEVERAL):
            for k, inner in enumerate(target.elts):
                starred = isinstance(inner, ast.Starred)
                part = term("rest", value, constant(k)) if starred else item(value, constant(k))
                self.assign(inner.value if isinstance(inner, ast.Starred) else inner, part, node)
        else:
            self._record(value)
            self.bind(target, value)

    def _record(self, value: Term) -> None:
        if self.trace.recorders and value.has_call:
            self.trace.recorders[-1].append(value)

    def lend(self, node: ast.expr) -> None:
        """Note that somebody is given what a name holds, or an attribute of it."""
        if isinstance(node, ast.Name):
            held = self.names.get(node.id)
            if held is not None and held.kind in _MUTABLE:
                self.names[node.id] = lent(held)
                return
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            noted = self.trace.attributes.get(self.name(node.value).digest, {})
            if node.attr in noted and noted[node.attr].kind in _MUTABLE:
                noted[node.attr] = lent(noted[node.attr])
                return
        self.touch(node)

    def touch(self, node: ast.expr) -> None:
        """Note that somebody may change a list, dict or set that the source spelt out."""
        while isinstance(node, _PARTS):
            self._touch_attribute(node)
            node = node.value
        if isinstance(node, ast.Name):
            held = self.names.get(node.id)
            if held is not None and held.kind in _MUTABLE:
                self.names[node.id] = term("touched", held)
            elif held is not None and held.kind != "self":
                self.trace.attributes.pop(held.digest, None)

    def _touch_attribute(self, node: ast.Attribute | ast.Subscript) -> None:
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            return
        noted = self.trace.attributes.get(self.name(node.value).digest, {})
        held = noted.get(node.attr)
        if held is not None and held.kind in _MUTABLE:
            noted[node.attr] = term("touched", held)

    def touch_all(self, node: ast.AST) -> None:
        """Note that code which runs later may change whatever it names."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.Nonlocal | ast.Global):
                for name in inner.names:
                    if name in self.names:
                        self.names[name] = term("touched", self.names[name])
            elif isinstance(inner, ast.Name):
                held = self.names.get(inner.id)
                if held is not None and held.kind in _MUTABLE:
                    self.names[inner.id] = term("touched", held)

    def call(self, node: ast.Call) -> Term:
        """Return what a call yields; the checks of a helper are noted on the way."""
        made = follow(self, node)
        if self.is_checking:
            return made  # wherever a check is written, what follows it reads the same
        if isinstance(node.func, ast.Attribute) and node.func.attr not in _HARMLESS:
            self.touch(node.func)
        if made.kind == "call" and made.children[0].kind != "builtin":
            for argument in (*node.args, *(one.value for one in node.keywords)):
                self.lend(argument)
        return made

    def act(self, written: ast.expr, call: ast.Call, flow: Flow) -> Flow:
        """Follow a call that stands alone: a check, a helper, or something done to a thing."""
        if self._grown(call):
            return flow
        before = len(self.trace.checks)
        value = read(written, self)
        if len(self.trace.checks) == before and value.has_call:
            self.trace.effect(value, self.place(call), roots(value))
        return self.after_call(call, flow)

    def after_call(self, call: ast.Call, flow: Flow) -> Flow:
        """Return the flow behind a call that may enter a context for the rest of the block."""
        if not isinstance(call.func, ast.Attribute) or len(call.args) != 1:
            return flow
        (given,) = call.args
        if call.func.attr in ("enter_context", "enter_async_context"):
            by = self.net(given)
            return flow if by is None else flow.caught(by)
        if call.func.attr == "push":
            return flow.caught("an exit callback")
        return flow

    def net(self, given: ast.expr) -> str | None:
        """Return what makes a context manager swallow failures, None where nothing does."""
        raise NotImplementedError

    def _grown(self, call: ast.Call) -> bool:
        """Follow ``append`` and ``extend`` on a list that the source spells out."""
        function = call.func
        if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
            return False
        held = self.names.get(function.value.id)
        if held is None or held.kind != "list" or held.value or len(call.args) != 1:
            return False
        added = if_reached(self.flow, read(call.args[0], self))
        if function.attr == "append":
            self.names[function.value.id] = display("list", (*held.children, added))
        elif function.attr == "extend" and added.kind in ("list", "tuple") and not added.value:
            self.names[function.value.id] = display("list", (*held.children, *added.children))
        else:
            return False
        return True

    def closure(self, node: ast.Lambda) -> Term:
        """Return the term of an anonymous function; its body does not run here."""
        self.touch_all(node.body)
        saved = self.saved()
        arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        for k, argument in enumerate(arguments):
            self.names[argument.arg] = term("argument", value=f"{self.depth}:{k}")
        self.trace.muted += 1
        body = read(node.body, self)
        self.trace.muted -= 1
        self.restore(saved)
        return term("lambda", body, value=str(len(arguments)))

    def comprehension(self, node: Comprehension) -> Term:
        """Return the term of a comprehension, its own names forgotten again."""
        saved, flow = dict(self.names), self.flow
        made = self._comprehension(node, 0, ())
        self.names, self.flow = saved, flow
        return made

    def _comprehension(self, node: Comprehension, level: int, filters: tuple[Term, ...]) -> Term:
        spelt = self._spelt_out(node, 0) if not level else None
        if spelt is not None:
            return displayed(node, spelt)
        generator = node.generators[level]
        iterable = self.consumed(read(generator.iter, self))
        element, iterable = each_element(iterable), each_of(iterable)
        self.flow = self.flow.repeated(iterable)
        self.bind(generator.target, element)
        filters = (*filters, *(read(one, self) for one in generator.ifs))
        if level + 1 < len(node.generators):
            inner = self._comprehension(node, level + 1, filters)
            return term("each", inner, iterable, value="nested")
        kind: dict[type[ast.expr], str] = {
            ast.ListComp: "list",
            ast.SetComp: "set",
            ast.DictComp: "dict",
        }
        return term(
            "each", self._body(node), iterable, *filters, value=kind.get(type(node), "generator")
        )

    def _spelt_out(self, node: Comprehension, level: int) -> list[Term] | None:
        """Return the elements where the source spells out all that is run through."""
        if level == len(node.generators):
            return [self._body(node)]
        generator = node.generators[level]
        if not self.trace.unrolls or (generator.ifs and not isinstance(node, ast.ListComp)):
            return None
        known = elements(self.consumed(read(generator.iter, self)), UNROLLED)
        if known is None:
            return None
        found: list[Term] = []
        for one in known:
            self.bind(generator.target, one)
            conditions = [read(condition, self) for condition in generator.ifs]
            inner = self._spelt_out(node, level + 1)
            if inner is not None and conditions:
                inner = [perhaps(alternatives("and", conditions), made) for made in inner]
            if inner is None or len(found) + len(inner) > 8 * UNROLLED:
                return None
            found += inner
        return found

    def _body(self, node: Comprehension) -> Term:
        if isinstance(node, ast.DictComp):
            return term("pair", read(node.key, self), read(node.value, self))
        return read(node.elt, self)

    def located(self, path: Term) -> Term:
        """Return the file of the tree that a path is of, or the path."""
        return located(path, self.trace.project)

    def awaited(self, value: Term) -> Term:
        """Return what awaiting yields."""
        return yielded(self, value)

    def consumed(self, iterable: Term) -> Term:
        """Return an iterable that is run through; a generator's checks are noted now."""
        if iterable.kind == "generator":
            return yielded(self, iterable)
        return self.spelt_members(iterable)

    def spelt_members(self, iterable: Term) -> Term:
        """Return the members of an enumeration one by one, any other iterable as it is."""
        named = iterable
        if named.kind == "call" and len(named.children) == 2:
            is_copy = named.children[0].value in ("list", "tuple", "iter")
            named = named.children[1] if is_copy else named
        if named.kind not in ("ref", "class"):
            return iterable
        members = enumerated(self.trace.project, named, self.module.path)
        if not members:
            return iterable
        return display("list", [self.member(named, one) for one in members])

    def carry(self, names: frozenset[str], over: Term) -> None:
        """Note that names change from round to round of a loop."""
        for name in sorted(names):
            if name in self.names:
                self.names[name] = term("carried", self.names[name], over)

    def saved(self) -> Saved:
        """Return the names as they are."""
        inner = {digest: dict(noted) for digest, noted in self.trace.attributes.items()}
        return Saved(dict(self.names), inner)

    def restore(self, saved: Saved) -> None:
        """Go back to names as they were."""
        self.names = dict(saved.names)
        self.trace.attributes = {digest: dict(noted) for digest, noted in saved.attributes.items()}

    def merge(self, condition: Term, yes: Saved, *, skip_yes: bool, skip_no: bool) -> None:
        """Join the names of two branches; a branch that was left has no say."""
        if skip_yes:
            return
        if skip_no:
            self.restore(yes)
            return
        for name in sorted({*self.names, *yes.names}):
            first, second = yes.names.get(name), self.names.get(name)
            if first is None or second is None:
                self.names[name] = first or second or constant(None)
            elif first != second:
                self.names[name] = joined(condition, first, second)

    def demand(
        self,
        what: Term,
        node: ast.stmt | ast.expr,
        sides: Sides | None = None,
        *,
        head: bool = False,
    ) -> None:
        """Note what a statement demands; of a compound one, ``head`` keeps the first line."""
        if not self.trace.muted:
            self.trace.demand(what, self.place(node, head=head), self.flow, sides)

    def place(self, node: ast.stmt | ast.expr, *, head: bool = False) -> Place:
        """Return where a part of the source stands."""
        return self.module.place(node, head=head)

    def opaque(self, statement: ast.stmt, flow: Flow) -> None:
        """Note a statement that is too deeply nested to be understood, by its source alone."""
        place = self.module.place(statement)
        fact = term("source", value="".join(self.module.source.segment(statement).split()))
        if isinstance(statement, ast.Assert | ast.Expr) and not self.trace.muted:
            self.trace.checks.append(Check(fact, place, flow, is_exact=False))
        else:
            self.trace.effect(fact, place, ())
