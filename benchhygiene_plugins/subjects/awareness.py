"""Where the product asks whether it is being tested, and by whom it is called."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from benchhygiene.inventory.meanings import Scope
from benchhygiene_plugins.subjects.facts import Fact, fact
from benchhygiene_plugins.subjects.products import Product
from benchhygiene_plugins.subjects.units import Unit
from benchhygiene_plugins.subjects.vocabulary import (
    ASKING,
    CALLER_LOCALS,
    CI,
    ENVIRONMENT,
    STACK,
    STRONG,
    TEST_VARIABLE,
    VARIABLES,
    WEAK,
    WORDS,
    WORLD,
)

RULE = "source.test_aware"
#: The detail of what uses the insides of the test framework.
FRAMEWORK = "framework"
#: What pytest writes on fixtures: it tells what an object is, not who runs the product.
_MARKS = frozenset(("_pytestfixturefunction", "__pytest_wrapped__", "pytestmark"))


@attrs.frozen(eq=False)
class _Sight:
    """What a unit looks at, and the words in it that have to do with tests."""

    stack: list[ast.expr]
    world: list[ast.expr]
    environment: list[ast.expr]
    strong: list[tuple[ast.expr, str]]
    weak: list[tuple[ast.expr, str]]
    framework: list[ast.expr | ast.stmt]
    locals: list[ast.expr]


def awareness(unit: Unit, product: Product) -> Iterator[Fact]:
    """Yield where a unit finds out that it is being tested."""
    sight = _sight(unit, product)
    file = product.evaluator.file(unit.path)
    seen: set[str] = set()
    for node, detail, said in _judged(unit, sight, product):
        if detail not in seen:
            seen.add(detail)
            yield fact(RULE, unit, file, node, detail, said)


def _judged(
    unit: Unit, sight: _Sight, product: Product
) -> Iterator[tuple[ast.expr | ast.stmt, str, str]]:
    looks = [*sight.stack, *sight.world, *sight.environment]
    for node in sight.framework:
        yield node, FRAMEWORK, "uses the insides of the test framework"
    for node, text in sight.strong if looks else ():
        yield node, f"asks {text}", f"asks for {text!r}, which tells whether tests are running"
    if not looks:
        for node, text in sight.strong:
            if _is_asked(node, unit) and _looks_elsewhere(unit, product):
                yield node, f"asks {text}", f"asks for {text!r}, which tells of running tests"
    for node, text in sight.weak:
        if _is_asked(node, unit) and (sight.stack or _is_of(node, sight.world, unit)):
            yield node, f"asks {text}", f"asks for {text!r} among what runs it"
    yield from _of_callers(unit, sight)
    yield from _of_environment(unit, product)


def _of_callers(unit: Unit, sight: _Sight) -> Iterator[tuple[ast.expr, str, str]]:
    for node in sight.locals if sight.stack else ():
        keys = {
            one.value
            for one in (ast.walk(unit.function) if unit.function is not None else ())
            if isinstance(one, ast.Constant) and isinstance(one.value, str)
        }
        if keys & CALLER_LOCALS or any(STRONG.search(key) for key in keys):
            yield node, "caller's locals", "reads the local names of whoever calls it"


def _of_environment(unit: Unit, product: Product) -> Iterator[tuple[ast.expr, str, str]]:
    """Yield variables of test runs and of CI that decide what the unit does."""
    asking = product.vocabulary("variables", VARIABLES, unit.path)
    if asking.isdisjoint(product.words(unit)):
        return
    for node, scope in unit.walk(product.evaluator):
        for test, decides in _conditions(node):
            for name in _variables(test, scope, product):
                if TEST_VARIABLE.search(name) or (name in CI and decides):
                    yield test, f"variable {name}", f"behaves otherwise where {name} is set"


def _conditions(node: ast.AST) -> Iterator[tuple[ast.expr, bool]]:
    """Yield conditions, and whether they decide what is returned."""
    if isinstance(node, ast.If | ast.While):
        inner = [*node.body, *node.orelse]
        yield node.test, any(isinstance(one, ast.Return | ast.Raise) for one in inner)
    elif isinstance(node, ast.IfExp):
        yield node.test, True
    elif isinstance(node, ast.Return) and isinstance(node.value, ast.BoolOp | ast.Compare):
        yield node.value, True
    elif isinstance(node, ast.BoolOp):
        yield node, False


def _variables(test: ast.expr, scope: Scope, product: Product) -> Iterator[str]:
    """Yield the environment's variables that a condition asks for, through names too."""
    for one in ast.walk(test):
        node: ast.AST = one
        where = scope
        if isinstance(one, ast.Name):
            origin = product.evaluator.origin(one, scope)
            node, where = origin.expression, origin.scope
        for part in ast.walk(node) if node is not one else (one,):
            yield from _asked_variable(part, where, product)


def _asked_variable(node: ast.AST, scope: Scope, product: Product) -> Iterator[str]:
    texts = product.texts
    if isinstance(node, ast.Call) and node.args:
        if any(_starts(one, ENVIRONMENT) for one in texts.names(node.func, scope)):
            yield from texts.text(node.args[0], scope)
    elif isinstance(node, ast.Subscript):
        if any(_starts(one, ENVIRONMENT) for one in texts.names(node.value, scope)):
            yield from texts.text(node.slice, scope)
    elif isinstance(node, ast.Compare):
        holders = texts.names(node.comparators[0], scope)
        is_in = isinstance(node.ops[0], ast.In | ast.NotIn)
        if is_in and any(_starts(one, ENVIRONMENT) for one in holders):
            yield from texts.text(node.left, scope)


