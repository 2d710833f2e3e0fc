"""What of the test frameworks, and of Python, the outcome of a test rests on."""

from __future__ import annotations

import re

_FRAMEWORKS = (
    "pytest.",
    "_pytest.",
    "unittest.",
    "pluggy.",
    "doctest.",
    "hypothesis.",
    "numpy.testing.",
    "pandas.testing.",
    "xdist.",
    "pytest_asyncio.",
    "twisted.trial.",
    "nose.",
    "nose2.",
    "testtools.",
    "iniconfig.",
)
#: Modules that are such a framework, or that Python finds them with.
MODULES = frozenset(
    [
        "pytest",
        "_pytest",
        "unittest",
        "pluggy",
        "doctest",
        "hypothesis",
        "numpy.testing",
        "builtins",
        "unittest.case",
        "unittest.mock",
        "_pytest.outcomes",
        "_pytest.runner",
        "_pytest.python_api",
        "_pytest.assertion",
        "_pytest.reports",
        "_pytest.terminal",
        "_pytest.python",
        "_pytest.raises",
    ]
)
#: Of builtins, what assertions and their failure are made of.
_BUILTINS = frozenset(
    [
        "AssertionError",
        "BaseException",
        "Exception",
        "isinstance",
        "issubclass",
        "all",
        "any",
        "len",
        "sum",
        "sorted",
        "abs",
        "round",
        "repr",
        "min",
        "max",
        "bool",
        "int",
        "str",
        "list",
        "dict",
        "set",
        "tuple",
        "float",
        "type",
        "zip",
        "map",
        "filter",
        "range",
        "enumerate",
        "compile",
        "exec",
        "eval",
        "__build_class__",
        "__debug__",
        "super",
        "getattr",
        "hasattr",
    ]
)
#: Only what stays: a test may well replace these for itself.
_LASTING = frozenset(
    [
        "__import__",
        "sys.excepthook",
        "sys.unraisablehook",
        "threading.excepthook",
        "sys.exit",
        "os._exit",
        "warnings.warn",
        "warnings.showwarning",
        "warnings.warn_explicit",
        "warnings._showwarnmsg",
        "sys.flags",
        "sys.stdout.write",
        "sys.__stdout__",
        "importlib.import_module",
        "importlib.reload",
        "atexit.register",
        "inspect.iscoroutinefunction",
    ]
)
_LASTING_PREFIXES = ("importlib.machinery.", "importlib._bootstrap", "importlib.abc.", "linecache.")
_IMPORT_SYSTEM = frozenset(("sys.meta_path", "sys.path_hooks", "sys.path_importer_cache"))
TRACING = frozenset(
    [
        "sys.settrace",
        "sys.setprofile",
        "threading.settrace",
        "threading.setprofile",
        "threading.settrace_all_threads",
        "threading.setprofile_all_threads",
        "sys.monitoring.register_callback",
        "sys.addaudithook",
    ]
)
#: Settings that only say more, or how much.
_HARMLESS = frozenset(
    [
        "unittest.TestCase.maxDiff",
        "unittest.TestCase.longMessage",
        "unittest.util._MAX_LENGTH",
        "unittest.TestCase._diffThreshold",
        "unittest.util._COMMON_LEN",
        "pytest.__test__",
    ]
)
_PYTEST = frozenset(
    [
        "Cache",
        "CallInfo",
        "CaptureFixture",
        "Class",
        "CollectReport",
        "Collector",
        "Config",
        "ExceptionInfo",
        "ExitCode",
        "File",
        "Function",
        "FixtureDef",
        "FixtureRequest",
        "Item",
        "LineMatcher",
        "LogCaptureFixture",
        "Mark",
        "MarkDecorator",
        "MarkGenerator",
        "Metafunc",
        "Module",
        "MonkeyPatch",
        "Package",
        "Parser",
        "PytestPluginManager",
        "Session",
        "Stash",
        "TestReport",
        "TempPathFactory",
        "UsageError",
        "approx",
        "console_main",
        "deprecated_call",
        "exit",
        "fail",
        "fixture",
        "hookimpl",
        "hookspec",
        "importorskip",
        "main",
        "mark",
        "param",
        "raises",
        "register_assert_rewrite",
        "skip",
        "warns",
        "xfail",
        "yield_fixture",
        "Skipped",
        "Failed",
        "Exit",
        "RaisesExc",
        "RaisesGroup",
        "outcomes",
    ]
)
_REPORTING = re.compile(
    r"report|Report|runner|terminal|Terminal|result|Result|junit|LogXML|Session|testsfailed"
)
#: Methods of a TestCase whose override decides whether its tests can fail.
TESTCASE = frozenset(
    [
        "run",
        "debug",
        "fail",
        "__call__",
        "_callTestMethod",
        "_callSetUp",
        "_callTearDown",
        "failureException",
        "_feedErrorsToResult",
        "_addSkip",
        "_outcome",
        "defaultTestResult",
        "countTestCases",
        "doCleanups",
        "_getAssertEqualityFunc",
        "_baseAssertEqual",
        "_formatMessage_",
        "runTest_",
    ]
)
#: Fixtures of pytest's own, by which tests see and change what is around them.
FIXTURES = frozenset(
    [
        "monkeypatch",
        "capsys",
        "capfd",
        "capsysbinary",
        "capfdbinary",
        "caplog",
        "recwarn",
        "request",
        "pytester",
        "testdir",
        "pytestconfig",
        "cache",
        "doctest_namespace",
        "record_property",
        "tmpdir",
        "tmp_path",
    ]
)
#: Shorter paths for temporary files are a common and honest reason to override these.
PLAUSIBLE_FIXTURES = frozenset(("tmp_path", "tmpdir", "cache", "record_property"))
#: Plugins of pytest's own without which it does not judge.
PLUGINS = frozenset(
    [
        "terminalreporter",
        "runner",
        "main",
        "junitxml",
        "logxml",
        "assertion",
        "python",
        "unittest",
        "skipping",
        "session",
        "capture",
        "capturemanager",
        "unraisableexception",
        "threadexception",
        "faulthandler",
        "terminal",
        "reports",
        "stepwise",
        "nose",
    ]
)


