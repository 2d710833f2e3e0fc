"""The tools that answer as mcp-benchmark-hygiene does, and say what would really happen as well.

Keys and verdicts are those of its README, version 1.0.1; the rules are ours.
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from benchhygiene import sources
from benchhygiene.core.findings import Severity, Verdict
from benchhygiene.core.json import JSON
from benchhygiene.core.orchestrator import Orchestrator
from benchhygiene.core.registry import Registry
from benchhygiene.core.report import Completed, Report
from benchhygiene.errors import BenchhygieneError
from benchhygiene.evidence.invocation import PytestInvocation
from benchhygiene.server.roots import Root
from benchhygiene_plugins.ini_chain import CorrectedCommand, GateInherited, RunAborted

REQUIRED = "ini-chain"
COVERAGE_GATES = ("--cov", "--cov-fail-under", "--cov-report", "--cov-config")
ABORT_GATES = ("--maxfail", "-x", "--strict", "--strict-markers", "--pdb", "--ff")
_SPELLINGS = {"--exitfirst": "-x", "--failed-first": "--ff"}
_TAKES_VALUE = "kmpcnWrRo"  # short options of pytest and its common plugins that take a word


def inspect_workspace(root: Root, arguments: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return what pytest inherits in a workspace, and whether that corrupts a grade."""
    path = str(arguments["path"])
    try:
        with root.held(path) as workspace:
            evidence = _evidence(root, workspace, arguments)
            return _analysis(evidence, _report(evidence))
    except BenchhygieneError as error:
        return refused(path, str(error))


