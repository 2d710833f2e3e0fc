"""What expressions compute beside what ``benchhygiene.inventory.operations`` knows."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from benchhygiene.inventory import functions
from benchhygiene.inventory.operations import COMPUTE
from benchhygiene.inventory.values import Evaluator, Opaque, Unknown, unpacked
from benchhygiene_plugins.configuration.session import methods
from benchhygiene_plugins.configuration.session.natives import NATIVES
from benchhygiene_plugins.configuration.session.things import UNKNOWN, External, Frame, Routine

if TYPE_CHECKING:
    from benchhygiene_plugins.configuration.session.machine import Machine

Compute: TypeAlias = "Callable[[Machine, Frame, Evaluator, ast.expr], object]"
#: Methods that take nothing away from a list they are given, whatever they belong to.
_HARMLESS = frozenset(("shuffle", "info", "debug", "warning", "log", "write", "write_line", "line"))
_GROWING = frozenset(("add", "update", "discard", "remove", "difference_update", "clear"))


def _name(machine: Machine, frame: Frame, evaluator: Evaluator, node: ast.expr) -> object:
    return machine.lookup(frame, cast("ast.Name", node).id)


def _attribute(machine: Machine, frame: Frame, evaluator: Evaluator, node: ast.expr) -> object:
    attribute = cast("ast.Attribute", node)
    return machine.member(evaluator.raw(attribute.value), attribute.attr)


def _subscript(machine: Machine, frame: Frame, evaluator: Evaluator, node: ast.expr) -> object:
    subscript = cast("ast.Subscript", node)
    base = evaluator.raw(subscript.value)
    item = getattr(base, "item", None)
    if item is not None and callable(item):
        return cast("Callable[[object], object]", item)(evaluator.raw(subscript.slice))
    if not isinstance(base, str | list | tuple | dict):
        raise Unknown("not known what it holds")
    index = index_of(evaluator, subscript.slice)
    return cast("Sequence[object]", base)[cast("int", index)]


def index_of(evaluator: Evaluator, node: ast.expr) -> object:
    """Return an index or a slice. Raises Unknown."""
    if isinstance(node, ast.Slice):
        bounds = [
            None if one is None else evaluator.raw(one)
            for one in (node.lower, node.upper, node.step)
        ]
        if any(isinstance(one, Opaque) for one in bounds):
            raise Unknown("not known where it is cut")
        return slice(*bounds)
    found = evaluator.raw(node)
    if isinstance(found, Opaque):
        raise Unknown("not known at which place")
    return found


def _boolean(machine: Machine, frame: Frame, evaluator: Evaluator, node: ast.expr) -> object:
    operation = cast("ast.BoolOp", node)
    decides = isinstance(operation.op, ast.Or)
    *parts, last = operation.values
    for part in parts:
        found = machine.value(part, frame)
        if machine.truth(found, part, frame) is decides:
            return found
    return machine.value(last, frame)


def _not(machine: Machine, frame: Frame, evaluator: Evaluator, node: ast.expr) -> object:
    operation = cast("ast.UnaryOp", node)
    if isinstance(operation.op, ast.Not):
        return not machine.holds(operation.operand, frame)
    return COMPUTE[ast.UnaryOp](evaluator, node)


def _condition(machine: Machine, frame: Frame, evaluator: Evaluator, node: ast.expr) -> object:
    choice = cast("ast.IfExp", node)
    chosen = choice.body if machine.holds(choice.test, frame) else choice.orelse
    return machine.value(chosen, frame)


def _compare(machine: Machine, frame: Frame, evaluator: Evaluator, node: ast.expr) -> object:
    comparison = cast("ast.Compare", node)
    if len(comparison.ops) != 1 or not isinstance(comparison.ops[0], ast.In | ast.NotIn):
        return COMPUTE[ast.Compare](evaluator, node)
    left, right = evaluator.raw(comparison.left), evaluator.raw(comparison.comparators[0])
    if isinstance(left, Opaque) or isinstance(right, Opaque):
        raise Unknown("not known whether it is in it")
    if isinstance(right, list | tuple):
        evaluator.budget.spend(len(cast("Sequence[object]", right)) // 4)
    found = left in cast("Sequence[object]", right)
    is_known = found or not isinstance(right, list | tuple | frozenset)
    if not is_known and any(isinstance(one, Opaque) for one in cast("Sequence[object]", right)):
        raise Unknown("not known whether it is in it")
    return found is isinstance(comparison.ops[0], ast.In)


def _lambda(machine: Machine, frame: Frame, evaluator: Evaluator, node: ast.expr) -> object:
    return Routine(cast("ast.Lambda", node), frame)


def _walrus(machine: Machine, frame: Frame, evaluator: Evaluator, node: ast.expr) -> object:
    named = cast("ast.NamedExpr", node)
    value = machine.value(named.value, frame)
    frame.bind(named.target.id, value)
    return value


def _yield(machine: Machine, frame: Frame, evaluator: Evaluator, node: ast.expr) -> object:
    value = cast("ast.Yield", node).value
    given = None if value is None else machine.value(value, frame)
    if frame.yields is not None:
        frame.yields.append(given)
    return frame.names.get(OUTCOME, UNKNOWN)


def _yield_from(machine: Machine, frame: Frame, evaluator: Evaluator, node: ast.expr) -> object:
    found = machine.value(cast("ast.YieldFrom", node).value, frame)
    if frame.yields is not None:
        frame.yields.extend(evaluator.elements(found))
    return UNKNOWN


#: The name under which a hook wrapper's frame keeps what ``yield`` gives it.
OUTCOME = "<outcome>"


def _awaited(machine: Machine, frame: Frame, evaluator: Evaluator, node: ast.expr) -> object:
    return machine.value(cast("ast.Await", node).value, frame)


def _listed(machine: Machine, frame: Frame, evaluator: Evaluator, node: ast.expr) -> object:
    made = cast("ast.ListComp | ast.GeneratorExp", node)
    return [machine.value(made.elt, inner) for inner in _rounds(machine, frame, made.generators)]


def _set_listed(machine: Machine, frame: Frame, evaluator: Evaluator, node: ast.expr) -> object:
    made = cast("ast.SetComp", node)
    rounds = _rounds(machine, frame, made.generators)
    return frozenset(machine.value(made.elt, inner) for inner in rounds)


def _dict_listed(machine: Machine, frame: Frame, evaluator: Evaluator, node: ast.expr) -> object:
    made = cast("ast.DictComp", node)
    return {
        machine.value(made.key, inner): machine.value(made.value, inner)
        for inner in _rounds(machine, frame, made.generators)
    }


def _rounds(
    machine: Machine, frame: Frame, generators: Sequence[ast.comprehension]
) -> Iterator[Frame]:
    if not generators:
        yield frame
        return
    first, *rest = generators
    for item in machine.elements(machine.value(first.iter, frame)):
        machine.budget.spend(1)
        inner = Frame(frame.path, dict(unpacked(first.target, item)), frame)
        if all(machine.holds(test, inner) for test in first.ifs):
            yield from _rounds(machine, inner, rest)


def _call(machine: Machine, frame: Frame, evaluator: Evaluator, node: ast.expr) -> object:
    call = cast("ast.Call", node)
    if isinstance(call.func, ast.Attribute):
        base = machine.value(call.func.value, frame)
        if call.func.attr in _GROWING and isinstance(base, frozenset):
            return _grow(machine, frame, cast("frozenset[object]", base), call)
        target = _member(machine, base, call.func.attr)
        if target is UNKNOWN and call.func.attr in _HARMLESS:
            return None
    else:
        target = machine.value(call.func, frame)
    if isinstance(target, External) and not _is_ours(machine, target):
        try:
            return functions.called(evaluator, call)
        except Unknown:
            pass
    arguments = [*_arguments(machine, frame, call)]
    words = dict(_words(machine, frame, call))
    return machine.call(target, arguments, words, frame)


def _is_ours(machine: Machine, target: External) -> bool:
    if target.text in machine.specials or target.text in NATIVES:
        return True
    return "." in target.text and not target.text.startswith("itertools.")


def _member(machine: Machine, base: object, name: str) -> object:
    try:
        return machine.member(base, name)
    except Unknown:
        return UNKNOWN


def _grow(machine: Machine, frame: Frame, base: frozenset[object], call: ast.Call) -> object:
    """Change a set: as sets are frozen here, its name gets another one."""
    function = cast("ast.Attribute", call.func)
    after = methods.grown(base, function.attr, [*_arguments(machine, frame, call)])
    if isinstance(function.value, ast.Name):
        home = frame.home(function.value.id) or frame.module
        home.names[function.value.id] = after
        return None
    raise Unknown("not known where the set is kept")


def _arguments(machine: Machine, frame: Frame, call: ast.Call) -> Iterator[object]:
    for one in call.args:
        if isinstance(one, ast.Starred):
            yield from machine.elements(machine.value(one.value, frame))
        else:
            yield machine.value(one, frame)


def _words(machine: Machine, frame: Frame, call: ast.Call) -> Iterator[tuple[str, object]]:
    for word in call.keywords:
        value = machine.value(word.value, frame)
        if word.arg is not None:
            yield word.arg, value
        elif isinstance(value, dict):
            yield from ((str(k), v) for k, v in cast("dict[object, object]", value).items())


EXPRESSIONS: Mapping[type[ast.expr], Compute] = {
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.BoolOp: _boolean,
    ast.UnaryOp: _not,
    ast.IfExp: _condition,
    ast.Compare: _compare,
    ast.Lambda: _lambda,
    ast.NamedExpr: _walrus,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
    ast.Await: _awaited,
    ast.ListComp: _listed,
    ast.GeneratorExp: _listed,
    ast.SetComp: _set_listed,
    ast.DictComp: _dict_listed,
    ast.Call: _call,
}
