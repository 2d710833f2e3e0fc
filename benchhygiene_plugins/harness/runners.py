"""Files that run the tests themselves, and no longer hand on how that went."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

from benchhygiene.evidence import Change
from benchhygiene_plugins.harness.deeds import Act, Deed, Place
from benchhygiene_plugins.harness.reading import Reader
from benchhygiene_plugins.harness.steps import Called
from benchhygiene_plugins.harness.units import Unit, units

_RUNS = frozenset(("pytest.main", "pytest.console_main", "unittest.TextTestRunner"))
_RESULTS = frozenset(("returncode", "wasSuccessful", "exitcode"))
_LEAVING = frozenset(("sys.exit", "exit", "quit", "os._exit", "SystemExit"))
_WORDS = ("pytest", "unittest")


def dropped(change: Change, old: Reader, new: Reader) -> Iterator[Deed]:
    """Yield the files that handed on the status of a run of tests, and do not any more."""
    for path in change.differing():
        both = change.parent.is_file(path) and change.candidate.is_file(path)
        if not both or not path.endswith(".py"):
            continue
        if not any(word in old.names.evaluator.file(path).text for word in _WORDS):
            continue
        try:
            is_lost = _handed_on(old, path) and _runs(new, path) and not _hands_on(new, path)
        except RecursionError:
            continue
        if is_lost:
            says = "the status of the tests that this file runs is dropped"
            yield Deed(Act.EXIT, "status dropped", says, Place(path))


def _handed_on(reader: Reader, path: str) -> bool:
    """Return whether a definition that may differ hands the status on, or the module itself.

    What others do is the same on both sides: where one of them hands it on it still does.
    """
    return _hands_on(reader, path, reader.only(path))


def _runs(reader: Reader, path: str) -> bool:
    return any(_is_run(one.call.func, unit, reader) for unit, one in _calls(reader, path))


def _hands_on(reader: Reader, path: str, only: Container[str] | None = None) -> bool:
    for unit, one in _calls(reader, path, only):
        if not one.call.args or _LEAVING.isdisjoint(reader.names.of(one.call.func, unit.scope)):
            continue
        if any(_is_status(given, unit, reader) for given in one.call.args):
            return True
    return False


def _calls(
    reader: Reader, path: str, only: Container[str] | None = None
) -> Iterator[tuple[Unit, Called]]:
    for unit in units(reader.names.evaluator, path, only):
        yield from ((unit, one) for _, one in unit.calls)


def _is_run(node: ast.expr, unit: Unit, reader: Reader) -> bool:
    return not _RUNS.isdisjoint(reader.names.of(node, unit.scope))


def _is_status(node: ast.expr, unit: Unit, reader: Reader) -> bool:
    origin = reader.names.evaluator.origin(node, unit.scope).expression
    if isinstance(origin, ast.BoolOp | ast.IfExp | ast.BinOp):
        return False  # what it makes of a status is not known
    return any(
        (isinstance(one, ast.Attribute) and one.attr in _RESULTS)
        or (isinstance(one, ast.Call) and _is_run(one.func, unit, reader))
        for part in (node, origin)
        for one in ast.walk(part)
    )
