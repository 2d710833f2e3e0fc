"""What stops pytest before it runs a test, and what could not be seen."""

from __future__ import annotations

from benchhygiene import Verdict
from benchhygiene.evidence import PathEntry, PathKind
from benchhygiene.testing import Case, case
from benchhygiene_plugins.ini_chain.cases.workspace import COV, inheriting, run
from benchhygiene_plugins.ini_chain.findings import (
    ABORT,
    CONFTEST,
    COVERAGE_GATE,
    ENVIRONMENT,
    MALFORMED,
    MINVERSION,
    REQUIRED_PLUGIN,
    SHADOWED_MODULE,
    UNKNOWN_OPTION,
    UNSEEN,
)

_LISTED = PathEntry(PathKind.DIRECTORY, listed=True)
_BROKEN_TOML = "[tool.pytest.ini_options\n"

OPTIONS: tuple[Case, ...] = (
    case(
        "the options of a plugin that is not installed here",
        inheriting("--cov=app --cov-fail-under=90"),
        reports=[UNKNOWN_OPTION],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the same options where the plugin is installed",
        inheriting("--cov=app", installed=(COV,)),
        reports=[COVERAGE_GATE],
        innocent_of=[UNKNOWN_OPTION],
        verdict=Verdict.PASS,
    ),
    case(
        "-p names a module that is not installed",
        inheriting("-p acme_reporter"),
        reports=[ABORT],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "an option gets a value it does not have",
        inheriting("--tb=brief"),
        reports=[ABORT],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "-p switches a plugin off that nobody needs",
        inheriting("-p no:cacheprovider -p no:acme_reporter --tb=short"),
        innocent_of=[ABORT],
        verdict=Verdict.PASS,
    ),
)

FILES: tuple[Case, ...] = (
    case(
        "a pyproject.toml on the way up is no TOML",
        run({"pyproject.toml": _BROKEN_TOML}),
        reports=[MALFORMED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "setup.cfg holds a [pytest] section",
        run({"setup.cfg": "[pytest]\naddopts = -q\n"}),
        reports=[MALFORMED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "pytest 9 also parses what lies beside the winner",
        run({"ws/pytest.ini": "", "ws/tox.ini": "no section\n"}),
        reports=[MALFORMED],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "pytest 8 does not",
        run({"ws/pytest.ini": "", "ws/tox.ini": "no section\n"}, pytest="8.4.2"),
        innocent_of=[MALFORMED],
        verdict=Verdict.PASS,
    ),
    case(
        "a broken file above the one that wins is never read",
        run({"pyproject.toml": _BROKEN_TOML, "ws/pytest.ini": ""}),
        innocent_of=[MALFORMED],
        verdict=Verdict.PASS,
    ),
)

DEMANDS: tuple[Case, ...] = (
    case(
        "a plugin newer than the installed one is required",
        run({"tox.ini": "[pytest]\nrequired_plugins = pytest-cov>=99\n"}, installed=(COV,)),
        reports=[REQUIRED_PLUGIN],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the required plugin is installed",
        run({"tox.ini": "[pytest]\nrequired_plugins = pytest-cov>=6\n"}, installed=(COV,)),
        innocent_of=[REQUIRED_PLUGIN],
        verdict=Verdict.PASS,
    ),
    case(
        "a newer pytest is required",
        run({"setup.cfg": "[tool:pytest]\nminversion = 9.3\n"}),
        reports=[MINVERSION],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "this pytest is new enough",
        run({"setup.cfg": "[tool:pytest]\nminversion = 7.0\n"}),
        innocent_of=[MINVERSION],
        verdict=Verdict.PASS,
    ),
)

HOSTS: tuple[Case, ...] = (
    case(
        "the host's conftest imports what is not installed",
        run({"pytest.ini": "", "conftest.py": "import acme_fixtures\n"}),
        reports=[CONFTEST],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the host's conftest forces an exit status",
        run(
            {
                "pytest.ini": "",
                "conftest.py": "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n",
            }
        ),
        reports=[CONFTEST],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the host's conftest lies above the workspace's own config file",
        run({"conftest.py": "import acme_fixtures\n", "ws/pytest.ini": ""}),
        innocent_of=[CONFTEST],
        verdict=Verdict.PASS,
    ),
    case(
        "a variable names a plugin that is not installed",
        run({}, environ={"PYTEST_PLUGINS": "acme_reporter"}),
        reports=[ENVIRONMENT],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a quote in PYTEST_ADDOPTS is not closed",
        run({}, environ={"PYTEST_ADDOPTS": "-k 'fast"}),
        reports=[ENVIRONMENT],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "the variables are set and empty",
        run({}, environ={"PYTEST_ADDOPTS": "", "PYTEST_PLUGINS": ""}),
        innocent_of=[ENVIRONMENT],
        verdict=Verdict.PASS,
    ),
    case(
        "a folder of the workspace stands before the installed plugin",
        run({"ws/pytest_cov/__init__.py": "raise RuntimeError\n"}, installed=(COV,)),
        reports=[SHADOWED_MODULE],
    ),
    case(
        "a folder whose name nothing installed has",
        run({"ws/acme_cov/__init__.py": "raise RuntimeError\n"}, installed=(COV,)),
        innocent_of=[SHADOWED_MODULE],
        verdict=Verdict.PASS,
    ),
)

_BY_SIBLING = "import aid\n\n\ndef test_ok():\n    assert aid.one() == 1\n"
_BY_NAMESPACE = "from src.aid import one\n\n\ndef test_ok():\n    assert one() == 1\n"
_AID = "def one():\n    return 1\n"

IMPORTS: tuple[Case, ...] = (
    case(
        "a test and its sibling",
        run({"pytest.ini": "", "ws/tests/aid.py": _AID}, suite=_BY_SIBLING),
        innocent_of=[ABORT],
        verdict=Verdict.PASS,
    ),
    case(
        "the same where the host has tests imported from the working directory",
        run(
            {
                "pytest.ini": "[pytest]\nconsider_namespace_packages = true\n",
                "ws/tests/aid.py": _AID,
            },
            suite=_BY_SIBLING,
        ),
        reports=[ABORT],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a test that imports from a directory without __init__.py",
        run({"pytest.ini": "", "ws/src/aid.py": _AID}, suite=_BY_NAMESPACE),
        innocent_of=[ABORT],
        verdict=Verdict.PASS,
    ),
    case(
        "the same directory without the module",
        run({"pytest.ini": "", "ws/src": _LISTED, "ws/src/other.py": _AID}, suite=_BY_NAMESPACE),
        reports=[ABORT],
        verdict=Verdict.PASS,
    ),
)

SIGHT: tuple[Case, ...] = (
    case(
        "a config file on the way up was too large to read",
        run({"pyproject.toml": PathEntry(PathKind.FILE, error="larger than the limit")}),
        reports=[UNSEEN],
        verdict=Verdict.INCONCLUSIVE,
    ),
    case(
        "the file that was not read lies above the one that wins",
        run(
            {
                "pyproject.toml": PathEntry(PathKind.FILE, error="larger than the limit"),
                "ws/pytest.ini": "",
            }
        ),
        innocent_of=[UNSEEN],
        verdict=Verdict.PASS,
    ),
)

CASES: tuple[Case, ...] = (*OPTIONS, *FILES, *DEMANDS, *HOSTS, *IMPORTS, *SIGHT)
