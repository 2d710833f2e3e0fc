"""The directory that the tests run in: the candidate's source, and the pack's tests over it."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable, InputError
from benchhygiene.evidence.tree import EntryKind, SourceTree
from benchhygiene.sources.replays.placement import Placement
from benchhygiene.sources.replays.settings import ReplaySettings

_HOOKS = frozenset(
    (
        ".coveragerc",
        ".pytest.ini",
        ".pytest.toml",
        "conftest.py",
        "pytest.ini",
        "pytest.toml",
        "setup.cfg",
        "sitecustomize.py",
        "tox.ini",
        "usercustomize.py",
    )
)
_COMPILED = (".pth", ".pyc", ".pyo", ".egg-link")
_METADATA = (".dist-info", ".egg-info")
#: What judges the tests: no source of these names is imported, whoever brings it.
JUDGES = frozenset(
    (
        "_hypothesis_pytestplugin",
        "_pytest",
        "coverage",
        "hypothesis",
        "iniconfig",
        "packaging",
        "pluggy",
        "pytest",
    )
)


@attrs.frozen
class Laid:
    """What became of a tree: what takes part, what was set aside, what stands for a module."""

    import_roots: tuple[str, ...]
    source: tuple[str, ...]
    set_aside: tuple[str, ...]
    planted: tuple[str, ...]


def lay_source(
    tree: SourceTree,
    root: str,
    settings: ReplaySettings,
    placed: Placement,
    installed: frozenset[str],
) -> Laid:
    """Write a tree's source below a directory, without anything that could take part in the tests.

    ``installed`` are names of modules that must come from the environment. Raises InputError where
    the tree was not wholly seen, or a file's bytes cannot be had: a part is not the candidate.
    """
    if tree.unseen:
        raise InputError(f"replay: the tree is not complete: {tree.unseen[0]}")
    roots = _import_roots(tree, settings)
    aside: list[str] = []
    planted: list[str] = []
    links: list[str] = []
    source: list[str] = []
    for path, entry in tree.entries.items():
        if placed.has(path):
            continue
        if _is_hook(path) or entry.kind not in (EntryKind.FILE, EntryKind.SYMLINK):
            aside.append(path)
        elif _module(path, roots) in installed:
            planted.append(path)
        elif entry.kind is EntryKind.SYMLINK:
            links.append(path)
        else:
            source.append(path)
            _write(os.path.join(root, path), _bytes(tree, path), entry.is_executable)
    aside += [path for path in links if not _link(tree, path, root, placed)]
    return Laid(roots, tuple(source), tuple(sorted(aside)), tuple(sorted(planted)))


def lay_pack(files: SourceTree, root: str, placed: Placement) -> None:
    """Write the pack's part over it."""
    for target, source in placed.files.items():
        _write(os.path.join(root, target), _bytes(files, source), executable=False)


def tops(tree: SourceTree, settings: ReplaySettings) -> frozenset[str]:
    """Return the names of the modules that a tree offers at its import roots."""
    roots = _import_roots(tree, settings)
    names = (_module(path, roots) for path in tree.entries)
    return frozenset(name for name in names if name is not None)


def _import_roots(tree: SourceTree, settings: ReplaySettings) -> tuple[str, ...]:
    if settings.import_roots is not None:
        return tuple(root.strip("/") for root in settings.import_roots)
    has_src = any(path.startswith("src/") for path in tree.entries)
    return ("src", "") if has_src else ("",)


def _module(path: str, roots: tuple[str, ...]) -> str | None:
    """Return the top module that a file is, or is part of; None where imports don't find it."""
    for root in roots:
        if not root or path.startswith(f"{root}/"):
            first, _, below = path[len(root) + 1 if root else 0 :].partition("/")
            return first if below else first.partition(".")[0]
    return None


def _is_hook(path: str) -> bool:
    name = posixpath.basename(path)
    if name in _HOOKS or name.endswith(_COMPILED):
        return True
    return any(part.endswith(_METADATA) for part in path.split("/"))


def _bytes(tree: SourceTree, path: str) -> bytes:
    try:
        return tree.stored(path)
    except EvidenceUnavailable as error:
        raise InputError(f"replay: {error}") from error


def _write(place: str, data: bytes, executable: bool) -> None:
    os.makedirs(os.path.dirname(place), 0o755, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    descriptor = os.open(place, flags, 0o755 if executable else 0o644)
    with open(descriptor, "wb") as file:
        file.write(data)


def _link(tree: SourceTree, path: str, root: str, placed: Placement) -> bool:
    """Lay a link that stays within the tree; return whether it does."""
    target = os.fsdecode(_bytes(tree, path))
    leads = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    inside = not target.startswith("/") and leads != ".." and not leads.startswith("../")
    if not inside or placed.has(leads):
        return False
    if any(above in tree.entries for above in _above(leads)):  # through another link
        return False
    place = os.path.join(root, path)
    os.makedirs(os.path.dirname(place), 0o755, exist_ok=True)
    os.symlink(target, place)
    return True


def _above(path: str) -> Iterator[str]:
    while path := posixpath.dirname(path):
        yield path
