"""Which directories the interpreter itself vouches for, and what lies inside them.

Whoever can write to the current directory, to PYTHONPATH or to a workspace can plant a
``*.dist-info`` folder or a module there; a plugin found that way would run their code.
"""

from __future__ import annotations

import importlib.util
import os
import site
import sys
from collections.abc import Iterable, Iterator

from benchhygiene.errors import RegistryError


def site_directories() -> tuple[str, ...]:
    """Return the interpreter's own site directories, as ``sys.path`` spells and orders them."""
    # A relative entry depends on the current directory, whoever it belongs to.
    entries = {entry: real_path(entry) for entry in sys.path if os.path.isabs(entry)}
    own = set(map(real_path, _declared_by_site()))
    # Asking sysconfig costs more than all else here, and hardly ever adds a directory.
    if any(path.endswith("-packages") and path not in own for path in entries.values()):
        own.update(map(real_path, _declared_by_sysconfig()))
    return tuple(entry for entry, path in entries.items() if path in own)


def other_directories(site: Iterable[str], roots: Iterable[str]) -> tuple[str, ...]:
    """Return the further places where metadata would be visible, as real paths, sorted."""
    visible = set(map(real_path, (os.curdir, *sys.path, *roots)))
    return tuple(sorted(visible - set(map(real_path, site))))


def real_path(path: str) -> str:
    """Return the path with links resolved, as it stands where that cannot be done."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):  # the current directory is gone; a null byte
        return path


def is_inside(path: str, directories: Iterable[str]) -> bool:
    """Return whether the path is one of the directories or lies below one, by name alone."""
    path = os.path.abspath(path)
    prefixes = (os.path.join(os.path.abspath(directory), "") for directory in directories)
    return any(os.path.join(path, "").startswith(prefix) for prefix in prefixes)


def require_trusted_module(name: str, directories: Iterable[str]) -> None:
    """Raise RegistryError unless the module would be imported from one of the directories.

    Looking for a submodule imports its packages, so those are judged first, from the top down.
    """
    trusted = tuple(directories)
    for module in _from_the_top(name):
        origin = _origin(module)
        if origin is not None and not is_inside(origin, trusted):
            raise RegistryError(
                f"module {module} would be imported from outside the interpreter's site "
                "directories (the current directory or PYTHONPATH shadows it)"
            )


def _declared_by_site() -> Iterator[str]:
    yield from site.getsitepackages()
    if site.ENABLE_USER_SITE:
        yield site.getusersitepackages()


def _declared_by_sysconfig() -> Iterator[str]:
    import sysconfig

    yield sysconfig.get_path("purelib")
    yield sysconfig.get_path("platlib")


def _from_the_top(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[: depth + 1]) for depth in range(len(parts)))


def _origin(module: str) -> str | None:
    """Return the file a module comes from; a namespace package has none, its modules do."""
    spec = importlib.util.find_spec(module)
    if spec is None:
        raise RegistryError(f"there is no module {module}")
    return spec.origin
