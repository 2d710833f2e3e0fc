"""Where the product puts something in the place of the clock."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchhygiene.inventory.meanings import Kind, Routine, Scope
from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.subjects.facts import Fact, fact
from benchhygiene_plugins.subjects.products import Product
from benchhygiene_plugins.subjects.units import Unit

RULE = "source.clock_patched"
_TIME = frozenset(
    (
        "time",
        "time_ns",
        "sleep",
        "monotonic",
        "monotonic_ns",
        "perf_counter",
        "perf_counter_ns",
        "process_time",
        "process_time_ns",
        "thread_time",
        "thread_time_ns",
        "clock_gettime",
    )
)
CLOCKS = frozenset(
    {f"time.{name}" for name in _TIME}
    | {"datetime.datetime", "datetime.date", "asyncio.sleep", "timeit.default_timer"}
    | {"timeit.timeit", "timeit.repeat", "timeit.Timer", "time.strftime", "time.localtime"}
    | {"timeit.Timer.timeit", "timeit.Timer.repeat", "threading.Event.wait", "select.select"}
    | {f"datetime.{name}" for name in ("datetime.now", "datetime.utcnow", "datetime.today")}
    | {"datetime.date.today", "asyncio.BaseEventLoop.time", "os.times", "resource.getrusage"}
)
_READS = frozenset({f"time.{name}" for name in _TIME - {"sleep"}} | {"timeit.default_timer"})
_MODULES = ("time", "datetime", "timeit", "asyncio")
_FREEZERS = ("freezegun.", "time_machine.", "unittest.mock.patch", "mock.patch", "libfaketime.")
WORDS = frozenset(
    b"time datetime timeit asyncio sleep perf_counter monotonic default_timer freezegun "
    b"time_machine process_time perf_counter_ns monotonic_ns time_ns __import__ "
    b"import_module".split()
)
_ASKED = ("type", "repr", "str", "isinstance", "hasattr", "getattr", "callable")


def clocks(unit: Unit, product: Product) -> Iterator[Fact]:
    """Yield where a unit replaces, freezes or checks the clock."""
    file = product.evaluator.file(unit.path)
    for node, scope in unit.walk(product.evaluator):
        for name in _replaced(node, scope, product):
            if isinstance(node, ast.stmt | ast.expr):
                yield fact(
                    RULE, unit, file, node, f"sets {name}", f"puts something else for {name}"
                )
        for name in _questioned(node, scope, product):
            if isinstance(node, ast.expr):
                yield fact(RULE, unit, file, node, f"asks {name}", f"asks whether {name} is real")
    yield from _shadows(unit, product)
    if unit.function is not None:
        yield from _unread(unit, unit.function, product)


def _is_clock(name: str) -> bool:
    return name in CLOCKS or name in _MODULES


def _replaced(node: ast.AST, scope: Scope, product: Product) -> Iterator[str]:
    names = product.texts.names
    match node:
        case ast.Assign() | ast.AugAssign() | ast.AnnAssign() | ast.Delete():
            targets = (
                [node.target] if isinstance(node, ast.AugAssign | ast.AnnAssign) else node.targets
            )
            for target in (one for given in targets for one in _flat(given)):
                if isinstance(target, ast.Attribute | ast.Subscript):
                    found = (one.removeprefix("sys.modules.") for one in names(target, scope))
                    yield from (one for one in found if one in CLOCKS or _is_module(target, one))
        case ast.Call():
            yield from _by_call(node, scope, product)
        case _:
            return


def _flat(target: ast.expr) -> Iterator[ast.expr]:
    if isinstance(target, ast.Tuple | ast.List):
        yield from target.elts
    else:
        yield target


def _is_module(target: ast.expr, name: str) -> bool:
    return isinstance(target, ast.Subscript) and name in _MODULES


def _by_call(node: ast.Call, scope: Scope, product: Product) -> Iterator[str]:
    names, text = product.texts.names, product.texts.text
    functions = names(node.func, scope)
    if any(one.startswith((*_FREEZERS[:2], "libfaketime.")) for one in functions):
        yield next(iter(sorted(functions)))
        return
    is_setting = any(one.rpartition(".")[2] in ("setattr", "__setattr__") for one in functions)
    is_patching = any(one.startswith(_FREEZERS) for one in functions)
    if (is_setting or is_patching) and len(node.args) >= 2:
        for base in names(node.args[0], scope):
            for name in text(node.args[1], scope):
                yield from (one for one in (f"{base}.{name}",) if one in CLOCKS)
    if is_patching and node.args:
        yield from (one for one in text(node.args[0], scope) if _ends_in_clock(one))
    if any(one.endswith(".update") for one in functions):
        base = next(iter(sorted(functions))).removesuffix(".update")
        if base in _MODULES and isinstance(node.func, ast.Attribute):
            yield base


def _ends_in_clock(dotted: str) -> bool:
    return any(dotted == one or dotted.endswith(f".{one}") for one in CLOCKS)


def _questioned(node: ast.AST, scope: Scope, product: Product) -> Iterator[str]:
    """Yield the clocks of which it is asked what they are, as a fake would answer otherwise."""
    names = product.texts.names
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _ASKED:
        for one in node.args[:1]:
            if isinstance(one, ast.Name | ast.Attribute) and len(node.args) != 3:
                yield from (name for name in names(one, scope) if name in _READS)
    elif isinstance(node, ast.Attribute) and node.attr in ("__module__", "__class__", "__self__"):
        yield from (name for name in names(node.value, scope) if name in _READS)


def _shadows(unit: Unit, product: Product) -> Iterator[Fact]:
    """Yield the names of a module that were the clock and are something of the file's own."""
    if unit.node is not None or product.parent is None:
        return
    file = product.evaluator.file(unit.path)
    was = product.parent.evaluator.bindings(unit.path).names
    for name, bound in sorted(product.evaluator.bindings(unit.path).names.items()):
        own = [one for one in bound if isinstance(one, FunctionNode | ast.ClassDef | ast.expr)]
        if not own:
            continue
        before = product.parent.evaluator.name(unit.path, name) if name in was else ()
        clock = {getattr(one, "name", "") for one in before} & {*CLOCKS, *_MODULES}
        is_new = name in _TIME - {"time"} and name not in was
        if (clock or is_new) and not _reads(own[-1], Scope(unit.path), product):
            said = f"{name} is no longer the clock" if clock else f"{name} stands for the clock"
            yield fact(RULE, unit, file, own[-1], f"shadows {name}", said)


