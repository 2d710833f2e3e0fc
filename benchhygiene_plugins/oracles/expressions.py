"""The signs of expressions: names seen through, paths put together, helpers followed."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import cast

import attrs

from benchhygiene.inventory.bindings import Class, Function, Value
from benchhygiene.inventory.comparisons import holds_unknown
from benchhygiene.inventory.modules import External, Found
from benchhygiene.inventory.python import FunctionNode
from benchhygiene.inventory.spelling import dotted
from benchhygiene.inventory.values import Unknown
from benchhygiene_plugins.oracles.arguments import bind_target, bound, defaults_of, parameters
from benchhygiene_plugins.oracles.openings import climbed, path_call, path_part, read_call, under
from benchhygiene_plugins.oracles.passing import imported_as, named_alike, passed_on
from benchhygiene_plugins.oracles.reading import Reading
from benchhygiene_plugins.oracles.signs import (
    Sign,
    added,
    dictionary,
    is_plain,
    of_value,
    sign,
    unpacked,
)
from benchhygiene_plugins.oracles.steps import Form, Speller, Unfollowed, Walker, of_step
from benchhygiene_plugins.oracles.templates import braces, percent

_DEEPEST = 40
_HELPERS = 4  # helpers within helpers that are followed


@attrs.define(eq=False)
class Expressions(Speller):
    """Gives the expressions of one function, or of a module's top, their signs."""

    reading: Reading
    path: str
    names: dict[str, Sign] = attrs.field(factory=dict[str, Sign])
    attributes: Mapping[str, ast.expr] = attrs.field(factory=dict[str, ast.expr])
    depth: int = 0

    def inner(self, names: dict[str, Sign]) -> Expressions:
        """Return one that knows these names instead."""
        return Expressions(self.reading, self.path, names, self.attributes, self.depth)

    def truth(self, node: ast.expr) -> bool | None:
        """Return whether a condition holds, None where that is not known."""
        if self._holds_local(node):
            return None
        return self.reading.modules.constants(self.path).evaluator().truth(node)

    def spell(self, node: ast.expr) -> Sign:
        """Return the sign of an expression."""
        if self.reading.is_spent() or self.depth > _DEEPEST:
            raise Unfollowed
        self.depth += 1
        try:
            return self._value(node) or self._made(node)
        finally:
            self.depth -= 1

    def _value(self, node: ast.expr) -> Sign | None:
        """Return what an expression is known to amount to in full."""
        if isinstance(node, ast.Name | ast.Attribute | ast.Lambda | ast.Starred | ast.Await):
            return None
        if not isinstance(node, ast.Constant) and self._holds_local(node):
            return None
        try:
            found = self.reading.modules.constants(self.path).evaluator().value(node)
        except Unknown:
            return None
        return None if holds_unknown(found) or not is_plain(found) else of_value(found)

    def _holds_local(self, node: ast.expr) -> bool:
        return any(isinstance(one, ast.Name) and one.id in self.names for one in ast.walk(node))

    def _made(self, node: ast.expr) -> Sign:
        match node:
            case ast.Name():
                return self._name(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Call():
                return self._call(node)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return under(self.reading, self.spell(left), self.spell(right))
            case ast.Dict():
                return self._dict(node)
            case ast.List() | ast.Tuple():
                kind = "list" if isinstance(node, ast.List) else "tuple"
                return sign(kind, *unpacked(map(self.spell, node.elts)))
            case ast.BinOp(op=ast.Mod()):
                return self._plain(percent(node) or node)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return added(self.spell(left), self.spell(right)) or self._plain(node)
            case ast.Lambda():
                names = {**self.names}
                own = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
                names.update({one.arg: sign("given", value=f"l{k}") for k, one in enumerate(own)})
                return sign("function", self.inner(names).spell(node.body))
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self._comprehension(node)
            case ast.NamedExpr(target=target, value=value):
                self.names[target.id] = self.spell(value)
                return self.names[target.id]
            case ast.Await(value=value):
                return sign("await", self.spell(value))
            case ast.IfExp(test=test) if (known := self.truth(test)) is not None:
                return self.spell(node.body if known else node.orelse)
            case ast.Subscript(value=ast.Attribute(value=base, attr="parents"), slice=index):
                return climbed(self.reading, self.spell(base), index) or self._plain(node)
            case _:
                return self._plain(node)

    def _dict(self, node: ast.Dict) -> Sign:
        pairs: list[tuple[Sign, Sign]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            found = self.spell(value)
            if key is not None:
                pairs.append((self.spell(key), found))
            elif found.kind == "dict":
                pairs.extend((one.parts[0], one.parts[1]) for one in found.parts)
            else:
                return self._plain(node)
        return dictionary(dict(pairs).items())

    def _plain(self, node: ast.AST) -> Sign:
        """Return the sign of what is no more than its parts."""
        parts: list[Sign] = []
        words = [type(node).__name__]
        for _, value in ast.iter_fields(node):
            several = cast("list[object]", value) if isinstance(value, list) else [value]
            for one in several:
                if isinstance(one, ast.expr):
                    parts.append(self.spell(one))
                elif isinstance(one, ast.operator | ast.unaryop | ast.cmpop | ast.boolop):
                    words.append(type(one).__name__)
                elif isinstance(one, ast.AST) and not isinstance(one, ast.expr_context):
                    parts.append(self._plain(one))
                elif not isinstance(one, ast.AST):
                    words.append(repr(one))
        return sign(words[0].lower(), *parts, value=" ".join(words[1:]))

    def _name(self, node: ast.Name) -> Sign:
        if node.id in self.names:
            return self.names[node.id]
        if node.id == "__file__":
            return self.reading.path(self.path)
        return self._meant(node)

    def _meant(self, node: ast.expr) -> Sign:
        """Return what a name from outside of the function stands for."""
        found = self.reading.modules.meaning(node, self.path) or self._at_top(node)
        if isinstance(found, External):
            return sign("name", value=named_alike(found.name))
        if not isinstance(found, Found):
            return sign("name", value=found.path if found is not None else dotted(node))
        if isinstance(found.binding, Value) and self.reading.is_support(found.path):
            return self._constant(found, dotted(node))
        if isinstance(found.binding, Function) and self.reading.is_support(found.path):
            return self._function(found.binding, found.path)
        if isinstance(found.binding, Class) and self.reading.is_support(found.path):
            name = found.binding.definition.name
            return sign("name", value=self.reading.renamed.get(name, name))
        return sign("name", value=f"{imported_as(found.path)}:{dotted(node).rpartition('.')[2]}")

    def _at_top(self, node: ast.expr) -> Found | None:
        """Return what the file itself binds a name to, of what has no dotted name to follow."""
        module = self.reading.modules.at(self.path)
        if module is None or not isinstance(node, ast.Name):
            return None
        binding = module.scope.names.get(node.id)
        return None if binding is None else Found(self.path, binding)

    def _constant(self, found: Found, name: str) -> Sign:
        binding = cast("Value", found.binding)
        known = self.reading.constants.get(id(binding))
        if known is not None:
            return known[1]
        plain = sign("name", value=name)
        self.reading.constants[id(binding)] = (binding, plain)  # for one that is made of itself
        if binding.expression is not None and binding.previous is None and not binding.variables:
            inner = Expressions(self.reading, found.path, depth=self.depth)
            plain = inner.spell(binding.expression)
        self.reading.constants[id(binding)] = (binding, plain)
        return plain

    def _function(self, binding: Function, path: str) -> Sign:
        """Return the sign of a helper that is handed on: what it does."""
        if (found := self._followed(binding, path)) is None:
            return sign("name", value=binding.definition.name)
        return sign("function", *map(of_step, found.steps))

    def _followed(self, binding: Function, path: str) -> Form | None:
        definition = binding.definition
        following = self.reading.following
        if len(following) >= _HELPERS or id(definition) in following:
            return None
        if definition.decorator_list or binding.wrappers:
            return None
        following.append(id(definition))
        try:
            return form_of(self.reading, definition, path)
        finally:
            following.pop()

    def _attribute(self, node: ast.Attribute) -> Sign:
        if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
            own = self.attributes.get(node.attr)
            if own is not None:
                return Expressions(self.reading, self.path, depth=self.depth).spell(own)
            return sign("own", value=node.attr)
        first = dotted(node).partition(".")[0]
        if first and first not in self.names and first != "__file__":
            found = self.reading.modules.meaning(node, self.path)
            if isinstance(found, Found):
                return self._meant(node)
            if isinstance(found, External) and not found.name.startswith("<local>"):
                base = self.reading.modules.meaning(node.value, self.path)
                if isinstance(base, External) or base is None:
                    return sign("name", value=named_alike(found.name))
        base_sign = self.spell(node.value)
        if (part := path_part(self.reading, base_sign, node.attr)) is not None:
            return part
        if base_sign.kind == "name" and base_sign.value and ":" not in base_sign.value:
            return sign("name", value=f"{base_sign.value}.{node.attr}")  # imported in the body
        return sign("attribute", base_sign, value=node.attr)

    def _call(self, node: ast.Call) -> Sign:
        if (filled := braces(node)) is not None:
            return self._plain(filled)
        arguments = [self.spell(one) for one in node.args]
        words = [(one.arg or "**", self.spell(one.value)) for one in node.keywords]
        helped = self._helped(node, arguments, dict(words))
        if helped is not None:
            return helped
        called = self.spell(node.func)
        found = (
            path_call(self.reading, node, called, arguments)
            or read_call(self.reading, node, called, arguments)
            or passed_on(called, arguments)
        )
        if found is not None:
            return found
        is_dict = called.kind == "name" and called.value == "dict" and not arguments
        if is_dict and all(name != "**" for name, _ in words):
            return dictionary((of_value(name), one) for name, one in words)
        if called.value.startswith("unittest.mock."):  # a mock's name is for people
            words = [one for one in words if one[0] != "name"]
        words.sort(key=lambda one: (one[0], one[1].digest))
        return sign("call", called, *arguments, *(sign("word", v, value=n) for n, v in words))

    def _helped(
        self, node: ast.Call, arguments: Sequence[Sign], words: Mapping[str, Sign]
    ) -> Sign | None:
        """Return what calling a helper of the tests amounts to, given these arguments."""
        first = dotted(node.func).partition(".")[0]
        if not first or first in self.names or "**" in words:
            return None
        if any(isinstance(one, ast.Starred) for one in node.args):
            return None
        found = self.reading.modules.meaning(node.func, self.path)
        if not isinstance(found, Found) or not isinstance(found.binding, Function):
            return None
        if not self.reading.is_support(found.path):
            return None
        definition, following = found.binding.definition, self.reading.following
        if definition.decorator_list or found.binding.wrappers:
            return None
        if len(following) >= _HELPERS or id(definition) in following:
            return None
        names = bound(definition, arguments, words)
        if names is None:
            return None
        inner = Expressions(self.reading, found.path, depth=self.depth)
        for name, default in defaults_of(definition):
            if name not in names:
                names[name] = inner.spell(default)
        if {one.arg for one in parameters(definition)} - names.keys():
            return None
        following.append(id(definition))
        try:
            walker = Walker.of(definition, inner.inner(names))
            walker.block(definition.body)
        finally:
            following.pop()
        form = Form(tuple(walker.steps))
        is_async = isinstance(definition, ast.AsyncFunctionDef) or walker.is_generator
        if form.result is not None and not is_async:
            return form.result
        return sign("helped", *map(of_step, form.steps), value=type(definition).__name__)

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    ) -> Sign:
        inner = self.inner({**self.names})
        parts: list[Sign] = []
        for each in node.generators:
            rows = inner.spell(each.iter)
            bind_target(inner.names, each.target, sign("element", rows))
            parts.append(sign("for", rows, *(sign("if", inner.spell(one)) for one in each.ifs)))
        results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        return sign(type(node).__name__.lower(), *map(inner.spell, results), *parts)


def form_of(
    reading: Reading,
    definition: FunctionNode,
    path: str,
    *,
    asked: Mapping[str, Sign] | None = None,
    filled: frozenset[str] = frozenset(),
    attributes: Mapping[str, ast.expr] | None = None,
) -> Form:
    """Return what a function does. Raises Unfollowed where it is too much to follow.

    ``asked`` are the fixtures that its parameters stand for. Parameters in ``filled`` have their
    defaults.
    """
    outer = Expressions(reading, path)
    names: dict[str, Sign] = {}
    defaults = {name: outer.spell(one) for name, one in defaults_of(definition)}
    place = 0
    for one in parameters(definition):
        if one.arg in filled and one.arg in defaults:
            names[one.arg] = defaults[one.arg]
            continue
        if asked is not None and one.arg in asked:
            names[one.arg] = asked[one.arg]
            continue
        by_name = asked is not None or one in definition.args.kwonlyargs
        names[one.arg] = sign("given", value=one.arg if by_name else f"#{place}")
        place += 1
    for several in (definition.args.vararg, definition.args.kwarg):
        if several is not None:
            names[several.arg] = sign("given", value=f"*{several is definition.args.kwarg}")
    speller = Expressions(reading, path, names, attributes or {})
    walker = Walker.of(definition, speller)
    try:
        walker.block(definition.body)
    except RecursionError as error:
        raise Unfollowed from error
    shown = tuple((name, one) for name, one in defaults.items() if name not in filled)
    return Form(tuple(walker.steps), shown)