def check_addopts(root: Root, arguments: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return the same with the keys ``path`` and ``corrupted``."""
    found = inspect_workspace(root, arguments)
    return {**found, "path": found["workspace"], "corrupted": found["will_corrupt_grading"]}


def summarize(root: Root, arguments: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return one line on an analysis, or on the workspace at a path."""
    given = arguments.get("analysis")
    if isinstance(given, Mapping):
        found = dict(given)
        return {"ok": found.get("ok") is True, "result": _sentence(found)}
    if "path" not in arguments:
        error = "expected the path of a workspace, or an analysis"
        return {"ok": False, "result": f"cannot inspect: {error}", "error": error}
    found = inspect_workspace(root, arguments)
    return {**found, "result": _sentence(found)}


def gates(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the coverage and the abort gates among addopts that the reference's README lists."""
    named = {name for word in words for name in _options(word)}
    coverage = [gate for gate in COVERAGE_GATES if gate in named]
    return coverage, [gate for gate in ABORT_GATES if gate in named]


def _options(word: str) -> Iterator[str]:
    """Yield the options of a word: ``--cov=x`` is one, ``-xq`` two."""
    if word.startswith("--"):
        name = word.partition("=")[0]
        yield _SPELLINGS.get(name, name)
    elif word.startswith("-"):
        for letter in word[1:]:
            yield f"-{letter}"
            if letter in _TAKES_VALUE:
                return


def _evidence(root: Root, workspace: str, arguments: Mapping[str, JSON]) -> PytestInvocation:
    tests = _words(arguments.get("tests"))
    environ = _texts(arguments.get("environ"))
    root.require_words((*tests, *environ.get("PYTEST_ADDOPTS", "").split()), workspace)
    plugins = arguments.get("plugins")
    evidence = sources.invocation(
        workspace,
        tests,
        environ=environ,
        pytest=_text(arguments.get("pytest")),
        python=_text(arguments.get("python")),
        plugins=None if plugins is None else _texts(plugins),
    )
    root.require_files(evidence.files, evidence.cwd)
    return evidence


def _words(value: JSON) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _texts(value: JSON) -> dict[str, str]:
    pairs = value.items() if isinstance(value, Mapping) else ()
    return {key: str(text) for key, text in pairs}


def _text(value: JSON) -> str | None:
    return value if isinstance(value, str) else None


def _report(evidence: PytestInvocation) -> Report:
    registry = Registry.discover(evidence.roots).only(REQUIRED)
    return Orchestrator(registry, (REQUIRED,)).run(evidence)


def _analysis(evidence: PytestInvocation, report: Report) -> dict[str, JSON]:
    exhibit = _exhibit(report)
    addopts = _words(exhibit.get("addopts"))
    effective = shlex.join(addopts) if addopts else None
    coverage, abort = gates((*addopts, *_inherited(exhibit, evidence)))
    reasons = list(_reasons(coverage, abort, report))
    fails = exhibit.get("fails_passing_suite")
    corrupted = bool(coverage or abort) or report.verdict is Verdict.VIOLATION or fails is True
    verdict = "CORRUPTED" if corrupted else _uncorrupted(report)
    if not reasons:
        what = f"addopts has no gate: {effective}" if effective else "no addopts are inherited"
        reasons.append(what)
    return {
        "ok": True,
        "workspace": evidence.cwd,
        "ini_chain": _chain(exhibit, evidence.cwd, effective),
        "effective_addopts": effective,
        "will_corrupt_grading": corrupted,
        "verdict": verdict,
        "fixed_command": _fixed(evidence, report, has_gate=bool(coverage or abort)),
        "reasons": list[JSON](reasons),
        "fails_passing_suite": fails if isinstance(fails, bool) else None,
        "fixed_environ_unset": list[JSON](_unset(report)),
        "predicted_for": exhibit.get("command"),
    }


def _inherited(exhibit: Mapping[str, JSON], evidence: PytestInvocation) -> tuple[str, ...]:
    """Return the words before the command's own, of addopts and PYTEST_ADDOPTS."""
    words = _words(exhibit.get("arguments"))
    return words[: len(words) - len(evidence.args)]


def _exhibit(report: Report) -> Mapping[str, JSON]:
    for outcome in report.outcomes:
        if outcome.analyzer == REQUIRED and isinstance(outcome.state, Completed):
            found = outcome.state.exhibits
            return found if isinstance(found, Mapping) else {}
    return {}


def _uncorrupted(report: Report) -> str:
    return "CLEAN" if report.verdict is Verdict.PASS else "UNKNOWN"


def _reasons(coverage: Sequence[str], abort: Sequence[str], report: Report) -> Iterator[str]:
    if coverage:
        yield f"coverage gate(s) present: {list(coverage)}"
    if abort:
        yield f"strict/abort gate(s) present: {list(abort)}"
    for finding in report.findings:
        if finding.severity is not Severity.NOTE:
            yield f"{finding.rule.id}: {finding.message}"
    for gap in report.gaps:
        yield f"{gap.analyzer}: {type(gap.state).__name__.lower()}"


def _chain(exhibit: Mapping[str, JSON], cwd: str, effective: str | None) -> list[JSON]:
    links = cast("Sequence[Mapping[str, JSON]]", exhibit.get("chain") or ())
    won = exhibit.get("inifile")
    return [
        {
            "file": posixpath.normpath(posixpath.join(cwd, str(link["path"]))),
            "addopts": effective if link["path"] == won else None,
            "outcome": link["outcome"],
            "reason": link["reason"],
        }
        for link in links
    ]


def _corrections(report: Report) -> Iterator[CorrectedCommand]:
    gates_found, aborts = report.of(GateInherited), report.of(RunAborted)
    found = [each.corrected_command for each in gates_found]
    found += [each.corrected_command for each in aborts]
    yield from (each for each in found if each is not None)


def _fixed(evidence: PytestInvocation, report: Report, *, has_gate: bool) -> JSON:
    """Return a command free of what was found; ``<tests>`` stands for tests that were not named.

    None where nothing is to be corrected, or nothing helps.
    """
    found = next(_corrections(report), None)
    if found is None and not has_gate:
        return None
    argv = ("-m", "pytest", "-o", "addopts=", *evidence.args) if found is None else found.argv[1:]
    tests = () if evidence.args else ("<tests>",)
    return ["python3", *argv, *tests]


def _unset(report: Report) -> tuple[str, ...]:
    found = next(_corrections(report), None)
    return () if found is None else tuple(name for name, value in found.environ if value is None)


def refused(path: str, error: str) -> dict[str, JSON]:
    """Return the answer where nothing could be told: its verdict is UNKNOWN."""
    return {
        "ok": False,
        "workspace": path,
        "ini_chain": [],
        "effective_addopts": None,
        "will_corrupt_grading": False,
        "verdict": "UNKNOWN",
        "fixed_command": None,
        "reasons": [f"cannot inspect: {error}"],
        "fails_passing_suite": None,
        "path": path,
        "corrupted": False,
        "result": f"cannot inspect: {error}",
        "error": error,
    }


def _sentence(found: Mapping[str, JSON]) -> str:
    if found.get("ok") is not True:
        return f"cannot inspect: {found.get('error')}"
    where, verdict = found.get("workspace"), found.get("verdict")
    reasons = found.get("reasons")
    told = "; ".join(map(str, reasons)) if isinstance(reasons, list) else ""
    if found.get("will_corrupt_grading") is True:
        fixed = found.get("fixed_command")
        command = shlex.join(map(str, fixed)) if isinstance(fixed, list) else "unknown"
        return f"[DANGER] {where} will corrupt pytest grading: {told}. Fix: {command}"
    return f"[{'CLEAN' if verdict == 'CLEAN' else 'UNKNOWN'}] {where}: {told}"
