"""Workspaces that ask how pytest reads the words of its command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.truth.layouts import ini, pyproject, workspace
from tests.truth.suites import PLAIN
from tests.truth.workspaces import ROOT, Content, Directory, Files, Link, Workspace

_OK = "tests/test_ok.py"
_NEAR: Mapping[str, Content] = {"host/ws/pytest.ini": ini(["-q"]), "host/pytest.ini": ini(["-v"])}

#: Files that -c may name, by their name.
_NAMED: Mapping[str, Content] = {
    "ci.ini": ini(["-ra"]),
    "empty.ini": "",
    "wrong.ini": "[tool:pytest]\naddopts = -x\n",
    "broken.ini": "addopts\n",
    "ci.cfg": "[tool:pytest]\naddopts = -ra\n",
    "plain.cfg": "[pytest]\naddopts = -ra\n",
    "ci.toml": pyproject("addopts = '-ra'"),
    "native.toml": "[tool.pytest]\naddopts = ['-ra']\n",
    "top.toml": "[pytest]\naddopts = ['-ra']\n",
    "none.toml": "[other]\n",
    "broken.toml": "[tool\n",
    "ci.txt": ini(["-x"]),
    "ci": ini(["-x"]),
    "ci.INI": ini(["-x"]),
    "folder": Directory(),
    "folder.ini": Directory(),
    "link.ini": Link("ci.ini"),
}

#: Arguments that cover one another.
_OVERLAPS = (
    ("tests", "tests/test_ok.py"),
    ("tests/test_ok.py", "tests"),
    (".", "tests"),
    ("tests", "tests"),
    ("tests/test_ok.py", "tests/test_ok.py"),
)

#: Command lines on a plain suite below two config files.
_WORDS: tuple[tuple[str, ...], ...] = (
    (),
    ("tests",),
    (".",),
    ("",),
    ("tests/",),
    ("./tests/../tests/test_ok.py",),
    (f"{ROOT}/host/ws/{_OK}",),
    (f"{_OK}::test_ok",),
    (f"{_OK}::nosuch",),
    (f"{_OK}::test_ok", f"{_OK}::test_ok"),
    (f"{_OK}[a]",),
    ("nosuch.py",),
    ("nosuch.py::test_ok",),
    (_OK, "nosuch"),
    ("--", _OK),
    ("--", "-q", _OK),
    (_OK, "--", "tests"),
    ("-q", "--", "-v"),
    ("-k", "ok", _OK),
    ("-k", "nosuch", _OK),
    ("-kok", _OK),
    ("-xk", "ok", _OK),
    ("-xkok", _OK),
    ("-xsk=ok", _OK),
    ("-qvx", _OK),
    ("-rfx", _OK),
    ("-x", "--maxfail=0", _OK),
    ("-Wdefault", _OK),
    ("-pno:xdist", _OK),
    ("-p", "no:cov", _OK),
    ("-p", _OK),
    ("-n2", _OK),
    ("-n", "0", _OK),
    ("-xn0", _OK),
    ("--nosuch", _OK),
    ("--nosuch", "tests", _OK),
    ("--nosuch=tests", _OK),
    ("-Z", "tests", _OK),
    ("-Ztests", _OK),
    ("--cov", "tests", _OK),
    ("--cov=tests", _OK),
    ("--cov", _OK),
    ("--cov-config", "tests", _OK),
    ("--timeout", "60", _OK),
    ("--timeout", "tests", _OK),
    ("--maxf=1", _OK),
    ("--exitfirst=1", _OK),
    ("--tb", "short", _OK),
    ("--tb", _OK),
    ("--tb", "-q", _OK),
    ("--durations", "3", _OK),
    ("--debug", _OK),
    ("--cache-show", _OK),
    ("--ignore", "tests", _OK),
    ("--deselect", _OK),
    ("--deselect", f"tests/../{_OK}", _OK),
    ("--basetemp", "tests", _OK),
    ("--junitxml", "tests", _OK),
    ("--pyargs", "tests.test_ok"),
    ("--pyargs", _OK),
    ("--pyargs", "nosuch.module"),
    ("--version",),
    ("-V", _OK),
    ("-VV",),
    ("--version", "--version"),
    ("--version", "--nosuch"),
    ("-h",),
    ("-h", "--nosuch"),
    ("--help", "nosuch"),
    ("--markers",),
    ("--fixtures", _OK),
    ("--co",),
    ("@words",),
    ("@quiet", _OK),
    ("@missing", _OK),
    ("@nested", _OK),
    ("--noconftest", _OK),
    ("--confcutdir=tests", _OK),
    ("--confcutdir=missing", _OK),
    (f"--confcutdir={_OK}", _OK),
    ("--strict-markers", _OK),
    ("--strict", _OK),
    ("-W", "error", _OK),
    ("-W", "bogus", _OK),
    ("--collect-only", "-q", _OK),
    ("--lf", _OK),
    ("--sw", _OK),
    ("--pdb", _OK),
    ("-c",),
    ("--rootdir",),
)


def words() -> Iterator[Workspace]:
    """Yield every command line in a workspace with a config file of its own and a host's."""
    extra = {
        "host/ws/words": f"-v\n{_OK}\n",
        "host/ws/quiet": "-q\n",
        "host/ws/nested": "@quiet\n-v\n",
        "host/ws/tests/tox.ini": "[tox]\n",
    }
    for words in _OVERLAPS:
        chosen = {"host/ws/pytest.ini": ini(["-k", "not covers and not ok"])}
        yield workspace(f"overlap {' '.join(words)}", chosen, words, suite="two files")
    late = {
        "host/ws/pytest.ini": "[pytest]\n",
        "host/ws/tests/conftest.py": "collect_ignore_glob = ['*ok*']\n",
    }
    yield workspace("a late conftest ignores every file", late, ["."])
    blocked = {"host/ws/pytest.ini": ini(None, "cache_dir = .c", "filterwarnings = error")}
    yield workspace("a key of a blocked plugin", blocked, ["-p", "no:cacheprovider"])
    strict = {"host/ws/pytest.ini": ini(["--strict", "-W", "error"])}
    yield workspace("--strict warns, and warnings are errors", strict)
    for args in _WORDS:
        yield workspace(f"pytest {args}", {**_NEAR, **extra}, args)
    for args in ((), ("tests",), ("--cov", "tests", _OK), ("-Z", "far", _OK), ("-n", "far", _OK)):
        far = {"host/ws/far/test_far.py": PLAIN, "host/pytest.ini": ini(["-q"])}
        near = {"host/ws/tests/pytest.ini": ini(["-v"])}
        yield workspace(f"file beside the tests: {' '.join(args)}", {**far, **near}, args)