def is_framework(name: str) -> bool:
    """Return whether a dotted name is part of a test framework, or of what assertions rest on."""
    if name in _HARMLESS or "()" in name or name.startswith("unittest.mock.patch."):
        return False
    if name.startswith("pytest.") and not _is_known_pytest(name):
        return False
    return name.startswith(_FRAMEWORKS) or name in _BUILTINS or name in MODULES


def _is_known_pytest(name: str) -> bool:
    """Return whether pytest has what is named: an attribute it has not is somebody's own."""
    first = name.split(".")[1]
    return (
        first in _PYTEST
        or first in ("python_api", "runner", "reports", "?")
        or (name.count(".") > 1)
    )


def is_lasting(name: str) -> bool:
    """Return whether a dotted name is part of Python that must not stay replaced."""
    return name in _LASTING or name.startswith(_LASTING_PREFIXES)


def is_import_system(name: str) -> bool:
    """Return whether a dotted name is what Python finds modules with."""
    return any(name == one or name.startswith(f"{one}.") for one in _IMPORT_SYSTEM)


def is_reporting(name: str) -> bool:
    """Return whether a framework's name is about how outcomes are told."""
    return _REPORTING.search(name) is not None


def is_testcase_member(name: str) -> bool:
    """Return whether overriding this in a TestCase changes what its tests find."""
    return name in TESTCASE or _ASSERTION.fullmatch(name) is not None


_ASSERTION = re.compile(
    r"assert(?:(?:Not)?(?:Equal|In|Is|IsNone|IsInstance|AlmostEqual|Regex|HasAttr|StartsWith"
    r"|EndsWith|Subset)s?|True|False|Raises(?:Regex)?|Warns(?:Regex)?|(?:No)?Logs|Greater(?:Equal)?"
    r"|Less(?:Equal)?|CountEqual|IsNot(?:None)?|NotIsInstance|(?:List|Tuple|Set|Dict|Sequence"
    r"|MultiLine)Equal|_)"
)
