"""Which tests a side runs, as far as its configuration and its hooks let it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

import attrs

from benchhygiene.inventory.collection import CollectionRules, Node
from benchhygiene_plugins.configuration.removals import MAY_STOP, Removal, removals
from benchhygiene_plugins.configuration.session.deciding import (
    Decisions,
    Literals,
    Run,
    explore,
    settled,
)
from benchhygiene_plugins.configuration.session.items import Item, items_of
from benchhygiene_plugins.configuration.session.options import Cause
from benchhygiene_plugins.configuration.session.playing import Played, Player
from benchhygiene_plugins.configuration.side import Side


@attrs.frozen
class Loss:
    """Why an item is not run: what takes it away, in words, and when.

    ``when`` are alternatives, each a set of conditions that nobody here can tell.
    """

    cause: Cause
    words: str
    when: frozenset[Literals]


@attrs.frozen(eq=False)
class Selection:
    """What is lost of the items of one side, and what may end a run early.

    ``settings`` are options that hooks or words set, by their names, with who did.
    """

    items: Mapping[str, Item]
    losses: Mapping[str, Loss]
    stops: Mapping[str, Loss]
    doubts: tuple[Cause, ...]
    reruns: Mapping[str, Cause]
    settings: Mapping[str, tuple[str, Cause]]
    overrides: Mapping[str, tuple[tuple[str, ...], Cause]]
    added: Mapping[str, tuple[tuple[str, Cause], ...]]


@attrs.define(eq=False)
class _Sum:
    """Adds up what the runs of one session lose."""

    lost: dict[str, dict[Literals, tuple[Cause, str]]] = attrs.field(
        factory=dict[str, "dict[Literals, tuple[Cause, str]]"]
    )

    def add(self, name: str, literals: Literals, cause: Cause, words: str) -> None:
        self.lost.setdefault(name, {}).setdefault(literals, (cause, words))

    def losses(self) -> Mapping[str, Loss]:
        """Return each loss with the conditions on which it depends."""
        known: dict[frozenset[Literals], frozenset[Literals]] = {}
        found: dict[str, Loss] = {}
        for name, several in self.lost.items():
            literals = frozenset(several)
            if literals not in known:
                known[literals] = settled(literals)
            cause, words = next(iter(several.values()))
            found[name] = Loss(cause, words, known[literals])
        return found


def select(side: Side, nodes: Iterable[Node], is_lean: bool = False) -> Selection:
    """Return what a side's configuration leaves of these tests; ``is_lean`` as in Player."""
    asked = tuple(nodes)

    def play(decisions: Decisions) -> Played:
        items = [one for node in asked for one in items_of(node, side.marks(node))]
        return Player.of(side, items, decisions, is_lean).play()

    return _added_up([*explore(play)], asked, side)


def _added_up(runs: Sequence[Run[Played]], asked: Iterable[Node], side: Side) -> Selection:
    hard, soft = _Sum(), _Sum()
    first = runs[0].result
    doubts: dict[Cause, None] = {}
    reruns: dict[str, Cause] = {}
    for run in runs:
        for node_id, cause in run.result.lost.items():
            hard.add(node_id, run.literals, cause, "a hook takes them away")
        for node_id, (cause, words) in _removed(run.result):
            hard.add(node_id, run.literals, cause, words)
        for name, words in MAY_STOP.items():
            if run.result.options.is_on(name):
                cause = run.result.options.causes.get(name, Cause(""))
                soft.add(name, run.literals, cause, words)
        doubts.update(dict.fromkeys(run.result.doubts))
        reruns.update(run.result.reruns)
    items = {one.node_id: one for node in asked for one in items_of(node, side.marks(node))}
    return Selection(
        items,
        hard.losses(),
        soft.losses(),
        tuple(doubts),
        reruns,
        _settings(first),
        _overrides(first),
        first.ini,
    )


def _removed(played: Played) -> Iterator[tuple[str, tuple[Cause, str]]]:
    taking = [*removals(played.options, played.positional)]
    for item in played.items if taking else ():
        for one in taking:
            if one.takes(item):
                yield item.node_id, (_shared(one, item), one.words)
                break


def _shared(removal: Removal, item: Item) -> Cause:
    """Return the cause, and with it the hooks that gave the item a mark it is chosen by."""
    if removal.option not in ("keyword", "markexpr"):
        return removal.cause
    hooks = [mark.cause for mark in item.marks if mark.cause is not None]
    also = dict.fromkeys(path for one in hooks for path in (one.path, *one.also))
    return attrs.evolve(removal.cause, also=(*removal.cause.also, *also))


def _settings(played: Played) -> Mapping[str, tuple[str, Cause]]:
    """Return the options that were set, as texts."""
    options = played.options
    return {
        name: (_spelled(value), options.causes[name])
        for name, value in options.attributes.items()
        if name in options.causes and not name.startswith("ini:")
    }


def _spelled(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, cast("list[object]", value)))
    return str(value)


def _overrides(played: Played) -> Mapping[str, tuple[tuple[str, ...], Cause]]:
    """Return the ini values that hooks, or ``-o``, put in place of the file's."""
    found: dict[str, tuple[tuple[str, ...], Cause]] = {}
    options = played.options
    for name, value in options.attributes.items():
        if name.startswith("ini:"):
            found[name.removeprefix("ini:")] = (_words(value), options.causes[name])
    cause = options.causes.get("override_ini", Cause(""))
    for one in options.texts("override_ini"):
        name, sign, value = one.partition("=")
        if sign:
            found[name.strip()] = (tuple(value.split()), cause)
    return found


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, list | tuple):
        return tuple(map(str, cast("Sequence[object]", value)))
    return tuple(str(value).split())


def effective(rules: CollectionRules, selection: Selection) -> CollectionRules:
    """Return a side's collection rules with what hooks and ``-o`` put in place of the file's.

    What is ignored is not among them: playing the session tells.
    """
    given = {name: words for name, (words, _) in selection.overrides.items()}
    for name, lines in selection.added.items():
        known = getattr(rules, name, ())
        if isinstance(known, tuple):
            given[name] = (*known, *(word for line, _ in lines for word in line.split()))
    return attrs.evolve(
        rules,
        ignored={},
        ignored_globs={},
        python_files=given.get("python_files", rules.python_files),
        python_classes=given.get("python_classes", rules.python_classes),
        python_functions=given.get("python_functions", rules.python_functions),
        testpaths=given.get("testpaths", rules.testpaths),
        norecursedirs=given.get("norecursedirs", rules.norecursedirs),
    )
