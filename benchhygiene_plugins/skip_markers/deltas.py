"""Which tests nothing can exempt anew, because of what little differs in them.

A test's exemptions come from what is around it, its decorators and parameters, and its body. Where
all but the body is the same on both sides, they can differ only by what the body does anew.
"""

from __future__ import annotations

import attrs

from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.index import words
from benchhygiene.inventory.pairing import Pair
from benchhygiene.inventory.python import PythonFile
from benchhygiene_plugins.skip_markers.differences import difference, has_same_head
from benchhygiene_plugins.skip_markers.inventory import Reader
from benchhygiene_plugins.skip_markers.reach import Reach


@attrs.frozen(eq=False)
class Deltas:
    """Tells which tests of a change may be exempted anew."""

    reach: Reach
    old: Reader
    new: Reader

    def may_exempt(self, pair: Pair) -> bool:
        """Return whether anything that differs in a test, or around it, may exempt it anew."""
        before, after = pair.old, pair.new
        if after is None or pair.is_renamed:
            return True
        if self._is_alone(before, after) and self._is_same(before, after):
            return False
        loose = self.reach.unsettled(after.path)
        if loose is None or before.parameters.ids != after.parameters.ids:
            return True
        if before.definition_path != after.definition_path:
            return True
        if after.definition_path != after.path:  # inherited from a file in which nothing differs
            return bool(loose) or not self.reach.is_same_file(after.definition_path)
        if loose and self._uses(loose, before, after):
            return True
        if self._is_same(before, after):
            return False
        try:
            return self._may_exempt(before, after)
        except RecursionError:
            return True

    def _is_alone(self, before: Node, after: Node) -> bool:
        """Return whether a test is in a file in which nothing but tests has changed."""
        is_here = before.path == before.definition_path == after.definition_path == after.path
        return is_here and after.path in self.reach.alone

    def _is_same(self, before: Node, after: Node) -> bool:
        was, now = self._texts(before, after)
        return was == now

    def _texts(self, before: Node, after: Node) -> tuple[str, str]:
        """Return what a test reads on both sides."""
        files = self._files(after.definition_path)
        return files[0].definition_text(before.definition), files[1].definition_text(
            after.definition
        )

    def _uses(self, loose: frozenset[bytes], before: Node, after: Node) -> bool:
        """Return whether a test, or the class around it, has one of these words."""
        texts = (*self._texts(before, after), *(one.name for one in after.classes))
        there = words("\n".join(texts).encode(errors="surrogatepass"))
        return not loose.isdisjoint(there)

    def _files(self, path: str) -> tuple[PythonFile, PythonFile]:
        return self.old.evaluator.file(path), self.new.evaluator.file(path)

    def _may_exempt(self, before: Node, after: Node) -> bool:
        """Return whether the head of a test differs, or its body does anything new."""
        both = (before.definition, after.definition, *self._files(after.path))
        if not has_same_head(*both):
            return True
        asked = set(self.new.fixtures.requests(after.definition, after.path))
        if not asked <= set(self.old.fixtures.requests(before.definition, before.path)):
            return True
        acts = difference(*both).acts()
        first = next(acts, None)
        if first is None:
            return False
        bodies = self.new.bodies
        scope = self.new.evaluator.frame_of(self.new.routine(after), ())
        for step, call in (first, *acts):
            # Guards are of no interest: where nothing is done, it is not done at any time.
            if call is None and bodies.of_statement(step.statement, scope, 0):
                return True
            if call is not None and any(bodies.of_call(call, scope, 0)):
                return True
        return False
