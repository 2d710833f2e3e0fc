"""Whether a class answers comparisons without looking at what it is compared with."""

from __future__ import annotations

import ast
import enum
import functools
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.inventory.calling import arguments_of
from benchhygiene.inventory.python import FunctionNode, dumped

_ORDER = ("__lt__", "__le__", "__gt__", "__ge__")
_DIFFERENCES = ("__sub__", "__rsub__")
ANSWERS = ("__eq__", "__ne__", *_ORDER, "__contains__", "__bool__", *_DIFFERENCES)
METACLASS = ("__instancecheck__", "__subclasscheck__")
BUILTINS = frozenset(
    (
        "str",
        "bytes",
        "int",
        "float",
        "complex",
        "list",
        "tuple",
        "dict",
        "set",
        "frozenset",
        "Decimal",
        "Fraction",
        "date",
        "datetime",
        "timedelta",
        "NamedTuple",
        "BaseModel",
        "Struct",
        "UserString",
        "UserList",
        "UserDict",
    )
)
_ANY_ERROR = ("Exception", "BaseException", "TypeError", "AttributeError", "ValueError", "")
_ABOUT_TYPE = ("isinstance", "issubclass", "type", "callable", "hasattr", "id", "len")


class Answer(enum.Enum):
    """What an expression rests on: nothing but false, no content, a type, or content."""

    FALSY = "false"
    FIXED = "the same whatever it is compared with"
    TYPE = "true of everything of a type"
    CONTENT = "looks at what it is compared with"


