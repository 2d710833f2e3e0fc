"""With which status an exit ends the run."""

from __future__ import annotations

import ast
import enum

from benchhygiene.inventory.meanings import Scope
from benchhygiene_plugins.harness.naming import UNKNOWN, Names, attributes

_ZERO = frozenset(("pytest.ExitCode.OK", "os.EX_OK", "pytest.ExitCode.OK.value"))


class Status(enum.Enum):
    """What a grader that asks for the status sees."""

    ZERO = "0"
    FAILURE = "a failure"
    PASSED_ON = "the run's own"
    UNKNOWN = "?"


def status(node: ast.expr | None, scope: Scope, names: Names) -> Status:
    """Return the status that an argument of ``sys.exit`` stands for; none at all is success."""
    if node is None:
        return Status.ZERO
    value = names.constant(node, scope)
    if value is not UNKNOWN:
        return Status.ZERO if value in (0, None) else Status.FAILURE
    found = names.of(node, scope)
    if any(one in _ZERO for one in found):
        return Status.ZERO
    if any("ExitCode." in one or ".EX_" in one for one in found):
        return Status.FAILURE
    if isinstance(node, ast.Call) and node.args and _is_conversion(node, scope, names):
        return status(node.args[0], scope, names)
    last = node.id if isinstance(node, ast.Name) else (*attributes(node), "")[0]
    return Status.PASSED_ON if last in ("exitstatus", "testsfailed") else Status.UNKNOWN


def _is_conversion(node: ast.Call, scope: Scope, names: Names) -> bool:
    made = names.of(node.func, scope)
    return "int" in made or "bool" in made or "pytest.ExitCode" in made
