"""The names a module ends up with, as far as its source tells. Nothing is run.

Definitions, imports, assignments, deletions, writes through ``globals()`` and ``setattr``, and the
branches and loops they stand in are followed. What cannot be told is a Doubt.
"""

from __future__ import annotations

from benchhygiene.inventory.bindings import Doubt, Scope
from benchhygiene.inventory.frames import Frame
from benchhygiene.inventory.python import PythonFile
from benchhygiene.inventory.steps import STEPS
from benchhygiene.inventory.values import Unknown
from benchhygiene.inventory.walk import Walk


def module_scope(file: PythonFile) -> Scope:
    """Return the names a module ends up with; made for ``PythonFile.derived``."""
    scope = Scope()
    walk = Walk(Frame(scope), STEPS, has_walrus=":=" in file.text)
    try:
        walk.run(file.body, walk.module)
    except (Unknown, RecursionError) as error:
        reason = "too deeply nested" if isinstance(error, RecursionError) else str(error)
        scope.doubts.append(Doubt(1, f"not all of the module could be followed: {reason}"))
    scope.names = walk.module.names
    return scope
