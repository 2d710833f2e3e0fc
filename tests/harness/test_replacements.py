"""Runners that drop a status, and stubs of libraries."""

from __future__ import annotations

import pytest

from benchhygiene.evidence import Change
from benchhygiene_plugins.harness import Harness

_HEAD = "import sys\nimport pytest\n\nif __name__ == '__main__':\n"
_PARENT = f"{_HEAD}    sys.exit(pytest.main(['tests']))\n"


def _rules(candidate: str, parent: str = _PARENT) -> list[str]:
    change = Change({"run_tests.py": parent}, {"run_tests.py": candidate})
    return [one.rule.id for one in Harness().analyze(change)]


@pytest.mark.parametrize(
    "body",
    [
        "    pytest.main(['tests'])\n",
        "    pytest.main(['tests'])\n    sys.exit(0)\n",
        "    sys.exit(pytest.main(['tests']) and 0)\n",
        "    code = pytest.main(['tests'])\n    print(code)\n",
    ],
)
def test_a_status_that_is_dropped(body: str) -> None:
    assert _rules(_HEAD + body) == ["harness.exit_forced"]


@pytest.mark.parametrize(
    "body",
    [
        "    raise SystemExit(pytest.main(['tests', '-q']))\n",
        "    code = pytest.main(['tests'])\n    sys.exit(code)\n",
        "    sys.exit(int(pytest.main(['tests'])))\n",
    ],
)
def test_a_status_that_is_handed_on(body: str) -> None:
    assert _rules(_HEAD + body) == []


@pytest.mark.parametrize(("needs", "found"), [("requests", ["error"]), ("click", ["warning"])])
def test_a_stub_of_a_library_is_graver_where_the_project_needs_it(
    needs: str, found: list[str]
) -> None:
    tree = {"requirements.txt": f"{needs}>=2\n", "tests/conftest.py": ""}
    stub = "import sys\nfrom unittest import mock\nsys.modules['requests'] = mock.MagicMock()\n"
    change = Change(tree, {**tree, "tests/conftest.py": stub})
    assert [one.severity.value for one in Harness().analyze(change)] == found
