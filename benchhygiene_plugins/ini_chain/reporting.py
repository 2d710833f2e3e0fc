"""Turn a resolution into findings: severity, place, message and the command that helps."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

import attrs

from benchhygiene import BaseFinding, Location, Severity, SymbolKind, Verdict
from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import PytestInvocation
from benchhygiene_plugins.ini_chain.command.words import Origin, OriginKind
from benchhygiene_plugins.ini_chain.configuration.places import key_place, word_place
from benchhygiene_plugins.ini_chain.findings import (
    RULES,
    UNSEEN,
    CorrectedCommand,
    EvidenceUnseen,
    GateInherited,
    RunAborted,
)
from benchhygiene_plugins.ini_chain.resolution import Abort, Effect, EffectKind, Resolution

_BY_ID = {rule.id: rule for rule in RULES}
_ONLY_IF_FAILING = (EffectKind.FAILS, EffectKind.ABORTS, EffectKind.REORDERS, EffectKind.REWRITES)


@attrs.frozen(eq=False, repr=False)
class Reporter:
    """Write findings about one invocation, with paths relative to its working directory."""

    invocation: PytestInvocation
    resolution: Resolution
    command: CorrectedCommand | None

    def findings(self) -> Iterator[BaseFinding]:
        """Yield what is to be said, in the order it takes effect."""
        if self.resolution.abort is not None:
            yield self._aborted(self.resolution.abort)
        for effect in self.resolution.effects:
            inherited = effect.origin.kind is not OriginKind.ARGUMENT
            empty = effect.kind is EffectKind.RUNS_NOTHING
            if inherited or empty or effect.fails is not False:
                yield self._gate(effect)
        for reason in self.resolution.unknown:
            yield EvidenceUnseen(
                rule=UNSEEN,
                message=f"Not known: {reason}.",
                verdict=Verdict.INCONCLUSIVE,
                reason=reason,
            )

    def _aborted(self, abort: Abort) -> RunAborted:
        origin = abort.origin or Origin(OriginKind.ARGUMENT)
        option = "" if abort.word is None else abort.word.text
        place = self._refined(origin, option)
        ends = f"so pytest stops with status {abort.exit_status} before any test"
        return RunAborted(
            rule=_BY_ID[abort.rule],
            message=f"{self._subject(option, place)}: {abort.reason}, {ends}.",
            locations=self._locations(place, option),
            new_text=option,
            option=option,
            source=self._source_name(origin),
            exit_status=abort.exit_status,
            corrected_command=self.command,
        )

    def _gate(self, effect: Effect) -> GateInherited:
        place = self._refined(effect.origin, effect.option, effect.value)
        severity, verdict = _weight(effect)
        written = _written(effect.option, effect.value)
        return GateInherited(
            rule=_BY_ID[effect.rule],
            severity=severity,
            verdict=verdict,
            message=f"{self._subject(written, place)}: {effect.reason}{_ending(effect)}.",
            locations=self._locations(place, effect.option),
            new_text=written,
            option=effect.option,
            value=effect.value,
            source=self._source_name(effect.origin),
            effect=effect.kind.value,
            fails_passing_suite=effect.fails,
            exit_status=effect.exit_status,
            corrected_command=None if severity is Severity.NOTE else self.command,
        )

    def _refined(self, origin: Origin, option: str, value: str = "") -> Origin:
        """Give a place in a TOML file its line and column."""
        if origin.kind is not OriginKind.FILE or origin.column is not None:
            return origin
        if not origin.name.endswith(".toml"):
            return origin
        try:
            text = self.invocation.files.read(origin.name).decode()
        except (EvidenceUnavailable, UnicodeDecodeError):
            return origin
        found = self._in_toml(text, option, value)
        return origin if found is None else attrs.evolve(origin, line=found[0], column=found[1])

    def _in_toml(self, text: str, option: str, value: str) -> tuple[int, int] | None:
        words = [str(word) for word in self.resolution.addopts or ()]
        spellings = (option, f"{option}={value}", f"{option}{value}")
        index = next(
            (at for at, word in reversed(list(enumerate(words))) if word in spellings), None
        )
        for section in ("tool.pytest.ini_options", "tool.pytest", "pytest"):
            found = None if index is None else word_place(text, section, words, index)
            found = found or key_place(text, section, option)
            if found is not None:
                return found
        return key_place(text, "tool.coverage.report", option)

    def _locations(self, origin: Origin, option: str) -> tuple[Location, ...]:
        if origin.kind is not OriginKind.FILE:
            return ()
        path = self._relative(origin.name)
        kind = SymbolKind.OPTION if option else None
        return (Location(path, origin.line, origin.column, option or None, kind),)

    def _relative(self, path: str) -> str:
        return posixpath.relpath(path, self.invocation.cwd)

    def _source_name(self, origin: Origin) -> str:
        return self._relative(origin.name) if origin.kind is OriginKind.FILE else origin.name

    def _subject(self, written: str, origin: Origin) -> str:
        """Name the word and who wrote it, as the message begins."""
        if origin.kind is OriginKind.ARGUMENT:
            source = "the command itself"
        elif origin.kind is OriginKind.VARIABLE:
            source = f"${origin.name}"
        else:
            line = "" if origin.line is None else f", line {origin.line}"
            source = f"{self._relative(origin.name)}{line}"
        is_file = origin.kind is OriginKind.FILE and written == posixpath.basename(origin.name)
        return source if is_file or not written else f"{written} ({source})"


def _written(option: str, value: str) -> str:
    """Return an option or key with its value, on one line, as a person would write it."""
    if not value:
        return option
    flat = " ".join(value.split())
    if option.startswith("--"):
        return f"{option}={flat}"
    return f"{option} {flat}" if option.startswith("-") else f"{option} = {flat}"


def _ending(effect: Effect) -> str:
    if not effect.fails or effect.exit_status is None or effect.exit_status == 5:
        return ""
    return f", so a suite that passes exits with status {effect.exit_status}"


def _weight(effect: Effect) -> tuple[Severity, Verdict]:
    """Return how much an effect weighs.

    What fails the suite, or would harm the grade of a failing one, is an ERROR; what only could is
    INCONCLUSIVE; what cannot do either here is a NOTE. What the tests do to themselves is no
    leakage.
    """
    if effect.is_own:
        return Severity.WARNING, Verdict.PASS
    if effect.fails is None:
        return Severity.WARNING, Verdict.INCONCLUSIVE
    if effect.fails or effect.kind not in _ONLY_IF_FAILING:
        return Severity.ERROR, Verdict.VIOLATION
    is_rewrite = effect.kind is EffectKind.REWRITES
    return (Severity.WARNING if is_rewrite else Severity.NOTE), Verdict.PASS
