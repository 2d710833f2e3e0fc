"""One tree as pytest would find it: settings, words, conftests, plugins and the tests at hand."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.collection import CollectionRules, Node
from benchhygiene.inventory.index import words as words_in
from benchhygiene.inventory.modules import Modules
from benchhygiene_plugins.configuration.files.environment import environment_words
from benchhygiene_plugins.configuration.files.plugins import entry_points
from benchhygiene_plugins.configuration.files.settings import Settings
from benchhygiene_plugins.configuration.files.words import Words, read_words
from benchhygiene_plugins.configuration.session.items import Marker
from benchhygiene_plugins.configuration.session.markers import marks_of

_WRITTEN = frozenset((b"argv", b"PYTEST_ADDOPTS"))


@attrs.frozen(eq=False)
class Side:
    """A tree with what configures it; ``directory`` is where pytest would be run."""

    tree: SourceTree
    settings: Settings
    words: Words
    rules: CollectionRules
    modules: Modules
    variables: Mapping[str, tuple[str, ...]]
    plugins: tuple[str, ...] = ()
    _marks: dict[int, tuple[Node, tuple[Marker, ...]]] = attrs.field(
        factory=dict[int, "tuple[Node, tuple[Marker, ...]]"]
    )

    @classmethod
    def of(cls, tree: SourceTree, directory: str = "") -> Side:
        """Return a tree's side; made for ``tree.surveyed`` where the directory is the root."""
        settings = Settings.of(tree, directory)
        rules = tree.surveyed(CollectionRules.of)
        return cls(
            tree,
            settings,
            read_words(settings.option("addopts").words),
            rules,
            Modules(tree, rules.pythonpath),
            environment_words(tree, settings),
            entry_points(tree),
        )

    def conftests(self) -> Iterator[str]:
        """Yield the conftests of the tree, outer before inner."""
        found = [
            path
            for path in self.tree.files("conftest.py")
            if posixpath.basename(path) == "conftest.py"
        ]
        yield from sorted(found, key=lambda path: (path.count("/"), path))

    def packages(self) -> Iterator[str]:
        """Yield the packages that write words for pytest when they are imported."""
        for path in self.tree.files("__init__.py"):
            try:
                held = self.tree.derived(path, words_in)
            except EvidenceUnavailable:
                continue
            if held & _WRITTEN:
                yield path

    def marks(self, node: Node) -> tuple[Marker, ...]:
        """Return the marks on a test, worked out once."""
        known = self._marks.get(id(node))
        if known is None:
            known = self._marks[id(node)] = (node, marks_of(self.modules, node))
        return known[1]
