"""Workspaces that ask which config file pytest reads, and what a broken one does to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.truth.layouts import ini, pyproject, workspace
from tests.truth.suites import PLAIN
from tests.truth.workspaces import Content, Directory, Files, Link, Workspace

_NAMES: Mapping[str, str] = {
    "pytest.toml": '[pytest]\naddopts = ["-v"]\n',
    ".pytest.toml": '[pytest]\naddopts = ["-vv"]\n',
    "pytest.ini": "[pytest]\naddopts = -q\n",
    ".pytest.ini": "[pytest]\naddopts = -ra\n",
    "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-l"\n',
    "tox.ini": "[pytest]\naddopts = -s\n",
    "setup.cfg": "[tool:pytest]\naddopts = --tb=short\n",
}
_EMPTY: Mapping[str, tuple[str, ...]] = {
    "pytest.toml": ("", "[pytest]\n", 'addopts = ["-x"]\n', "[tool.pytest]\n", "[other]\n"),
    ".pytest.toml": ("", "[pytest]\n"),
    "pytest.ini": ("", "[other]\n", "[tool:pytest]\naddopts = -x\n", "# nothing\n"),
    ".pytest.ini": ("", "[other]\n", "[pytest]\n"),
    "pyproject.toml": (
        "",
        "[project]\nname = 'x'\n",
        "[tool.pytest.ini_options]\n",
        "[tool.pytest]\n",
        "[pytest]\naddopts = '-x'\n",
        "[tool]\npytest = {}\n",
    ),
    "tox.ini": ("", "[tox]\n", "[tool:pytest]\naddopts = -x\n", "[pytest]\n"),
    "setup.cfg": ("", "[metadata]\n", "[tool:pytest]\n"),
}

#: File name and content, all broken or odd in one way.
_ODD: tuple[tuple[str, str, bytes], ...] = (
    ("syntax", "pyproject.toml", b"[tool.pytest\n"),
    ("syntax", "pytest.toml", b"[pytest\n"),
    ("byte order mark", "pyproject.toml", b"\xef\xbb\xbf[tool.pytest.ini_options]\naddopts='-q'\n"),
    ("byte order mark", "pytest.ini", b"\xef\xbb\xbf[pytest]\naddopts = -q\n"),
    ("byte order mark", "tox.ini", b"\xef\xbb\xbf[pytest]\naddopts = -q\n"),
    ("latin-1", "pyproject.toml", "[tool.pytest.ini_options]\n# é\n".encode("latin-1")),
    ("latin-1", "pytest.ini", "[pytest]\n# é\n".encode("latin-1")),
    ("latin-1", "tox.ini", "[tox]\n# é\n".encode("latin-1")),
    ("utf-16", "pytest.ini", "[pytest]\naddopts = -q\n".encode("utf-16")),
    ("null bytes", "pytest.ini", b"[pytest]\n\0\n"),
    ("null bytes", "pyproject.toml", b"[tool]\n\0\n"),
    ("tool is a number", "pyproject.toml", b"tool = 3\n"),
    ("tool is an array", "pyproject.toml", b"tool = []\n"),
    ("table is text", "pyproject.toml", b"[tool]\npytest = 'x'\n"),
    ("options are text", "pyproject.toml", b"[tool.pytest]\nini_options = 'x'\n"),
    ("options are an array", "pyproject.toml", b"[tool.pytest]\nini_options = []\n"),
    ("table is text", "pytest.toml", b"pytest = 'x'\n"),
    ("table is an array", "pytest.toml", b"pytest = []\n"),
    ("duplicate key", "pyproject.toml", b"[tool.a]\nx = 1\nx = 2\n"),
    ("inline newline", "pyproject.toml", b"[tool]\na = {b = 1,\n c = 2}\n"),
    ("trailing comma", "pyproject.toml", b"[tool]\na = {b = 1,}\n"),
    ("crlf", "pyproject.toml", b"[tool.pytest.ini_options]\r\naddopts = '-q'\r\n"),
    ("lone cr", "pyproject.toml", b"[tool.pytest.ini_options]\raddopts = '-q'\r"),
    ("duplicate key", "pytest.ini", b"[pytest]\naddopts = -q\naddopts = -v\n"),
    ("duplicate section", "pytest.ini", b"[pytest]\n[pytest]\n"),
    ("duplicate key elsewhere", "tox.ini", b"[flake8]\nx = 1\nx = 2\n"),
    ("key before section", "pytest.ini", b"addopts = -q\n[pytest]\n"),
    ("indented section", "pytest.ini", b"  [pytest]\naddopts = -q\n"),
    ("junk behind section", "pytest.ini", b"[pytest] junk\naddopts = -q\n"),
    ("comment behind section", "pytest.ini", b"[pytest] # why\naddopts = -q\n"),
    ("bare word", "pytest.ini", b"[pytest]\nbare\n"),
    ("empty key", "pytest.ini", b"[pytest]\n= -q\n"),
    ("open section", "pytest.ini", b"[pytest\naddopts = -q\n"),
    ("spaced section", "pytest.ini", b"[ pytest ]\naddopts = -x\n"),
    ("crlf", "pytest.ini", b"[pytest]\r\naddopts =\r\n    -q\r\n    -ra\r\n"),
    ("lone cr", "pytest.ini", b"[pytest]\raddopts = -q\r"),
    ("form feed", "pytest.ini", b"[pytest]\n\x0caddopts = -q\n"),
    ("form feed in value", "pytest.ini", b"[pytest]\naddopts = -q\x0c    -v\n"),
    ("next line", "pytest.ini", "[pytest]\naddopts = -q\x85-v\n".encode()),
    ("line separator", "pytest.ini", "[pytest]\naddopts = -q\u2028    -v\n".encode()),
    ("classic section", "setup.cfg", b"[pytest]\naddopts = -q\n"),
    ("both sections", "setup.cfg", b"[pytest]\naddopts = -x\n[tool:pytest]\naddopts = -q\n"),
    ("duplicate section", "setup.cfg", b"[a]\n[a]\n"),
)

#: Text behind ``addopts``, in the file's own spelling.
_INI_VALUES = (
    " = -q # hi",
    " = -q ; hi",
    " = -m 'not slow' -ra",
    ' = "-q -ra"',
    " = -k 'smoke",
    " = --tb=short\\",
    " = -q \\\n    -ra",
    " =",
    " =    ",
    " =\n    -q\n    # note\n\n    ; note\n    -ra",
    " =\n  # first\n    -q",
    ": -q",
    " : -q -v",
    "=-q",
    " = -q\t-v",
    " = %(here)s",
    " = ${EXTRA}",
    " = $HOME",
    " = -ra\\ -q",
    " = '-q'",
    " = = -x",
    " = --color = yes",
    " = -o markers=a:b",
    " = -q\n-v = 3",
    " = ''",
)
_KEYS = (
    "Addopts = -x",
    "add_opts = -x",
    "ADDOPTS = -x",
    "addopts[x] = -x",
    "[DEFAULT]\naddopts = -x",
)
_CLASSIC_TOML = (
    "addopts = '-q -ra'",
    "addopts = ['-q', '-ra']",
    "addopts = ['-q -ra']",
    "addopts = 5",
    "addopts = true",
    "addopts = []",
    "addopts = ''",
    "addopts = ['-q', 3]",
    "addopts = {a = 1}",
    "addopts = ['-q', ['-x']]",
    "addopts = 1979-05-27",
    'addopts = """\n  -q\n  -ra\n"""',
    '"addopts" = "-q"',
    "addopts = '-k \"a'",
    "addopts = [\n  '-q',  # why\n  '-ra',\n]",
    "xfail_strict = 'true'",
    "minversion = 6",
    "minversion = 6.0",
    "minversion = ['6']",
)
_NATIVE_TOML = (
    "addopts = ['-q', '-ra']",
    "addopts = '-q'",
    "addopts = [1]",
    "addopts = true",
    "addopts = []",
    "addopts = ['-q -ra']",
    "minversion = '6.0'",
    "minversion = 6",
    "minversion = '99'",
    "xfail_strict = 'true'",
    "xfail_strict = true",
    "testpaths = ['tests']",
    "testpaths = 'tests'",
    "python_files = 'check_*.py'",
    "python_functions = 'test_s*'",
    "python_functions = ['test_s*']",
    "python_classes = 'Spec*'",
    "norecursedirs = 'tests'",
    "usefixtures = 'nosuch'",
    "pythonpath = 'src'",
    "timeout = 300",
    "timeout = '0.05'",
    "log_cli = 'yes'",
    "log_level = 3",
    "faulthandler_timeout = 'abc'",
    "faulthandler_timeout = 5",
    "tmp_path_retention_count = 3",
    "tmp_path_retention_policy = 'bogus'",
    "junit_family = 'bogus'",
    "cache_dir = 3",
    "verbosity_assertions = 2",
    "enable_assertion_pass_hook = 'true'",
    "max_warnings = 0",
    "max_warnings = '0'",
    "doctest_optionflags = 'ELLIPSIS'",
    "filterwarnings = 'error'",
    "filterwarnings = ['error']",
    "required_plugins = ['nosuch']",
    "required_plugins = 'pytest-cov'",
    "markers = ['slow: x']",
    "unknown = 1",
    "unknown = [1, 'a']",
    "log_level = 'bogus'",
    "strict = true",
    "console_output_style = 'bogus'",
    "console_output_style = 3",
)


def precedence() -> Iterator[Workspace]:
    """Yield every file name alone, every pair in one directory, and nearer against farther."""
    names = list(_NAMES)
    for name, text in _NAMES.items():
        yield workspace(f"only {name}", {f"host/{name}": text})
        yield workspace(f"only {name} beside the tests", {f"host/ws/tests/{name}": text})
    for index, name in enumerate(names):
        for other in names[index + 1 :]:
            both = {f"host/{name}": _NAMES[name], f"host/{other}": _NAMES[other]}
            yield workspace(f"{name} and {other}", both)
    for name, texts in _EMPTY.items():
        for text in texts:
            files = {f"host/ws/{name}": text, "host/pytest.ini": _NAMES["pytest.ini"]}
            yield workspace(f"nearer {name} holding {text!r}", files)
    near = {"host/ws/tests/setup.cfg": _NAMES["setup.cfg"], "host/pytest.ini": "[pytest]\n"}
    yield workspace("setup.cfg beside the tests", near)


def fallbacks() -> Iterator[Workspace]:
    """Yield workspaces where no file has a section for pytest."""
    bare = {"host/pyproject.toml": "[project]\nname = 'x'\n"}
    setup = {"host/ws/setup.py": "import setuptools\n"}
    yield workspace("nothing at all")
    yield workspace("pyproject without section", bare)
    yield workspace("setup.py", setup)
    yield workspace("setup.py below a pyproject without section", {**bare, **setup})
    yield workspace("two pyprojects", {**bare, "host/ws/pyproject.toml": "[build-system]\n"})
    yield workspace("setup.py is a directory", {"host/ws/setup.py": Directory()})
    yield workspace("setup.py and --rootdir", setup, ["--rootdir=tests", "tests/test_ok.py"])
    yield workspace("pyproject and --rootdir", bare, ["--rootdir=tests", "tests/test_ok.py"])
    yield workspace("nothing, from below", {}, ["test_ok.py"], cwd="host/ws/tests")
    yield workspace("nothing, test elsewhere", {}, ["../../ws/tests"], cwd="host/other/deep")
    for name in ("pytest.ini", "pyproject.toml"):
        yield workspace(f"{name} is a directory", {f"host/ws/{name}": Directory()})
        yield workspace(f"{name} dangles", {f"host/ws/{name}": Link("nowhere")})
        yield workspace(f"{name} loops", {f"host/ws/{name}": Link(name)})
        linked: Files = {f"host/ws/{name}": Link(f"../../far/{name}"), f"far/{name}": _NAMES[name]}
        yield workspace(f"{name} is a link", linked)


def several_arguments() -> Iterator[Workspace]:
    """Yield command lines with more than one path."""
    text = PLAIN
    tests: dict[str, Content] = {"host/ws/a/test_a.py": text, "host/ws/b/test_b.py": text}
    inis = {"host/ws/a/pytest.ini": ini(["-q"]), "host/ws/b/tox.ini": ini(["-v"])}
    both = ["a/test_a.py", "b/test_b.py", "tests/test_ok.py"]
    for args in (both, both[::-1], ["a", "a/test_a.py"], ["a", "a"], ["a/test_a.py", "nosuch"]):
        yield workspace(f"files beside each of {args}", {**tests, **inis}, args)
        setup = {**tests, **inis, "host/setup.py": ""}
        yield workspace(f"files and a setup.py beside {args}", setup, args)
        bare = {**tests, **inis, "host/pyproject.toml": ""}
        yield workspace(f"files and a pyproject beside {args}", bare, args)
        yield workspace(
            f"--rootdir and files beside {args}", {**tests, **inis}, ["--rootdir=b", *args]
        )


def broken() -> Iterator[Workspace]:
    """Yield every odd file nearer than, beside, and above the file that wins."""
    for defect, name, data in _ODD:
        yield workspace(f"{name}: {defect}", {f"host/ws/{name}": data})
        winner = ini(["-q"])
        above: Files = {f"host/{name}": data, "host/ws/pytest.ini": winner}
        yield workspace(f"{name}: {defect}, above the winner", above)
        if name != "pytest.ini":
            beside: Files = {f"host/ws/{name}": data, "host/ws/pytest.ini": winner}
            yield workspace(f"{name}: {defect}, beside pytest.ini", beside)
    yield workspace(
        "-o addopts= over an unbalanced quote",
        {"host/pytest.ini": "[pytest]\naddopts='x"},
        ["-o", "addopts=", "tests/test_ok.py"],
    )


def values() -> Iterator[Workspace]:
    """Yield every way to write addopts, and native tables."""
    for value in _INI_VALUES:
        yield workspace(f"ini addopts{value!r}", {"host/pytest.ini": f"[pytest]\naddopts{value}\n"})
    for line in _KEYS:
        yield workspace(f"ini {line!r}", {"host/pytest.ini": f"[pytest]\n{line}\n"})
    for line in _CLASSIC_TOML:
        yield workspace(f"classic {line!r}", {"host/pyproject.toml": pyproject(line)})
    for line in _NATIVE_TOML:
        native = {"host/pyproject.toml": f"[tool.pytest]\n{line}\n"}
        yield workspace(f"native {line!r}", native, suite="xpass")
        own: Files = {"host/pytest.toml": f"[pytest]\n{line}\n"}
        yield workspace(f"pytest.toml {line!r}", own, suite="warns")
        yield workspace(f"pytest.toml {line!r} | tests/", own, ["tests"], suite="classes")
    both = "[tool.pytest]\naddopts = ['-q']\n[tool.pytest.ini_options]\n"
    yield workspace("native and an empty classic table", {"host/pyproject.toml": both})
    yield workspace("native and classic", {"host/pyproject.toml": f"{both}addopts = '-v'\n"})
    broken_list = ["-o", "addopts=-q", "tests/test_ok.py"]
    for line in ("addopts = 'x", "addopts = ['-q', 3]"):
        files = {"host/pyproject.toml": pyproject(line)}
        yield workspace(f"overridden {line!r}", files, broken_list)
