"""Choose what of a tree a witness pack takes in: tests, what they read, and what code promises."""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Iterable, Iterator, Mapping

import attrs

from benchhygiene.cli.pack_budgets import campaign
from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.pack import CAMPAIGN, CONTRACTS, FIXTURES, LEDGER, TESTS, WAIVERS
from benchhygiene.evidence.tree import EntryKind, SourceTree
from benchhygiene.inventory.rules import CONFIG_FILES
from benchhygiene.sources.packing.building import EMPTY
from benchhygiene.sources.packing.contents import Content, Copied, Given
from benchhygiene_plugins.oracles import FixtureFile, inventory
from benchhygiene_plugins.oracles.territory import (
    Standing,
    Territory,
    is_oracle,
    is_test_folder,
)

_SECTIONS = {
    "pyproject.toml": b"[tool.pytest",
    "tox.ini": b"[pytest]",
    "setup.cfg": b"[tool:pytest]",
}  # other files are pytest's own


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
    wanted, left_out = _Wanted.of(tree, tuple(include)), tuple(exclude)
    kept = {
        path: folders
        for path in tree.entries
        if not _matches(path, left_out) and (folders := wanted.folders(path))
    }
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


@attrs.frozen
class _Wanted:
    """What of a tree belongs into its pack, and where.

    ``homes`` are folders named as those of tests that hold some: of what lies elsewhere beside
    tests, all that tests name is taken, but no code, which could be the product's.
    """

    tree: SourceTree
    territory: Territory
    homes: frozenset[str]
    oracles: Mapping[str, FixtureFile]
    settings: str | None
    include: tuple[str, ...]

    @classmethod
    def of(cls, tree: SourceTree, include: tuple[str, ...]) -> _Wanted:
        territory = tree.surveyed(Territory.of)
        tests = [path for path in tree.files(".py") if territory.rules.is_test_file(path)]
        homes = {one for path in tests for one in _folders(path) if is_test_folder(one)}
        oracles = {one.path: one for one in inventory(tree)}
        return cls(tree, territory, frozenset(homes), oracles, _settings(tree), include)

    def folders(self, path: str) -> tuple[str, ...]:
        """Return the folders of the pack that a file goes to."""
        belongs = self._is_test(path) or path == self.settings or _matches(path, self.include)
        own = (TESTS if path.startswith(TESTS) else FIXTURES,) if belongs else ()
        oracle = self.oracles.get(path)
        promises = oracle is not None and oracle.contract is not None and own != (TESTS,)
        return (*own, *((CONTRACTS,) if promises else ()))

    def _is_test(self, path: str) -> bool:
        standing = self.territory.standing(path)
        if standing is Standing.IGNORED:
            return False
        if self.homes.intersection(_folders(path)):
            return True
        if path.endswith(".py"):
            is_conftest = posixpath.basename(path) == "conftest.py"
            return is_conftest or self.territory.rules.is_test_file(path)
        oracle = self.oracles.get(path)
        return oracle is not None and (bool(oracle.named_by) or is_oracle(path))


def _folders(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]


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


def _file_of(tree: SourceTree, path: str) -> str | None:
    """Return the file at the path, a link followed within the tree; None where there is none."""
    target = tree.resolve(path) if tree.entries[path].kind is EntryKind.SYMLINK else path
    return target if target is not None and tree.is_file(target) else None


def _matches(path: str, globs: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(path, glob) for glob in globs)


def unmatched(tree: SourceTree, globs: Iterable[str]) -> Iterator[str]:
    """Yield the globs that match no file: most often there is a slip in one."""
    return (glob for glob in globs if not any(fnmatch.fnmatchcase(p, glob) for p in tree.entries))