@attrs.frozen(eq=False, slots=False)
class Comparison:
    """One comparing method, and the name of what it is compared with."""

    node: FunctionNode | ast.Lambda
    other: str

    @classmethod
    def of(cls, node: FunctionNode | ast.Lambda) -> Comparison:
        """Return the method; the last parameter is what it is compared with."""
        names = [one.arg for one in arguments_of(node)]
        return cls(node, names[-1] if len(names) > 1 else "")

    def unearned(self) -> Iterator[tuple[ast.AST, Answer]]:
        """Yield each true answer that no look at the content has earned."""
        if isinstance(self.node, ast.Lambda):
            yield from self._answer(self.node.body, earned=False)
            return
        yield from self._block(self.node.body, earned=False)

    @functools.cached_property
    def _tainted(self) -> frozenset[str]:
        """Return the names that hold something of what it is compared with."""
        found = {self.other}
        for _ in range(3):
            for one in ast.walk(self.node):
                if isinstance(one, ast.Assign | ast.NamedExpr | ast.AnnAssign) and one.value:
                    targets = one.targets if isinstance(one, ast.Assign) else [one.target]
                    if _mentions(one.value, found):
                        found.update(_names(*targets))
                elif isinstance(one, ast.For | ast.comprehension) and _mentions(one.iter, found):
                    found.update(_names(one.target))
        return frozenset(found)

    def _block(self, body: Sequence[ast.stmt], *, earned: bool) -> Iterator[tuple[ast.AST, Answer]]:
        for one in body:
            if isinstance(one, ast.Return) and one.value is not None:
                yield from self._answer(one.value, earned=earned)
                return
            if isinstance(one, ast.If | ast.While):
                asks = self.rests_on(one.test) is Answer.CONTENT
                yield from self._block(one.body, earned=earned or asks)
                yield from self._block(one.orelse, earned=earned or asks)
                earned = earned or (asks and _may_refuse(one))
            elif isinstance(one, ast.For | ast.With):
                yield from self._block(one.body, earned=earned)
                earned = earned or self._asks_inside(one)
            elif isinstance(one, ast.Try):
                inner = [*one.body, *one.orelse]
                asks = _mentions(one, self._tainted) and any(map(_may_refuse, one.handlers))
                yield from self._block(inner, earned=earned or asks)
                earned = earned or asks
                for handler in one.handlers:
                    yield from self._block(handler.body, earned=earned or _is_precise(handler))
                yield from self._block(one.finalbody, earned=earned)
            elif isinstance(one, ast.Match):
                for case in one.cases:
                    yield from self._block(case.body, earned=True)
            elif isinstance(one, ast.Assert):
                earned = earned or self.rests_on(one.test) is Answer.CONTENT

    def _asks_inside(self, block: ast.For | ast.With) -> bool:
        inner = (one for one in ast.walk(block) if isinstance(one, ast.If))
        return any(self.rests_on(one.test) is Answer.CONTENT for one in inner)

    def _answer(self, node: ast.expr, *, earned: bool) -> Iterator[tuple[ast.AST, Answer]]:
        found = self.rests_on(node)
        if found in (Answer.FIXED, Answer.TYPE) and not earned:
            yield node, found

    def rests_on(self, node: ast.expr) -> Answer:
        """Return what a condition or answer rests on."""
        match node:
            case ast.Constant(value=value):
                return Answer.FIXED if value else Answer.FALSY
            case ast.Name(id="NotImplemented"):
                return Answer.FALSY
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                found = self.rests_on(operand)
                opposite = {Answer.FALSY: Answer.FIXED, Answer.FIXED: Answer.FALSY}
                return opposite.get(found, found)
            case ast.BoolOp(op=op, values=values):
                return _joined(
                    [self.rests_on(one) for one in values], either=isinstance(op, ast.Or)
                )
            case ast.IfExp():
                return self._chosen(node)
            case ast.Compare():
                return self._compared(node)
            case ast.Call(func=ast.Name(id="bool"), args=[only]):
                return self.rests_on(only)
            case ast.Call(
                func=ast.Name(id="any" | "all" as name), args=[ast.List(elts=[_, *_] as parts)]
            ):
                return _joined([self.rests_on(one) for one in parts], either=name == "any")
            case _:
                return self._looked_at(node)

    def _chosen(self, node: ast.IfExp) -> Answer:
        parts = {self.rests_on(node.body), self.rests_on(node.orelse)}
        if self.rests_on(node.test) is Answer.CONTENT and len(parts) > 1:
            return Answer.CONTENT
        order: tuple[Answer, ...] = (Answer.FIXED, Answer.FALSY, Answer.TYPE, Answer.CONTENT)
        return next(one for one in order if one in parts)

    def _compared(self, node: ast.Compare) -> Answer:
        sides = [node.left, *node.comparators]
        is_asked = isinstance(node.left, ast.Name) and node.left.id == self.other
        nothing = any(isinstance(one, ast.Constant) and one.value is None for one in sides)
        if is_asked and nothing and len(sides) == 2:
            return Answer.FALSY if isinstance(node.ops[0], ast.Is | ast.Eq) else Answer.FIXED
        if _is_never_less(node):
            return Answer.FIXED
        if len({dumped(one) for one in sides}) == 1:
            same = isinstance(node.ops[0], ast.Eq | ast.Is | ast.LtE | ast.GtE)
            return Answer.FIXED if same else Answer.FALSY
        return self._looked_at(node)

    def _looked_at(self, node: ast.expr) -> Answer:
        names = self._tainted
        if not _mentions(node, names):
            return Answer.FIXED
        return Answer.CONTENT if _is_content(node, names) else Answer.TYPE


def _is_never_less(node: ast.Compare) -> bool:
    """Return whether a length or an absolute value is found to be no less than nothing."""
    match node:
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="abs" | "len")),
            ops=[ast.GtE()],
            comparators=[ast.Constant(value=0 | 0.0)],
        ):
            return True
        case _:
            return False


def _joined(parts: list[Answer], *, either: bool) -> Answer:
    order = (Answer.FIXED, Answer.TYPE, Answer.CONTENT, Answer.FALSY)
    if not either:
        order = (Answer.FALSY, Answer.CONTENT, Answer.TYPE, Answer.FIXED)
    return next(one for one in order if one in parts)


def _mentions(node: ast.AST, names: set[str] | frozenset[str]) -> bool:
    return any(isinstance(one, ast.Name) and one.id in names for one in ast.walk(node))


def _names(*targets: ast.expr) -> Iterator[str]:
    for target in targets:
        yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name))