def _reads(node: ast.AST, scope: Scope, product: Product) -> bool:
    """Return whether anything of a definition leads to the real clock."""
    if isinstance(node, ast.expr):
        for one in product.texts.values(node, scope):
            if isinstance(one, Routine | Kind):
                return _reads(one.node, one.scope, product)
    parts = (one for one in ast.walk(node) if isinstance(one, ast.Name | ast.Attribute))
    return any(_is_clock(name) for one in parts for name in product.texts.names(one, scope))


def _unread(unit: Unit, node: FunctionNode, product: Product) -> Iterator[Fact]:
    """Yield a function that read the clock and now answers with a number, or from a cache."""
    before = product.before(unit)
    if before is None or product.parent is None:
        return
    file = product.evaluator.file(unit.path)
    was, now = _clock_reads(before, unit, product.parent), _clock_reads(node, unit, product)
    answers = [one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value]
    for answer in answers if was and not now else ():
        if isinstance(answer, ast.Constant) and isinstance(answer.value, int | float):
            yield fact(RULE, unit, file, answer, "unread", "read the clock and no longer does")
        elif isinstance(answer, ast.Name) and _is_frozen(answer, unit, product):
            yield fact(RULE, unit, file, answer, "frozen", "answers with a time that stands still")
    if was and now and _is_cached(node) and not _is_cached(before):
        yield fact(RULE, unit, file, node, "cached", "remembers what the clock said once")


def _clock_reads(node: FunctionNode, unit: Unit, product: Product) -> bool:
    scope = unit.scope
    calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
    return any(
        name in _READS or name in ("datetime.datetime.now", "datetime.datetime.utcnow")
        for one in calls
        for name in product.texts.names(one, scope)
    )


def _is_frozen(answer: ast.Name, unit: Unit, product: Product) -> bool:
    return bool(product.texts.names(answer, unit.scope) & _READS)


def _is_cached(node: FunctionNode) -> bool:
    decorators = (one.func if isinstance(one, ast.Call) else one for one in node.decorator_list)
    named = (
        one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in decorators
    )
    return any("cache" in one for one in named)
