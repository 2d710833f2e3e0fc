"""Hold the examples of a parent against those of a candidate."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.evidence import Change
from benchhygiene_plugins.doctests.examples import TEXTS, Example, examples, is_broken

#: Options under which an output that differs from what is expected may pass.
LOOSENING = ("NORMALIZE_WHITESPACE", "IGNORE_EXCEPTION_DETAIL", "NUMBER", "FLOAT_CMP", "ELLIPSIS")


class Fate(enum.Enum):
    """What became of an example."""

    GONE = "gone"
    REPLACED = "another example stands in its place"
    UNCHECKED = "its output is no longer compared"
    EXPECTS_OTHER = "it expects another output"
    ELLIPSIS = "an ellipsis stands for part of its output"
    LOOSENED = "its output is compared less closely"


@attrs.frozen
class Altered:
    """An example of the parent, what stands in its place if anything, and what became of it."""

    old: Example
    new: Example | None
    fate: Fate
    reason: str = ""


def altered(change: Change) -> Iterator[Altered]:
    """Yield the examples that are gone or that let more pass than before."""
    paths = [path for path in change.differing() if path.endswith((".py", *TEXTS))]
    before = {path: examples(change.parent, path) for path in paths}
    if not any(before.values()):
        return
    after = [one for path in paths for one in examples(change.candidate, path)]
    pending = list[Example]()
    for path in paths:
        if not is_broken(change.candidate, path) or path not in change.candidate.entries:
            pending += before[path]
    yield from _matched(pending, after)


def _matched(before: list[Example], after: list[Example]) -> Iterator[Altered]:
    """Pair equal examples first, then those of equal code, then neighbours in one docstring."""
    unused = _Unused(after)
    # What prints nothing only prepares what others check.
    rest = [old for old in before if unused.take_equal(old) is None and old.want]
    for old in rest:
        new = unused.take_alike(old)
        if new is None:
            yield Altered(old, None, Fate.GONE)
        elif (found := _difference(old, new)) is not None and not (
            found.fate is Fate.REPLACED and unused.is_split(old, new)
        ):
            yield found


class _Unused:
    """The candidate's examples that nothing of the parent's has been paired with."""

    def __init__(self, found: Sequence[Example]) -> None:
        self.equal: dict[tuple[str, str, frozenset[str]], list[Example]] = {}
        self.taken: set[int] = set()
        self.by_source: dict[str, list[Example]] = {}
        self.by_node: dict[str, list[Example]] = {}
        for one in found:
            self.equal.setdefault(_key(one), []).append(one)
            self.by_source.setdefault(_shape(one.source), []).append(one)
            self.by_node.setdefault(one.node_id, []).append(one)

    def take_equal(self, old: Example) -> Example | None:
        return self._take(self.equal.get(_key(old), []), old)

    def take_alike(self, old: Example) -> Example | None:
        same = self._take(self.by_source.get(_shape(old.source), []), old)
        if same is not None:
            return same
        near = sorted(self.by_node.get(old.node_id, []), key=lambda one: _distance(old, one))
        return self._take([one for one in near if one.want or old.source in one.source], old)

    def is_split(self, old: Example, new: Example) -> bool:
        """Return whether the same output is shown of the same code, over several examples now."""
        together = "\n".join(one.source for one in self.by_node.get(new.node_id, []))
        return old.want == new.want and _words(old.source) <= _words(together)

    def _take(self, found: Sequence[Example], old: Example) -> Example | None:
        free = [one for one in found if id(one) not in self.taken]
        near = [one for one in free if one.node_id == old.node_id]
        chosen = next(iter(near or free), None)
        if chosen is not None:
            self.taken.add(id(chosen))
        return chosen


def _words(source: str) -> frozenset[str]:
    """Return the names and literals of code, those of code that is no Python as one word."""
    try:
        nodes = [*ast.walk(ast.parse(source))]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset((source,))
    names = (node.id for node in nodes if isinstance(node, ast.Name))
    literals = (repr(node.value) for node in nodes if isinstance(node, ast.Constant))
    return frozenset((*names, *literals))


def _distance(old: Example, new: Example) -> tuple[bool, bool, bool]:
    called = old.source.partition("(")[0]
    return (old.source not in new.source, new.want != old.want, not new.source.startswith(called))


def _key(one: Example) -> tuple[str, str, frozenset[str]]:
    return _shape(one.source), one.want, one.options & {*LOOSENING}


def _shape(source: str) -> str:
    """Return code without what does not matter to it: layout, quotes, comments."""
    try:
        return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source


def _difference(old: Example, new: Example) -> Altered | None:
    if _shape(old.source) != _shape(new.source):
        return _replaced(old, new)
    if old.want != new.want and " ".join(old.want.split()) != " ".join(new.want.split()):
        if "..." in new.want and new.want.count("...") > old.want.count("..."):
            return Altered(old, new, Fate.ELLIPSIS)
        if not new.want:
            return Altered(old, new, Fate.UNCHECKED)
        return Altered(old, new, Fate.EXPECTS_OTHER)
    added = sorted((new.options - old.options) & {*LOOSENING})
    if "..." not in new.want:
        added = [name for name in added if name != "ELLIPSIS"]
    if added and new.want and _may_loosen(added, new.want):
        return Altered(old, new, Fate.LOOSENED, ", ".join(f"+{name}" for name in added))
    return None


def _may_loosen(options: list[str], want: str) -> bool:
    """Return whether one of the options can matter to an output: whitespace needs some."""
    if options == ["NORMALIZE_WHITESPACE"]:
        return len(want.split()) > 1
    if options == ["IGNORE_EXCEPTION_DETAIL"]:
        return want.startswith("Traceback")
    return True


def _replaced(old: Example, new: Example) -> Altered | None:
    if old.want == new.want and _nameless(old.source) == _nameless(new.source):
        return None  # something was renamed
    if old.want and not new.want and _is_kept_back(old.source, new.source):
        return Altered(old, new, Fate.UNCHECKED)
    return Altered(old, new, Fate.REPLACED)


def _is_kept_back(old: str, new: str) -> bool:
    """Return whether the new code computes the old and prints nothing: ``_ = f(1)``."""
    return old.strip() in new or new.rstrip().endswith(";")


def _nameless(source: str) -> str:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.setdefault(node.id, f"n{len(names)}")
        elif isinstance(node, ast.alias):
            node.name = names.setdefault(node.name, f"n{len(names)}")
    return ast.dump(tree)
