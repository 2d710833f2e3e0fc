"""A grader that gives no grade where the exit status of pytest would be untrue.

    python examples/custom_grader.py [--corrected] WORKSPACE [-- PYTEST-ARGS]

This environment, which must have pytest and its plugins, runs a sound command: ``passed`` or
``failed``. Any other is refused: what spoils it is named, and what to run instead; ``--corrected``
judges and runs that. Status: 0 graded, 1 untrue, 2 bad input, 3 uncertain. Run it in a sandbox.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

import attrs

from benchhygiene import BenchhygieneError, Crashed, Finding, Orchestrator, Report, Verdict, sources
from benchhygiene_plugins.ini_chain import CorrectedCommand, GateInherited, RunAborted


@attrs.frozen
class Command:
    """``python -m pytest ARGS`` in a workspace, by this interpreter and with these variables."""

    workspace: str
    args: tuple[str, ...]
    environ: dict[str, str]

    def judge(self) -> Report:
        evidence = sources.invocation(self.workspace, self.args, environ=self.environ)
        return Orchestrator(require={"ini-chain"}).run(evidence)

    def mended(self, fix: CorrectedCommand) -> Command:
        variables = {**self.environ, **dict(fix.environ)}  # None: to be unset
        environ = {name: value for name, value in variables.items() if value is not None}
        return attrs.evolve(self, args=fix.argv[3:], environ=environ)

    def run(self) -> int:
        words = (sys.executable, "-m", "pytest", *self.args)
        # What tests print must not look like a grade.
        return subprocess.call(words, cwd=self.workspace, env=self.environ, stdout=sys.stderr)


def correction(report: Report) -> CorrectedCommand | None:
    found = (one for one in report.findings if isinstance(one, RunAborted | GateInherited))
    return next((one.corrected_command for one in found if one.corrected_command), None)


def meaning(finding: Finding) -> str:
    match finding:
        case RunAborted(exit_status=status):
            return f"no test would run, and the exit status be {status}"
        case GateInherited(effect=effect, verdict=Verdict.VIOLATION):
            return effect
        case _:
            return finding.verdict.value


def refuse(report: Report) -> int:
    say(f"refused: {report.verdict.value}")
    for finding in report.findings:
        if finding.verdict is not Verdict.PASS:
            say(f"{finding.rule.id}: {meaning(finding)}. {finding.message}")
    for crashed in (one for one in report.outcomes if isinstance(one.state, Crashed)):
        say(f"{crashed.analyzer} crashed: {crashed.state}")
    if fix := correction(report):
        say(f"run instead: {fix.shell}")
    return report.verdict.exit_status or 3


def say(line: str) -> None:
    # Names and values come from the candidate's files: spell control characters out.
    print("".join(char if char.isprintable() else ascii(char)[1:-1] for char in line))


def main(words: list[str]) -> int:
    split = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(usage="%(prog)s [--corrected] WORKSPACE [-- PYTEST-ARGS]")
    parser.add_argument("--corrected", action="store_true")
    parser.add_argument("workspace")
    options = parser.parse_args(words[:split])
    command = Command(options.workspace, tuple(words[split + 1 :]), dict(os.environ))
    try:
        report = command.judge()
        if options.corrected and (fix := correction(report)):
            report = (command := command.mended(fix)).judge()
    except BenchhygieneError as error:
        parser.error(str(error))  # exits with status 2
    if report.verdict is not Verdict.PASS:
        return refuse(report)
    status = command.run()
    say({0: "passed", 1: "failed"}.get(status, f"refused: pytest exited with {status}"))
    return 0 if status in (0, 1) else 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
