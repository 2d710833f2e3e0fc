"""What a resolution holds: where pytest roots the run, what it inherits, where it stops."""

from __future__ import annotations

import enum

import attrs

from benchhygiene_plugins.ini_chain.command.words import Origin, Word
from benchhygiene_plugins.ini_chain.configuration.search import ChainLink


@attrs.frozen
class Abort:
    """Say that pytest stops before any test, with which exit status and why.

    ``rule`` is the id of the rule that reports it. ``word`` or ``origin`` say what is to blame.
    """

    exit_status: int
    reason: str
    rule: str
    origin: Origin | None = None
    word: Word | None = None


class EffectKind(enum.Enum):
    """What an inherited option or key does to a grade."""

    FAILS = "fails a passing suite"
    ABORTS = "stops the run before any test"
    STOPS_EARLY = "stops the run at a failure"
    HIDES = "hides tests"
    RUNS_NOTHING = "runs nothing and succeeds"
    MASKS = "masks failures"
    SWALLOWS = "takes the grader's own path for itself"
    REWRITES = "rewrites the report"
    REORDERS = "reorders or reports only"


@attrs.frozen
class Effect:
    """One gate in force: the option or key, who wrote it, and what it does.

    ``fails`` says whether a suite that passes on its own would now exit non-zero: True, False, or
    None where it cannot be known; ``reason`` says why. ``exit_status`` is the status then.
    ``is_own`` says that the tests themselves are to blame, whatever the command inherits.
    """

    rule: str
    kind: EffectKind
    option: str
    value: str
    origin: Origin
    reason: str
    fails: bool | None = False
    exit_status: int | None = None
    is_own: bool = False

    @property
    def is_early(self) -> bool:
        """Return whether this certainly ends the run before anything is collected."""
        config = self.rule in ("ini.malformed", "ini.coverage_gate") or self.is_filter
        return self.kind is EffectKind.ABORTS and self.fails is True and config

    @property
    def is_filter(self) -> bool:
        """Return whether a warning filter is to blame."""
        return self.option in ("-W", "--pythonwarnings", "filterwarnings")


@attrs.frozen
class Resolution:
    """All that ``python -m pytest ARGS`` would inherit.

    ``rootdir``, ``inifile`` (absolute paths) and ``addopts`` (words as pytest splits them; a number
    in a TOML list stays one) are None where pytest stops before it has decided them; an ``inifile``
    of None after a decided rootdir means that there is none. ``arguments`` is addopts,
    PYTEST_ADDOPTS and the command line in the order pytest reads them. ``unknown`` lists what could
    not be seen.
    """

    rootdir: str | None
    inifile: str | None
    addopts: tuple[object, ...] | None
    arguments: tuple[str, ...]
    abort: Abort | None
    conftests: tuple[str, ...]
    chain: tuple[ChainLink, ...]
    effects: tuple[Effect, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def fails_passing_suite(self) -> bool | None:
        """Return whether tests that pass on their own would now exit non-zero.

        None where that cannot be known; the effects and ``unknown`` say why.
        """
        if self.abort is not None:
            return self.abort.exit_status != 0
        answers = {effect.fails for effect in self.effects}
        if True in answers:
            return True
        return None if None in answers or self.unknown else False
