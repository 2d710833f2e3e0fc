"""What an interpreter needs to see of the machine to run at all."""

from __future__ import annotations

import os
from collections.abc import Iterator

from benchhygiene.sources.interpreters import prefixes
from benchhygiene.sources.sandbox.commands import Mount, shown

_PARTS = ("bin", "include", "lib", "lib64", "local", "pyvenv.cfg", "share")
_MOST_LINKS = 40


def interpreter_mounts(python: str) -> tuple[Mount, ...]:
    """Return mounts of an interpreter, its base and its packages, each where it is.

    Of a prefix only what belongs to Python is shown: it may be somebody's home. Raises InputError
    where the path leads to no interpreter.
    """
    parts = [os.path.join(prefix, part) for prefix in prefixes(python) for part in _PARTS]
    mounts = shown(parts)
    roots = tuple(mount.target for mount in mounts)
    links = (
        Mount(os.path.realpath(link), link)
        for link in _chain(os.path.abspath(python))
        if not any(link.startswith(f"{root}/") for root in (*roots, "/usr", "/bin"))
    )
    return (*mounts, *links)


def _chain(path: str) -> Iterator[str]:
    """Yield a path and every link on the way to what it leads to."""
    for _ in range(_MOST_LINKS):
        yield path
        if not os.path.islink(path):
            return
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))
