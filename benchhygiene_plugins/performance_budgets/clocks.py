"""What takes the place of a clock."""

from __future__ import annotations

from benchhygiene_plugins.performance_budgets.recording import Fake, Record
from benchhygiene_plugins.performance_budgets.terms import Known, Place, Ref, Term
from benchhygiene_plugins.performance_budgets.vocabulary import (
    CLOCK_WORDS,
    CLOCKS,
    FREEZERS,
    PROCESSOR_CLOCKS,
    SLEEPS,
)

_MODULES = ("time", "timeit", "datetime", "asyncio", "trio", "anyio")
_WORDS = CLOCK_WORDS | {"sleep", "now", "utcnow", "time", "datetime", "default_timer"}
_PATCHERS = ("monkeypatch.setattr", "setattr", "builtins.setattr")


def is_clock(name: str) -> bool:
    """Return whether a dotted name may be a clock's, a sleep's, or their module's."""
    head, _, last = name.rpartition(".")
    if not head:
        return last in _WORDS - {"datetime", "now"}
    return last in _WORDS or (last in _MODULES)


def is_wall(timer: Term) -> bool:
    """Return whether a timer is a real clock, and one that goes on while the code waits."""
    return isinstance(timer, Ref) and timer.name in CLOCKS and timer.name not in PROCESSOR_CLOCKS


def replaced(record: Record, name: str, place: Place) -> None:
    """Note that something is put in the place of a name, where that is a clock's."""
    if is_clock(name):
        record.fakes.append(Fake(name, place))


def patched(record: Record, name: str, args: tuple[Term, ...], place: Place) -> bool:
    """Note what a call patches or freezes; return whether it is one that does."""
    if name in FREEZERS or name.endswith(("freeze_time", "time_machine.travel", "freezer.move_to")):
        record.fakes.append(Fake(name, place))
        return True
    is_object = name.endswith("patch.object") or name in _PATCHERS
    if not (is_object or name.endswith("patch")):
        return False
    first, second = (*args, None, None)[:2]
    if isinstance(first, Known) and isinstance(first.value, str):
        replaced(record, first.value, place)
    elif isinstance(first, Ref) and isinstance(second, Known):
        replaced(record, f"{first.name}.{second.value}", place)
    elif is_object and isinstance(second, Known):
        replaced(record, f"?.{second.value}", place)
    return True


def sleeps(name: str) -> bool:
    """Return whether a name is one by which a test waits."""
    return name in SLEEPS
