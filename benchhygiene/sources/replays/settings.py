"""How a replay is done, said by whoever scores, never by the candidate."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

import attrs

from benchhygiene.errors import InputError
from benchhygiene.evidence.entries import require_plain
from benchhygiene.sources.sandbox import Isolation, Sandbox, SandboxLimits


def _layout(value: Mapping[str, str] | None) -> dict[str, str] | None:
    if value is None:
        return None
    for path in (*value, *value.values()):
        require_plain(path)
    return dict(sorted(value.items()))


def _not_negative(_: object, attribute: attrs.Attribute[int], value: int) -> None:
    if value < 0:
        raise InputError(f"{attribute.name} {value}: expected 0 or more")


@attrs.frozen(kw_only=True)
class ReplaySettings:
    """Which interpreter, where things lie, and what else is asked.

    ``python`` is an interpreter, or its environment's directory, with pytest and all that the tests
    need. ``plugins`` are modules that pytest loads; it loads no others. ``layout`` maps directories
    of the pack to where they lie in the workspace, and ``test_paths`` are what is run there; by
    default both are read off the pack. What the candidate has in these places is left out.
    ``import_roots`` are directories of the candidate that imports search, by default ``src`` and
    the root. ``reruns`` is how often nodes in the ledger are run once more. With ``reach`` executed
    lines are measured. A ``writable`` workspace is a copy that tests may write to, the pack's part
    excepted.
    """

    python: str = sys.executable
    plugins: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    layout: Mapping[str, str] | None = attrs.field(default=None, converter=_layout)
    test_paths: tuple[str, ...] | None = None
    import_roots: tuple[str, ...] | None = None
    environ: Mapping[str, str] = attrs.field(factory=dict[str, str])
    limits: SandboxLimits = attrs.field(factory=SandboxLimits)
    isolation: Isolation = Isolation.NAMESPACES
    reruns: int = attrs.field(default=0, validator=_not_negative)
    baseline: bool = True
    reach: bool = False
    writable: bool = False

    @property
    def sandbox(self) -> Sandbox:
        """Return the sandbox that everything is run in."""
        return Sandbox(self.limits, self.isolation)

    @property
    def executable(self) -> str:
        """Return the interpreter's program."""
        path = os.path.abspath(self.python)
        return os.path.join(path, "bin", "python") if os.path.isdir(path) else path
