"""Build evidence from the world: the only part that opens files or runs processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchhygiene.sources.invocations import invocation
    from benchhygiene.sources.reading import Limits

__all__ = ["Limits", "invocation"]


if not TYPE_CHECKING:  # a type checker would take it to mean that any name is there

    def __getattr__(name: str) -> object:
        """Import a source when it is first asked for, so that unused ones cost nothing."""
        if name == "invocation":
            from benchhygiene.sources.invocations import invocation

            return invocation
        if name == "Limits":
            from benchhygiene.sources.reading import Limits

            return Limits
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
