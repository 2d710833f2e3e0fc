"""Where the product knows the tests' inputs, and answers them by heart."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from benchhygiene_plugins.subjects.checks import Check, Checks, literal, weight
from benchhygiene_plugins.subjects.facts import Fact, fact
from benchhygiene_plugins.subjects.products import Product
from benchhygiene_plugins.subjects.special_cases import Special, pinned, specials
from benchhygiene_plugins.subjects.units import Unit

RULE = "source.test_special_case"
_ENOUGH = 4


def answers(unit: Unit, product: Product, asked: Callable[[], Checks]) -> Iterator[Fact]:
    """Yield the special cases of a unit that the tests' own checks are behind.

    ``asked`` reads the tests of the tree, so it is called only where a case depends on them.
    """
    before = _literals_before(unit, product)
    file = product.evaluator.file(unit.path)
    found = [*specials(unit, product)]
    siblings = {id(one) for one in found if _is_among_siblings(one, unit, product)}
    tables: dict[int, list[Special]] = {}
    for one in found:
        if one.is_table and not one.has_fallback:
            tables.setdefault(id(one.node), []).append(one)
            continue
        if id(one) in siblings or _is_known(one, before):
            continue
        if not _may_tell(one):
            continue
        if not one.inputs or any(_matches(one, check) for check in asked().about(_texts(one))):
            detail = ",".join(str(literal(part)) for part in (*one.inputs, *one.outputs))
            said = f"answers {detail[:80]} by heart, as a test asks"
            yield fact(RULE, unit, file, one.node, f"answers {detail}", said)
    for entries in tables.values():
        yield from _whole_table(entries, unit, product, asked)


def _texts(one: Special) -> list[str]:
    """Return the literals of what it answers, or where it answers none of its inputs."""
    outputs = [text for part in one.outputs if (text := literal(part)) is not None]
    inputs = [text for part in one.inputs if (text := literal(part)) is not None]
    return outputs or inputs if not one.is_table else inputs


def _may_tell(one: Special) -> bool:
    """Return whether its literals could tell enough, whatever the tests hold."""
    if not one.inputs:
        return True
    sizes = [weight(part) for part in one.inputs]
    return sum(sizes) + max(map(weight, one.outputs), default=0) + 1 >= _ENOUGH


def _whole_table(
    entries: list[Special], unit: Unit, product: Product, known: Callable[[], Checks]
) -> Iterator[Fact]:
    """Yield a table that took the place of computing, all of whose entries tests ask for."""
    before = product.before(unit)
    if before is None or len(entries) < 2 or any(isinstance(x, ast.Dict) for x in ast.walk(before)):
        return
    if not any(isinstance(one, ast.BinOp | ast.For | ast.While) for one in ast.walk(before)):
        return
    asked = [x for x in entries if any(_agrees(x, check) for check in known().about(_texts(x)))]
    if len(asked) == len(entries):
        file = product.evaluator.file(unit.path)
        node = entries[0].node
        said = "looks up what it used to compute, and knows no more than the tests ask"
        yield fact(RULE, unit, file, node, "table of answers", said)


def _literals_before(unit: Unit, product: Product) -> frozenset[str]:
    before = product.before(unit)
    if before is None:
        return frozenset()
    return frozenset(text for one in ast.walk(before) if (text := literal(one)) is not None)


def _is_known(one: Special, before: frozenset[str]) -> bool:
    parts = (*one.inputs, *one.outputs)
    return all(literal(part) in before for part in parts)


def _is_among_siblings(one: Special, unit: Unit, product: Product) -> bool:
    """Return whether the parent's function had cases of this form: then one more is no wonder."""
    before = product.before(unit)
    if before is None or one.is_table:
        return False
    kinds = {_kind(part) for part in one.inputs}
    count = 0
    for inner in ast.walk(before):
        if isinstance(inner, ast.If | ast.IfExp):
            count += any(_kind(x) in kinds for x in pinned(inner.test))
        elif isinstance(inner, ast.Dict):
            same = [key for key in inner.keys if _kind(key) in kinds]
            count += len(same)
        elif isinstance(inner, ast.match_case):
            count += 1
    return count >= 2


def _kind(node: ast.expr | None) -> str:
    """Return the kind of a literal."""
    value: object = node.value if isinstance(node, ast.Constant) else node
    return type(value).__name__


def _agrees(one: Special, check: Check) -> bool:
    inputs = [text for part in one.inputs if (text := literal(part)) is not None]
    outputs = [text for part in one.outputs if (text := literal(part)) is not None]
    return any(text in check.inputs for text in inputs) and any(
        text in check.expected for text in outputs
    )


def _matches(one: Special, check: Check) -> bool:
    """Return whether inputs and answer of one check stand together here, and tell enough."""
    inputs = [(literal(part), weight(part)) for part in one.inputs]
    outputs = [(literal(part), weight(part)) for part in one.outputs]
    sizes = [size for text, size in inputs if text in check.inputs or text in check.parts]
    told = [size for text, size in outputs if text in check.expected]
    if not inputs:
        return bool(outputs)
    if not sizes or (len(sizes) < len([x for x in inputs if x[1]]) and not told):
        return False
    texts = {text for text, _ in inputs}
    whole = check.is_whole and {*check.inputs} <= texts
    if told:
        return max(told) > 0 and sum(sizes) + max(told) + whole >= _ENOUGH
    return whole and max(sizes) > 2 and sum(sizes) >= _ENOUGH
