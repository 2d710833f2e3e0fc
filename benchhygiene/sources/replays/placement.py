"""Where the files of a pack lie in the workspace, and what the candidate cannot put there."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping

import attrs

from benchhygiene.errors import InputError
from benchhygiene.evidence.pack import WitnessPack
from benchhygiene.inventory.collection import CollectionRules, collect
from benchhygiene.sources.replays.settings import ReplaySettings

_FIXTURES = "fixtures/"
_FOLDERS = ("test", "tests", "testing")


@attrs.frozen
class Placement:
    """The pack's files by their places; ``taken`` are directories that are the pack's alone.

    ``test_paths`` are what pytest is asked to run.
    """

    files: Mapping[str, str]
    taken: tuple[str, ...]
    test_paths: tuple[str, ...]

    def has(self, path: str) -> bool:
        """Return whether a place is the pack's, so that nothing of the candidate's lies there."""
        if path in self.files:
            return True
        return any(path == one or path.startswith(f"{one}/") for one in self.taken)


def placement(pack: WitnessPack, settings: ReplaySettings) -> Placement:
    """Return where everything goes.

    ``tests/X`` lies at ``tests/X``. ``fixtures/X`` lies at ``X``, where a pack that was built has
    it from, and at ``fixtures/X`` as well, where tests that were written for the pack look.
    """
    files = _by_layout(pack, settings.layout) if settings.layout is not None else _usual(pack)
    asked = settings.test_paths
    paths = tuple(_test_paths(pack, files)) if asked is None else asked
    if not paths:
        raise InputError("replay: the pack has no tests that pytest would collect")
    return Placement(files, tuple(sorted(_taken(files, paths))), paths)


def _usual(pack: WitnessPack) -> dict[str, str]:
    found = dict(pack.laid_out)
    for path in pack.files.files():
        if path.startswith(_FIXTURES):
            found.setdefault(path, path)
    return dict(sorted(found.items()))


def _by_layout(pack: WitnessPack, layout: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for source, target in layout.items():
        for path in pack.files.files():
            if path.startswith(f"{source}/"):
                found[target + path[len(source) :]] = path
    return dict(sorted(found.items()))


def _test_paths(pack: WitnessPack, files: Mapping[str, str]) -> Iterator[str]:
    """Yield ``tests`` where there are tests in it, and each test file that lies elsewhere."""
    tests = [path for path in files if _has_nodes(pack, files, path)]
    if any(path.startswith("tests/") for path in tests):
        yield "tests"
    yield from (
        path for path in tests if not path.startswith(("tests/", _FIXTURES)) or path == "tests"
    )


def _has_nodes(pack: WitnessPack, files: Mapping[str, str], path: str) -> bool:
    name = posixpath.basename(path)
    if not (name.startswith("test_") or name.endswith("_test.py")) or not name.endswith(".py"):
        return False
    alone = attrs.evolve(pack.files, entries={files[path]: pack.files.entries[files[path]]})
    return bool(collect(alone, CollectionRules()).nodes)


def _taken(files: Iterable[str], test_paths: Iterable[str]) -> set[str]:
    """Return the directories of tests: what the candidate has in them takes no part."""
    found = {path for path in test_paths if not path.endswith(".py")}
    for path in (*files, *test_paths):
        parts = path.split("/")[:-1]
        found.update("/".join(parts[: at + 1]) for at, part in enumerate(parts) if part in _FOLDERS)
    return found | {path.partition("/")[0] for path in files if path.startswith(_FIXTURES)}
