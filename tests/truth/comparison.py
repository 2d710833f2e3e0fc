"""Predict one run, let the judge run it, and say where they disagree."""

from __future__ import annotations

import pathlib
import shutil
from collections.abc import Iterator, Mapping

import attrs

from benchhygiene import sources
from benchhygiene.evidence import PytestInvocation
from benchhygiene_plugins.ini_chain import IniChain, resolve
from benchhygiene_plugins.ini_chain.findings import CorrectedCommand, GateInherited, RunAborted
from benchhygiene_plugins.ini_chain.resolution import EffectKind, Resolution
from tests.truth.judge import Judge, Observation
from tests.truth.workspaces import Workspace

#: What lets a failing suite exit 0.
_FALSE_PASS = frozenset(
    {EffectKind.HIDES, EffectKind.RUNS_NOTHING, EffectKind.MASKS, EffectKind.SWALLOWS}
)


@attrs.frozen
class Disagreement:
    """One statement of ours that the real pytest contradicts."""

    workspace: str
    version: str
    about: str
    said: object
    saw: object
    output: str = attrs.field(default="", eq=False)

    def __str__(self) -> str:
        """Return it as one line."""
        return (
            f"[{self.version}] {self.workspace}: {self.about}: said {self.said!r}, saw {self.saw!r}"
        )


@attrs.frozen
class Comparison:
    """One workspace before one judge: the answer given and what happened."""

    workspace: str
    version: str
    resolution: Resolution
    inherited: Observation
    command: CorrectedCommand | None
    disagreements: tuple[Disagreement, ...]

    @property
    def answer(self) -> bool | None:
        """Return whether we said that the passing suite fails."""
        return self.resolution.fails_passing_suite

    @property
    def failed(self) -> bool:
        """Return whether the passing suite really failed."""
        return self.inherited.status != 0


@attrs.define
class Arena:
    """A place where workspaces are planted afresh for every run before one judge."""

    judge: Judge
    root: pathlib.Path

    def compare(self, workspace: Workspace) -> Comparison:
        """Predict and run a workspace, passing and failing, as given and corrected."""
        cwd = self.plant(workspace)
        words, variables = workspace.words(self.root), workspace.variables(self.root)
        invocation = sources.invocation(cwd, words, environ=variables, python=self.judge.python)
        resolution = resolve(invocation)
        command = _command(invocation)
        inherited = self.judge.run(cwd, words, variables)
        found = [*_resolution(resolution, inherited), *_verdict(resolution, inherited)]
        turned = self._again(workspace, words, variables)
        found += _false_pass(resolution, turned)
        if command is not None or inherited.status != 0:
            found += self._corrected(workspace, command)
        name, version = workspace.name, self.judge.version
        disagreements = [Disagreement(name, version, *parts) for parts in found]
        return Comparison(name, version, resolution, inherited, command, tuple(disagreements))

    def plant(self, workspace: Workspace, *, passing: bool = True) -> pathlib.Path:
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir(parents=True)
        return workspace.plant(self.root, passing=passing)

    def _again(
        self, workspace: Workspace, words: tuple[str, ...], variables: Mapping[str, str]
    ) -> Observation:
        return self.judge.run(self.plant(workspace, passing=False), words, variables)

    def _corrected(
        self, workspace: Workspace, command: CorrectedCommand | None
    ) -> Iterator[_Parts]:
        """Run the corrected command before a passing and before a failing suite."""
        if command is None:
            yield from self._rescued(workspace)
            return
        variables = workspace.variables(self.root)
        for name, value in command.environ:
            variables.pop(name, None)
            variables |= {} if value is None else {name: value}
        words = command.argv[3:]
        passing = self.judge.run(self.plant(workspace), words, variables)
        if passing.status != 0:
            yield "corrected command, passing suite", command.shell, passing.status, passing.output
        turned = self._again(workspace, words, variables)
        if turned.status == 0:
            yield "corrected command, failing suite", command.shell, turned.status, turned.output

    def _rescued(self, workspace: Workspace) -> Iterator[_Parts]:
        """Find a command that would have helped a passing suite where we had none."""
        words = workspace.words(self.root)
        given = workspace.variables(self.root)
        free = {name: value for name, value in given.items() if not name.startswith("PYTEST_")}
        for change in _RESCUES:
            if self.judge.run(self.plant(workspace), [*change, *words], free).status == 0:
                yield "corrected command", None, " ".join([*change, *words]), ""
                return


#: Words that free a command of most of what it can inherit, with the variables unset.
_RESCUES = (
    (),
    ("-o", "addopts="),
    ("-c", "/dev/null", "--rootdir=.", "--confcutdir=tests"),
    ("-c", "/dev/null", "--rootdir=.", "--noconftest"),
)
_Parts = tuple[str, object, object, str]


def _command(invocation: PytestInvocation) -> CorrectedCommand | None:
    for finding in IniChain().analyze(invocation):
        if isinstance(finding, GateInherited | RunAborted) and finding.corrected_command:
            return finding.corrected_command
    return None


def _resolution(resolution: Resolution, saw: Observation) -> Iterator[_Parts]:
    if not saw.watched:
        return
    addopts = resolution.addopts
    words = None if addopts is None else tuple(_shown(word) for word in addopts)
    for about, said, real in (
        ("rootdir", resolution.rootdir, saw.rootdir),
        ("inifile", resolution.inifile, saw.inifile),
        ("addopts", words, saw.addopts),
    ):
        if said != real:
            yield about, said, real, saw.error
    if not saw.parsed and not _stops(resolution):
        yield "abort", None, saw.error or saw.status, saw.output
    if saw.ran and resolution.abort is not None:
        yield "abort", resolution.abort.reason, saw.ran, saw.output


def _stops(resolution: Resolution) -> bool:
    """Return whether we said, or could not rule out, that pytest stops before any test."""
    aborts = any(found.kind is EffectKind.ABORTS and found.fails for found in resolution.effects)
    return resolution.abort is not None or aborts or _is_doubted(resolution)


def _is_doubted(resolution: Resolution) -> bool:
    """Return whether we said of anything that we cannot tell what it does."""
    return bool(resolution.unknown) or any(found.fails is None for found in resolution.effects)


def _shown(word: object) -> str:
    return word if isinstance(word, str) else repr(word)


def _verdict(resolution: Resolution, saw: Observation) -> Iterator[_Parts]:
    answer = resolution.fails_passing_suite
    if answer is not None and answer != (saw.status != 0):
        yield "fails_passing_suite", _why(resolution), saw.status, saw.output
    abort = resolution.abort
    if abort is not None and abort.exit_status != saw.status:
        yield "abort status", (abort.exit_status, abort.reason), saw.status, saw.output
    if abort is None and answer and saw.status and not _is_doubted(resolution):
        said = {effect.exit_status for effect in resolution.effects if effect.fails}
        if None not in said and saw.status not in said:
            yield "exit status", (said, _why(resolution)), saw.status, saw.output


def _false_pass(resolution: Resolution, turned: Observation) -> Iterator[_Parts]:
    if turned.status != 0 or resolution.abort is not None or _is_doubted(resolution):
        return
    if not any(effect.kind in _FALSE_PASS for effect in resolution.effects):
        yield "false pass", _why(resolution), turned.status, turned.output


def _why(resolution: Resolution) -> list[tuple[object, ...]]:
    said: list[tuple[object, ...]] = [
        (effect.fails, effect.exit_status, effect.option, effect.reason)
        for effect in resolution.effects
    ]
    return [(resolution.fails_passing_suite, resolution.unknown), *said]
