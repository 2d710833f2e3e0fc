"""What the tests ask of the product in literals: the inputs of a check, and what it expects."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

import attrs

from benchhygiene.inventory.python import FunctionNode, PythonFile, parse, statements

_MOST = 4_000
_EVERYDAY = frozenset(
    (
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
        12,
        16,
        20,
        24,
        28,
        30,
        31,
        32,
        50,
        60,
        64,
        80,
        90,
        100,
        128,
        180,
        200,
        255,
        256,
        300,
        360,
        365,
        366,
        400,
        404,
        443,
        500,
        512,
        1000,
        1024,
        3600,
        10000,
        86400,
        65535,
        65536,
        100000,
        1000000,
        0.5,
        0.1,
        1e-09,
        1e-06,
    )
)
_TRIVIAL = (0, 1, -1, None, "", True, False, b"")


@attrs.frozen
class Check:
    """One check: the name that is called, the literals it is given, and what is expected.

    ``is_whole`` says that all it is given are literals. ``parts`` are what they hold, how much, and
    the sum of it.
    """

    called: str
    inputs: tuple[str, ...]
    expected: frozenset[str]
    is_whole: bool
    parts: tuple[str, ...] = ()


@attrs.frozen(eq=False)
class Checks:
    """Checks by what they are given and by what they expect."""

    by_text: Mapping[str, tuple[Check, ...]]

    @classmethod
    def of(cls, given: Iterable[Check]) -> Checks:
        """Return the checks in the order of their finding."""
        found: dict[str, list[Check]] = {}
        for one in given:
            for text in {*one.inputs, *one.parts, *one.expected}:
                found.setdefault(text, []).append(one)
        return cls({text: tuple(several) for text, several in found.items()})

    def about(self, texts: Iterable[str]) -> Iterator[Check]:
        """Yield the checks that hold one of these literals, of the rarest of them first."""
        several = [self.by_text[text] for text in set(texts) if text in self.by_text]
        for found in sorted(several, key=len):
            yield from found[:_MOST]


def literal(node: ast.AST) -> str | None:
    """Return a form that equal literals share; a tuple is as good as a list."""
    match node:
        case ast.Constant(value=bool() | None as value):
            return repr(value)
        case ast.Constant(value=int() | float() as value):
            return repr(float(value)) if abs(value) < 1e15 else repr(value)
        case ast.Constant(value=value):
            return repr(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return repr(-float(value)) if abs(value) < 1e15 else repr(-value)
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            return _joined("[", elts)
        case ast.Set(elts=elts):
            return _joined("{", elts)
        case ast.Dict(keys=keys, values=values):
            return _joined("{:", [one for pair in zip(keys, values, strict=True) for one in pair])
        case _:
            return None


def _joined(opening: str, parts: Iterable[ast.expr | None]) -> str | None:
    found = [literal(one) if one is not None else None for one in parts]
    return None if None in found else f"{opening}{','.join(str(one) for one in found)}"


def weight(node: ast.AST) -> int:
    """Return how telling a literal is: 0 for what anyone writes, 3 for a row of values."""
    value = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
    match node:
        case ast.Constant() if value in _TRIVIAL and not isinstance(value, float):
            return 0
        case ast.Constant(value=str() | bytes() as text):
            return 1 if len(text) < 3 or _is_word(text) else 2
        case ast.Constant() | ast.UnaryOp():
            number = node.operand if isinstance(node, ast.UnaryOp) else node
            plain = getattr(number, "value", None)
            return 1 if plain in _EVERYDAY or plain in _TRIVIAL else 2
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return _of_parts(parts)
        case ast.Dict(values=values):
            return _of_parts(values)
        case _:
            return 0


def _is_word(text: str | bytes) -> bool:
    """Return whether a text is a word: programs tell cases apart by words."""
    plain = text.decode(errors="replace") if isinstance(text, bytes) else text
    return plain.replace("_", "").replace("-", "").isalpha() and len(plain) < 20


def _of_parts(parts: list[ast.expr]) -> int:
    inner = [weight(one) for one in parts]
    if not inner or not any(inner):
        return 1 if len(inner) > 2 else 0
    return 3 if len(inner) > 1 else max(inner)


def checks(data: bytes) -> tuple[Check, ...]:
    """Return the checks of a test file that hold literals; made for ``tree.derived``."""
    file = parse(data)
    try:
        return tuple(_all(file))[:_MOST]
    except RecursionError:
        return ()


def _all(file: PythonFile) -> Iterator[Check]:
    tables = {name: node for name, node in file.constants.items() if _is_row(node)}
    for one in statements(file.body):
        if isinstance(one, FunctionNode):
            yield from _of_function(one, tables)


def _is_row(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.Tuple | ast.Dict | ast.Set | ast.Constant)


def _of_function(node: FunctionNode, tables: dict[str, ast.expr]) -> Iterator[Check]:
    given: dict[str, list[ast.expr]] = {name: [value] for name, value in tables.items()}
    called: dict[str, list[ast.Call]] = {}
    literals: list[ast.expr] = []
    for one in statements(node.body):
        if isinstance(one, ast.Assign) and len(one.targets) == 1:
            target = one.targets[0]
            names = [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]
            for name in names:
                called.setdefault(name, []).extend(_calls(one.value))
                if isinstance(target, ast.Name) and literal(one.value) is not None:
                    given[name] = [one.value]
        if not hasattr(one, "body"):
            literals.extend(_literals(one))
    rows = [*_rows(node, tables)]
    calls = [call for one in statements(node.body) for call in _own_calls(one)]
    expected = frozenset(text for one in literals if (text := literal(one)) is not None)
    for call in calls:
        yield from _of_call(call, given, expected)
    for row in rows:
        texts = [text for one in row if (text := literal(one)) is not None]
        if len(texts) > 1:
            for call in calls:
                yield Check(_last(call.func), (texts[0],), frozenset(texts[1:]), True)
                yield Check(_last(call.func), tuple(texts[:-1]), frozenset(texts[-1:]), True)


def _of_call(
    call: ast.Call, given: dict[str, list[ast.expr]], expected: frozenset[str]
) -> Iterator[Check]:
    name = _last(call.func)
    if not name or name.startswith(("assert", "raises", "approx", "isclose")):
        return
    arguments = [*call.args, *(one.value for one in call.keywords)]
    inputs = [
        given[one.id][0] if isinstance(one, ast.Name) and one.id in given else one
        for one in arguments
    ]
    texts = [literal(one) for one in inputs]
    known = tuple(one for one in texts if one is not None)
    if known:
        parts = tuple(x for one in inputs for x in _parts(one))
        yield Check(name, known, expected - {*known}, len(known) == len(texts), parts)


def _parts(node: ast.expr) -> Iterator[str]:
    """Yield what a row of literals holds, its length, and the sum of its numbers."""
    if not isinstance(node, ast.List | ast.Tuple) or literal(node) is None:
        return
    yield repr(float(len(node.elts)))
    yield from (text for one in node.elts[:20] if (text := literal(one)) is not None)
    numbers = [getattr(one, "value", None) for one in node.elts]
    plain = [one for one in numbers if isinstance(one, int | float)]
    if plain and len(plain) == len(numbers):
        yield repr(float(sum(plain)))


def _rows(node: FunctionNode, tables: dict[str, ast.expr]) -> Iterator[list[ast.expr]]:
    """Yield the rows that a test is given or goes through: parameters, tables it loops over."""
    sources: list[ast.expr] = []
    for one in node.decorator_list:
        if isinstance(one, ast.Call) and len(one.args) > 1 and _last(one.func) == "parametrize":
            sources.append(one.args[1])
    for inner in ast.walk(node):
        if isinstance(inner, ast.For):
            sources.append(inner.iter)
    for source in sources:
        while isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute):
            source = source.func.value
        if isinstance(source, ast.Name) and source.id in tables:
            source = tables[source.id]
        if isinstance(source, ast.Dict):
            yield from ([k, v] for k, v in zip(source.keys, source.values, strict=True) if k)
        elif isinstance(source, ast.List | ast.Tuple | ast.Set):
            for row in source.elts:
                parts = row.args if isinstance(row, ast.Call) else [row]
                if len(parts) == 1 and isinstance(parts[0], ast.Tuple | ast.List):
                    parts = parts[0].elts
                yield [*parts]


def _literals(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the literals that something is compared with, or that stand beside a call."""
    for one in ast.walk(node):
        if isinstance(one, ast.Compare):
            yield from (one.left, *one.comparators)
            yield from _unwrapped((one.left, *one.comparators))
        elif isinstance(one, ast.Call) and (
            isinstance(node, ast.Assert) or _last(one.func).startswith(("assert", "check"))
        ):
            yield from (*one.args, *_unwrapped(one.args))
        elif isinstance(one, ast.Assign) and literal(one.value) is not None:
            yield one.value


def _unwrapped(sides: Iterable[ast.expr]) -> Iterator[ast.expr]:
    """Yield the literals that stand in what only wraps them."""
    for side in sides:
        if isinstance(side, ast.Call) and _last(side.func) in (
            "approx",
            "Decimal",
            "list",
            "tuple",
        ):
            yield from (part for part in side.args[:1] if literal(part) is not None)


def _calls(node: ast.AST) -> list[ast.Call]:
    return [one for one in ast.walk(node) if isinstance(one, ast.Call)]


def _own_calls(node: ast.stmt) -> Iterator[ast.Call]:
    if not hasattr(node, "body"):
        yield from _calls(node)
    elif isinstance(node, ast.With | ast.AsyncWith):
        for item in node.items:
            yield from _calls(item.context_expr)


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
