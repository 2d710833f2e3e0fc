"""Nothing that a workspace can hold makes the analyzer crash, hang or say what it cannot know."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhygiene import Orchestrator, Registry, Report, Verdict
from benchhygiene.errors import InputError
from benchhygiene.evidence import Distribution, FileSnapshot, PathEntry, PathKind, PytestInvocation
from benchhygiene_plugins.ini_chain import IniChain, resolve
from benchhygiene_plugins.ini_chain.tables import core_table

COV = Distribution("pytest-cov", "7.1.0")
OK = "def test_a():\n    assert True\n"
ORCHESTRATOR = Orchestrator(Registry().including(IniChain()))


def _invocation(
    files: Mapping[str, str | bytes | PathEntry] | None = None,
    args: tuple[str, ...] = ("test_a.py",),
    *,
    environ: Mapping[str, str] | None = None,
    python: str = "3.11.7",
    pytest: str = "9.2.0",
    cwd: str = "/ws",
) -> PytestInvocation:
    return PytestInvocation(
        cwd=cwd,
        args=args,
        environ=environ or {},
        python=python,
        pytest=pytest,
        distributions=(COV,),
        files=FileSnapshot({"/ws/test_a.py": OK, **(files or {})}),
    )


def _report(invocation: PytestInvocation) -> Report:
    report = ORCHESTRATOR.run(invocation)
    report.raise_for_crashes()
    json.dumps(report.rows())
    return report


def _ini(text: str) -> PytestInvocation:
    return _invocation({"/ws/pytest.ini": f"[pytest]\n{text}\n"})


def _toml(text: str) -> PytestInvocation:
    return _invocation({"/ws/pyproject.toml": text})


def _source(text: str, addopts: str = "") -> PytestInvocation:
    ini = f"[pytest]\naddopts = {addopts}\n"
    return _invocation({"/ws/test_a.py": text, "/ws/pytest.ini": ini})


PARAMETERS = "".join(
    f"@pytest.mark.parametrize('a{number}', {list(range(100))})\n" for number in range(4)
)
ELIFS = "import os\nif os:\n    pass\n" + "elif os:\n    pass\n" * 3_000 + OK

HOSTILE = {
    "many words on one line": lambda: _ini("addopts = " + "-q " * 20_000),
    "many lines": lambda: _ini("addopts =\n" + " -q\n" * 20_000),
    "many lines of another key": lambda: _ini("x =\n" + " a\n" * 100_000),
    "one long word": lambda: _ini("addopts = -k " + "a" * 200_000),
    "many arguments": lambda: _invocation(args=("-q",) * 10_000 + ("test_a.py",)),
    "many paths that do not exist": lambda: _invocation(args=("x",) * 2_000),
    "many unknown options": lambda: _invocation(args=("--x",) * 10_000),
    "many words in a variable": lambda: _invocation(environ={"PYTEST_ADDOPTS": "-q " * 20_000}),
    "many words in an array": lambda: _toml(
        "[tool.pytest]\naddopts = [" + "'-x'," * 20_000 + "]\n"
    ),
    "arrays in arrays": lambda: _toml("a = " + "[" * 100_000),
    "tables in tables": lambda: _toml("a = " + "{a=" * 100_000),
    "a dotted key without end": lambda: _toml("a" + ".a" * 100_000 + " = 1\n"),
    "many long dotted keys": lambda: _toml(
        "".join(f"a{'.a' * 120}.k{number} = 1\n" for number in range(3_000))
    ),
    "a guilty word everywhere": lambda: _toml(
        f"# {'-x ' * 100_000}\n[tool.pytest]\naddopts = ['-x']\n{'# -x' * 20_000}\n"
    ),
    "negations": lambda: _ini(f"addopts = -k '{'not ' * 30_000}a'"),
    "parentheses": lambda: _ini(f"addopts = -k '{'(' * 30_000}'"),
    "colons of a filter": lambda: _ini(f"addopts = -W '{':' * 100_000}'"),
    "many filters": lambda: _invocation(
        {
            "/ws/pytest.ini": "[pytest]\nfilterwarnings =\n"
            + "".join(f"    error:x{number}\n" for number in range(5_000)),
            "/ws/test_a.py": "import warnings\n\ndef test_a():\n    warnings.warn('x')\n",
        }
    ),
    "an open brace in a variable": lambda: _invocation(args=(f"--rootdir={'${' * 50_000}",)),
    "a minversion without end": lambda: _ini(f"minversion = {'1' * 10_000}"),
    "a minversion of many parts": lambda: _ini(f"minversion = {'1.' * 10_000}"),
    "required plugins that are none": lambda: _ini(f"required_plugins = {'a[b]>' * 5_000}"),
    "a number without end": lambda: _ini(f"addopts = --maxfail={'1' * 10_000}"),
    "stars in python_files": lambda: _invocation(
        {
            "/ws/pytest.ini": f"[pytest]\npython_files = {'*a' * 50}\n",
            f"/ws/{'a' * 200}.py": OK,
        },
        (".",),
    ),
    "stars in testpaths": lambda: _invocation(
        {
            "/ws/pytest.ini": f"[pytest]\ntestpaths = {'**/' * 500}*.py {'*a' * 50}b\n",
            f"/ws/{'a' * 200}/b/c/d/e/f/g/test_b.py": OK,
        },
        (),
    ),
    "unary operators": lambda: _source(f"x = {'-' * 50_000}1\n{OK}"),
    "attributes": lambda: _source(f"x = a{'.b' * 20_000}\n{OK}"),
    "operators": lambda: _source(f"x = 1{'+1' * 20_000}\n{OK}"),
    "calls": lambda: _source(f"x = a{'()' * 20_000}\n{OK}"),
    "branches": lambda: _source(ELIFS, "--cov=. --cov-fail-under=50"),
    "parameters of parameters": lambda: _source(
        f"import pytest\n\n{PARAMETERS}def test_a(a0, a1, a2, a3):\n    pass\n", "-k xx"
    ),
    "many tests": lambda: _source("".join(f"def test_{n}(): pass\n" for n in range(2_000)), "-k x"),
    "a cycle of imports": lambda: _invocation(
        {
            "/ws/test_a.py": f"import m0\n{OK}",
            **{f"/ws/m{number}.py": f"import m{(number + 1) % 300}\n" for number in range(300)},
        }
    ),
    "deep directories": lambda: _invocation(
        {f"/ws/{'d/' * 200}test_b.py": OK, f"/ws/{'d/' * 200}conftest.py": ""}, (".",)
    ),
    "a conftest of options": lambda: _invocation(
        {
            "/ws/conftest.py": "def pytest_addoption(parser):\n"
            + "".join(f"    parser.addoption('--o{number}')\n" for number in range(3_000))
        }
    ),
    "a coverage file of lines": lambda: _invocation(
        {
            "/ws/pytest.ini": "[pytest]\naddopts = --cov=.\n",
            "/ws/.coveragerc": "[report]\nomit =\n" + " a\n" * 50_000,
        }
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_content_is_answered(name: str) -> None:
    _report(HOSTILE[name]())


ARGUMENTS = [
    "",
    " ",
    "\0",
    "a\0b",
    "--rootdir=\0",
    "-c\0",
    "-c=\0",
    "@",
    "@\0",
    "@nosuch",
    "\udcff",
    "\udcff.py::test_a",
    "-k\udcff",
    "--\udcff",
    "\x1b[31mtest_a.py\x1b[0m",
    "a\nb",
    "::",
    "::test_a",
    "test_a.py::",
    "test_a.py::[",
    "test_a.py[",
    "[",
    "/",
    "//",
    "//ws//test_a.py",
    "/../..",
    "..",
    "-",
    "--",
    "---",
    "-c",
    "-o",
    "-o=",
    "-o==",
    "-p",
    "-p ",
    "-pno:",
    "-W",
    "-W=",
    "-k",
    "-m=",
    "--cov",
    "--cov-fail-under",
    "--cov-fail-under=nan",
    "--cov-fail-under=inf",
    "--cov-fail-under=-inf",
    "--cov-fail-under=1e400",
    "--maxfail=\u0663",
    "--verbosity=\u00b2",
    "--confcutdir=\0",
    "--confcutdir=/",
    "--rootdir=/",
    "--rootdir=$",
    "--rootdir=${}",
    "--rootdir=${PATH}",
    "--ignore=\0",
    "--deselect=",
    "--import-mode=",
    "--basetemp=/",
    "a" * 5_000,
]


@pytest.mark.parametrize("version", ["8.4.2", "9.2.0"])
@pytest.mark.parametrize("word", ARGUMENTS, ids=ascii)
def test_hostile_words_are_answered(word: str, version: str) -> None:
    for args in ((word,), (word, "test_a.py"), ("test_a.py", word)):
        _report(_invocation(args=args, pytest=version))
    _report(_invocation({"/ws/pytest.toml": _array(word), "/ws/pyproject.toml": _array(word)}))


def _array(word: str) -> str:
    printable = word.encode("utf-8", "replace").decode()
    text = f"tool.pytest.ini_options.addopts = [{json.dumps(printable, ensure_ascii=True)}]\n"
    return text.replace("\\udcff", "?")


@settings(max_examples=150)
@given(
    args=st.lists(st.sampled_from(ARGUMENTS), max_size=4),
    addopts=st.text(st.sampled_from("-xkWco=:'\"\\ \n\tab[]().,*$@%#;{}"), max_size=30),
    version=st.sampled_from(["6.2.5", "7.4.4", "8.4.2", "9.0.2", "9.2.0"]),
    environ=st.dictionaries(
        st.sampled_from(["PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTHONWARNINGS", "COVERAGE_RCFILE"]),
        st.sampled_from(["", "-q", "'", "a,b", ",", "test_a.py", "@x", "error", "\udcff", "--cov"]),
        max_size=2,
    ),
)
def test_any_mixture_is_answered(
    args: list[str], addopts: str, version: str, environ: dict[str, str]
) -> None:
    invocation = _invocation(
        {"/ws/tox.ini": f"[pytest]\naddopts = {addopts}\n"},
        tuple(args),
        environ=environ,
        pytest=version,
    )
    _report(invocation)
    assert resolve(invocation) == resolve(invocation)


@settings(max_examples=150)
@given(data=st.binary(max_size=60), name=st.sampled_from(["pyproject.toml", "tox.ini", "x.cfg"]))
def test_any_bytes_are_answered(data: bytes, name: str) -> None:
    section = b"[pytest]\n" if name.endswith("ini") else b""
    args = ("-c", name, "test_a.py") if name == "x.cfg" else ("test_a.py",)
    _report(_invocation({f"/ws/{name}": section + data, "/ws/conftest.py": data}, args))


KINDS = [
    PathEntry(PathKind.OTHER),
    PathEntry(PathKind.DIRECTORY),
    PathEntry(PathKind.FILE, error="PermissionError: Permission denied"),
    PathEntry(PathKind.FILE, error="larger than the limit"),
    PathEntry(PathKind.FILE, b"\xff\xfe"),
    PathEntry(PathKind.FILE, b"\0" * 100),
]
PLACES = [
    "pytest.ini",
    "pyproject.toml",
    "pytest.toml",
    "setup.cfg",
    "setup.py",
    "conftest.py",
    "test_a.py",
    ".coveragerc",
    "tests",
    "a.py",
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("entry", KINDS, ids=lambda entry: str(entry.error or entry.kind.value))
def test_any_kind_of_path_is_answered(place: str, entry: PathEntry) -> None:
    files = {"/ws/pytest.toml": "[pytest]\naddopts = ['--cov=.', '--cov-fail-under=9']\n"}
    for args in (("test_a.py",), (".",), (place,), ("-c", place)):
        _report(_invocation({**files, f"/ws/{place}": entry}, args))


def test_a_file_that_nobody_could_read_leaves_no_verdict() -> None:
    unread = PathEntry(PathKind.FILE, error="larger than the limit")
    for place in ("pytest.ini", "conftest.py", "test_a.py"):
        report = _report(_invocation({"/ws/pytest.ini": "[pytest]\n", f"/ws/{place}": unread}))
        assert report.verdict in (Verdict.INCONCLUSIVE, Verdict.PASS), place
        if place != "test_a.py":
            assert report.verdict is Verdict.INCONCLUSIVE, place


def test_the_root_can_be_the_working_directory() -> None:
    files = FileSnapshot({"/test_a.py": OK, "/pytest.ini": "[pytest]\naddopts = -x\n"})
    for args in ((), ("test_a.py",), ("/test_a.py",), ("..",)):
        invocation = PytestInvocation(cwd="/", args=args, files=files)
        report = _report(invocation)
        assert resolve(invocation).rootdir == "/"
        assert [finding.rule.id for finding in report.findings] == ["ini.stops_early"]


@pytest.mark.parametrize("version", ["garbage", "", "v9", ".1", "-1", "1" * 5_000, "9.2.0-what"])
def test_what_is_no_version_is_bad_input(version: str) -> None:
    with pytest.raises(InputError, match="version"):
        resolve(_invocation(pytest=version))


@pytest.mark.parametrize("version", ["6", "8", "9.2", "9.2.0rc1", "9.2.0.dev3+g123", "99.0", "0.1"])
def test_unusual_versions_are_answered(version: str) -> None:
    _report(_invocation(pytest=version))


def test_a_pytest_newer_than_any_table_is_at_best_inconclusive() -> None:
    assert _report(_invocation(pytest="99.0")).verdict is Verdict.INCONCLUSIVE
    assert _report(_invocation(pytest="9.2.7")).verdict is Verdict.PASS


def test_a_distribution_of_no_version_is_answered() -> None:
    odd = tuple(Distribution(name, "what") for name in ("pytest-cov", "pytest-acme", "iniconfig"))
    for addopts in ("--cov=.", "-p pytest_acme", ""):
        files = {"/ws/pytest.ini": f"[pytest]\naddopts = {addopts}\n", "/ws/test_a.py": OK}
        _report(PytestInvocation("/ws", ("test_a.py",), distributions=odd, files=files))


ASKING = """import pytest
@pytest.mark.slow
@pytest.mark.parametrize("n", [])
def test_a(n, tmp_path, caplog):
    assert True
class TestB:
    @pytest.mark.xfail
    def test_b(self):
        assert False
"""


@pytest.mark.parametrize("version", ["7.4.4", "9.0.2", "9.2.0"])
@pytest.mark.parametrize("value", ["3", "'a'", "true", "[1]", "{ a = 1 }", "['\"']", '"\'"'])
def test_no_key_of_a_wrong_type_crashes_the_analyzer(version: str, value: str) -> None:
    places = (
        ("pyproject.toml", "tool.pytest"),
        ("pytest.toml", "pytest"),
        ("pytest.ini", "pytest"),
    )
    for key in core_table(version).ini:
        for file, table in places:
            files = {f"/ws/{file}": f"[{table}]\n{key.name} = {value}\n", "/ws/test_a.py": ASKING}
            resolve(_invocation(files, ("--strict-markers", "test_a.py"), pytest=version))
