"""The analyzer ``configuration``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene import BaseFinding, Bundle
from benchhygiene.core.findings import place
from benchhygiene.evidence import AsOf, Change, Ledger
from benchhygiene_plugins.configuration import reporting
from benchhygiene_plugins.configuration.findings import RULES
from benchhygiene_plugins.configuration.floors import lowered
from benchhygiene_plugins.configuration.judging import (
    Judgement,
    inner_directories,
    steering_edits,
    unreadable_conftests,
)
from benchhygiene_plugins.configuration.protocols import loading
from benchhygiene_plugins.configuration.quarantine import Quarantine
from benchhygiene_plugins.configuration.reruns.comparison import added, looping
from benchhygiene_plugins.configuration.reruns.counting import in_commands

if TYPE_CHECKING:
    from benchhygiene.testing import Case


@attrs.frozen
class ConfigurationEvidence(Bundle):
    """A change, and where there is a trusted pack its ledger and the day it is held against."""

    change: Change
    ledger: Ledger | None = None
    day: AsOf | None = None


@attrs.frozen
class Configuration:
    """Report what configuration and hooks take from the parent's tests, or let pass."""

    name = "configuration"
    rules = RULES
    consumes = ConfigurationEvidence

    def analyze(self, evidence: ConfigurationEvidence, /) -> Iterator[BaseFinding]:
        """Yield the tests that are no longer run, and what is no longer demanded of them."""
        change, quarantine = evidence.change, Quarantine(evidence.ledger, evidence.day)
        if not change.differing():
            return
        root = Judgement.of(change, quarantine)
        found = [*root.findings()]
        for directory in inner_directories(change):
            found += Judgement.of(change, quarantine, directory).findings()
        found += (reporting.left_out(one) for one in loading(change))
        found += (reporting.lowered(one) for one in lowered(change, root.before, root.after))
        found += (reporting.more_reruns(one) for one in in_commands(change))
        found += (
            reporting.rerun(one, quarantine) for one in added(change, root.before, root.after)
        )
        found += (reporting.looping(one) for one in looping(change))
        found += unreadable_conftests(change)
        yield from found
        yield from steering_edits(change, {place(one).path: one for one in found})

    @property
    def cases(self) -> tuple[Case, ...]:
        """Return a violating and an innocent example of every rule."""
        from benchhygiene_plugins.configuration.cases import CASES

        return CASES
