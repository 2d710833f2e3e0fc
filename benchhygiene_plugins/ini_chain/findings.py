"""The rules of ``ini-chain`` and the findings it yields."""

from __future__ import annotations

import attrs

from benchhygiene import BaseFinding, Rule, Severity

COVERAGE_GATE = Rule(
    "ini.coverage_gate", "An inherited coverage floor decides the exit status", Severity.ERROR
)
UNKNOWN_OPTION = Rule(
    "ini.unknown_option",
    "An inherited option is unknown here, so pytest refuses to run",
    Severity.ERROR,
)
ABORT = Rule(
    "ini.abort", "Something inherited stops pytest before it runs the tests", Severity.ERROR
)
STOPS_EARLY = Rule(
    "ini.stops_early", "An inherited option ends the run, or a test, early", Severity.ERROR
)
STRICT = Rule(
    "ini.strict", "An inherited switch holds the tests to a stricter standard", Severity.ERROR
)
WARNINGS_AS_ERRORS = Rule(
    "ini.warnings_as_errors", "Inherited filters turn warnings into failures", Severity.ERROR
)
HIDES_TESTS = Rule(
    "ini.hides_tests", "An inherited option takes tests out of the run", Severity.ERROR
)
NOTHING_RUNS = Rule(
    "ini.nothing_runs",
    "An inherited option makes pytest succeed without running a test",
    Severity.ERROR,
)
MASKS_FAILURE = Rule(
    "ini.masks_failure", "An inherited option turns failures into passes", Severity.ERROR
)
REWRITES_REPORT = Rule(
    "ini.rewrites_report",
    "An inherited option changes what the report says or in which order",
    Severity.WARNING,
)
SWALLOWS_PATH = Rule(
    "ini.swallows_path",
    "An inherited option takes the command's own path for its value",
    Severity.ERROR,
)
MALFORMED = Rule("ini.malformed", "A config file that pytest must read is broken", Severity.ERROR)
REQUIRED_PLUGIN = Rule(
    "ini.required_plugin", "The config file demands a plugin that is not there", Severity.ERROR
)
MINVERSION = Rule("ini.minversion", "The config file demands another pytest", Severity.ERROR)
CONFTEST = Rule("ini.conftest", "A conftest of the host changes the run", Severity.ERROR)
ENVIRONMENT = Rule("ini.environment", "An environment variable changes the run", Severity.ERROR)
SHADOWED_MODULE = Rule(
    "ini.shadowed_module",
    "A file in the working directory is imported in place of a module pytest needs",
    Severity.ERROR,
)
UNSEEN = Rule("ini.unseen", "Part of what decides the run could not be seen", Severity.WARNING)

RULES = (
    COVERAGE_GATE,
    UNKNOWN_OPTION,
    ABORT,
    STOPS_EARLY,
    STRICT,
    WARNINGS_AS_ERRORS,
    HIDES_TESTS,
    NOTHING_RUNS,
    MASKS_FAILURE,
    REWRITES_REPORT,
    SWALLOWS_PATH,
    MALFORMED,
    REQUIRED_PLUGIN,
    MINVERSION,
    CONFTEST,
    ENVIRONMENT,
    SHADOWED_MODULE,
    UNSEEN,
)


@attrs.frozen
class CorrectedCommand:
    """A command that runs the tests without what was found.

    ``environ`` lists variables to set, or to unset where the value is None. ``shell`` is the same
    as one line to paste. ``cost`` says in a sentence what is lost. ``certain`` is False where some
    of what was found is gone for sure, but not all of what is in doubt.
    """

    argv: tuple[str, ...]
    environ: tuple[tuple[str, str | None], ...]
    shell: str
    cost: str
    certain: bool = True


@attrs.frozen(kw_only=True)
class GateInherited(BaseFinding):
    """An option, key or conftest is in force that the command did not ask for.

    ``source`` is the file (relative to the working directory) or variable it comes from, empty for
    the command line itself. ``effect`` says what it can do; ``fails_passing_suite`` whether a suite
    that passes on its own exits non-zero by it, None where that is not known, and ``exit_status``
    with which status. ``corrected_command`` is None where nothing helps.
    """

    option: str
    value: str
    source: str
    effect: str
    fails_passing_suite: bool | None
    exit_status: int | None = None
    corrected_command: CorrectedCommand | None = None


@attrs.frozen(kw_only=True)
class RunAborted(BaseFinding):
    """Pytest stops before any test, with ``exit_status``.

    ``source`` and ``corrected_command`` are as in GateInherited; ``option`` is the word to blame,
    empty where it is not one word.
    """

    option: str
    source: str
    exit_status: int
    corrected_command: CorrectedCommand | None = None


@attrs.frozen(kw_only=True)
class EvidenceUnseen(BaseFinding):
    """Something that decides the run could not be seen, so the answer is not certain."""

    reason: str
