"""What analyzers are tested with: cases, the runs that judge them, and a guard against I/O."""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
import sys
import sysconfig
from collections.abc import Callable, Generator, Iterable, Iterator
from contextvars import ContextVar
from types import FrameType
from typing import TypeVar, cast

import attrs

from benchhygiene.core import trust
from benchhygiene.core.analyzer import Analyzer
from benchhygiene.core.findings import Rule, Verdict
from benchhygiene.core.orchestrator import Orchestrator
from benchhygiene.core.registry import Registry
from benchhygiene.core.report import Completed, Report
from benchhygiene.errors import ForbiddenIO, InputError

__all__ = ["Case", "case", "forbid_io", "run_case", "run_cases"]

E = TypeVar("E")
# Audit events, https://docs.python.org/3/library/audit_events.html: whole modules, and single ones.
_FORBIDDEN_MODULES = (
    "_thread.",
    "glob.",
    "os.",
    "pathlib.",
    "shutil.",
    "socket.",
    "subprocess.",
    "tempfile.",
    "urllib.",
)
_FORBIDDEN = frozenset(
    (
        "_posixsubprocess.fork_exec",
        "builtins.input",
        "ctypes.dlopen",
        "fcntl.fcntl",
        "open",
        "pty.spawn",
        "sqlite3.connect",
        "time.sleep",
        "webbrowser.open",
    )
)
_IMPORT_MACHINERY = ("_frozen_importlib_external", "importlib._bootstrap_external", "zipimport")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


@attrs.frozen
class Case:
    """Evidence, and the ids of the rules an analyzer must and must not report on it.

    ``reports`` is all that may be reported. ``innocent_of`` names the rules whose violation this is
    the innocent twin of. ``verdict`` is None where it does not matter.
    """

    name: str
    evidence: tuple[object, ...]
    reports: tuple[str, ...]
    innocent_of: tuple[str, ...]
    verdict: Verdict | None = None


def case(
    name: str,
    *evidence: object,
    reports: Iterable[Rule | str] = (),
    innocent_of: Iterable[Rule | str] = (),
    verdict: Verdict | None = None,
) -> Case:
    """Return a case; rules may be given by id.

    Raises InputError for a case that expects nothing, or both a rule and its innocence.
    """
    guilty, innocent = _ids(reports), _ids(innocent_of)
    if not guilty and not innocent:
        raise InputError(f"case {name!r}: say what it reports or what it is innocent of")
    both = sorted({*guilty} & {*innocent})
    if both:
        raise InputError(f"case {name!r}: cannot both report and be innocent of {both[0]}")
    return Case(name, evidence, guilty, innocent, verdict)


def _ids(rules: Iterable[Rule | str]) -> tuple[str, ...]:
    return tuple(sorted({rule.id if isinstance(rule, Rule) else rule for rule in rules}))


def run_case(analyzer: Analyzer[E], given: Case) -> Report:
    """Run the analyzer alone on one case, twice and without I/O; return the report.

    Raises AssertionError where it reports other rules, where the verdict differs, where the second
    run differs from the first; AnalyzerCrashed where it crashed; ForbiddenIO where it was not pure.
    """
    orchestrator = Orchestrator(Registry().including(analyzer), frozenset((analyzer.name,)))
    with forbid_io(*_own_directories(analyzer)):
        first, second = (orchestrator.run(*given.evidence) for _ in range(2))
    first.raise_for_crashes()
    _agree(given, "runs", _comparable(second), _comparable(first))
    found = tuple(sorted({finding.rule.id for finding in first.findings}))
    _agree(given, "reports", found, given.reports)
    if given.verdict is not None:
        _agree(given, "verdict", first.verdict, given.verdict)
    return first


