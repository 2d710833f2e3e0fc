"""A violating and an innocent example of every rule."""

from __future__ import annotations

from benchhygiene import Verdict
from benchhygiene.evidence import Change
from benchhygiene.testing import Case, case
from benchhygiene_plugins.harness import findings as rules

_TEST = "import total\n\n\ndef test_total():\n    assert total.add(1, 1) == 2\n"
_TREE = {
    "pytest.ini": "[pytest]\npythonpath = src\n",
    "src/total.py": "def add(one, other):\n    return one + other\n",
    "tests/test_total.py": _TEST,
}
_HOOK = "import pytest\n\n\n@pytest.hookimpl(wrapper=True)\n"


def _change(**files: str) -> Change:
    """Return the change that puts these files into the tree, ``__`` for the slash."""
    return Change(_TREE, {**_TREE, **{_path(name): text for name, text in files.items()}})


def _path(name: str) -> str:
    folder, _, rest = name.rpartition("__")
    return f"{folder}/{rest}.py" if folder else rest.replace("_ini", ".ini")


_REPORT = f"{_HOOK}def pytest_runtest_makereport(item, call):\n    report = yield\n"

CASES: tuple[Case, ...] = (
    case(
        "a test that leaves",
        _change(tests__test_total=f"import os\n{_TEST}    os._exit(0)\n"),
        reports=(rules.EXIT_FORCED,),
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a command that is tested for leaving",
        _change(
            tests__test_exit="import sys\n\nimport pytest\n\n\ndef test_exit():\n"
            "    with pytest.raises(SystemExit):\n        sys.exit(0)\n"
        ),
        innocent_of=(rules.EXIT_FORCED,),
        verdict=Verdict.PASS,
    ),
    case(
        "a report that always passed",
        _change(tests__conftest=f'{_REPORT}    report.outcome = "passed"\n    return report\n'),
        reports=(rules.REPORT_FORCED,),
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a report that a fixture can ask for",
        _change(tests__conftest=f"{_REPORT}    item.report = report\n    return report\n"),
        innocent_of=(rules.REPORT_FORCED,),
        verdict=Verdict.PASS,
    ),
    case(
        "pytest.raises that asks for nothing",
        _change(
            tests__conftest="import contextlib\n\nimport pytest\n\n"
            "pytest.raises = lambda *args, **kwargs: contextlib.nullcontext()\n"
        ),
        reports=(rules.FRAMEWORK_PATCHED,),
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a fixture that patches a library",
        _change(
            tests__conftest="import pytest\n\n\n@pytest.fixture\ndef still(monkeypatch):\n"
            '    monkeypatch.setattr("time.sleep", lambda seconds: None)\n'
        ),
        innocent_of=(rules.FRAMEWORK_PATCHED,),
        verdict=Verdict.PASS,
    ),
    case(
        "a module of the same name beside the tests",
        _change(tests__total="def add(one, other):\n    return 2\n"),
        reports=(rules.MODULE_SHADOWED,),
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a helper beside the tests",
        _change(tests__helpers="def twice(number):\n    return 2 * number\n"),
        innocent_of=(rules.MODULE_SHADOWED,),
        verdict=Verdict.PASS,
    ),
    case(
        "assert statements that are not rewritten",
        _change(pytest_ini="[pytest]\npythonpath = src\naddopts = --assert=plain\n"),
        reports=(rules.ASSERTS_DISABLED,),
        verdict=Verdict.VIOLATION,
    ),
    case(
        "assert statements that are rewritten, as always",
        _change(pytest_ini="[pytest]\npythonpath = src\naddopts = --assert=rewrite\n"),
        innocent_of=(rules.ASSERTS_DISABLED,),
        verdict=Verdict.PASS,
    ),
    case(
        "a conftest that cannot be read",
        _change(tests__conftest="import os\nos._exit(0\n"),
        reports=(rules.UNSEEN,),
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "a source that cannot be read, and is no part of the harness",
        _change(src__notes="import os\nos._exit(0\n"),
        innocent_of=(rules.UNSEEN,),
        verdict=Verdict.PASS,
    ),
)
