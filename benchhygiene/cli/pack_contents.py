"""Choose what of a tree a witness pack takes in: tests, what they read, and what code promises."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator, Mapping

import attrs

from benchhygiene.cli.pack_budgets import campaign
from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.pack import CAMPAIGN, CONTRACTS, FIXTURES, LEDGER, TESTS, WAIVERS
from benchhygiene.evidence.tree import EntryKind, SourceTree
from benchhygiene.inventory.rules import CONFIG_FILES
from benchhygiene.sources.packing.building import EMPTY
from benchhygiene.sources.packing.contents import Content, Copied, Given
from benchhygiene_plugins.oracles.inventory import inventory
from benchhygiene_plugins.oracles.territory import Standing, Territory

_SECTIONS = {
    "pyproject.toml": b"[tool.pytest",
    "tox.ini": b"[pytest]",
    "setup.cfg": b"[tool:pytest]",
}  # other files are pytest's own
_AMONG_TESTS = (Standing.CODE, Standing.FIXTURE, Standing.PROSE)


@attrs.frozen
class Chosen:
    """The contents of a pack by their paths in it, and what was passed over, with the reason."""

    contents: Mapping[str, Content]
    passed_over: tuple[str, ...]


def choose(
    tree: SourceTree,
    include: Iterable[str],
    exclude: Iterable[str],
    given: Mapping[str, bytes],
) -> Chosen:
    """Return what goes into the pack of a tree; ``given`` are a ledger and waivers by their paths.

    Globs are of paths in the tree, ``*`` matches ``/`` as well; what is excluded stays out whatever
    else says that it belongs in.
    """
    wanted = _wanted(tree, tuple(include))
    kept = {path: why for path, why in wanted.items() if not _matches(path, tuple(exclude))}
    contents: dict[str, Content] = {
        LEDGER: Given(EMPTY[LEDGER]),
        WAIVERS: Given(EMPTY[WAIVERS]),
        CAMPAIGN: Given(campaign(tree, kept)),
        **{path: Given(data) for path, data in given.items()},
    }
    passed_over: list[str] = []
    for path, folders in kept.items():
        target = _file_of(tree, path)
        if target is None:
            passed_over.append(f"{path}: a {tree.entries[path].kind.value} that leads to no file")
            continue
        for folder in folders:
            name = path if path.startswith(folder) else folder + path
            contents[name] = Copied(tree, target, tree.entries[target].is_executable)
    return Chosen(contents, (*passed_over, *tree.unseen))


def _wanted(tree: SourceTree, include: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the folders of the pack that each file goes to."""
    territory = tree.surveyed(Territory.of)
    oracles = {one.path: one for one in inventory(tree)}
    settings = _settings(tree)
    found: dict[str, tuple[str, ...]] = {}
    for path in tree.entries:
        oracle = oracles.get(path)
        among = territory.standing(path) in _AMONG_TESTS
        is_read = oracle is not None and bool(oracle.named_by)
        belongs = among or is_read or path == settings or _matches(path, include)
        folders = _folder(path) if belongs else ()
        promises = oracle is not None and oracle.contract is not None and not among
        found[path] = (*folders, *((CONTRACTS,) if promises else ()))
    return {path: folders for path, folders in found.items() if folders}


def _settings(tree: SourceTree) -> str | None:
    """Return the file at the root that pytest takes its settings from."""
    for name in CONFIG_FILES:
        section = _SECTIONS.get(name)
        try:
            if tree.is_file(name) and (section is None or section in tree.read(name)):
                return name
        except EvidenceUnavailable:
            continue
    return None


def _folder(path: str) -> tuple[str, ...]:
    return (TESTS if path.startswith(TESTS) else FIXTURES,)


def _file_of(tree: SourceTree, path: str) -> str | None:
    """Return the file at the path, a link followed within the tree; None where there is none."""
    target = tree.resolve(path) if tree.entries[path].kind is EntryKind.SYMLINK else path
    return target if target is not None and tree.is_file(target) else None


def _matches(path: str, globs: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(path, glob) for glob in globs)


def unmatched(tree: SourceTree, globs: Iterable[str]) -> Iterator[str]:
    """Yield the globs that match no file: most often there is a slip in one."""
    return (glob for glob in globs if not any(fnmatch.fnmatchcase(p, glob) for p in tree.entries))
