"""Compare what two sides run: the tests of the parent's that a candidate's configuration drops."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change
from benchhygiene.inventory.collection import Collection, CollectionRules, Node, collect
from benchhygiene.inventory.doctests import doctests
from benchhygiene.inventory.importers import import_words, stem
from benchhygiene.inventory.touched import collected, rules_of
from benchhygiene_plugins.configuration.effects import is_apart
from benchhygiene_plugins.configuration.selection import Loss, Selection, effective, select
from benchhygiene_plugins.configuration.session.deciding import covers
from benchhygiene_plugins.configuration.session.options import Cause
from benchhygiene_plugins.configuration.side import Side

_ALWAYS = frozenset((frozenset[tuple[str, bool]](),))


@attrs.frozen(eq=False)
class Dropped:
    """One item that the parent runs and the candidate does not, and what drops it."""

    node_id: str
    node: Node | None
    loss: Loss


@attrs.frozen(eq=False)
class Compared:
    """What is dropped, what may end a run early, what could not be followed, and who reruns."""

    dropped: tuple[Dropped, ...]
    stops: Mapping[str, Loss]
    doubts: tuple[Cause, ...]
    reruns: Mapping[str, Cause]
    nodes: tuple[Node, ...]
    old: Selection
    new: Selection


def compare(
    change: Change,
    before: Side,
    after: Side,
    paths: Iterable[str] | None,
    directory: str = "",
) -> Compared:
    """Return what becomes of the tests of these files, by default of all below a directory."""
    rules = rules_of(change)
    wanted = _test_files(change, rules) if paths is None else tuple(paths)
    if directory:
        wanted = tuple(path for path in wanted if path.startswith(f"{directory}/"))
    parents, candidates = collected(change, wanted)
    is_lean = paths is not None and is_apart(change, before, after)
    old, new = (
        select(side, held.nodes, is_lean) for side, held in ((before, parents), (after, candidates))
    )
    named = _by_rules(change, after, new, candidates, before.rules)
    dropped = [*_dropped(old, new, named)]
    if paths is None and not directory:
        dropped += _doctests(change, after)
    return Compared(
        tuple(dropped),
        {name: loss for name, loss in new.stops.items() if _is_new(old.stops.get(name), loss)},
        tuple(_doubts(old, new)),
        {one: cause for one, cause in new.reruns.items() if one not in old.reruns},
        candidates.nodes,
        old,
        new,
    )


def _test_files(change: Change, rules: CollectionRules) -> tuple[str, ...]:
    paths = dict.fromkeys((*change.parent.files(".py"), *change.candidate.files(".py")))
    return tuple(path for path in paths if rules.is_test_file(path))


def _dropped(old: Selection, new: Selection, named: Mapping[str, Loss]) -> Iterator[Dropped]:
    for node_id, item in old.items.items():
        if node_id not in new.items:
            continue  # whether a test is there at all is another question
        loss = named.get(item.node.node_id) or new.losses.get(node_id)
        if loss is not None and _is_new(old.losses.get(node_id), loss):
            yield Dropped(node_id, new.items[node_id].node, loss)


def _is_new(before: Loss | None, after: Loss) -> bool:
    return before is None or not covers(before.when, after.when)


def _doubts(old: Selection, new: Selection) -> Iterator[Cause]:
    known = {(cause.path, cause.text) for cause in old.doubts}
    yield from (cause for cause in new.doubts if (cause.path, cause.text) not in known)


def _by_rules(
    change: Change,
    side: Side,
    selection: Selection,
    candidates: Collection,
    rules: CollectionRules,
) -> Mapping[str, Loss]:
    """Return the nodes that the candidate's own patterns and paths leave out."""
    own = effective(side.rules, selection)
    plain = attrs.evolve(rules, ignored={}, ignored_globs={})
    if _patterns(own) == _patterns(plain):
        return {}
    found: dict[str, Loss] = {}
    paths = dict.fromkeys(node.path for node in candidates.nodes)
    kept = [path for path in paths if own.is_test_file(path)]
    for node in candidates.nodes:
        if node.path not in kept:
            words = own.kept_out(node.path) or "python_files does not fit the file"
            found[node.node_id] = _loss(side, selection, "python_files", words)
    if _names(own) != _names(plain):
        collects = collect(change.candidate, own, kept).by_id()
        for node in candidates.nodes:
            if node.node_id not in collects and node.node_id not in found:
                words = "python_functions or python_classes does not fit the name"
                found[node.node_id] = _loss(side, selection, "python_functions", words)
    return found


def _patterns(rules: CollectionRules) -> tuple[object, ...]:
    return (rules.python_files, rules.testpaths, rules.norecursedirs, _names(rules))


def _names(rules: CollectionRules) -> tuple[object, ...]:
    return (rules.python_classes, rules.python_functions, rules.collect_imported_tests)


def _loss(side: Side, selection: Selection, option: str, words: str) -> Loss:
    """Return the loss to a pattern: the file's, or what a hook or ``-o`` put in its place."""
    given = [cause for _, cause in selection.overrides.values()]
    for name in _PATTERNS:
        given += [cause for _, cause in selection.added.get(name, ())]
    cause = given[0] if given else Cause(side.settings.path, side.settings.option(option).line)
    return Loss(cause, words, _ALWAYS)


_PATTERNS = ("python_files", "python_classes", "python_functions", "norecursedirs", "testpaths")


def _doctests(change: Change, side: Side) -> Iterator[Dropped]:
    """Yield the doctests that the parent's options collect and the candidate's do not."""
    before, after = rules_of(change), side.rules
    same = before.doctest_globs == after.doctest_globs
    if same and before.doctest_modules == after.doctest_modules:
        return
    for path in change.candidate.entries:
        if not change.candidate.is_file(path):
            continue
        try:
            old = doctests(change.candidate, path, before)
            kept = {one.node_id for one in doctests(change.candidate, path, after)}
        except (EvidenceUnavailable, RecursionError):
            continue
        for one in old:
            if one.node_id not in kept:
                words = "its doctests are no longer collected"
                cause = Cause(side.settings.path, side.settings.option("addopts").line)
                yield Dropped(one.node_id, None, Loss(cause, words, _ALWAYS))


def blamed(change: Change, one: Dropped, before: Side, after: Side) -> tuple[str, ...]:
    """Return the files of an edit that are to blame: the cause itself where it differs."""
    cause = one.loss.cause
    differing = frozenset(change.differing())
    found = [path for path in (cause.path, *cause.also) if path in differing]
    if found:
        return tuple(found)
    if cause.path in ("", after.settings.path) and before.settings.path in differing:
        return (before.settings.path,)
    if one.node is not None and one.node.path in differing:
        return (one.node.path,)
    return _used(change, cause.path, differing) or (cause.path or after.settings.path or ".",)


def _used(change: Change, path: str, differing: frozenset[str]) -> tuple[str, ...]:
    """Return the differing files that an unchanged one imports, or reads by their names."""
    if not change.candidate.is_file(path):
        return ()
    try:
        imports = change.candidate.derived(path, import_words)
        text = change.candidate.read(path)
    except EvidenceUnavailable:
        return ()
    return tuple(
        sorted(
            one
            for one in differing
            if (one.endswith(".py") and stem(one).encode() in imports)
            or (not one.endswith(".py") and posixpath.basename(one).encode() in text)
        )
    )
