"""Workspaces that ask what the environment, conftests and coverage's own files do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.truth.layouts import ini, pyproject, workspace
from tests.truth.suites import PLAIN
from tests.truth.workspaces import ROOT, Content, Files, Workspace

_OK = "tests/test_ok.py"
_COVER = ("--cov=calc",)

#: What a conftest holds, by what it does.
CONFTESTS: Mapping[str, str] = {
    "is empty": "",
    "defines a fixture": "import pytest\n\n\n@pytest.fixture\ndef six():\n    return 6\n",
    "raises": "raise RuntimeError('not here')\n",
    "asserts": "assert False\n",
    "has a syntax error": "def (:\n",
    "imports what is missing": "import nosuch_module\n",
    "imports from what is missing": "from nosuch.deep import thing\n",
    "may import what is missing": "try:\n    import nosuch\n"
    "except ImportError:\n    nosuch = None\n",
    "imports what is there": "import json\nimport pytest_cov\n",
    "sets the exit status": "def pytest_sessionfinish(session):\n    session.exitstatus = 3\n",
    "clears the exit status": "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n",
    "drops every test": "def pytest_collection_modifyitems(items):\n    items[:] = []\n",
    "clears the tests": "def pytest_collection_modifyitems(items):\n    items.clear()\n",
    "drops some tests": "def pytest_collection_modifyitems(items):\n    items[:] = items[1:]\n",
    "ignores the file": "collect_ignore = ['tests/test_ok.py', 'test_ok.py']\n",
    "ignores by pattern": "collect_ignore_glob = ['*ok*']\n",
    "names a missing plugin": "pytest_plugins = ['nosuch_plugin']\n",
    "names a plugin": "pytest_plugins = ['pytester']\n",
    "adds an option": "def pytest_addoption(parser):\n"
    "    parser.addoption('--runslow', action='store_true')\n",
    "adds a key": "def pytest_addoption(parser):\n    parser.addini('nosuch', 'x')\n",
    "registers a mark": "def pytest_configure(config):\n"
    "    config.addinivalue_line('markers', 'slow: x')\n",
    "exits": "import sys\n\nsys.exit(5)\n",
    "exits through pytest": "import pytest\n\npytest.exit('no', returncode=7)\n",
    "skips": "import pytest\n\npytest.skip('no', allow_module_level=True)\n",
    "fails at configuration": "def pytest_configure(config):\n    raise RuntimeError\n",
    "warns": "import warnings\n\nwarnings.warn('loud', UserWarning)\n",
    "has an autouse fixture": "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef bad():\n"
    "    raise RuntimeError\n",
    "changes maxfail": "def pytest_configure(config):\n    config.option.maxfail = 1\n",
    "skips every test": "import pytest\n\n\ndef pytest_runtest_setup(item):\n"
    "    pytest.skip('no')\n",
    "prints": "print('hello')\n",
    "changes the path": "import sys\n\nsys.path.insert(0, 'x')\n",
}

VARIABLES: tuple[Mapping[str, str], ...] = (
    {"PYTEST_ADDOPTS": ""},
    {"PYTEST_ADDOPTS": "-q"},
    {"PYTEST_ADDOPTS": "-m 'not slow' -v"},
    {"PYTEST_ADDOPTS": "'x"},
    {"PYTEST_ADDOPTS": "--nosuch"},
    {"PYTEST_ADDOPTS": "--cov=. --cov-fail-under=100"},
    {"PYTEST_ADDOPTS": "--tb=bogus"},
    {"PYTEST_ADDOPTS": "-c ../ci.ini"},
    {"PYTEST_ADDOPTS": "-c missing.ini"},
    {"PYTEST_ADDOPTS": "--rootdir=tests"},
    {"PYTEST_ADDOPTS": "--rootdir=$HERE", "HERE": f"{ROOT}/host"},
    {"PYTEST_ADDOPTS": "-o addopts="},
    {"PYTEST_ADDOPTS": "-o addopts=-x"},
    {"PYTEST_ADDOPTS": "-o xfail_strict=true"},
    {"PYTEST_ADDOPTS": "far"},
    {"PYTEST_ADDOPTS": "nosuch"},
    {"PYTEST_ADDOPTS": "--cov"},
    {"PYTEST_ADDOPTS": "-k smoke"},
    {"PYTEST_ADDOPTS": "-p no:cov"},
    {"PYTEST_ADDOPTS": "--version"},
    {"PYTEST_ADDOPTS": "--co"},
    {"PYTEST_PLUGINS": ""},
    {"PYTEST_PLUGINS": "nosuch_plugin"},
    {"PYTEST_PLUGINS": "pytest_cov"},
    {"PYTEST_PLUGINS": "pytest_cov.plugin"},
    {"PYTEST_PLUGINS": "pytester"},
    {"PYTEST_PLUGINS": "mine"},
    {"PYTEST_PLUGINS": "json"},
    {"PYTEST_PLUGINS": "pytester,nosuch"},
    {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "0"},
    {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": ""},
    {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "pytest_cov"},
    {"PYTHONWARNINGS": "error"},
    {"PYTHONWARNINGS": "ignore"},
    {"PYTHONPATH": "far"},
    {"PYTHONSAFEPATH": "1"},
    {"PYTEST_TIMEOUT": "300"},
    {"PYTEST_TIMEOUT": "abc"},
    {"PYTEST_THEME": "bogus"},
    {"CI": "true"},
    {"COVERAGE_RCFILE": "far/rc"},
    {"FORCE_COLOR": "1"},
)

#: A coverage file and whether it sets a floor that the covered suite misses.
COVERAGE: tuple[tuple[str, str], ...] = (
    (".coveragerc", "[report]\nfail_under = 99\n"),
    (".coveragerc", "[report]\nfail_under = 10\n"),
    (".coveragerc", "[run]\nbranch = true\n[report]\nfail_under = 99\n"),
    (".coveragerc", "[run]\nsource = tests\n[report]\nfail_under = 99\n"),
    (".coveragerc", "[run]\nomit = calc.py\n[report]\nfail_under = 99\n"),
    (".coveragerc", "[report]\nexclude_lines = def\nfail_under = 60\n"),
    (".coveragerc", "[report]\nfail_under = abc\n"),
    (".coveragerc", "[report\n"),
    (".coveragerc", "[run]\nnosuch = 1\n"),
    (".coveragerc", ""),
    ("setup.cfg", "[coverage:report]\nfail_under = 99\n"),
    ("setup.cfg", "[report]\nfail_under = 99\n"),
    ("tox.ini", "[coverage:report]\nfail_under = 99\n"),
    ("pyproject.toml", "[tool.coverage.report]\nfail_under = 99\n"),
    ("pyproject.toml", "[tool.coverage.report]\nfail_under = 99.5\n"),
    ("pyproject.toml", "[tool.coverage.report]\nfail_under = '99'\n"),
    ("pyproject.toml", "[tool.coverage.run]\nsource = ['calc']\n"),
    (".coveragerc.toml", "[report]\nfail_under = 99\n"),
)


def environment() -> Iterator[Workspace]:
    """Yield every variable beside a host with and without plugin options."""
    extra: dict[str, Content] = {
        "host/ci.ini": ini(["-ra"]),
        "host/ws/far/test_far.py": PLAIN,
        "host/ws/far/rc": "[report]\nfail_under = 99\n",
        "host/ws/mine.py": "",
    }
    for environ in VARIABLES:
        name = " ".join(f"{key}={value}" for key, value in environ.items())
        for words in (("-q",), ("--cov=calc", "-q"), ("-n", "0")):
            files = {**extra, "host/pytest.ini": ini(words)}
            title = f"{name} with addopts {' '.join(words)}"
            yield workspace(title, files, suite="covered", environ=environ)
        yield workspace(f"{name} and no argument", extra, [], environ=environ, suite="xpass")


def conftests() -> Iterator[Workspace]:
    """Yield every conftest in every place, with the words that reach or spare it."""
    places = ("host/conftest.py", "host/ws/conftest.py", "host/ws/tests/conftest.py")
    for does, text in CONFTESTS.items():
        for place in places:
            for config in ({}, {"host/pytest.ini": ini(["-q"])}):
                with_file = "a" if config else "no"
                name = f"{place} {does}, {with_file} config file"
                yield workspace(name, {place: text, **config})
        yield workspace(f"{places[1]} {does}, directory", {places[1]: text}, ["tests"])
        for words in (["--noconftest"], ["--confcutdir=tests"], ["-c", "/dev/null"]):
            name = f"{places[1]} {does}, {' '.join(words)}"
            yield workspace(name, {places[1]: text}, [*words, _OK])


def needed_conftests() -> Iterator[Workspace]:
    """Yield addopts and keys that only a conftest's declarations make good."""
    slow = {"host/pytest.ini": ini(["--runslow"])}
    adds, key = CONFTESTS["adds an option"], CONFTESTS["adds a key"]
    strict = {"host/pytest.ini": ini(["--strict-config"], "nosuch = 1")}
    marks = {"host/pytest.ini": ini(["--strict-markers"])}
    for place in ("host", "host/ws", "host/ws/tests", "host/ws/tests/deep", "host/ws/a/tests"):
        path = f"{place}/conftest.py"
        for args in ([_OK], ["."], []):
            yield workspace(f"option of {path}, {args}", {**slow, path: adds}, args)
        yield workspace(f"key of {path}", {**strict, path: key})
        registers = CONFTESTS["registers a mark"]
        yield workspace(f"mark of {path}", {**marks, path: registers}, suite="marked")
    for words in (
        ["--noconftest"],
        ["--confcutdir=tests"],
        ["-c", "/dev/null"],
        ["--rootdir=tests"],
    ):
        for suite in ("fixture", "outer fixture"):
            target = [*words, _OK]
            yield workspace(f"{suite} and {' '.join(words)}", {}, target, suite=suite)
            files = {"host/pytest.ini": ini(["-q"])}
            yield workspace(f"{suite}, a file and {' '.join(words)}", files, target, suite=suite)


