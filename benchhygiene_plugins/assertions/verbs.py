"""Calls that end a test, catch its failure or hand its work to somebody else, by dotted name."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from benchhygiene_plugins.assertions.terms import Term

_SKIPS = frozenset(
    (
        "pytest.skip",
        "pytest.xfail",
        "pytest.importorskip",
        "pytest.exit",
        "skipTest",
        "SkipTest",
        "unittest.SkipTest",
        "unittest.case.SkipTest",
        "pytest.skip.Exception",
        "pytest.xfail.Exception",
        "_pytest.outcomes.Skipped",
    )
)
_FAILS = frozenset(("pytest.fail", "_pytest.outcomes.fail"))
_LEAVES = frozenset(("sys.exit", "os._exit", "exit", "quit", "SystemExit", "os.abort"))
_CATCH_FAILURES = frozenset(
    (
        "AssertionError",
        "Exception",
        "BaseException",
        "failureException",
        "builtins.AssertionError",
        "builtins.Exception",
        "builtins.BaseException",
    )
)
_CATCH_OUTCOMES = frozenset(("BaseException", "pytest.fail.Exception", "_pytest.outcomes.Failed"))
SUPPRESSES = frozenset(("contextlib.suppress", "suppress"))
RAISES = frozenset(
    (
        "pytest.raises",
        "assertRaises",
        "assertRaisesRegex",
        "assertRaisesRegexp",
        "failUnlessRaises",
        "pytest.RaisesGroup",
        "pytest.RaisesExc",
        "nose.tools.assert_raises",
        "assertRaisesMessage",
        "numpy.testing.assert_raises",
        "numpy.testing.assert_raises_regex",
        "pytest.mark.raises",
    )
)
WARNS = frozenset(
    (
        "pytest.warns",
        "pytest.deprecated_call",
        "assertWarns",
        "assertWarnsRegex",
        "assertLogs",
        "assertNoLogs",
        "numpy.testing.assert_warns",
        "pandas._testing.assert_produces_warning",
        "pandas.testing.assert_produces_warning",
        "assertWarnsMessage",
        "assertNumQueries",
    )
)
TRANSPARENT = frozenset(
    ("subTest", "contextlib.nullcontext", "nullcontext", "pytest.subtests.test")
)
#: Who runs a function elsewhere, so that its failure is not the test's.
_THREADS = frozenset(
    (
        "threading.Thread",
        "multiprocessing.Process",
        "threading.Timer",
        "Thread",
        "Process",
        "_thread.start_new_thread",
        "threading._start_new_thread",
    )
)
_FUTURES = frozenset(("submit", "apply_async", "map_async", "starmap_async", "run_in_executor"))
_CALLBACKS = frozenset(
    (
        "call_soon",
        "call_later",
        "call_soon_threadsafe",
        "add_done_callback",
        "register",
        "atexit.register",
        "weakref.finalize",
    )
)
_TASKS = frozenset(("create_task", "ensure_future", "run_coroutine_threadsafe", "start_soon"))
_GROUPS = frozenset(("TaskGroup", "create_task_group", "open_nursery"))
_AWAITERS = frozenset(
    (
        "run",
        "run_until_complete",
        "gather",
        "wait_for",
        "wait",
        "as_completed",
        "shield",
        "async_to_sync",
        "TaskGroup",
    )
)
_COLLECTORS = frozenset(
    (
        "list",
        "tuple",
        "set",
        "sorted",
        "sum",
        "all",
        "any",
        "dict",
        "max",
        "min",
        "deque",
        "next",
        "frozenset",
        "enumerate",
        "zip",
        "join",
        "extend",
    )
)


def last(dotted: str) -> str:
    """Return the last part of a dotted name."""
    return dotted.rpartition(".")[2]


def is_skip(dotted: str) -> bool:
    """Return whether calling or raising this skips the test."""
    return dotted in _SKIPS or last(dotted) in ("SkipTest", "skipTest")


def leaves(dotted: str) -> bool:
    """Return whether calling or raising this ends the run without a failure."""
    return dotted in _LEAVES


def ends_test(dotted: str) -> str | None:
    """Return ``skip`` or ``fail`` for a call that ends the test, None for any other."""
    if is_skip(dotted):
        return "skip"
    if dotted in _FAILS or dotted in ("self.fail", "cls.fail"):
        return "fail"
    return None


def catches_failures(types: Iterable[Term] | None) -> bool:
    """Return whether an exception clause catches a failed assertion; None is a bare one."""
    if types is None:
        return True
    return any(_names_failure(one) for one in types)


def _names_failure(one: Term) -> bool:
    if one.kind in ("tuple", "list"):
        return any(map(_names_failure, one.children))
    if one.kind == "attr" and one.value in ("failureException", "Exception"):
        return True
    return one.value in _CATCH_FAILURES or one.value in _CATCH_OUTCOMES


@functools.lru_cache(maxsize=4096)
def is_taken(name: str) -> bool:
    """Return whether a call of this name may run, or take over, a function that it is given."""
    short = last(name)
    return (
        any(short in names for names in (_FUTURES, _TASKS, _CALLBACKS, _AWAITERS))
        or name in _THREADS
        or name in _CALLBACKS
    )


@functools.lru_cache(maxsize=4096)
def is_expectation(name: str, short: str) -> bool:
    """Return whether a call of this name demands that something is raised."""
    return any(one in RAISES or one in WARNS for one in (name, short))


def handed_to(function: Term) -> str | None:
    """Return who takes over a function passed to this call, so that nobody sees it fail."""
    name = function.value
    if _is_group(function):
        return None
    if function.kind in ("ref", "builtin") and name in _THREADS:
        return "a thread or process"
    if last(name) in _FUTURES:
        return "a future whose result nobody asks for"
    if last(name) in _TASKS:
        return "a task that nobody awaits"
    if last(name) in _CALLBACKS or name in _CALLBACKS:
        return "a callback"
    return None


def _is_group(function: Term) -> bool:
    """Return whether a method is that of a task group, which waits for what it is given."""
    if function.kind != "attr" or function.children[0].kind != "enter":
        return False
    opened = function.children[0].children[0]
    return opened.kind == "call" and last(opened.children[0].value) in _GROUPS


def awaits(function: Term) -> bool:
    """Return whether a call runs the coroutines it is given."""
    return last(function.value) in _AWAITERS or _is_group(function)


def collects(function: Term) -> bool:
    """Return whether a call runs through the generators it is given."""
    return last(function.value) in _COLLECTORS
