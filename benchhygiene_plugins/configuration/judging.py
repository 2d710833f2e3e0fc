"""Judge an edit, for a run in one directory: what it drops, and what is no longer strict."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

import attrs

from benchhygiene import BaseFinding
from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.inventory.collection import Node
from benchhygiene.inventory.python import parse
from benchhygiene.inventory.rules import CONFIG_FILES
from benchhygiene.inventory.touched import rules_of
from benchhygiene_plugins.configuration import reporting
from benchhygiene_plugins.configuration.demand import demand, steers
from benchhygiene_plugins.configuration.files.words import overrides
from benchhygiene_plugins.configuration.floors import lowered_by_hooks
from benchhygiene_plugins.configuration.losses import Compared, compare
from benchhygiene_plugins.configuration.quarantine import Quarantine
from benchhygiene_plugins.configuration.reruns.counting import allowed
from benchhygiene_plugins.configuration.selection import Selection
from benchhygiene_plugins.configuration.side import Side
from benchhygiene_plugins.configuration.strictness import Drop, Rigour, drops


@attrs.frozen(eq=False)
class Judgement:
    """Both sides of an edit, as a run in one directory finds them."""

    change: Change
    before: Side
    after: Side
    quarantine: Quarantine
    directory: str = ""

    @classmethod
    def of(cls, change: Change, quarantine: Quarantine, directory: str = "") -> Judgement:
        """Return the judgement of an edit for a run in a directory."""
        before, after = Side.of(change.parent, directory), Side.of(change.candidate, directory)
        return cls(change, before, after, quarantine, directory)

    def findings(self) -> Iterator[BaseFinding]:
        """Yield all that the configuration of a run takes away."""
        asked = demand(self.change, self.before, self.after)
        compared: Compared | None = None
        if asked.is_wide or asked.paths or self._is_inner():
            paths = None if asked.is_wide or self._is_inner() else asked.paths
            compared = compare(self.change, self.before, self.after, paths, self.directory)
            yield from self._of_compared(compared)
        if self.before.settings.broken is None and self.after.settings.broken is None:
            yield from self._rigour(compared)
        yield from self._unreadable()

    def _is_inner(self) -> bool:
        return bool(self.directory)

    def _of_compared(self, compared: Compared) -> Iterator[BaseFinding]:
        yield from reporting.deselected(
            self.change, compared.dropped, self.before, self.after, self.quarantine
        )
        for name, loss in sorted(compared.stops.items()):
            yield reporting.stopping(self._blamed(loss.cause.path), name, loss)
        hooked = lowered_by_hooks(self.before, compared.new.settings, self.after.settings.path)
        yield from map(reporting.lowered, hooked)
        for cause in compared.doubts:
            where = cause.path or self._blamed("")
            reason = "what is done to the tests here could not be followed"
            yield reporting.unseen(where, cause.line, reason, cause.text)
        by_path: dict[str, list[str]] = {}
        for node_id, cause in compared.reruns.items():
            if not self.quarantine.holds(node_id):
                by_path.setdefault(cause.path, []).append(node_id)
        for path, ids in sorted(by_path.items()):
            words = f"a hook marks {len(ids)} tests to be run again"
            yield reporting.rerun_by_hook(path, None, "", words)

    def _blamed(self, path: str) -> str:
        """Return the file of the edit that is to blame for what is said in a file."""
        candidates = (path, self.after.settings.path, self.before.settings.path)
        named = [one for one in candidates if one]
        return next((one for one in named if self.change.differs(one)), named[0] if named else ".")

    def _rigour(self, compared: Compared | None) -> Iterator[BaseFinding]:
        old = _rigour(self.before, compared.old if compared else None)
        new = _rigour(self.after, compared.new if compared else None)
        lax = [*drops(old, new)]
        if compared is not None:
            lax += _unawaited(old, new, compared.nodes)
        for drop in lax:
            yield reporting.laxer(self._source(drop.option, compared), drop)
        was, now = allowed(old), allowed(new)
        if now > was:
            words = f"every test is run up to {now} times more, where it was {was}"
            path = self._source("reruns", compared)
            yield reporting.rerun_by_hook(path, None, f"reruns = {now}", words)
        yield from self._edited({drop.option for drop in lax})

    def _source(self, option: str, compared: Compared | None) -> str:
        """Return the file that sets an option in the candidate, or did in the parent."""
        if compared is not None:
            for found in (compared.new, compared.old):
                given = found.settings.get(option)
                path = given[1].path if given is not None else ""
                path = path or (
                    found.overrides[option][1].path if option in found.overrides else ""
                )
                if path and self.change.differs(path):
                    return path
        return self._blamed("")

    def _edited(self, reported: set[str]) -> Iterator[BaseFinding]:
        """Yield the edit of a configuration file as such: it hides nothing by itself."""
        old, new = self.before.settings, self.after.settings
        names = sorted(
            name
            for name in {*old.options, *new.options}
            if old.option(name).words != new.option(name).words and name not in reported
        )
        path = self._blamed("")
        if names and self.change.differs(path):
            shown = (
                "\n".join(
                    f"{name} = {one.option(name).text}" for name in names if name in one.options
                )
                for one in (old, new)
            )
            yield reporting.edited(path, names, *shown)

    def _unreadable(self) -> Iterator[BaseFinding]:
        broken = self.after.settings.broken
        if broken is not None and broken != self.before.settings.broken:
            yield reporting.unseen(broken[0], None, broken[1])
        elif self.before.settings.broken is not None and broken is None:
            path, reason = self.before.settings.broken
            yield reporting.unseen(path, None, f"the parent's cannot be read: {reason}")


def _rigour(side: Side, selection: Selection | None) -> Rigour:
    given = dict(overrides(side.words))
    if selection is not None:
        given.update((name, " ".join(words)) for name, (words, _) in selection.overrides.items())
        own = (side.settings.path, "")
        given.update(
            (name, text)
            for name, (text, cause) in selection.settings.items()
            if cause.path not in own
        )
        more = selection.added.get("filterwarnings", ())
        if more:
            lines = (*side.settings.option("filterwarnings").lines, *(line for line, _ in more))
            given["filterwarnings"] = "\n".join(lines)
    return Rigour(side.settings, side.words, given)


def _unawaited(old: Rigour, new: Rigour, nodes: tuple[Node, ...]) -> Iterator[Drop]:
    """Yield that coroutines are no longer run by themselves, where a test needs it."""
    was, now = (_asyncio_mode(one) for one in (old, new))
    if was != "auto" or now == "auto":
        return
    needy = [one for one in nodes if type(one.definition).__name__ == "AsyncFunctionDef"]
    bare = [one for one in needy if not one.is_unittest and not one.definition.decorator_list]
    if bare:
        words = f"{len(bare)} coroutines are no longer run by themselves"
        yield Drop("asyncio_mode", was, now, words)


def _asyncio_mode(rigour: Rigour) -> str:
    return rigour.words.last("asyncio_mode") or rigour.option("asyncio_mode").text.strip()


def unreadable_conftests(change: Change) -> Iterator[BaseFinding]:
    """Yield the conftests of an edit that cannot be read."""
    for path in change.differing():
        if posixpath.basename(path) != "conftest.py":
            continue
        for tree in (change.candidate, change.parent):
            reason = _error(tree, path)
            if reason:
                yield reporting.unseen(path, None, reason)
                break


def _error(tree: SourceTree, path: str) -> str:
    if path not in tree.entries:
        return ""
    if not tree.is_file(path):
        return "it is no plain file"
    try:
        return tree.derived(path, parse).error or ""
    except EvidenceUnavailable as error:
        return str(error).removeprefix(f"{path}: ")


def steering_edits(change: Change, said: Mapping[str, object]) -> Iterator[BaseFinding]:
    """Yield the conftests of an edit that steer a run and of which nothing else is said."""
    for path in change.differing():
        if posixpath.basename(path) != "conftest.py" or path in said:
            continue
        if change.candidate.is_file(path):
            try:
                if change.candidate.derived(path, steers):
                    yield reporting.edited(path, ("hooks",), "", "")
            except EvidenceUnavailable:
                continue


def inner_directories(change: Change) -> Iterator[str]:
    """Yield the directories with tests below the root in which a configuration file differs."""
    found = {
        posixpath.dirname(path)
        for path in change.differing()
        if posixpath.basename(path) in CONFIG_FILES and "/" in path
    }
    rules = rules_of(change)
    for directory in sorted(found):
        inside = (path for path in change.parent.files(".py") if path.startswith(f"{directory}/"))
        if any(rules.is_test_file(path) for path in inside):
            yield directory