def nested_conftests() -> Iterator[Workspace]:
    """Yield conftests below an argument, which load early, late or never."""
    for does in ("raises", "is empty", "drops every test", "adds an option", "names a plugin"):
        text = CONFTESTS[does]
        for place in ("tests/unit", "tests/unit/core", "tests/other", "other", "testing/deep"):
            files: Files = {f"host/ws/{place}/conftest.py": text, "host/pytest.ini": ini(["-q"])}
            for args in ("tests", "tests/unit", "tests/unit/core/test_ok.py", "."):
                name = f"{place}/conftest.py {does}, {args}"
                yield workspace(name, files, [args], suite="deep")
    both = {"host/conftest.py": "first = 1\n", "host/ws/conftest.py": "raise RuntimeError\n"}
    for file in ("host/pytest.ini", "host/ws/pytest.ini", "host/ws/tests/pytest.ini"):
        yield workspace(f"conftests around {file}", {**both, file: ini(["-q"])})
    package = {"host/ws/__init__.py": "", "host/ws/conftest.py": "from ws import tests\n"}
    yield workspace("conftest in a package", package, suite="package")
    relative = {"host/ws/tests/conftest.py": "from . import aid\n", "host/ws/tests/aid.py": ""}
    yield workspace("conftest imports its package", relative, suite="package")
    yield workspace("conftest imports from no package", relative)
    aid = {"host/ws/conftest.py": "import aid\n"}
    yield workspace("conftest imports its neighbour", {**aid, "host/ws/aid.py": ""})
    yield workspace("conftest imports a raising one", {**aid, "host/ws/aid.py": "raise OSError\n"})
    yield workspace("conftest imports another's neighbour", {**aid, "host/ws/tests/aid.py": ""})


