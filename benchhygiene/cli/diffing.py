"""The command ``diff``: take parent, candidate and pack, run the analyzers, deliver the report."""

from __future__ import annotations

import os
import posixpath
import sys
from collections.abc import Iterator

import attrs

from benchhygiene import sources
from benchhygiene.cli.configuration import Configuration, read_configuration
from benchhygiene.cli.output import deliver, has_colour, stream_for, text_width
from benchhygiene.core.orchestrator import Orchestrator
from benchhygiene.core.report import Outcome, Report, Skipped
from benchhygiene.core.trust import is_inside, real_path
from benchhygiene.errors import ConfigurationError, InputError
from benchhygiene.evidence.as_of import AsOf
from benchhygiene.evidence.commits import Commits
from benchhygiene.evidence.pack import WitnessPack
from benchhygiene.evidence.tree import Change
from benchhygiene.sources.reading import read_regular, reason_of
from benchhygiene.sources.trees import TreeLimits

REQUIRED = (
    "assertions",
    "configuration",
    "doctests",
    "harness",
    "nodes",
    "oracles",
    "pack-custody",
    "performance-budgets",
    "pipelines",
    "property-budgets",
    "skip-markers",
    "subjects",
)
_UNREMARKABLE = (".git", "__pycache__", ".pytest_cache")  # every checkout has them
_MOST_NAMED = 5
_LARGEST_DIFF = TreeLimits().diff_bytes


@attrs.frozen
class Request:
    """What the command line asks for: ``style`` is text, json or sarif.

    Parent and candidate are directories, or revisions where ``git`` names a repository; with a
    ``patch`` there is no candidate.
    """

    parent: str
    candidate: str | None = None
    git: str | None = None
    patch: str | None = None
    pack: str | None = None
    date: str | None = None
    config: str | None = None
    style: str = "text"
    output: str | None = None


def run(request: Request) -> int:
    """Judge a change, write the report and return the exit status of its verdict."""
    _require_one_candidate(request)
    configuration = _configuration(request)
    day = sources.as_of(request.date)
    pack = None if request.pack is None else sources.pack(request.pack)
    change = _change(request)
    trusted = () if pack is None else (pack, day, *_commits(request))
    report = _report(change, trusted, configuration)
    text = _render(report, _about(change, pack, day), change, request)
    deliver(text, request.output)
    return report.verdict.exit_status


def _require_one_candidate(request: Request) -> None:
    if request.patch is None and request.candidate is None:
        raise InputError("CANDIDATE: expected a second tree, or --patch FILE to make it with")
    if request.patch is not None and request.candidate is not None:
        raise InputError(
            "CANDIDATE and --patch: expected one of them, as the patch makes the other"
        )


def _configuration(request: Request) -> Configuration:
    """Return the trusted configuration; raises ConfigurationError for one of the candidate's."""
    if request.config is None:
        return Configuration()
    judged = request.candidate if request.git is None else request.git
    if judged is not None and is_inside(real_path(request.config), (real_path(judged),)):
        raise ConfigurationError(
            f"--config {request.config}: lies in the directory under judgement, which could have "
            "written it; keep it outside"
        )
    return read_configuration(request.config)


def _change(request: Request) -> Change:
    if request.patch is not None:
        diff = _diff(request.patch)
        if request.git is None:
            return sources.patch_change(request.parent, diff)
        return sources.patch_change(request.git, diff, revision=request.parent)
    candidate = request.candidate or ""
    if request.git is not None:
        return sources.git_change(request.git, request.parent, candidate)
    if real_path(request.parent) == real_path(candidate):
        raise InputError(f"{candidate}: is the same directory as {request.parent}")
    return sources.change(request.parent, candidate)


def _diff(path: str) -> bytes:
    if path == "-":
        stream = sys.stdin.buffer if sys.stdin is not None else None
        return stream.read(_LARGEST_DIFF + 1) if stream is not None else b""
    try:
        return read_regular(path, _LARGEST_DIFF)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "not a path"
        raise InputError(f"--patch {path}: cannot be read: {reason}") from error


def _commits(request: Request) -> tuple[Commits, ...]:
    """Return the commits that a pack's is held against, where the trees are revisions."""
    if request.git is None:
        return ()
    return (sources.commits(request.git, request.parent, request.candidate),)


def _report(change: Change, trusted: tuple[object, ...], configuration: Configuration) -> Report:
    orchestrator = Orchestrator(require=configuration.require, disable=configuration.disable)
    # Without a pack there is nothing to hold against a day or a commit.
    report = with_required(orchestrator.run(change, *trusted))
    if configuration.severity:
        from benchhygiene.cli.severities import lower

        report = lower(report, configuration.severity)
    notes = (*report.provenance.notes, *_notes(change))
    return attrs.evolve(report, provenance=attrs.evolve(report.provenance, notes=notes))


def with_required(report: Report) -> Report:
    """Return a report that is INCONCLUSIVE where a required analyzer was skipped or is missing.

    The names are kept here and not asked of the registry: it does not know what is not installed.
    """
    there = [
        attrs.evolve(outcome, required=True) if outcome.analyzer in REQUIRED else outcome
        for outcome in report.outcomes
    ]
    missing = set(REQUIRED) - {outcome.analyzer for outcome in there}
    absent = [Outcome(name, Skipped("not installed"), required=True) for name in missing]
    outcomes = sorted([*there, *absent], key=lambda outcome: outcome.analyzer)
    return attrs.evolve(report, outcomes=tuple(outcomes))


def _notes(change: Change) -> Iterator[str]:
    for name, tree in (("parent", change.parent), ("candidate", change.candidate)):
        yield from (f"evidence: {name}: {reason}" for reason in tree.unseen)
        left_out = [path for path in tree.left_out if not _is_unremarkable(path)]
        if left_out:
            yield f"evidence: {name}: {_listed(left_out)} was passed over"


def _is_unremarkable(path: str) -> bool:
    return posixpath.basename(path) in _UNREMARKABLE


def _listed(paths: list[str]) -> str:
    rest = len(paths) - _MOST_NAMED
    names = ", ".join(paths[:_MOST_NAMED])
    return f"{names} and {rest} more" if rest > 0 else names


def _about(change: Change, pack: WitnessPack | None, day: AsOf) -> tuple[str, str]:
    held = ""
    if pack is not None:
        name = f"the pack {pack.manifest_sha256[:12]}" if pack.manifest_sha256 else "a pack"
        held = f", judged with {name} as of {day.date}"
    return "parent against candidate", _counted(change) + held


def _counted(change: Change) -> str:
    differing = change.differing()
    before, after = change.parent.entries, change.candidate.entries
    added = sum(path not in before for path in differing)
    removed = sum(path not in after for path in differing)
    counts = ((len(differing) - added - removed, "changed"), (added, "added"), (removed, "removed"))
    parts = [f"{count} {word}" for count, word in counts if count]
    files = "1 file differs" if len(differing) == 1 else f"{len(differing)} files differ"
    return f"{files} ({', '.join(parts)})" if parts else "no file differs"


def _render(report: Report, about: tuple[str, str], change: Change, request: Request) -> str:
    if request.style == "json":
        from benchhygiene.formats import json

        return json.render(report)
    if request.style == "sarif":
        from benchhygiene.formats import sarif

        return sarif.render(report)
    from benchhygiene.formats import text
    from benchhygiene.formats.change_excerpts import ChangeExcerpts

    stream = stream_for(request.output)
    return text.render(
        report,
        excerpts=ChangeExcerpts(change),
        about=about,
        width=text_width(stream, os.environ),
        colour=stream is not None and has_colour(stream, os.environ),
    )
