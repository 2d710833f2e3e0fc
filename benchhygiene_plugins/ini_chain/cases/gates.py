"""Options and keys that let the run begin and make its exit status untrue."""

from __future__ import annotations

from benchhygiene import Verdict
from benchhygiene.testing import Case, case
from benchhygiene_plugins.ini_chain.cases.workspace import COV, RERUNFAILURES, inheriting, run
from benchhygiene_plugins.ini_chain.findings import (
    COVERAGE_GATE,
    HIDES_TESTS,
    MASKS_FAILURE,
    NOTHING_RUNS,
    REWRITES_REPORT,
    STOPS_EARLY,
    STRICT,
    SWALLOWS_PATH,
    WARNINGS_AS_ERRORS,
)

_MARKED = "import pytest\n\n\n@pytest.mark.slow\ndef test_slow():\n    assert 1 == 1\n"
_WARNING = "import warnings\n\n\ndef test_old():\n    warnings.warn('old', DeprecationWarning)\n"
_XPASS = "import pytest\n\n\n@pytest.mark.xfail\ndef test_mended():\n    assert True\n"
_APP = "def used():\n    return 1\n\n\ndef unused():\n    a = 1\n    b = 2\n    return a + b\n"
_USES_APP = "import app\n\n\ndef test_used():\n    assert app.used() == 1\n"

COVERAGE: tuple[Case, ...] = (
    case(
        "a coverage floor that the tests cannot reach",
        run(
            {
                "pyproject.toml": "[tool.pytest.ini_options]\n"
                'addopts = "--cov=app --cov-fail-under=90"\n',
                "ws/app.py": _APP,
            },
            installed=(COV,),
            suite=_USES_APP,
        ),
        reports=[COVERAGE_GATE],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "coverage's own fail_under, read from the working directory",
        run(
            {
                "pytest.ini": "[pytest]\naddopts = --cov=app\n",
                "ws/.coveragerc": "[report]\nfail_under = 90\n",
                "ws/app.py": _APP,
            },
            installed=(COV,),
            suite=_USES_APP,
        ),
        reports=[COVERAGE_GATE],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a floor that the tests reach, and nothing but the directory is measured",
        inheriting("--cov=. --cov-fail-under=90", installed=(COV,)),
        reports=[COVERAGE_GATE],
        verdict=Verdict.PASS,
    ),
    case(
        "a floor that the tests reach, and a bare --cov measures what else runs",
        inheriting("--cov --cov-fail-under=90", installed=(COV,)),
        reports=[COVERAGE_GATE],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "coverage is measured without a floor",
        run(
            {"pytest.ini": "[pytest]\naddopts = --cov=app\n", "ws/app.py": _APP},
            installed=(COV,),
            suite=_USES_APP,
        ),
        reports=[COVERAGE_GATE],
        verdict=Verdict.PASS,
    ),
    case(
        "a coverage floor that --no-cov cancels",
        inheriting("--cov=app --cov-fail-under=90 --no-cov", installed=(COV,)),
        innocent_of=[COVERAGE_GATE],
        verdict=Verdict.PASS,
    ),
    case(
        "a coverage floor without --cov measures nothing",
        inheriting("--cov-fail-under=90", installed=(COV,)),
        innocent_of=[COVERAGE_GATE],
        verdict=Verdict.PASS,
    ),
)

STOPPING: tuple[Case, ...] = (
    case(
        "the run stops at the first failure",
        inheriting("-ra -x"),
        reports=[STOPS_EARLY],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the option in a cluster of short flags",
        inheriting("-xvs"),
        reports=[STOPS_EARLY],
    ),
    case(
        "-x, cancelled by --maxfail=0 behind it",
        inheriting("-x --maxfail=0"),
        innocent_of=[STOPS_EARLY],
        verdict=Verdict.PASS,
    ),
    case(
        "the x of -rfx belongs to the report",
        inheriting("-rfx"),
        innocent_of=[STOPS_EARLY],
        verdict=Verdict.PASS,
    ),
    case(
        "the command itself asks to stop at the first failure",
        run({"pytest.ini": "[pytest]\n"}, "-x", "tests/test_ok.py"),
        innocent_of=[STOPS_EARLY],
        verdict=Verdict.PASS,
    ),
)