def run_cases(analyzer: Analyzer[E], cases: Iterable[Case]) -> None:
    """Run every case, and see that every rule has a violating and an innocent one.

    Raises what ``run_case`` raises; AssertionError for a rule without its two cases, for a rule the
    analyzer does not have, and for two cases of one name.
    """
    given = tuple(cases)
    for one in given:
        run_case(analyzer, one)
    names = [one.name for one in given]
    assert len(set(names)) == len(names), f"two cases have one name: {sorted(names)}"
    declared = {rule.id for rule in analyzer.rules}
    for kind in ("reports", "innocent_of"):
        covered = {rule for one in given for rule in cast("tuple[str, ...]", getattr(one, kind))}
        assert covered == declared, (
            f"{analyzer.name}: no case {kind} {sorted(declared - covered)}, "
            f"unknown rules {sorted(covered - declared)}"
        )


def _agree(given: Case, what: str, found: object, expected: object) -> None:
    assert found == expected, f"case {given.name!r}: {what} {found!r}, expected {expected!r}"


def _comparable(report: Report) -> object:
    states = (outcome.state for outcome in report.outcomes)
    exhibits = [state.exhibits for state in states if isinstance(state, Completed)]
    return report.rows(), exhibits


def _own_directories(analyzer: Analyzer[E]) -> Iterator[str]:
    """Yield where the analyzer's package keeps the data it was installed with."""
    package = sys.modules.get(type(analyzer).__module__.partition(".")[0])
    yield from cast("Iterable[str]", getattr(package, "__path__", ()))


@attrs.frozen
class _Guard:
    """What may still be read while the guard is up, and what was attempted nevertheless."""

    readable: tuple[str, ...]
    attempts: list[str] = attrs.field(factory=list[str])

    def judge(self, event: str, arguments: tuple[object, ...]) -> None:
        if self._reads_own_data(event, arguments):
            return
        attempt = f"{event} {arguments[0]!r}" if arguments else event
        self.attempts.append(attempt)
        raise ForbiddenIO(attempt)

    def _reads_own_data(self, event: str, arguments: tuple[object, ...]) -> bool:
        if event not in ("open", "os.listdir", "os.scandir") or not arguments:
            return False
        path, flags = arguments[0], arguments[-1]
        if isinstance(flags, int) and flags & _WRITING:
            return False
        if not isinstance(path, str | bytes | os.PathLike):
            return False  # a descriptor: nobody knows of what
        return trust.is_inside(os.fsdecode(cast("str | os.PathLike[str]", path)), self.readable)


_guard: ContextVar[_Guard | None] = ContextVar("_guard", default=None)


@contextlib.contextmanager
def forbid_io(*readable: str) -> Generator[None]:
    """Make what the block reads, writes, starts or connects to raise ForbiddenIO.

    Imports may read, and so may anything from the standard library's and the site directories, from
    this library and from the directories given: what is installed is not evidence. An attempt whose
    exception was swallowed is raised when the block ends. Built on audit events, so ``os.stat``,
    the clock and reading the environment go unseen, and before Python 3.12 so do new threads.
    """
    _install()
    guard = _Guard((*_installed(), *readable))
    token = _guard.set(guard)
    try:
        yield
    finally:
        _guard.reset(token)
    if guard.attempts:
        raise ForbiddenIO(guard.attempts[0])


def _installed() -> Iterator[str]:
    yield from trust.site_directories()
    yield sysconfig.get_path("stdlib")
    yield os.path.dirname(__file__)


@functools.cache
def _install() -> None:
    """Add the audit hook, once: hooks cannot be removed, so it looks whether a guard is up."""
    sys.addaudithook(_hook(_guard))


def _hook(armed: ContextVar[_Guard | None]) -> Callable[[str, tuple[object, ...]], None]:
    # A closure: while the interpreter shuts down, module globals are gone before the hook is.
    def audit(event: str, arguments: tuple[object, ...]) -> None:
        guard = armed.get()
        # What follows causes events itself, none of them watched.
        if guard is None or not _is_watched(event) or _is_import(inspect.currentframe()):
            return
        guard.judge(event, arguments)

    return audit


def _is_watched(event: str) -> bool:
    return event.startswith(_FORBIDDEN_MODULES) or event in _FORBIDDEN


def _is_import(hook: FrameType | None) -> bool:
    """Return whether the frame that called the hook belongs to an import."""
    caller = hook.f_back if hook else None
    return caller is not None and caller.f_globals.get("__name__") in _IMPORT_MACHINERY
