"""Predict one run, let the judge run it, and say where they disagree."""

from __future__ import annotations

import pathlib
import shutil
from collections.abc import Iterator, Mapping, Sequence

import attrs

from benchhygiene import sources
from benchhygiene.evidence import PytestInvocation
from benchhygiene_plugins.ini_chain import IniChain, resolve
from benchhygiene_plugins.ini_chain.findings import CorrectedCommand, GateInherited, RunAborted
from benchhygiene_plugins.ini_chain.resolution import Resolution
from tests.truth import claims
from tests.truth.claims import Contradiction
from tests.truth.judge import Judge, Observation
from tests.truth.workspaces import Workspace

_PYTEST = ("python", "-m", "pytest")
#: Words that free a command of most of what it can inherit, with the variables unset.
_RESCUES = (
    (),
    ("-o", "addopts="),
    ("-c", "/dev/null", "--rootdir=.", "--confcutdir=tests"),
    ("-c", "/dev/null", "--rootdir=.", "--confcutdir=."),
    ("-c", "/dev/null", "--rootdir=.", "--noconftest"),
)
_FREE = ("-c", "/dev/null", "--rootdir=.", "--confcutdir=.")


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
        contrast = f"said {self.said!r}, saw {self.saw!r}"
        return f"[{self.version}] {self.workspace}: {self.about}: {contrast}"


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
        words, variables = workspace.words(self.root), workspace.variables(self.root)
        invocation = sources.invocation(
            self.plant(workspace), words, environ=variables, python=self.judge.python
        )
        resolution = resolve(invocation)
        command = _command(invocation)
        inherited = self.run(workspace, (*_PYTEST, *words), variables)
        found = list(self._contradictions(workspace, resolution, inherited))
        if command is not None:
            found += self._corrected(workspace, command)
        elif inherited.status != 0:
            found += self._rescued(workspace)
        name, version = workspace.name, self.judge.version
        disagreements = tuple(Disagreement(name, version, *parts) for parts in found)
        return Comparison(name, version, resolution, inherited, command, disagreements)

    def plant(self, workspace: Workspace, *, passing: bool = True) -> pathlib.Path:
        """Write the workspace afresh and return the directory to run pytest in."""
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir(parents=True)
        return workspace.plant(self.root, passing=passing)

    def run(
        self,
        workspace: Workspace,
        argv: Sequence[str],
        variables: Mapping[str, str],
        *,
        passing: bool = True,
    ) -> Observation:
        """Plant the workspace afresh and run a command in it."""
        cwd = self.plant(workspace, passing=passing)
        if tuple(argv[:3]) == _PYTEST:
            return self.judge.run(cwd, argv[3:], variables)
        return self.judge.run_plain(argv, cwd, variables)

    def _contradictions(
        self, workspace: Workspace, resolution: Resolution, inherited: Observation
    ) -> Iterator[Contradiction]:
        words, variables = workspace.words(self.root), workspace.variables(self.root)
        yield from claims.decided(resolution, inherited)
        yield from claims.judged(resolution, inherited)
        failing = self.run(workspace, (*_PYTEST, *words), variables, passing=False)
        yield from claims.passed_falsely(resolution, failing)
        if inherited.watched and inherited.status == 0:
            free = self.run(workspace, (*_PYTEST, *_FREE, *words), _freed(variables))
            yield from claims.omitted(resolution, inherited, failing, free)

    def _corrected(
        self, workspace: Workspace, command: CorrectedCommand
    ) -> Iterator[Contradiction]:
        """Run the corrected command before a passing and before a failing suite."""
        variables = workspace.variables(self.root)
        for name, value in command.environ:
            variables.pop(name, None)
            variables |= {} if value is None else {name: value}
        for passing in (True, False):
            saw = self.run(workspace, command.argv, variables, passing=passing)
            if (saw.status == 0) != passing:
                suite = "passing" if passing else "failing"
                about = f"corrected command, {suite} suite"
                yield about, (command.environ, command.argv), saw.status, saw.output

    def _rescued(self, workspace: Workspace) -> Iterator[Contradiction]:
        """Find a command that would have helped a passing suite where we had none."""
        words = workspace.words(self.root)
        variables = _freed(workspace.variables(self.root))
        for change in _RESCUES:
            argv = (*_PYTEST, *change, *words)
            passing = self.run(workspace, argv, variables)
            if passing.status == 0 != self.run(workspace, argv, variables, passing=False).status:
                yield "corrected command", None, argv, ""
                return


def _freed(variables: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in variables.items() if not name.startswith("PYTEST_")}


def _command(invocation: PytestInvocation) -> CorrectedCommand | None:
    for finding in IniChain().analyze(invocation):
        if isinstance(finding, GateInherited | RunAborted) and finding.corrected_command:
            return finding.corrected_command
    return None
