"""Build evidence from the world: the only part that opens files or runs processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchhygiene.sources.invocations import invocation as invocation

__all__ = ["invocation"]


def __getattr__(name: str) -> object:
    """Import a source when it is first asked for, so that unused ones cost nothing."""
    if name == "invocation":
        from benchhygiene.sources.invocations import invocation

        return invocation
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
