"""The command ``ledger check``: judge a pack's ledger for a day."""

from __future__ import annotations

import os
from collections.abc import Iterator

from benchhygiene import sources
from benchhygiene.cli.configuration import Configuration, read_configuration
from benchhygiene.cli.output import deliver, has_colour, stream_for, text_width
from benchhygiene.cli.parsing import Given
from benchhygiene.core.orchestrator import Orchestrator
from benchhygiene.core.registry import Registry
from benchhygiene.core.report import Report
from benchhygiene.core.trust import is_inside, real_path
from benchhygiene.errors import ConfigurationError, InputError
from benchhygiene.evidence.as_of import AsOf
from benchhygiene.evidence.ledger import Ledger, ParentLedger
from benchhygiene.evidence.pack import LEDGER, WitnessPack
from benchhygiene.evidence.tree import Change
from benchhygiene.sources import pack_files
from benchhygiene.sources.reading import read_regular, reason_of

REQUIRED = "ledger-expiry"
_LEDGER_BYTES = 16 << 20


def run(given: Given) -> int:
    """Judge a ledger, write the report and return the exit status of its verdict."""
    (path,) = given.arguments
    configuration = _configuration(given)
    day = sources.as_of(given.date)
    held = _held(path)
    evidence = (held, day, *_against(given))
    report = _report(evidence, configuration)
    deliver(_render(report, (path, _about(held, day)), given), given.output)
    return report.verdict.exit_status


def ledger_of(held: WitnessPack | Ledger, path: str) -> Ledger:
    """Return the ledger itself; raises InputError for a pack without one."""
    found = held.ledger if isinstance(held, WitnessPack) else held
    if found is None:
        raise InputError(f"pack {path}: has no {LEDGER}")
    return found


def _held(path: str) -> WitnessPack | Ledger:
    """Return the verified pack in the directory, or the ledger in a file of its own."""
    held = sources.pack(path) if os.path.isdir(path) else read_ledger(path)[1]
    ledger_of(held, path)
    return held


def read_ledger(path: str) -> tuple[bytes, Ledger]:
    """Return a ledger file's bytes and what they say; raises InputError that names the file."""
    try:
        data = read_regular(path, _LEDGER_BYTES)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "not a path"
        raise InputError(f"{path}: cannot be read: {reason}") from error
    return data, pack_files.ledger(data, path)


def _configuration(given: Given) -> Configuration:
    if given.config is None:
        return Configuration()
    tree = given.value("--tree")
    if tree is not None and is_inside(real_path(given.config), (real_path(tree),)):
        raise ConfigurationError(
            f"--config {given.config}: lies in the tree under judgement; keep it outside"
        )
    return read_configuration(given.config)


def _against(given: Given) -> Iterator[object]:
    record, tree, parent = (given.value(name) for name in ("--run", "--tree", "--parent"))
    if record is not None:
        yield sources.outcomes(record)
    if tree is not None:
        found = sources.tree(tree)
        yield Change(found, found)
    if parent is not None:
        yield ParentLedger(ledger_of(_held(parent), parent))


def _report(evidence: tuple[object, ...], configuration: Configuration) -> Report:
    orchestrator = Orchestrator(
        Registry.discover().only(REQUIRED), (REQUIRED, *configuration.require)
    )
    report = orchestrator.run(*evidence)
    if configuration.severity:
        from benchhygiene.cli.severities import lower

        report = lower(report, configuration.severity)
    return report


def _about(held: WitnessPack | Ledger, day: AsOf) -> str:
    entries = len(ledger_of(held, "").entries)
    told = "1 entry" if entries == 1 else f"{entries} entries"
    return f"{told}, judged as of {day.date}"


def _render(report: Report, about: tuple[str, str], given: Given) -> str:
    if given.format == "json":
        from benchhygiene.formats import json

        return json.render(report)
    if given.format == "sarif":
        from benchhygiene.formats import sarif

        return sarif.render(report)
    from benchhygiene.formats import text

    stream = stream_for(given.output)
    return text.render(
        report,
        about=about,
        width=text_width(stream, os.environ),
        colour=stream is not None and has_colour(stream, os.environ),
    )