def argument_files() -> Iterator[Workspace]:
    """Yield ``@file`` arguments that decide the rootdir, in the command and in its variables."""
    far = {"host/far/pytest.ini": ini(["-q"]), "host/far/test_far.py": PLAIN}
    texts = ("../far/test_far.py\n", "-v\n../far\n", "--rootdir=..\ntests\n", "-c\n../ci.ini\n", "")
    for text in texts:
        files = {**_NEAR, **far, "host/ci.ini": ini(["-ra"]), "host/ws/words": text}
        yield workspace(f"@file holding {text!r}", files, ["@words"])
        yield workspace(f"@file holding {text!r} and a path", files, ["@words", _OK])
        environ = {"PYTEST_ADDOPTS": "@words"}
        yield workspace(f"@file holding {text!r} in a variable", files, environ=environ)
    broken = {**_NEAR, "host/ws/words": b"\xff\n"}
    yield workspace("@file that is no UTF-8", broken, ["@words", _OK])
    yield workspace("@file that is a directory", _NEAR, ["@tests", _OK])


def swallowing() -> Iterator[Workspace]:
    """Yield hosts whose last option takes the command's own path, and hosts whose does not."""
    for words in (
        ("--cov",),
        ("--cov", "-q"),
        ("--debug",),
        ("--cache-show",),
        ("-q", "--cov-config"),
    ):
        for args in ((_OK,), ("-q", _OK), ("tests",)):
            files = {"host/pytest.ini": ini(words), "host/ws/test_top.py": PLAIN}
            name = f"addopts {' '.join(words)}, then {' '.join(args)}"
            yield workspace(name, files, args, suite="two files")


