"""Which files hold the tests and what serves them, and which the code under test."""

from __future__ import annotations

import posixpath

import attrs

from benchhygiene.inventory.collection import CollectionRules

_TEST_FOLDERS = frozenset(
    (
        "test",
        "tests",
        "testsuite",
        "unittests",
        "unit_tests",
        "integration_tests",
        "functional_tests",
        "e2e",
        "spec",
        "specs",
        "test_utils",
        "testutils",
    )
)
_WORKSHOP = frozenset(
    (
        "setup.py",
        "noxfile.py",
        "tasks.py",
        "conf.py",
        "fabfile.py",
        "dodo.py",
        "build.py",
        "manage.py",
        "wscript.py",
        "release.py",
        "sitecustomize.py",
        "usercustomize.py",
    )
)
_WORKSHOP_FOLDERS = frozenset(
    (
        "docs",
        "doc",
        "scripts",
        "script",
        "tools",
        "ci",
        ".ci",
        ".github",
        "examples",
        "example",
        "benchmarks",
        "benchmark",
        "bench",
        "dev",
        "build_tools",
        "packaging",
        "asv_bench",
    )
)
_TEST_MODULES = frozenset(("testing.py", "_testing.py", "pytest_plugin.py", "pytestplugin.py"))


@attrs.frozen
class Sides:
    """Tells test code from product code, by the collection rules and by where files stand."""

    rules: CollectionRules

    def is_test_code(self, path: str) -> bool:
        """Return whether a Python file is a test file, a conftest, or stands among tests."""
        name = posixpath.basename(path)
        if name == "conftest.py" or self.rules.is_test_file(path):
            return True
        if name.startswith("test_") or name.endswith("_test.py"):
            return True
        return self.is_among_tests(path)

    def is_among_tests(self, path: str) -> bool:
        """Return whether any file stands below a folder of tests."""
        folders = path.split("/")[:-1]
        if any(one in _TEST_FOLDERS or one.startswith("test_") for one in folders):
            return True
        roots = (one for one in self.rules.testpaths if one not in (".", "src", "lib"))
        return any(path.startswith(f"{one}/") for one in roots)

    def is_product(self, path: str) -> bool:
        """Return whether a file is Python that the tests are there to test."""
        if not path.endswith(".py") or self.is_test_code(path):
            return False
        parts = path.split("/")
        if parts[-1] in _WORKSHOP | _TEST_MODULES or parts[-1].startswith("pytest_"):
            return False
        return not any(one in _WORKSHOP_FOLDERS for one in parts[:-1])
