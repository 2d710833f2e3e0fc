"""Build evidence from the world: the only part that opens files or runs processes."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchhygiene.sources.changes import change, git_change, patch_change, tree
    from benchhygiene.sources.days import as_of
    from benchhygiene.sources.git import Repository
    from benchhygiene.sources.invocations import invocation
    from benchhygiene.sources.pack_files import pack_schemas
    from benchhygiene.sources.pack_walk import PackLimits
    from benchhygiene.sources.packs import pack
    from benchhygiene.sources.reading import Limits
    from benchhygiene.sources.trees import TreeLimits

_HOMES = {
    "changes": ("change", "git_change", "patch_change", "tree"),
    "days": ("as_of",),
    "git": ("Repository",),
    "invocations": ("invocation",),
    "pack_files": ("pack_schemas",),
    "pack_walk": ("PackLimits",),
    "packs": ("pack",),
    "reading": ("Limits",),
    "trees": ("TreeLimits",),
}

__all__ = [
    "Limits",
    "PackLimits",
    "Repository",
    "TreeLimits",
    "as_of",
    "change",
    "git_change",
    "invocation",
    "pack",
    "pack_schemas",
    "patch_change",
    "tree",
]


if not TYPE_CHECKING:  # a type checker would take it to mean that any name is there

    def __getattr__(name: str) -> object:
        """Import a source when it is first asked for, so that unused ones cost nothing."""
        for home, names in _HOMES.items():
            if name in names:
                return getattr(importlib.import_module(f"benchhygiene.sources.{home}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
