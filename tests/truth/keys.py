"""Workspaces that ask what one key of the config file does to tests."""

from __future__ import annotations

from collections.abc import Iterator

from tests.truth.layouts import ini, workspace
from tests.truth.workspaces import Workspace

#: A line of the ini file, then the suites to judge it on.
LINES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("xfail_strict = true", ("xpass", "plain", "strict xfail")),
    ("xfail_strict = false", ("xpass",)),
    ("xfail_strict = maybe", ("xpass", "plain")),
    ("strict_xfail = true", ("xpass", "plain")),
    ("xfail_strict = true\nstrict_xfail = false", ("xpass",)),
    ("strict = true", ("plain", "marked", "xpass", "same ids")),
    ("strict = true\nstrict_markers = false", ("marked", "plain")),
    ("strict_markers = true", ("plain", "marked")),
    ("strict_markers = true\nmarkers = slow: x", ("marked",)),
    ("strict_config = true", ("plain",)),
    ("strict_config = true\nnosuch = 1", ("plain",)),
    ("nosuch = 1", ("plain",)),
    ("strict_parametrization_ids = true", ("same ids", "parameters")),
    ("empty_parameter_set_mark = fail_at_collect", ("empty set", "plain")),
    ("empty_parameter_set_mark = xfail", ("empty set",)),
    ("empty_parameter_set_mark = bogus", ("empty set", "plain")),
    ("filterwarnings = error", ("warns", "plain", "marked", "unittest", "standard")),
    ("filterwarnings =\n    error\n    ignore::DeprecationWarning", ("warns", "marked")),
    ("filterwarnings =\n    ignore::DeprecationWarning\n    error", ("warns",)),
    ("filterwarnings = error::DeprecationWarning", ("warns", "plain")),
    ("filterwarnings = ignore", ("warns",)),
    ("filterwarnings = bogus", ("plain",)),
    ("filterwarnings = error::Bogus", ("plain",)),
    ("filterwarnings = error::nosuch.Cat", ("plain",)),
    ("filterwarnings = error\nnosuch = 1", ("plain",)),
    ("filterwarnings = error\nmarkers = slow", ("marked",)),
    ("filterwarnings = error\naddopts = -W ignore", ("warns",)),
    ("filterwarnings = error\naddopts = -p no:warnings", ("warns",)),
    ("required_plugins = nosuch", ("plain",)),
    ("required_plugins = pytest-cov", ("plain",)),
    ("required_plugins = pytest-cov>=99", ("plain",)),
    ("required_plugins = pytest_cov", ("plain",)),
    ("required_plugins = pytest-cov pytest-timeout>=1", ("plain",)),
    ("required_plugins = !!", ("plain",)),
    ("minversion = 99", ("plain",)),
    ("minversion = 6.0", ("plain",)),
    ("minversion = abc", ("plain",)),
    ("minversion =", ("plain",)),
    ("minversion = 8.4.2", ("plain",)),
    ("python_files = check_*.py", ("plain",)),
    ("python_files =", ("plain",)),
    ("python_functions = it_*", ("plain", "classes", "unittest")),
    ("python_functions = test_s*", ("several", "plain")),
    ("python_classes = Spec*", ("classes", "plain")),
    ("python_files = 'test_*", ("classes", "plain")),
    ("python_functions = 'test_*", ("classes", "plain")),
    ("python_classes = 'Test*", ("classes", "plain", "unittest")),
    ("norecursedirs = 'lib", ("classes", "plain")),
    ("norecursedirs = tests", ("plain",)),
    ("norecursedirs = .", ("plain",)),
    ("testpaths = tests", ("plain", "two files")),
    ("testpaths = nosuch", ("plain",)),
    ("usefixtures = nosuch", ("plain", "unittest")),
    ("usefixtures = tmp_path", ("plain",)),
    ("usefixtures = seven", ("fixture", "plain")),
    ("timeout = 0.000001", ("plain",)),
    ("timeout = 0.05", ("sleeps",)),
    ("timeout = 300", ("sleeps",)),
    ("timeout = 0", ("sleeps",)),
    ("timeout = abc", ("plain",)),
    ("timeout_method = bogus", ("plain",)),
    ("session_timeout = 0.05", ("sleeps",)),
    ("session_timeout = 120", ("plain",)),
    ("console_output_style = bogus", ("plain",)),
    ("console_output_style = count", ("plain",)),
    ("log_level = bogus", ("plain",)),
    ("log_level = INFO", ("plain",)),
    ("log_cli_level = bogus", ("plain",)),
    ("log_cli = true", ("plain",)),
    ("log_cli = perhaps", ("plain",)),
    ("log_file = tests", ("plain",)),
    ("log_file_level = bogus", ("plain",)),
    ("log_auto_indent = x", ("plain",)),
    ("faulthandler_timeout = abc", ("plain",)),
    ("faulthandler_timeout = 5", ("plain",)),
    ("consider_namespace_packages = x", ("plain",)),
    ("tmp_path_retention_policy = bogus", ("plain", "tmp path")),
    ("tmp_path_retention_count = x", ("plain", "tmp path")),
    ("tmp_path_retention_count = -1", ("plain", "tmp path")),
    ("junit_family = bogus", ("plain",)),
    ("junit_family = bogus\naddopts = --junitxml=x.xml", ("plain",)),
    ("cache_dir = .c", ("plain",)),
    ("pythonpath = src", ("plain", "covered")),
    ("pythonpath = 'x", ("plain",)),
    ("doctest_optionflags = BOGUS", ("plain",)),
    ("doctest_optionflags = BOGUS\naddopts = --doctest-modules", ("plain", "good doctest")),
    ("doctest_encoding = bogus", ("plain",)),
    ("enable_assertion_pass_hook = true", ("plain",)),
    ("enable_assertion_pass_hook = x", ("plain",)),
    ("collect_imported_tests = false", ("plain",)),
    ("verbosity_assertions = abc", ("plain",)),
    ("verbosity_test_cases = -1", ("plain",)),
    ("truncation_limit_lines = abc", ("plain",)),
    ("asyncio_mode = auto", ("plain", "async")),
    ("DJANGO_SETTINGS_MODULE = nosuch.settings", ("plain",)),
    ("reruns = 1", ("plain",)),
    ("max_warnings = 0", ("warns", "plain")),
    ("max_warnings = 5", ("warns",)),
    ("max_warnings = x", ("plain",)),
    ("markers = slow: x", ("marked",)),
    ("markers =\n    slow(x): y\n    unit", ("marked",)),
    ("disable_test_id_escaping_and_forfeit_all_rights_to_community_support = true", ("plain",)),
)
_OVERRIDES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("-o", "xfail_strict=true"), "xpass"),
    (("-o", "xfail_strict="), "xpass"),
    (("-o", "strict_xfail=true"), "xpass"),
    (("-o", "xfail_strict=false", "-o", "strict_xfail=true"), "xpass"),
    (("-oxfail_strict=true",), "xpass"),
    (("--override-ini=xfail_strict=true",), "xpass"),
    (("--override-ini", "xfail_strict=true"), "xpass"),
    (("-o", "filterwarnings=error"), "warns"),
    (("-o", "filterwarnings="), "warns"),
    (("-o", "minversion=99"), "plain"),
    (("-o", "minversion=0"), "plain"),
    (("-o", "required_plugins=nosuch"), "plain"),
    (("-o", "nosuch=1"), "plain"),
    (("-o", "nonsense"), "plain"),
    (("-o", "addopts=-x"), "plain"),
    (("-o", "addopts=-x", "-o", "addopts="), "plain"),
    (("-o", "addopts=--nosuch"), "plain"),
    (("-o", "addopts='x"), "plain"),
    (("-o", "=1"), "plain"),
    (("-o",), "plain"),
    (("-o", "usefixtures=nosuch"), "plain"),
    (("-o", "python_functions=it_*"), "plain"),
    (("-o", "python_files=check_*.py"), "plain"),
    (("-o", "timeout=abc"), "plain"),
    (("-o", "strict_markers=true"), "marked"),
    (("-o", "strict=true"), "marked"),
    (("-o", "log_level=bogus"), "plain"),
    (("-o", "console_output_style=bogus"), "plain"),
    (("-o", "max_warnings=0"), "warns"),
    (("--strict-markers", "-o", "strict_markers=false"), "marked"),
    (("-o", "strict_markers=false", "--strict-markers"), "marked"),
)


def in_files() -> Iterator[Workspace]:
    """Yield each line for a file argument, and for the directory where it may differ."""
    for line, suites in LINES:
        for suite in suites:
            files = {"host/pytest.ini": ini(None, line)}
            yield workspace(f"{line!r} | {suite}", files, suite=suite)
        yield workspace(f"{line!r} | tests/", files, ["tests"], suite=suites[0])
        yield workspace(f"{line!r} | no argument", files, [], suite=suites[0])


def overridden() -> Iterator[Workspace]:
    """Yield what ``-o`` on the command line does, with and without a file."""
    for words, suite in _OVERRIDES:
        args = [*words, "tests/test_ok.py"]
        yield workspace(f"{words} | {suite}", {}, args, suite=suite)
        files = {"host/tox.ini": ini(["-q"], "xfail_strict = true", "filterwarnings = error")}
        yield workspace(f"{words} over a file | {suite}", files, args, suite=suite)
