"""The command ``check``: take the evidence, run the analyzers, deliver the report."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from typing import TextIO

import attrs

from benchhygiene.cli.configuration import CheckOptions, Configuration, read_configuration
from benchhygiene.cli.output import deliver, has_colour, stream_for, text_width
from benchhygiene.core.orchestrator import Orchestrator
from benchhygiene.core.registry import BUNDLE, Registry
from benchhygiene.core.report import Report
from benchhygiene.errors import InputError
from benchhygiene.evidence.invocation import PytestInvocation
from benchhygiene.sources import invocation

REQUIRED = "ini-chain"
_COMMAND = re.compile(r"(?:.*/)?(?:pytest|py\.test|python[\d.]*)")
_MOST_PLUGINS = 8


@attrs.frozen(eq=False, repr=False)
class Request:
    """What the command line asks for: ``style`` is text, json or sarif."""

    workspace: str
    pytest_args: tuple[str, ...] = ()
    pytest: str | None = None
    python: str | None = None
    plugins: tuple[str, ...] = ()
    config: str | None = None
    style: str = "text"
    output: str | None = None


def run(request: Request) -> int:
    """Check a workspace, write the report and return the exit status of its verdict."""
    _require_arguments_only(request)
    configuration = (
        Configuration() if request.config is None else read_configuration(request.config)
    )
    evidence = _evidence(request, _options(request, configuration.check))
    report = _report(evidence, configuration)
    text = _render(report, evidence, request)
    deliver(text, request.output)
    return report.verdict.exit_status


def _require_arguments_only(request: Request) -> None:
    """Refuse the command itself after ``--``, unless a path of that name may be meant."""
    first = request.pytest_args[0] if request.pytest_args else ""
    if not _COMMAND.fullmatch(first) or os.path.exists(os.path.join(request.workspace, first)):
        return
    raise InputError(
        f"-- {first}: expected only the arguments of pytest after --, without the command itself, "
        "such as -- tests -q"
    )


def _options(request: Request, configured: CheckOptions) -> CheckOptions:
    """Let the command line win: another interpreter makes all that was configured meaningless."""
    stated = CheckOptions(request.pytest, request.python, _plugins(request.plugins))
    if stated.python is not None:
        return stated
    return CheckOptions(
        stated.pytest or configured.pytest,
        configured.python,
        configured.plugins if stated.plugins is None else stated.plugins,
    )


def _plugins(words: tuple[str, ...]) -> Mapping[str, str] | None:
    plugins: dict[str, str] = {}
    for word in words:
        name, equals, version = word.partition("=")
        if not (name and equals and version.strip("=")):
            raise InputError(f"--plugin {word}: expected NAME=VERSION such as pytest-cov=7.1.0")
        if version.startswith("="):
            meant = f"{name}={version.lstrip('=')}"
            raise InputError(f"--plugin {word}: expected a single =, as in --plugin {meant}")
        if plugins.setdefault(name, version) != version:
            raise InputError(f"--plugin {name}: given as both {plugins[name]} and {version}")
    return plugins or None


def _evidence(request: Request, options: CheckOptions) -> PytestInvocation:
    return invocation(
        request.workspace,
        request.pytest_args,
        pytest=options.pytest,
        python=options.python,
        plugins=options.plugins,
    )


def _report(evidence: PytestInvocation, configuration: Configuration) -> Report:
    orchestrator = Orchestrator(
        _registry(evidence, configuration),
        (REQUIRED, *configuration.require),
        configuration.disable,
    )
    report = orchestrator.run(evidence)
    if configuration.severity:
        from benchhygiene.cli.severities import lower

        report = lower(report, configuration.severity)
    notes = (*report.provenance.notes, *(f"evidence: {note}" for note in evidence.notes))
    return attrs.evolve(report, provenance=attrs.evolve(report.provenance, notes=notes))


def _registry(evidence: PytestInvocation, configuration: Configuration) -> Registry:
    """Return strangers' analyzers and those that are named: our others ask other questions.

    Loading them only to skip them would take longer than the answer; a severity needs their rules.
    """
    found = Registry.discover(evidence.roots)
    if configuration.severity:
        return found
    named = (REQUIRED, *configuration.require, *configuration.disable)
    wanted = (each.name for each in found if each.distribution != BUNDLE or each.name in named)
    return found.only(*wanted)


def _render(report: Report, evidence: PytestInvocation, request: Request) -> str:
    if request.style == "json":
        from benchhygiene.formats import json

        return json.render(report)
    if request.style == "sarif":
        from benchhygiene.formats import sarif

        return sarif.render(report)
    return _text(report, evidence, stream_for(request.output))


def _text(report: Report, evidence: PytestInvocation, stream: TextIO | None) -> str:
    from benchhygiene.formats import text
    from benchhygiene.formats.excerpts import Excerpts

    return text.render(
        report,
        excerpts=Excerpts(evidence.files, evidence.cwd),
        about=_about(evidence),
        width=text_width(stream, os.environ),
        colour=stream is not None and has_colour(stream, os.environ),
    )


def _about(evidence: PytestInvocation) -> tuple[str, str]:
    command = shlex.join(("python", "-m", "pytest", *evidence.args))
    known = f"pytest {evidence.pytest} on Python {evidence.python}"
    return command, f"predicted for {known}, {_installed(evidence)}"


def _installed(evidence: PytestInvocation) -> str:
    """Name the plugins that count as installed; what was merely stated is taken for one."""
    found = (each for each in evidence.distributions if each.plugins is None or each.plugins)
    names = list(dict.fromkeys(f"{each.name} {each.version}" for each in found))
    shown = ", ".join(names[:_MOST_PLUGINS])
    rest = len(names) - _MOST_PLUGINS
    plugins = f"{shown} and {rest} more" if rest > 0 else shown
    if evidence.complete:
        return f"with {plugins or 'no plugins'}"
    return f"no plugins stated (perhaps {plugins})" if plugins else "no plugins stated"
