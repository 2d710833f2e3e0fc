"""The commands ``score`` and ``judge``."""

from __future__ import annotations

import json
import os
import sys

from benchhygiene import sources
from benchhygiene.cli.configuration import Configuration, read_configuration
from benchhygiene.cli.diffing import with_required
from benchhygiene.cli.output import deliver, has_colour, stream_for, text_width, write_file
from benchhygiene.cli.parsing import Given
from benchhygiene.core import score as scoring
from benchhygiene.core.digest import digest
from benchhygiene.core.orchestrator import Orchestrator
from benchhygiene.core.score import Score
from benchhygiene.core.trust import is_inside, real_path
from benchhygiene.errors import ConfigurationError, InputError, PackRefused
from benchhygiene.evidence.pack import WitnessPack
from benchhygiene.evidence.tree import Change
from benchhygiene.sources.judged import (
    Judged,
    against_pack,
    require_foreign_environment,
    with_contracts,
)
from benchhygiene.sources.packing.uris import parse as parse_uri

_REQUIRED = frozenset(("replay",))


def score(given: Given) -> int:
    """Score a candidate; a refused pack fails it before anything else is looked at."""
    uri, candidate = _stated(given, "--pack"), _stated(given, "--candidate")
    _require_pinned(uri, given)
    configuration = _configuration(given)
    try:
        pack = sources.pack(
            uri,
            allowed_signers=given.value("--allowed-signers"),
            revoked=given.value("--revoked"),
        )
    except PackRefused as error:
        return _deliver(scoring.refused(), None, given, reasons=tuple(map(str, error.faults)))
    judged = _judged(pack, candidate, given)
    kept = given.value("--evidence")
    if kept is not None:
        from benchhygiene.sources.saved_evidence import evidence_text

        write_file(kept, evidence_text(judged), f"--evidence {kept}")
    return _deliver(_score(judged, configuration), judged, given)


def judge(given: Given) -> int:
    """Score saved evidence again."""
    from benchhygiene.sources.saved_evidence import read_evidence

    judged = read_evidence(given.arguments[0])
    return _deliver(_score(judged, _configuration(given)), judged, given)


def _stated(given: Given, option: str) -> str:
    value = given.value(option)
    if value is None:
        raise InputError(
            f"{option} is missing; usage: benchhygiene score --pack URI --candidate TREE"
        )
    return value


def _require_pinned(uri: str, given: Given) -> None:
    if parse_uri(uri).sha256 is None and given.value("--allowed-signers") is None:
        raise InputError(
            f"--pack {parse_uri(uri)}: expected #sha256=DIGEST behind it, as pack show prints it, "
            "or --allowed-signers: a pack that nobody pinned could be anybody's"
        )


def _configuration(given: Given) -> Configuration:
    """Return the trusted configuration; raises ConfigurationError for one of the candidate's."""
    if given.config is None:
        return Configuration()
    judged = (given.git, None if given.git else given.value("--candidate"))
    if any(each and is_inside(real_path(given.config), (real_path(each),)) for each in judged):
        raise ConfigurationError(
            f"--config {given.config}: lies in what is judged, which could have written it"
        )
    return read_configuration(given.config)


def _judged(pack: WitnessPack, candidate: str, given: Given) -> Judged:
    day = sources.as_of(given.date)
    change = _change(pack, candidate, given)
    require_foreign_environment(change.parent, change.candidate)
    parent = given.value("--parent")
    commits = None
    if given.git is not None and parent is not None:
        commits = sources.commits(given.git, parent, candidate)
    before = change.parent if parent is not None else None
    replay = sources.replay(pack, change.candidate, before, _settings(given))
    return Judged(pack=pack, as_of=day, change=change, commits=commits, replay=replay)


def _change(pack: WitnessPack, candidate: str, given: Given) -> Change:
    parent = given.value("--parent")
    if parent is None and given.git is None:
        return against_pack(pack, sources.tree(candidate))
    if parent is None:
        return against_pack(pack, sources.tree(given.git or "", revision=candidate))
    if given.git is not None:
        return with_contracts(pack, sources.git_change(given.git, parent, candidate))
    if real_path(parent) == real_path(candidate):
        raise InputError(f"{candidate}: is the same directory as {parent}")
    return with_contracts(pack, sources.change(parent, candidate))


def _settings(given: Given) -> sources.ReplaySettings:
    reruns = given.value("--reruns") or "0"
    if not (reruns.isascii() and reruns.isdigit()):
        raise InputError(f"--reruns {reruns}: expected a whole number")
    bare = sources.Isolation.NONE if given.has("--no-sandbox") else sources.Isolation.NAMESPACES
    return sources.ReplaySettings(
        python=given.python or sys.executable,
        plugins=tuple(given.plugin or ()),
        reruns=int(reruns),
        reach=given.has("--reach"),
        isolation=bare,
    )


def _score(judged: Judged, configuration: Configuration) -> Score:
    orchestrator = Orchestrator(
        require=(*_REQUIRED, *configuration.require), disable=configuration.disable
    )
    report = with_required(orchestrator.run(*judged.pieces))
    if configuration.severity:
        from benchhygiene.cli.severities import lower

        report = lower(report, configuration.severity)
    run = None if judged.replay is None else judged.replay.suite
    return scoring.score(report, run, judged.pack.ledger, judged.as_of.date)


def _deliver(
    found: Score, judged: Judged | None, given: Given, reasons: tuple[str, ...] = ()
) -> int:
    attestation = given.value("--attestation")
    if attestation is not None and judged is not None:
        write_file(attestation, _attestation(found, judged, given), f"--attestation {attestation}")
    if given.format == "json":
        from benchhygiene.formats import score_json

        deliver(score_json.render(found, reasons), given.output)
    else:
        deliver(_text(found, judged, given, reasons), given.output)
    return found.verdict.exit_status


def _text(found: Score, judged: Judged | None, given: Given, reasons: tuple[str, ...]) -> str:
    from benchhygiene.formats import score_text

    stream = stream_for(given.output)
    return score_text.render(
        found,
        about=() if judged is None else _about(judged),
        reasons=reasons,
        width=text_width(stream, os.environ),
        colour=stream is not None and has_colour(stream, os.environ),
    )


def _about(judged: Judged) -> tuple[str, ...]:
    pack, replay = judged.pack, judged.replay
    name = pack.archive_sha256 or pack.manifest_sha256 or "unverified"
    said = f"pack {name[:12]} as of {judged.as_of.date}"
    if replay is None:
        return (said,)
    how = "without a sandbox" if replay.isolation == "none" else "in a sandbox"
    return (f"{said}, replayed {how} with pytest {replay.pytest} on Python {replay.python}",)


def _attestation(found: Score, judged: Judged, given: Given) -> str:
    from benchhygiene.formats import score_json

    candidate = digest(judged.change.candidate)
    pack = judged.pack
    sha256 = pack.archive_sha256 or pack.manifest_sha256 or digest(pack)
    name = given.value("--candidate") or "candidate"
    statement = score_json.statement(
        found,
        None if judged.replay is None else judged.replay.suite,
        subject=(name, candidate),
        candidate={"name": "parent", "digest": {"sha256": digest(judged.change.parent)}},
        pack={"name": "witness-pack", "digest": {"sha256": sha256}},
    )
    text = json.dumps(statement, sort_keys=True, indent=2) + "\n"
    key = given.value("--sign-key")
    if key is None:
        return text
    from benchhygiene.sources.packing.dsse import sign

    return sign(json.dumps(statement, sort_keys=True).encode(), key).decode()
