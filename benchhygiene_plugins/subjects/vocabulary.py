"""The words that tell of whoever runs the product, and of tests."""

from __future__ import annotations

import re

STACK = (
    "inspect.stack",
    "inspect.currentframe",
    "inspect.getouterframes",
    "inspect.trace",
    "inspect.getframeinfo",
    "inspect.getinnerframes",
    "sys._getframe",
    "sys._current_frames",
    "sys._getframemodulename",
    "traceback",
)
WORLD = (
    "sys.modules",
    "sys.argv",
    "sys.orig_argv",
    "__main__",
    "builtins",
    "__builtins__",
    "sys.path",
    "sys.meta_path",
    "sys.path_hooks",
    "sys.stdout",
    "sys.stderr",
    "sys.stdin",
    "sys.__stdout__",
    "sys.gettrace",
    "sys.getprofile",
    "sys.settrace",
    "sys.flags",
    "psutil",
    "logging.root",
    "os.getppid",
    "os.getcwd",
    "os.getcwdb",
    "pathlib.Path.cwd",
    "gc",
    "importlib.util.find_spec",
    "pkgutil.find_loader",
    "importlib.metadata.distributions",
    "threading.enumerate",
    "threading.current_thread",
    "threading.main_thread",
    "asyncio.current_task",
    "sys.excepthook",
    "sys.breakpointhook",
    "sys.monitoring",
)
ENVIRONMENT = ("os.environ", "os.getenv", "os.environb", "posix.environ", "nt.environ")
VARIABLES = frozenset((b"environ", b"getenv", b"environb", b"getattr"))
WORDS = frozenset(
    b"modules argv orig_argv environ environb getenv stack currentframe getouterframes _getframe "
    b"traceback gc f_locals f_back __main__ builtins __builtins__ find_spec pytest _pytest psutil "
    b"unittest meta_path gettrace getppid import_module __import__ getcwd stdout logging __dict__ "
    b"getattr vars get_objects get_referrers root _called_from_test _getframemodulename "
    b"_current_frames tb_frame f_code f_globals".split()
)
STRONG = re.compile(
    r"py\.?test|unittest|conftest|called_from_test|\bnose2?\b|assertionrewrit|@py_|\bxdist\b"
    r"|running_?tests?\b|under_?test\b|in_?tests?\b|is_?testing|logcapture|caplog|dontreadfrominput"
    r"|test_?mode|hypothesis|coverage_run|tox_env_name|nox_",
    re.IGNORECASE,
)
WEAK = re.compile(r"(?:^|[/_.\\*])tests?(?:$|[/_.\\*-])|^Test|^test", re.IGNORECASE)
CALLER_LOCALS = frozenset(
    (
        "expected",
        "want",
        "wanted",
        "reference",
        "golden",
        "oracle",
        "answer",
        "answers",
        "correct",
        "solution",
        "expected_output",
        "expected_result",
        "truth",
        "target",
        "grader",
        "desired",
        "should_be",
        "expected_value",
        "want_value",
    )
)
CI = frozenset(
    (
        "CI",
        "GITHUB_ACTIONS",
        "GITLAB_CI",
        "TRAVIS",
        "CIRCLECI",
        "JENKINS_URL",
        "BUILDKITE",
        "TF_BUILD",
        "CONTINUOUS_INTEGRATION",
        "BUILD_NUMBER",
        "RUN_ID",
        "GRADER",
        "GRADING",
        "SWEBENCH",
    )
)
TEST_VARIABLE = re.compile(r"(?:^|_)(?:TESTS?|TESTING|PYTEST|UNITTEST)(?:$|_)")
ASKING = (
    "startswith",
    "endswith",
    "find",
    "count",
    "index",
    "match",
    "search",
    "get",
    "fullmatch",
    "exists",
    "isdir",
    "isfile",
)
