"""Values are those Python computes, within bounds, and never by running the file."""

from __future__ import annotations

import ast
import gc
import weakref
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhygiene.evidence.tree import SourceTree
from benchhygiene.inventory.constants import Constants
from benchhygiene.inventory.modules import Modules
from benchhygiene.inventory.namespaces import module_scope
from benchhygiene.inventory.python import parse
from benchhygiene.inventory.values import Opaque, Unknown, key


def value(expression: str, module: str = "") -> object:
    scope = parse(module.encode()).derived(module_scope)
    node = ast.parse(expression, mode="eval").body
    return Constants(scope.names.get).evaluator().value(node)


KNOWN = [
    "[1, 'a', None, True, b'x', 1.5, 2j]",
    "(1, *range(3), *'ab')",
    "{**{'a': 1}, 'b': 2}",
    "[x * 2 for x in range(5) if x % 2]",
    "{x: y for x, y in zip('ab', [1, 2])}",
    "[(a, b) for a in 'ab' for b in range(2)]",
    "list(range(10))[2:8:3]",
    "dict(a=1, **{'b': 2})",
    "sorted([3, 1, 2], reverse=True)",
    "list(enumerate('ab', 1))",
    "list(map(str, [1, 2]))",
    "list(filter(None, [0, 1, 2]))",
    "list(filter(lambda n: n > 1, [0, 1, 2]))",
    "'-'.join(['a', 'b']).upper()",
    "'a,b'.split(',') + ['c'] * 2",
    "f'{1:03d}-{\"x\"!r}'",
    "'%s-%d' % ('a', 1)",
    "'{}'.format(3)",
    "1 < 2 < 3 and not 0",
    "'a' in 'abc' or 1 / 0",
    "1 if [] else 2",
    "sum([[1], [2]], [])",
    "len('abc') + max(1, 2) - min([3])",
    "2 ** 10 % 7 // 2 | 8 & 12 ^ 1",
    "-1 + ~2",
    "list(reversed([1, 2]))",
    "tuple(x for x in 'ab')",
    "{'a': [1]}['a'][0]",
    "{'a': 1}.get('b', 2)",
    "list({'a': 1}.items())",
]


@pytest.mark.parametrize("expression", KNOWN)
def test_a_value_is_what_python_computes(expression: str) -> None:
    assert key(value(expression)) == key(eval(expression))  # noqa: S307


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("X = [1]\nX.append(2)\nX += [3]\nX.extend((4, 5))\nX.remove(1)\n", [2, 3, 4, 5]),
        ("X = []\nfor n in range(3):\n    X.append(n * n)\n", [0, 1, 4]),
        ("X = [1, 2, 3]\nX = X[:1]\n", [1]),
        ("X = {}\nX['a'] = 1\nX.update({'b': 2})\nX.pop('a')\n", {"b": 2}),
        ("A = 2\nX = [A] * A\n", [2, 2]),
        ("X, Y = [1], [2]\n", [1]),
        ("if True:\n    X = [1]\nelse:\n    X = []\n", [1]),
    ],
)
def test_a_name_has_the_value_its_statements_leave(module: str, expected: object) -> None:
    assert value("X", module) == expected


@pytest.mark.parametrize(
    "module",
    [
        "X = load()\n",
        "X = [1]\nif unknown():\n    X.append(2)\n",
        "X = X\n",
        "X = Y\nY = X\n",
        "X = [1]\nX.append(*load())\nX.extend(load())\n",
        "X = [n for n in load()]\n",
    ],
)
def test_what_does_not_follow_is_unknown(module: str) -> None:
    with pytest.raises(Unknown):
        value("X", module)


HUGE = [
    "10 ** 10 ** 10",
    "1 << 10 ** 10",
    "[0] * 10 ** 10",
    "'x' * 10 ** 10",
    "list(range(10 ** 10))",
    "[[0] * 100000 for _ in range(100000)]",
    "list(__import__('itertools').product(range(9), repeat=99))",
    "'%999999999d' % 1",
    "'{:999999999}'.format(1)",
    "f'{1:{10 ** 9}}'",
    "('x' * 1000).replace('', 'x' * 1000)",
    "[a for a in range(9999) for b in range(9999) for c in range(9999)]",
    "+".join(["1"] * 900) + "+" + "10 ** 99999",
]


@pytest.mark.parametrize("expression", HUGE)
def test_nothing_huge_is_computed(expression: str) -> None:
    with pytest.raises(Unknown):
        value(expression)


@pytest.mark.parametrize("name", ["product(range(9), repeat=99)", "permutations(range(99))"])
def test_no_huge_combination_is_made(name: str) -> None:
    with pytest.raises(Unknown):
        value(f"list(itertools.{name})")


def test_unknown_parts_are_told_apart_and_counted() -> None:
    found = cast("list[object]", value("[make(1), make(2), make(1), f]"))
    assert len(found) == 4
    assert all(isinstance(one, Opaque) for one in found)
    assert found[0] == found[2] != found[1]


def test_unknown_parts_of_a_comprehension_differ_by_its_variable() -> None:
    found = cast("list[object]", value("[make(n) for n in range(3)]"))
    assert len({cast("Opaque", one).text for one in found}) == 3


EXPRESSIONS = st.recursive(
    st.sampled_from(["1", "'a'", "None", "[]", "x", "range(3)", "()", "{}", "f(1)", "1.5"]),
    lambda inner: st.builds(
        lambda form, a, b: form.format(a, b),
        st.sampled_from(
            [
                "[{0}, {1}]",
                "({0} + {1})",
                "({0} * {1})",
                "{0}[{1}]",
                "{0}[1:{1}]",
                "[x for x in {0} if {1}]",
                "({0} if {1} else 2)",
                "len({0})",
                "sorted({0})",
                "dict({0})",
                "{{{0}: {1}}}",
                "({0} < {1})",
                "({0} and {1})",
                "sum({0}, {1})",
                "'-'.join({0})",
                "str({0})",
            ]
        ),
        inner,
        inner,
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(EXPRESSIONS)
def test_an_expression_has_pythons_value_or_none(expression: str) -> None:
    try:
        found = value(expression)
    except Unknown:
        return
    if "<" in key(found):
        return
    try:
        expected = eval(expression, {"x": object(), "f": lambda one: object()})  # noqa: S307
    except Exception as error:
        raise AssertionError(f"{expression} raises {error!r}, not {found!r}") from error
    assert key(found) == key(expected)


def test_modules_need_no_garbage_collector_to_go() -> None:
    modules = Modules(SourceTree({"a.py": "from b import X\nY = X\n", "b.py": "X = 1\n"}))
    constants = modules.constants("a.py")
    assert constants.named("Y") == 1
    gone = weakref.ref(modules)
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        del modules
        assert gone() is None
    finally:
        if was_enabled:
            gc.enable()
    with pytest.raises(Unknown):
        constants.external("b.X")