def named_files() -> Iterator[Workspace]:
    """Yield ``-c`` for every kind of file, and its spellings."""
    planted = {f"far/{name}": content for name, content in _NAMED.items()}
    for name in (*_NAMED, "missing.ini", "missing.toml", "missing"):
        yield workspace(f"-c {name}", {**_NEAR, **planted}, ["-c", f"../../far/{name}", _OK])
    for words in (
        ("-c=ci.ini",),
        ("-cci.ini",),
        ("--config-file=ci.ini",),
        ("--config-file", "ci.ini"),
        ("-qcci.ini",),
        ("-c", "ci.ini", "-c", "other.ini"),
        ("-c", "/dev/null"),
        ("-c", "/dev/null", "--rootdir=."),
        ("-c", "/dev/null", "--rootdir=.", "--confcutdir=tests"),
        ("-c", "ci.ini", "--rootdir=tests"),
        ("-c", f"{ROOT}/host/ws/ci.ini"),
        ("-c", ""),
        ("-c", "deep/../ci.ini"),
    ):
        files = {**_NEAR, "host/ws/ci.ini": ini(["-ra"]), "host/ws/other.ini": ini(["-l"])}
        yield workspace(" ".join(words), files, [*words, _OK])
        yield workspace(
            f"{' '.join(words)} from below", files, [*words, "test_ok.py"], cwd="host/ws/tests"
        )


def roots() -> Iterator[Workspace]:
    """Yield ``--rootdir`` in its forms."""
    for value in (
        ".",
        "..",
        "tests",
        "missing",
        _OK,
        "$WHERE",
        "${WHERE}/tests",
        "$UNSET",
        f"{ROOT}/host",
        "",
        "~",
        "link",
    ):
        files = {**_NEAR, "host/ws/link": Link("tests")}
        environ = {"WHERE": f"{ROOT}/host/ws"}
        args = [f"--rootdir={value}", _OK]
        yield workspace(f"--rootdir={value}", files, args, environ=environ)
        bare: Files = {"host/ws/link": Link("tests"), "host/setup.py": ""}
        yield workspace(f"--rootdir={value} without file", bare, args, environ=environ)
    yield workspace("two --rootdir", _NEAR, ["--rootdir=..", "--rootdir", "tests", _OK])


def links() -> Iterator[Workspace]:
    """Yield symbolic links among the arguments, and a linked working directory."""
    linked: dict[str, Content] = {
        "host/ws/link": Link("../real/tests"),
        "host/real/tests/test_real.py": PLAIN,
        "host/real/pytest.ini": ini(["-ra"]),
        "host/ws/pytest.ini": ini(["-q"]),
        "host/ws/one.py": Link("../real/tests/test_real.py"),
    }
    for args in (["link"], ["link/test_real.py"], ["link/../tests"], ["link/..", _OK], ["one.py"]):
        yield workspace(f"link among {args}", linked, args)
    yield workspace("linked directory", {**linked, "cwd": Link("host/real")}, ["tests"], cwd="cwd")
    dangling = {**linked, "host/ws/gone": Link("nowhere")}
    yield workspace("dangling link", dangling, ["gone", _OK])


def placements() -> Iterator[Workspace]:
    """Yield every suite as it is, named by file, by directory and by node id."""
    from tests.truth.suites import SUITES

    for name, suite in SUITES.items():
        directory = suite.target.rpartition("/")[0] or "."
        for args in ([suite.target], [directory], []):
            yield workspace(f"{name}: {args}", {"host/pytest.ini": ini(["-ra"])}, args, suite=name)
