"""The names by which a run of tests is ended, and those that call later what they are given."""

from __future__ import annotations

import re

#: End the interpreter at once: no report is written.
HARD = frozenset(("os._exit", "os.abort", "_thread.interrupt_main"))
#: Replace the interpreter by another program.
REPLACING = re.compile(r"os\.(?:exec[lv]p?e?)")
#: Raise SystemExit.
SOFT = frozenset(("sys.exit", "exit", "quit", "SystemExit"))
#: Send a signal: to a process, or to oneself.
SENDING = frozenset(("os.kill", "os.killpg", "signal.pthread_kill", "signal.raise_signal"))
OWN = frozenset(("os.getpid", "os.getppid", "os.getpgrp", "os.getpgid", "threading.get_ident"))
PARENTS = frozenset(("os.getppid",))
DEADLY = frozenset(("SIGKILL", "SIGABRT", "SIGSTOP", 9, 6, 19))
STOPPING = frozenset(("SIGTERM", "SIGINT", "SIGQUIT", "SIGHUP", "SIGALRM", 15, 2, 3, 1, 14))
#: End pytest's session.
SESSION = frozenset(("pytest.exit",))
SESSION_EXCEPTIONS = frozenset(("pytest.exit.Exception", "pytest.Exit"))
NATIVE = re.compile(
    r"ctypes\.(?:.*\.)?(?:_?exit|quick_exit|abort|kill|raise|Py_Exit|Py_FatalError|string_at|memset)"
)
SHELLS = ("subprocess.", "os.system", "os.popen")
KILLING = re.compile(r"\b(?:kill|pkill|killall)\b")
#: Call later, by name of the function or method, what they are given.
REGISTRARS = frozenset(
    [
        "register",
        "Timer",
        "Thread",
        "Process",
        "addCleanup",
        "addfinalizer",
        "signal",
        "callback",
        "call_later",
        "call_soon",
        "call_soon_threadsafe",
        "finalize",
        "addModuleCleanup",
        "addClassCleanup",
        "push",
        "start_new_thread",
        "submit",
        "partial",
        "add_cleanup",
        "addCleanupFunction",
        "create_task",
        "run_in_executor",
        "atexit",
        "map",
        "filter",
        "register_at_fork",
        "enterContext",
        "add_signal_handler",
        "add_done_callback",
        "setdefault",
    ]
)
#: Take names of exits without calling them.
HARMLESS = frozenset(
    (
        "isinstance", "issubclass", "callable", "id", "print", "repr", "str", "signature",
        "hasattr",
    )
)  # fmt: skip
#: What source asks to learn that it is being tested.
TEST_AWARE = re.compile(r"pytest|PYTEST|unittest|_pytest|\bCI\b|TESTING")
#: What a file must hold, in one of these spellings, to be worth reading at all.
MENTIONS = re.compile(
    rb"exit|Exit|quit|abort|kill|SIG|signal|exec|eval|compile|getattr|__dict__|setattr|vars"
    rb"|interrupt_main|ctypes|sys|outcome|longrepr|excinfo|stats|report|Report|testsfailed"
    rb"|pytest|unittest|pluggy|doctest|hypothesis|builtins|testing|patch|hook|trace|profile"
    rb"|PASSED|passed|junit|optimi[sz]e|OPTIMIZE|assert|import_module|__import__|warnings"
    rb"|ok|OK|TestCase|shouldfail|shouldstop"
)