STRICTNESS: tuple[Case, ...] = (
    case(
        "strict markers, and a test whose mark only its own repository registers",
        inheriting("--strict-markers", suite=_MARKED),
        reports=[STRICT],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the key that pytest 9 reads",
        run({"pytest.toml": "[pytest]\nstrict_markers = true\n"}, suite=_MARKED),
        reports=[STRICT],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "an xfail test that passes, where xfail is strict",
        run({"pytest.ini": "[pytest]\nxfail_strict = true\n"}, suite=_XPASS),
        reports=[STRICT],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the key that pytest 8 does not know",
        run({"pytest.ini": "[pytest]\nstrict_markers = true\n"}, pytest="8.4.2", suite=_MARKED),
        innocent_of=[STRICT],
        verdict=Verdict.PASS,
    ),
    case(
        "the switch is there and off",
        run({"pytest.ini": "[pytest]\nxfail_strict = false\n"}, suite=_XPASS),
        innocent_of=[STRICT],
        verdict=Verdict.PASS,
    ),
)

WARNINGS: tuple[Case, ...] = (
    case(
        "a deprecation warning becomes a failure",
        run({"tox.ini": "[pytest]\nfilterwarnings =\n    error\n"}, suite=_WARNING),
        reports=[WARNINGS_AS_ERRORS],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "warnings become errors by option",
        inheriting("-W error::DeprecationWarning", suite=_WARNING),
        reports=[WARNINGS_AS_ERRORS],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "warnings are shown always, never raised",
        run({"tox.ini": "[pytest]\nfilterwarnings =\n    always\n"}, suite=_WARNING),
        innocent_of=[WARNINGS_AS_ERRORS],
        verdict=Verdict.PASS,
    ),
    case(
        "error filters, and the plugin that applies them is off",
        inheriting("-W error -p no:warnings", suite=_WARNING),
        innocent_of=[WARNINGS_AS_ERRORS],
        verdict=Verdict.PASS,
    ),
)

SELECTION: tuple[Case, ...] = (
    case(
        "-k keeps one of two tests",
        inheriting("-k fast"),
        reports=[HIDES_TESTS],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "-m leaves no test, which ends with status 5",
        inheriting("-m integration"),
        reports=[HIDES_TESTS],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "an empty -k keeps everything",
        inheriting("-k fast -k ''"),
        innocent_of=[HIDES_TESTS],
        verdict=Verdict.PASS,
    ),
    case(
        "-k names what every test's file is called",
        inheriting("-k test_ok"),
        innocent_of=[HIDES_TESTS],
        verdict=Verdict.PASS,
    ),
)

FALSE_PASSES: tuple[Case, ...] = (
    case(
        "tests are only listed, and pytest exits with 0",
        inheriting("--collect-only"),
        reports=[NOTHING_RUNS],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "pytest 9 ignores a --version in addopts",
        inheriting("--version"),
        innocent_of=[NOTHING_RUNS],
        verdict=Verdict.PASS,
    ),
    case(
        "failing tests run again until they pass",
        inheriting("--reruns=3", installed=(RERUNFAILURES,)),
        reports=[MASKS_FAILURE],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "no test runs again",
        inheriting("--reruns=3 --reruns=0", installed=(RERUNFAILURES,)),
        innocent_of=[MASKS_FAILURE],
        verdict=Verdict.PASS,
    ),
)

REPORTS: tuple[Case, ...] = (
    case(
        "twice quiet: nothing says how many tests passed",
        inheriting("-qq"),
        reports=[REWRITES_REPORT],
        verdict=Verdict.PASS,
    ),
    case(
        "quiet twice and verbose once",
        inheriting("-qq -v"),
        innocent_of=[REWRITES_REPORT],
        verdict=Verdict.PASS,
    ),
    case(
        "a bare --cov takes the command's path for its source",
        inheriting("-ra --cov", installed=(COV,)),
        reports=[COVERAGE_GATE, SWALLOWS_PATH],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "--cov= takes nothing",
        inheriting("-ra --cov=", installed=(COV,)),
        reports=[COVERAGE_GATE],
        innocent_of=[SWALLOWS_PATH],
        verdict=Verdict.PASS,
    ),
)

CASES: tuple[Case, ...] = (
    *COVERAGE,
    *STOPPING,
    *STRICTNESS,
    *WARNINGS,
    *SELECTION,
    *FALSE_PASSES,
    *REPORTS,
)
