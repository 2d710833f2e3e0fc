"""The rules of ``configuration`` and the findings it yields."""

from __future__ import annotations

import attrs

from benchhygiene import BaseFinding, Rule, Severity

DESELECTED = Rule(
    "collection.deselected",
    "Configuration or a hook keeps tests of the parent's from being run",
    Severity.ERROR,
    edit="deselects by a hook, `-k`, `--ignore`, testpaths, collect_ignore",
    seen="the parent's tests, collected by the candidate's settings and hooks",
    unseen="hooks of plugins outside the tree",
)
CHANGED = Rule(
    "config.changed",
    "Configuration is less strict, or says something else",
    Severity.WARNING,
    edit="switches strictness off",
    seen="settings as pytest resolves them, in every file it reads",
    unseen="settings of the job that runs pytest",
)
LOWERED = Rule(
    "coverage.threshold_lowered",
    "Less coverage is demanded than before",
    Severity.ERROR,
    edit="lowers the floor, widens omit or exclusions",
    seen="coverage's settings in every file, and commands",
    unseen="settings of services",
)
RERUN = Rule(
    "flaky.rerun_added",
    "A test that fails is run again",
    Severity.ERROR,
    edit="adds reruns, retries, loops round a test",
    seen="marks, options, decorators, hooks and loops",
    unseen="retries outside the tree",
)
UNSEEN = Rule(
    "config.unseen", "What configuration does to the tests could not be seen", Severity.WARNING
)

RULES = (DESELECTED, CHANGED, LOWERED, RERUN, UNSEEN)


@attrs.frozen(kw_only=True)
class NodesDeselected(BaseFinding):
    """One thing takes tests away: how many, and whether on a condition that nobody can tell.

    The further locations name the first of them. ``quarantined`` says that the trusted ledger lets
    all of them.
    """

    reason: str
    count: int
    is_conditional: bool = False
    quarantined: bool = False


@attrs.frozen(kw_only=True)
class ConfigurationChanged(BaseFinding):
    """Options of a run differ; ``is_laxer`` says that something strict no longer is."""

    options: tuple[str, ...]
    is_laxer: bool = False


@attrs.frozen(kw_only=True)
class CoverageLowered(BaseFinding):
    """A floor of coverage is lower, gone, or held against less."""

    reason: str


@attrs.frozen(kw_only=True)
class RerunAdded(BaseFinding):
    """A test, or every test, is run again when it fails; ``times`` is how often at most."""

    times: int | None
    quarantined: bool = False


@attrs.frozen(kw_only=True)
class ConfigurationUnseen(BaseFinding):
    """What a file does to the tests could not be read or followed."""

    reason: str