def _is_content(node: ast.AST, names: frozenset[str]) -> bool:
    """Return whether a name is used for more than its type."""
    pending: list[ast.AST] = [node]
    while pending:
        one = pending.pop()
        if isinstance(one, ast.Name) and one.id in names:
            return True
        if isinstance(one, ast.Call) and getattr(one.func, "id", "") in _ABOUT_TYPE[:-1]:
            continue
        if isinstance(one, ast.Attribute) and one.attr == "__class__":
            continue
        pending.extend(ast.iter_child_nodes(one))
    return False


def _may_refuse(block: ast.If | ast.While | ast.ExceptHandler) -> bool:
    """Return whether a block can end in an answer that is not true."""
    for one in ast.walk(block):
        if isinstance(one, ast.Raise):
            return True
        if isinstance(one, ast.Return):
            value = one.value
            if not (isinstance(value, ast.Constant) and value.value):
                return True
    return False


def _is_precise(handler: ast.ExceptHandler) -> bool:
    """Return whether a handler is for one error that says something of the content."""
    return handler.type is not None and _last(handler.type) not in _ANY_ERROR


def has_fields(node: ast.ClassDef) -> bool:
    """Return whether objects of a class differ in more than their class."""
    for one in node.body:
        if isinstance(one, ast.AnnAssign):
            return True
        if isinstance(one, ast.Assign) and {*_names(*one.targets)} & {"__slots__"}:
            return True
    stores = (
        one
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)
    )
    return any(isinstance(one.value, ast.Name) and one.value.id == "self" for one in stores)


def is_blind(node: ast.ClassDef) -> bool:
    """Return whether a class of fields leaves every one of them out of comparisons."""
    fields = [one.value for one in node.body if isinstance(one, ast.AnnAssign)]
    return bool(fields) and all(
        isinstance(one, ast.Call)
        and any(
            word.arg in ("compare", "eq") and getattr(word.value, "value", None) is False
            for word in one.keywords
        )
        for one in fields
    )


def is_builtin_kind(node: ast.ClassDef) -> bool:
    """Return whether a class is a kind of string, number or container."""
    return any(isinstance(base, ast.Call) or _last(base) in BUILTINS for base in node.bases)


def _last(node: ast.expr) -> str:
    node = node.value if isinstance(node, ast.Subscript) else node
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def verdict(
    name: str, node: FunctionNode | ast.Lambda, lineage: Sequence[ast.ClassDef] | None
) -> str:
    """Say why a method answers without looking, empty where it looks or need not.

    ``lineage`` is its class and those that this inherits from, None where nobody knows which.
    """
    comparison = Comparison.of(node)
    found = [answer for _, answer in comparison.unearned()]
    fields = lineage is None or any(has_fields(one) or is_builtin_kind(one) for one in lineage)
    if name == "__eq__" or name in METACLASS:
        if Answer.FIXED in found:
            return "is true whatever it is compared with"
        if Answer.TYPE in found and fields and name == "__eq__":
            return "is true of everything of its type"
        return ""
    if name == "__ne__":
        return "is never true" if _is_never(comparison) else ""
    if name in _DIFFERENCES:
        return "is always the same" if fields and _is_constant(node) else ""
    if name == "__bool__":
        is_kind = lineage is None or any(map(is_builtin_kind, lineage))
        return "is always true" if is_kind and _is_constant(node, truth=True) else ""
    return "is true whatever it is compared with" if fields and Answer.FIXED in found else ""


def _is_never(comparison: Comparison) -> bool:
    answers = [*_returns(comparison.node)]
    return bool(answers) and all(comparison.rests_on(one) is Answer.FALSY for one in answers)


def _is_constant(node: FunctionNode | ast.Lambda, *, truth: bool = False) -> bool:
    answers = [*_returns(node)]
    constant = [one for one in answers if isinstance(one, ast.Constant) and one.value is not None]
    return bool(answers) and len(constant) == len(answers) and (not truth or all_true(constant))


def all_true(constants: Sequence[ast.Constant]) -> bool:
    """Return whether every constant counts as true."""
    return all(bool(one.value) for one in constants)


def _returns(node: FunctionNode | ast.Lambda) -> Iterator[ast.expr]:
    if isinstance(node, ast.Lambda):
        yield node.body
        return
    for one in ast.walk(node):
        if isinstance(one, ast.Return) and one.value is not None:
            yield one.value
