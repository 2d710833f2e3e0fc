"""What operators, reductions and indices make of terms."""

from __future__ import annotations

import ast
import math

import attrs

from benchhygiene.inventory.operations import COMPUTE
from benchhygiene.inventory.values import Evaluator, Unknown
from benchhygiene_plugins.performance_budgets.terms import (
    EACH,
    NOTHING,
    Instant,
    Known,
    Made,
    Many,
    Measure,
    Row,
    Step,
    Table,
    Term,
    parts,
)
from benchhygiene_plugins.performance_budgets.vocabulary import STATISTICS

#: How many samples there are taken to be where nobody knows: enough to tell percentiles apart.
NOMINAL = 1000
_SCALARS = (int, float, str, bytes, bool)
_HUGE = 10_000


def folded(node: ast.expr) -> Term | None:
    """Return the value of an expression without names, None where it has none."""
    try:
        found = Evaluator(COMPUTE).value(node)
    except Unknown:
        return None
    return Known(found) if isinstance(found, _SCALARS) else None


def constant(value: object) -> ast.Constant:
    """Return the expression of a plain value."""
    return ast.Constant(value, lineno=1, col_offset=0)  # type: ignore[arg-type]


def binary(left: Term, op: ast.operator, right: Term) -> Term:
    """Return what an operator gives."""
    match left, right:
        case (Known(), Known()):
            node = ast.BinOp(constant(left.value), op, constant(right.value), lineno=1)
            return folded(node) or Made(type(op).__name__, (left, right))
        case (Instant(), Instant()) if isinstance(op, ast.Sub):
            return NOTHING  # the machine knows what happened in between
        case (Instant(), _) if isinstance(op, ast.Add | ast.Sub):
            return attrs.evolve(left, shift=_shifted(left.shift, op, right))
        case (_, Instant()) if isinstance(op, ast.Add):
            return attrs.evolve(right, shift=_shifted(right.shift, op, left))
        case (Measure(), Measure()):
            return _of_two(left, op, right)
        case (Measure(), _):
            return _measured(left, op, right)
        case (_, Measure()):
            return _measured_right(left, op, right)
        case (Many(), Known()) if isinstance(op, ast.Mult):
            return attrs.evolve(left, count=binary(left.count or NOTHING, op, right))
        case (Many(), Many()) if isinstance(op, ast.Add):
            return attrs.evolve(
                left, count=binary(left.count or NOTHING, op, right.count or NOTHING)
            )
        case (Row(), Row()) if isinstance(op, ast.Add):
            return Row((*left.parts, *right.parts))
        case (Row(), _) if isinstance(op, ast.Mult):
            size = binary(Known(len(left.parts)), op, right)
            return Many(size, left.parts[0] if left.parts else NOTHING)
        case (_, Row()) if isinstance(op, ast.Mult):
            return binary(right, op, left)
        case _:
            return Made(type(op).__name__, (left, right))


def _shifted(before: Term | None, op: ast.operator, more: Term) -> Term:
    if before is None:
        return more if isinstance(op, ast.Add) else binary(Known(0), op, more)
    return binary(before, op, more)


def _of_two(left: Measure, op: ast.operator, right: Measure) -> Term:
    if isinstance(op, ast.Div):
        scale = None
        if left.scale is not None and right.scale:
            scale = left.scale / right.scale
        return attrs.evolve(left, unit="ratio", scale=scale, shift=0.0)
    if isinstance(op, ast.Add):
        return attrs.evolve(left, work=(*left.work, *right.work))
    return left


def _measured(one: Measure, op: ast.operator, other: Term) -> Term:
    number = other.number if isinstance(other, Known) else None
    if isinstance(op, ast.Add | ast.Sub):
        sign = 1 if isinstance(op, ast.Add) else -1
        return one if number is None else attrs.evolve(one, shift=one.shift + sign * number)
    if isinstance(op, ast.Mult | ast.Div | ast.FloorDiv):
        return _scaled(one, number, is_divided=not isinstance(op, ast.Mult), by=other)
    return one


def _scaled(one: Measure, number: float | None, *, is_divided: bool, by: Term) -> Measure:
    if is_divided and one.chain and one.chain[-1].name == "sum" and _counts(one, number, by):
        return attrs.evolve(one, chain=(*one.chain[:-1], Step("mean", 55.0)))
    if number is None or number == 0 or one.scale is None:
        return attrs.evolve(one, scale=None)
    factor = 1 / number if is_divided else number
    return attrs.evolve(one, scale=one.scale * factor, shift=one.shift * factor)


def _counts(one: Measure, number: float | None, by: Term) -> bool:
    """Return whether a sum is divided by how many there are."""
    if isinstance(by, Made) and by.name == "len":
        return True
    known = [loop.number for loop in one.loops]
    return number is not None and (number in known or number == _product(known))


def _product(numbers: list[float | None]) -> float | None:
    return None if None in numbers else math.prod(one for one in numbers if one is not None)