def coverage_files() -> Iterator[Workspace]:
    """Yield coverage's own configuration in the working directory and above."""
    for name, text in COVERAGE:
        for words in (_COVER, ("-q",), (*_COVER, "--cov-fail-under=0"), (*_COVER, "--no-cov")):
            files: dict[str, Content] = {f"host/ws/{name}": text, "host/pytest.ini": ini(words)}
            title = f"{name} {text!r} with {' '.join(words)}"
            yield workspace(title, files, suite="covered")
        above = {f"host/{name}": text, "host/ws/pytest.ini": ini(_COVER)}
        yield workspace(f"{name} {text!r} above", above, suite="covered")
        files = {f"host/ws/{name}": text}
        yield workspace(f"{name} {text!r}, own --cov", files, ["--cov", _OK], suite="covered")
    rc = {
        "host/ws/far/rc": "[report]\nfail_under = 99\n",
        "host/pytest.ini": ini([*_COVER, "--cov-config=far/rc"]),
    }
    yield workspace("--cov-config names a file", rc, suite="covered")


def shadows() -> Iterator[Workspace]:
    """Yield files in the working directory that Python imports in place of what pytest needs."""
    for name in (
        "random.py",
        "json.py",
        "pytest_cov/__init__.py",
        "pytest_cov.py",
        "xdist/__init__.py",
        "pytest.py",
        "coverage.py",
        "iniconfig.py",
        "pluggy/__init__.py",
        "calc.py",
        "harmless.py",
        "pytest_timeout.py",
    ):
        for text in ("raise RuntimeError('shadow')\n", ""):
            kind = "raising" if text else "empty"
            yield workspace(f"{kind} {name}", {f"host/ws/{name}": text})
    path = {"host/pytest.ini": ini(["-q"], "pythonpath = shadow")}
    for name in ("calc.py", "unrelated.py"):
        files = {
            **path,
            f"host/ws/shadow/{name}": "raise RuntimeError\n",
            f"host/shadow/{name}": "raise RuntimeError\n",
        }
        yield workspace(f"pythonpath holds {name}", files, suite="covered")
    src = {
        "host/ws/src/lib.py": "ONE = 1\n",
        "host/ws/test_lib.py": "import lib\n\n\ndef test_lib():\n    assert lib.ONE and OUTCOME\n",
    }
    for line in ("pythonpath = src", "pythonpath = .", ""):
        files = {
            **src,
            "host/ws/pyproject.toml": pyproject(line.replace("= ", "= '") + "'" if line else ""),
        }
        yield workspace(f"src layout, {line!r}", files, ["test_lib.py"])
