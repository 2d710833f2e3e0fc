"""Where the product skips the test that calls it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchhygiene_plugins.subjects.awareness import may_mean
from benchhygiene_plugins.subjects.facts import Fact, fact
from benchhygiene_plugins.subjects.products import Product
from benchhygiene_plugins.subjects.units import Unit

RULE = "source.raises_skip"
WORDS = frozenset(
    b"pytest _pytest unittest unittest2 nose nose2 testtools SkipTest Skipped XFailed skip xfail "
    b"importorskip twisted trial __import__ import_module getattr".split()
)
_SKIPS = (
    "pytest.skip",
    "pytest.xfail",
    "pytest.importorskip",
    "unittest.SkipTest",
    "unittest.skip",
    "unittest.skipIf",
    "unittest.skipUnless",
    "unittest.expectedFailure",
    "unittest.TestCase.skipTest",
    "_pytest.outcomes.OutcomeException",
)
_LAST = (".SkipTest", ".Skipped", ".XFailed", ".skipTest")


def skips(unit: Unit, product: Product) -> Iterator[Fact]:
    """Yield every use of what ends a test as skipped; handlers of it are none."""
    file = product.evaluator.file(unit.path)
    handled = _handled(unit)
    covered: set[int] = set()
    vocabulary = product.vocabulary(RULE, WORDS, unit.path) - {"raise"} | {"getattr", "vars"}
    for node, scope in unit.walk(product.evaluator):
        if id(node) in covered or id(node) in handled:
            covered.update(map(id, ast.iter_child_nodes(node)))
            continue
        if not isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            continue
        if isinstance(getattr(node, "ctx", None), ast.Store) or not may_mean(node, vocabulary):
            continue
        for name in sorted(product.texts.names(node, scope)):
            if _is_skip(name):
                covered.update(map(id, ast.walk(node)))
                yield fact(RULE, unit, file, node, name, f"uses {name}, which skips the test")
                break


def _is_skip(name: str) -> bool:
    return name.startswith(_SKIPS) or ("." in name and name.endswith(_LAST))


def _handled(unit: Unit) -> frozenset[int]:
    """Return the parts that only tell such exceptions from others."""
    found: set[int] = set()
    for statement in unit.body:
        for one in ast.walk(statement):
            if isinstance(one, ast.ExceptHandler) and one.type is not None:
                found.update(map(id, ast.walk(one.type)))
            elif isinstance(one, ast.Call) and _last(one.func) in ("isinstance", "issubclass"):
                found.update(id(part) for given in one.args[1:] for part in ast.walk(given))
    return frozenset(found)


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_plugin(unit_names: Iterator[str] | tuple[str, ...]) -> bool:
    """Return whether a file holds hooks of pytest: then it serves tests, and may skip them."""
    return any(name.startswith("pytest_") for name in unit_names)
