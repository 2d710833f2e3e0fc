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
        if "/" in settings.path:
            rules = _inner(rules, settings)
        return cls(
            tree,
            settings,
            read_words(settings.option("addopts").words),
            rules,
            Modules(tree, rules.pythonpath),
            environment_words(tree, settings),
            entry_points(tree),
        )

    def conftests(self) -> tuple[str, ...]:
        """Return the conftests of the tree, outer before inner."""
        return self.tree.surveyed(_conftests)

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


def _inner(rules: CollectionRules, settings: Settings) -> CollectionRules:
    """Return the rules of a run that starts below the root, under settings of its own."""
    plain = CollectionRules()

    def words(name: str, default: tuple[str, ...]) -> tuple[str, ...]:
        return settings.options[name].words if name in settings.options else default

    return attrs.evolve(
        plain,
        pythonpath=rules.pythonpath,
        python_files=words("python_files", plain.python_files),
        python_classes=words("python_classes", plain.python_classes),
        python_functions=words("python_functions", plain.python_functions),
    )


def _conftests(tree: SourceTree) -> tuple[str, ...]:
    named = tree.files("conftest.py")
    found = [path for path in named if posixpath.basename(path) == "conftest.py"]
    return tuple(sorted(found, key=lambda path: (path.count("/"), path)))
