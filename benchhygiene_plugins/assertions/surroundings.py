"""What of a file a node depends on, so that one whose source is the same is not followed."""

from __future__ import annotations

import ast
import functools
import hashlib
from collections.abc import Iterable, Iterator, Mapping

import attrs

from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.python import PythonFile
from benchhygiene_plugins.assertions.affected import Affected
from benchhygiene_plugins.assertions.modules import Project


@attrs.frozen(eq=False)
class Surroundings:
    """The sources of one tree's nodes, and of what stands around them, as hashes."""

    project: Project
    definitions: Mapping[str, frozenset[tuple[int, int]]]
    _files: dict[str, bytes] = attrs.field(factory=dict[str, bytes], init=False)

    @classmethod
    def of(cls, project: Project, nodes: Iterable[Node]) -> Surroundings:
        """Return the surroundings of these nodes."""
        found: dict[str, set[tuple[int, int]]] = {}
        for node in nodes:
            spot = (node.definition.lineno, node.definition.col_offset)
            found.setdefault(node.definition_path, set()).add(spot)
        return cls(project, {path: frozenset(spots) for path, spots in found.items()})

    def key(self, node: Node) -> tuple[object, ...] | None:
        """Return what is equal where a node's own source and all around it are."""
        module = self.project.module(node.definition_path)
        home = self.project.module(node.path)
        if module is None or home is None:
            return None
        own = module.source.definition_text(node.definition)
        return (own, self.around(node.definition_path), self.around(node.path))

    def around(self, path: str) -> bytes:
        """Return a hash of all that a file holds beside its nodes."""
        if path not in self._files:
            module = self.project.module(path)
            source = module.source if module is not None else PythonFile()
            digest = hashlib.blake2b(digest_size=16)
            for text in self._rest(source, source.body, self.definitions.get(path, frozenset())):
                digest.update(text.encode(errors="surrogatepass") + b"\x00")
            self._files[path] = digest.digest()
        return self._files[path]

    def _rest(
        self, source: PythonFile, body: list[ast.stmt], nodes: frozenset[tuple[int, int]]
    ) -> Iterator[str]:
        for statement in body:
            if (statement.lineno, statement.col_offset) in nodes:
                yield getattr(statement, "name", "")
            elif isinstance(statement, ast.ClassDef):
                words = (word.value for word in statement.keywords)
                heads = (*statement.decorator_list, *statement.bases, *words)
                yield " ".join((statement.name, *map(source.segment, heads)))
                yield from self._rest(source, statement.body, nodes)
            else:
                yield source.segment(statement)


@attrs.frozen(slots=False, eq=False)
class Sameness:
    """Tells of a node of both trees whether anything it is read with differs."""

    parent: Project
    candidate: Project
    reached: Affected

    def is_untouched(self, old: Node, new: Node) -> bool:
        """Return whether a node reads the same, and so does everything it can see of the tests."""
        text = self._text(self.parent, old)
        if text is None or text != self._text(self.candidate, new):
            return False
        if _standing(old) != _standing(new):
            # Under another name, or in another file, all around it has to read the same.
            return not self.reached.altered.words and self._is_alike(old, new)
        return not self.reached.altered.touch(new, text)

    def is_alone(self, old: Node, new: Node) -> bool:
        """Return whether nothing that a node can see differs but its own source."""
        altered, texts = self.reached.altered, [self._text(self.parent, old)]
        texts.append(self._text(self.candidate, new))
        if _standing(old) != _standing(new):
            return False
        return not any(text is None or altered.touch(new, text) for text in texts)

    @staticmethod
    def _text(side: Project, node: Node) -> str | None:
        module = side.module(node.definition_path)
        return module.source.definition_text(node.definition) if module is not None else None

    def _is_alike(self, old: Node, new: Node) -> bool:
        before, after = (side.key(one) for side, one in zip(self._around, (old, new), strict=True))
        return before is not None and before == after

    @functools.cached_property
    def _around(self) -> tuple[Surroundings, Surroundings]:
        pairing = self.reached.pairing
        return (
            Surroundings.of(self.parent, pairing.parent.nodes),
            Surroundings.of(self.candidate, pairing.candidate.nodes),
        )


def _standing(node: Node) -> tuple[str, ...]:
    return (node.path, node.definition_path, *(one.name for one in node.classes))