def _measured_right(left: Term, op: ast.operator, right: Measure) -> Term:
    if isinstance(op, ast.Add | ast.Mult):
        return _measured(right, op, left)
    if isinstance(op, ast.Div):
        number = left.number if isinstance(left, Known) else None
        scale = None if number is None or right.scale is None else right.scale / (number or 1.0)
        return attrs.evolve(right, is_inverse=not right.is_inverse, scale=scale)
    return right


def is_measured(term: Term) -> bool:
    """Return whether something measured is in a term."""
    return any(isinstance(one, Measure) for one in parts(term))


def sample(term: Term) -> Measure | None:
    """Return what the items of a term measure, None where they measure nothing."""
    match term:
        case Measure():
            return term
        case Many():
            found = sample(term.element)
            if found is None:
                return None
            is_filtered = found.is_filtered or term.is_filtered
            return attrs.evolve(found, is_filtered=is_filtered, share=found.share * term.share)
        case Row() | Made(name="either"):
            return next((found for one in term.parts if (found := sample(one))), None)
        case _:
            return None


def reduced(term: Term, name: str, rank: float | None) -> Measure | None:
    """Return a reduction of samples, None where there are none."""
    found = sample(term)
    if found is None:
        return None
    low, high = term.window if isinstance(term, Many) else (0.0, 1.0)
    if rank is not None and (low, high) != (0.0, 1.0):
        rank = 100 * (low + (high - low) * rank / 100)
    return attrs.evolve(found, chain=(*found.chain, Step(name, rank)))


def size(term: Term) -> Term:
    """Return how many items a term has."""
    match term:
        case Row() | Table():
            return Known(len(term.parts if isinstance(term, Row) else term.items))
        case Known(value=str() | bytes() as text):
            return Known(len(text))
        case Many() if term.number is not None:
            return Known(int(term.number))
        case Many() if is_measured(term):
            return Known(NOMINAL)
        case _:
            return Made("len", (term,))


def indexed(term: Term, index: Term) -> Term:
    """Return an item."""
    number = index.number if isinstance(index, Known) else None
    match term:
        case Many() if term.is_sorted and sample(term) is not None and number is not None:
            return reduced(term, "percentile", _rank(number, term)) or NOTHING
        case Many():
            return term.element if term.element != EACH else Made("item", (index,))
        case Row() if number is not None and -len(term.parts) <= number < len(term.parts):
            return term.parts[int(number)]
        case Table() if isinstance(index, Known):
            return term.get(str(index.value)) or NOTHING
        case Made(name="quantiles", parts=(samples, Known() as cuts)) if number is not None:
            return _quantile(samples, number, cuts.number or 4)
        case Made(name="percentiles", parts=(samples, Row() as wanted)) if number is not None:
            step = indexed(wanted, index)
            rank = step.number if isinstance(step, Known) else None
            return reduced(samples, "percentile", rank) or NOTHING
        case Measure():
            return statistic(term, index) or term
        case _:
            return Made("item", (term, index))


def _rank(index: float, term: Many) -> float:
    count = term.number or NOMINAL
    at = index if index >= 0 else count + index
    rank = min(max(100 * at / max(count - 1, 1), 0.0), 100.0)
    return 100.0 - rank if term.is_descending else rank


def _quantile(samples: Term, index: float, cuts: float) -> Term:
    at = index if index >= 0 else cuts - 1 + index
    return reduced(samples, "percentile", 100 * (at + 1) / max(cuts, 1)) or NOTHING


def statistic(term: Term, name: Term) -> Measure | None:
    """Return a field of ``benchmark.stats``, None for anything else."""
    if not (isinstance(term, Measure) and term.source == "benchmark" and not term.chain):
        return None
    word = str(name.value) if isinstance(name, Known) else ""
    if word not in STATISTICS:
        return None
    is_rate = word == "ops"
    return attrs.evolve(term, chain=(Step(word, STATISTICS[word]),), is_inverse=is_rate)


def sliced(term: Term, low: Term | None, high: Term | None) -> Term:
    """Return what a slice leaves."""
    if isinstance(term, Row):
        bounds = [None if one is None else _whole(one) for one in (low, high)]
        return Row(term.parts[bounds[0] : bounds[1]])
    if not isinstance(term, Many):
        return Made("slice", (term, low or NOTHING, high or NOTHING))
    count = int(min(term.number or NOMINAL, 1e9))
    start, stop, _ = slice(*(None if one is None else _whole(one) for one in (low, high))).indices(
        count
    )
    left = max(stop - start, 0)
    window, share = term.window, term.share
    if term.is_sorted and count:
        low_end, high_end = start / count, stop / count
        window = (1 - high_end, 1 - low_end) if term.is_descending else (low_end, high_end)
    elif count:
        share *= left / count
    return attrs.evolve(term, count=Known(left), window=window, share=share)


def _whole(term: Term) -> int | None:
    number = term.number if isinstance(term, Known) else None
    return int(number) if number is not None and math.isfinite(number) else None
