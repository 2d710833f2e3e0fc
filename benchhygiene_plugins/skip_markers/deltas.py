"""Which tests nothing can exempt anew, because of what little differs in them.

A test's exemptions come from what is around it, its decorators and parameters, and its body. Where
all but the body is the same on both sides, they can differ only by what the body does anew.
"""

from __future__ import annotations

import attrs

from benchhygiene.inventory.collection import Node
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
        if self._is_same(before, after):
            return False
        if after.path not in self.reach.apart or before.parameters.ids != after.parameters.ids:
            return True
        if before.definition_path != after.definition_path:
            return True
        if after.definition_path != after.path:  # inherited from a file in which nothing differs
            return not self.reach.is_same_file(after.definition_path)
        try:
            return self._may_exempt(before, after)
        except RecursionError:
            return True

    def _is_same(self, before: Node, after: Node) -> bool:
        """Return whether a test reads the same in a file in which nothing bears on it."""
        if not (before.path == before.definition_path == after.definition_path == after.path):
            return False
        if after.path not in self.reach.alone and after.path not in self.reach.apart:
            return False
        was, now = (
            file.definition_text(one.definition)
            for file, one in zip(self._files(after.path), (before, after), strict=True)
        )
        return was == now

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