def _starts(name: str, prefixes: tuple[str, ...]) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in prefixes)


def _sight(unit: Unit, product: Product) -> _Sight:
    sight = _Sight([], [], [], [], [], [], [])
    vocabulary = product.vocabulary(RULE, WORDS, unit.path)
    for node, scope in unit.walk(product.evaluator):
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Try):
            sight.framework.extend(_imports(node))
        if not isinstance(node, ast.expr):
            continue
        if isinstance(node, ast.Attribute) and node.attr in ("f_locals", "f_globals"):
            sight.locals.append(node)
        if isinstance(node, ast.Attribute) and node.attr in ("f_back", "tb_frame", "f_locals"):
            sight.stack.append(node)
        if may_mean(node, vocabulary):
            _look(node, scope, product, sight)
    looks = bool(sight.stack or sight.world or sight.environment)
    for node, scope in unit.walk(product.evaluator):
        if isinstance(node, ast.Constant) or (looks and _may_spell(node)):
            _spell(node, scope, product, sight)
    return sight


def _imports(node: ast.Import | ast.ImportFrom | ast.Try) -> Iterator[ast.stmt]:
    """Yield imports of the framework's insides, and those that ask whether it is there."""
    if isinstance(node, ast.Try):
        inner = [one for one in node.body if isinstance(one, ast.Import)]
        if node.handlers and any(x.name == "pytest" for one in inner for x in one.names):
            yield node
    elif isinstance(node, ast.ImportFrom):
        if not node.level and (node.module or "").startswith("_pytest"):
            yield node
    elif any(one.name.startswith("_pytest") for one in node.names):
        yield node


def may_mean(node: ast.AST, vocabulary: frozenset[str]) -> bool:
    """Return whether one of the words is in what a name, an attribute or a call is made of."""
    while True:
        match node:
            case ast.Name(id=name):
                return name in vocabulary
            case ast.Attribute(attr=attr, value=inner):
                if attr in vocabulary:
                    return True
                node = inner
            case ast.Call(func=inner) | ast.Subscript(value=inner):
                node = inner
            case _:
                return False


def _spell(node: ast.AST, scope: Scope, product: Product, sight: _Sight) -> None:
    for text in product.texts.text(node, scope):
        if not isinstance(node, ast.expr) or "\n" in text or text.count(" ") > 1 or len(text) > 80:
            continue
        if text in _MARKS:
            continue
        if STRONG.search(text):
            sight.strong.append((node, text))
        elif WEAK.search(text):
            sight.weak.append((node, text))


def _may_spell(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    return isinstance(node, ast.BinOp | ast.JoinedStr | ast.Call | ast.Subscript | ast.Name) or (
        isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    )


def _look(node: ast.expr, scope: Scope, product: Product, sight: _Sight) -> None:
    for name in product.texts.names(node, scope):
        if _starts(name, STACK):
            sight.stack.append(node)
        elif _starts(name, ENVIRONMENT):
            sight.environment.append(node)
        elif _starts(name, WORLD):
            sight.world.append(node)
        elif name.startswith("sys.") and STRONG.search(name):
            sight.world.append(node)
            sight.strong.append((node, name))
        elif name.startswith("_pytest.") and not isinstance(node, ast.Name):
            sight.framework.append(node)


def _is_asked(node: ast.expr, unit: Unit) -> bool:
    """Return whether a word is compared with something, or looked for in it."""
    return any(True for _ in _askers(node, unit))


def _askers(node: ast.expr, unit: Unit) -> Iterator[ast.AST]:
    for statement in unit.body:
        for one in ast.walk(statement):
            match one:
                case ast.Compare(left=left, comparators=right):
                    parts = [left, *right]
                case ast.Call(func=ast.Attribute(attr=attr), args=parts) if attr in ASKING:
                    pass
                case ast.Call(func=ast.Name(id="hasattr" | "getattr"), args=parts):
                    pass
                case ast.Subscript(slice=ast.expr() as part):
                    parts = [part]
                case _:
                    continue
            if any(node is inner for part in parts for inner in ast.walk(part)):
                yield one


def _is_of(node: ast.expr, looked: list[ast.expr], unit: Unit) -> bool:
    """Return whether what is asked holds one of the things that are looked at, or its name."""
    there = {id(one) for one in looked if not _is_everyday(one)}
    if not there:
        return False
    for asker in _askers(node, unit):
        if any(id(one) in there for one in ast.walk(asker)):
            return True
    loops = (one for body in unit.body for one in ast.walk(body))
    return any(
        id(inner) in there
        for one in loops
        if isinstance(one, ast.comprehension | ast.For)
        for inner in ast.walk(one.iter)
    )


def _is_everyday(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)


def _looks_elsewhere(unit: Unit, product: Product) -> bool:
    """Return whether another unit of the file looks at what runs it."""
    looking = product.remembered("looking", unit.path, lambda: frozenset(_looking(unit, product)))
    return bool(looking - {unit.qualname})


def _looking(unit: Unit, product: Product) -> Iterator[str]:
    vocabulary = product.vocabulary(RULE, WORDS, unit.path)
    for other in product.units(unit.path).values():
        for node, scope in other.walk(product.evaluator):
            if isinstance(node, ast.Attribute | ast.Call) and may_mean(node, vocabulary):
                names = product.texts.names(node, scope)
                if any(_starts(one, (*STACK, *ENVIRONMENT, *WORLD[:6])) for one in names):
                    yield other.qualname
                    break
