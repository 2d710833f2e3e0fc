"""Where a change may touch the harness: files of code, of settings, and what is planted."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from benchhygiene.evidence import Change
from benchhygiene_plugins.harness.comparison import Fresh, fresh
from benchhygiene_plugins.harness.deeds import Act, Deed, Place, Weight
from benchhygiene_plugins.harness.planting import planted
from benchhygiene_plugins.harness.reading import Reader
from benchhygiene_plugins.harness.rewrites import lost_rewrites
from benchhygiene_plugins.harness.runners import dropped
from benchhygiene_plugins.harness.settings import deeds, shebang_deeds
from benchhygiene_plugins.harness.shadows import Shadows


@attrs.frozen(eq=False)
class Surface:
    """Reads both sides of the files that differ."""

    change: Change
    old: Reader
    new: Reader

    def before(self) -> Iterator[Deed]:
        """Yield what the parent's files do."""
        return self._deeds(self.old)

    def after(self) -> Iterator[Deed]:
        """Yield what the candidate's files do."""
        return self._deeds(self.new)

    def _deeds(self, reader: Reader) -> Iterator[Deed]:
        for path in self.change.differing():
            if path.endswith(".py"):
                yield from reader.deeds(path)
                yield from shebang_deeds(reader.tree, path)
            else:
                yield from deeds(reader.tree, path)

    def planted(self) -> Iterator[Fresh]:
        """Yield what has no like in the parent by its nature: files, and where imports lead."""
        for deed in planted(self.change):
            yield Fresh(deed)
        try:
            shadowed = [*Shadows(self.change, self.old, self.new).all()]
        except RecursionError:
            reason = "its names are too deeply nested to follow"
            shadowed = [Deed(Act.UNSEEN, reason, reason, Place("."))]
        for deed in shadowed:
            yield Fresh(deed)
        for deed in dropped(self.change, self.old, self.new):
            yield Fresh(deed)
        for deed, old_text in lost_rewrites(self.change, self.old, self.new):
            yield Fresh(deed, old_text)
        yield from self._loaded()

    def _loaded(self) -> Iterator[Fresh]:
        """Yield the options that load a plugin of the tree that does something grave."""
        for one in fresh(self.before(), self.after()):
            name = one.deed.what.removeprefix("-p ")
            if name == one.deed.what:
                continue
            home = self.new.names.evaluator.modules.locate("conftest.py", name)
            home = home or self.new.names.evaluator.modules.locate("tests/conftest.py", name)
            known = self.new.deeds(home) if home is not None else ()
            if any(each.weight is Weight.GRAVE for each in known):
                yield Fresh(attrs.evolve(one.deed, weight=Weight.GRAVE))
