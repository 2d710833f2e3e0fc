"""The pack's tests over one tree, once: laid out, run, and what came back."""

from __future__ import annotations

import datetime
import functools
import os
import posixpath
import tempfile
from collections.abc import Mapping

import attrs

from benchhygiene.evidence.pack import WitnessPack
from benchhygiene.evidence.replay import Canary
from benchhygiene.evidence.suite import NodeEnd, NodeRun, SuiteRun
from benchhygiene.evidence.tree import SourceTree
from benchhygiene.sources.replays import owed
from benchhygiene.sources.replays.canaries import Planted, plant
from benchhygiene.sources.replays.placement import Placement, placement
from benchhygiene.sources.replays.running import Workspace
from benchhygiene.sources.replays.settings import ReplaySettings
from benchhygiene.sources.replays.transcript import Transcript
from benchhygiene.sources.replays.workspace import JUDGES, Laid, lay_pack, lay_source, tops
from benchhygiene.sources.sandbox import Ended, RunEnd

_SOME_FAILED = 1  # pytest's exit status, which canaries always make it


@attrs.frozen
class Once:
    """One tree's run: what was laid, reported, and how its process ended."""

    laid: Laid
    transcript: Transcript
    ended: Ended
    canaries: tuple[Canary, ...] = ()
    reruns: tuple[Transcript, ...] = ()

    @property
    def own(self) -> tuple[NodeRun, ...]:
        """Return every run but the canaries'."""
        hidden = {canary.node_id for canary in self.canaries}
        return tuple(run for run in self.transcript.runs if run.node_id not in hidden)

    @property
    def collected(self) -> tuple[str, ...]:
        """Return every collected node but the canaries."""
        hidden = {canary.node_id for canary in self.canaries}
        return tuple(one for one in self.transcript.collected if one not in hidden)

    @property
    def suite(self) -> SuiteRun:
        """Return the run as any other record of one; later runs of a node stand at the end."""
        again = (run for transcript in self.reruns for run in transcript.runs)
        return SuiteRun(
            origin="replay",
            nodes=(*self.own, *again),
            exit_status=self._exit_status(),
            ended=datetime.datetime.now(datetime.UTC).replace(microsecond=0),
            failed_collectors=self.transcript.uncollected,
        )

    def _exit_status(self) -> int | None:
        """Return the status that there would be without the canaries."""
        if self.ended.end is not RunEnd.EXITED:
            return None
        if not self.canaries or self.ended.code != _SOME_FAILED:
            return self.ended.code
        failed = any(run.end.is_failure for run in self.own) or self.transcript.uncollected
        return _SOME_FAILED if failed else 0


@attrs.frozen
class Runner:
    """Run a pack's tests as the settings say; ``budgets`` are per node."""

    pack: WitnessPack
    settings: ReplaySettings

    @functools.cached_property
    def placed(self) -> Placement:
        """Return where the pack's files lie."""
        return placement(self.pack, self.settings)

    def plainly(self, source: SourceTree, budgets: Mapping[str, Mapping[str, float]]) -> Once:
        """Run a tree that is not under judgement: without canaries and reruns."""
        hidden = frozenset[str]()
        words = () if self.settings.baseline else ("--collect-only",)
        with tempfile.TemporaryDirectory(prefix="benchhygiene-") as scratch:
            space, laid = self._laid(scratch, source, hidden)
            space.prepare(self.pack.files)
            transcript, ended = space.run(self._config(space, source, laid, budgets, words))
        return Once(laid, transcript, ended)

    def doubtfully(
        self,
        source: SourceTree,
        parent: SourceTree | None,
        budgets: Mapping[str, Mapping[str, float]],
    ) -> Once:
        """Run the tree under judgement, canaries among the tests."""
        with tempfile.TemporaryDirectory(prefix="benchhygiene-") as scratch:
            space, laid = self._laid(scratch, source, self._hidden(parent))
            planted = plant(space.work, self._directory)
            space.prepare(self.pack.files)
            config = self._config(space, source, laid, budgets, ())
            transcript, ended = space.run(config)
            again = self._again(space, config, transcript)
        return Once(laid, transcript, ended, _canaries(planted, transcript), again)

    def _laid(
        self, scratch: str, source: SourceTree, hidden: frozenset[str]
    ) -> tuple[Workspace, Laid]:
        space = Workspace(scratch, self.settings, self.placed)
        os.makedirs(space.work, 0o755)
        laid = lay_source(source, space.work, self.settings, self.placed, hidden)
        lay_pack(self.pack.files, space.work, self.placed)
        return space, laid

    @property
    def _directory(self) -> str:
        """Return the first directory of tests: the canaries are among the others."""
        first = self.placed.test_paths[0]
        return posixpath.dirname(first) if first.endswith(".py") else first

    def _hidden(self, parent: SourceTree | None) -> frozenset[str]:
        """Return the modules that a candidate cannot bring, unless the parent has them already."""
        needed = owed.imported(self.pack.files, self.placed)
        installed = owed.installed(self.settings.python)
        if parent is None:  # a module that is installed may be the project itself
            return JUDGES | frozenset(self.settings.plugins)
        judged = (installed & needed) | JUDGES | frozenset(self.settings.plugins)
        return judged - tops(parent, self.settings)

    def _config(
        self,
        space: Workspace,
        source: SourceTree,
        laid: Laid,
        budgets: Mapping[str, Mapping[str, float]],
        words: tuple[str, ...],
    ) -> Mapping[str, object]:
        needed = owed.imported(self.pack.files, self.placed)
        installed = owed.installed(self.settings.python)
        offered = tops(source, self.settings) - {path.partition("/")[0] for path in laid.planted}
        own = {"_hypothesis_pytestplugin"} & installed if "hypothesis" in needed else set[str]()
        return {
            "paths": [os.path.join(space.root, root).rstrip("/") for root in laid.import_roots],
            "preload": sorted((needed & installed) - offered - {"benchhygiene"}),
            "plugins": sorted({*self.settings.plugins, *own}),
            "budgets": budgets,
            "seed": owed.seed_of(self.pack),
            "reach": self.settings.reach and not words,
            "options": list(words),
        }

    def _again(
        self, space: Workspace, config: Mapping[str, object], first: Transcript
    ) -> tuple[Transcript, ...]:
        """Run the nodes that the ledger knows as flaky some more times, each time anew."""
        nodes = owed.rerun_of(self.pack.ledger, first.collected)
        times = self.settings.reruns if nodes else 0
        asked = {**config, "args": list(nodes), "reach": False}
        return tuple(space.run(asked)[0] for _ in range(times))


def _canaries(planted: tuple[Planted, ...], transcript: Transcript) -> tuple[Canary, ...]:
    by_node: dict[str, list[NodeRun]] = {}
    for run in transcript.runs:
        by_node.setdefault(run.node_id, []).append(run)
    return tuple(_canary(one, by_node.get(one.node_id, [])) for one in planted)


def _canary(one: Planted, runs: list[NodeRun]) -> Canary:
    if not runs:
        return Canary(one.node_id, one.must, None)
    message = runs[-1].failure.message if runs[-1].failure else ""
    is_genuine = len(runs) == 1 and (one.must is NodeEnd.PASSED or one.words in message)
    return Canary(one.node_id, one.must, runs[-1].end, is_genuine)
