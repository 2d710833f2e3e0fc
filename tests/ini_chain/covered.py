"""Workspaces whose coverage the real pytest-cov measures."""

from __future__ import annotations

OK = "def test_a():\n    assert True\n"
APP = """\
def used():
    return 1


def unused():
    a = 1
    b = 2
    return a + b
"""
LONG = "    a = 1\n" * 20
LONG_METHOD = "        a = 1\n" * 20

#: The files, and the options that addopts holds.
WORKSPACES: dict[str, tuple[dict[str, str], str]] = {
    "fn import": (
        {
            "app.py": APP,
            "tests/test_a.py": "def test_a():\n    import app\n    assert app.used()\n",
        },
        "--cov=app",
    ),
    "fn import dot": (
        {
            "app.py": APP,
            "tests/test_a.py": "def test_a():\n    import app\n    assert app.used()\n",
        },
        "--cov=.",
    ),
    "try import": (
        {
            "app.py": APP,
            "tests/test_a.py": "try:\n    import app\nexcept ImportError:\n"
            + "    app = None\ndef test_a():\n    assert app.used()\n",
        },
        "--cov=.",
    ),
    "if import": (
        {
            "app.py": APP,
            "tests/test_a.py": "import sys\nif sys.argv:\n    import app\ndef test_a():\n"
            + "    assert app.used()\n",
        },
        "--cov=.",
    ),
    "importlib": (
        {
            "app.py": APP,
            "tests/test_a.py": "import importlib\napp = importlib.import_module('app')\n"
            + "def test_a():\n    assert app.used()\n",
        },
        "--cov=.",
    ),
    "relative": (
        {
            "pkg/__init__.py": "",
            "pkg/a.py": APP,
            "pkg/test_a.py": "from . import a\ndef test_a():\n    assert a.used()\n",
        },
        "--cov=pkg",
    ),
    "relative2": (
        {
            "pkg/__init__.py": "from .a import used\n",
            "pkg/a.py": APP,
            "test_a.py": "import pkg\ndef test_a():\n    assert pkg.used()\n",
        },
        "--cov=pkg",
    ),
    "submodule": (
        {
            "pkg/__init__.py": "",
            "pkg/a.py": APP,
            "test_a.py": "from pkg import a\ndef test_a():\n    assert a.used()\n",
        },
        "--cov=pkg",
    ),
    "submodule2": (
        {
            "pkg/__init__.py": "",
            "pkg/a.py": APP,
            "test_a.py": "from pkg.a import used\ndef test_a():\n" + "    assert used()\n",
        },
        "--cov=pkg",
    ),
    "submodule3": (
        {
            "pkg/__init__.py": "",
            "pkg/a.py": APP,
            "pkg/b.py": APP,
            "test_a.py": "import pkg.a\ndef test_a():\n    assert pkg.a.used()\n",
        },
        "--cov=pkg",
    ),
    "conftest hook": (
        {"conftest.py": "def pytest_runtest_setup(item):\n" + LONG, "test_a.py": OK},
        "--cov=.",
    ),
    "setup fn": ({"test_a.py": "def setup_module():\n" + LONG + OK}, "--cov=."),
    "setup method": (
        {
            "test_a.py": "class TestA:\n    def setup_method(self):\n"
            + LONG_METHOD
            + "    def test_a(self):\n        assert True\n"
        },
        "--cov=.",
    ),
    "setUp": (
        {
            "test_a.py": "import unittest\nclass A(unittest.TestCase):\n"
            + "    def setUp(self):\n"
            + LONG_METHOD
            + "    def test_a(self):\n        assert True\n"
        },
        "--cov=.",
    ),
    "duck": (
        {
            "test_a.py": "class W:\n    def write(self, x):\n"
            + LONG_METHOD
            + "def test_a():\n    print('x', file=W())\n"
        },
        "--cov=.",
    ),
    "skip mark": (
        {"test_a.py": "import pytest\n@pytest.mark.skip\ndef test_b():\n" + LONG + OK},
        "--cov=.",
    ),
    "skip mod": (
        {"test_a.py": "import pytest\npytestmark = pytest.mark.skip\n" + "def test_b():\n" + LONG},
        "--cov=.",
    ),
    "skip call": (
        {"test_a.py": "import pytest\ndef test_b():\n    pytest.skip('x')\n" + LONG + OK},
        "--cov=.",
    ),
    "unittest skip": (
        {
            "test_a.py": "import unittest\n@unittest.skip('x')\n"
            + "class A(unittest.TestCase):\n    def test_a(self):\n"
            + LONG_METHOD
            + OK
        },
        "--cov=.",
    ),
    "raises": (
        {
            "test_a.py": "import pytest\ndef test_b():\n"
            + "    with pytest.raises(ValueError):\n        int('x')\n"
            + LONG_METHOD
            + OK
        },
        "--cov=.",
    ),
    "xfail": (
        {
            "test_a.py": "import pytest\n@pytest.mark.xfail\ndef test_b():\n"
            + "    assert False\n"
            + LONG
            + OK
        },
        "--cov=.",
    ),
    "empty param": (
        {
            "test_a.py": "import pytest\n@pytest.mark.parametrize('x', [])\n"
            + "def test_b(x):\n"
            + LONG
            + OK
        },
        "--cov=.",
    ),
    "called test": (
        {"test_a.py": "def test_a():\n    test_b()\ndef test_b():\n" + LONG},
        "--cov=. --deselect=test_a.py::test_b",
    ),
    "dyn": (
        {
            "test_a.py": "class A:\n    def do_x(self):\n"
            + LONG_METHOD
            + "def test_a():\n    getattr(A(), 'do_' + 'x')()\n"
        },
        "--cov=.",
    ),
    "subdir nopkg": ({"sub/big.py": "a = 1\n" * 100, "test_a.py": OK}, "--cov=."),
    "subdir nopkg2": ({"sub/big.py": "a = 1\n" * 100, "test_a.py": OK}, "--cov=sub"),
    "setup.py": ({"setup.py": "a = 1\n" * 100, "test_a.py": OK}, "--cov=."),
    "broken other": ({"broken.py": "def (\n", "test_a.py": OK}, "--cov=."),
    "py2 name": ({"my-script.py": "a = 1\n" * 100, "test_a.py": OK}, "--cov=."),
    "pyw": ({"x.pyw": "a = 1\n" * 100, "test_a.py": OK}, "--cov=."),
    "branch": (
        {
            "app.py": "def f(x):\n    if x:\n        return 1\n    return 2\n",
            "test_a.py": "import app\ndef test_a():\n    assert app.f(1)\n"
            + "    assert app.f(0) == 2\n",
        },
        "--cov=app --cov-branch",
    ),
    "cov=nosuch": ({"test_a.py": OK}, "--cov=nosuch"),
    "cov=empty dir": ({"d/x.txt": "", "test_a.py": OK}, "--cov=d"),
    "empty file": ({"app/__init__.py": "", "test_a.py": "import app\n" + OK}, "--cov=app"),
    "fixture": (
        {
            "test_a.py": "import pytest\n@pytest.fixture\ndef f():\n"
            + LONG
            + "    return a\ndef test_a(f):\n    assert f\n"
        },
        "--cov=.",
    ),
    "autouse": (
        {"test_a.py": "import pytest\n@pytest.fixture(autouse=True)\ndef f():\n" + LONG + OK},
        "--cov=.",
    ),
    "except": (
        {
            "app.py": "def f():\n    return 1\ntry:\n    import nosuch\n"
            + "except ImportError:\n    nosuch = None\n",
            "test_a.py": "import app\ndef test_a():\n    assert app.f()\n",
        },
        "--cov=app",
    ),
    "thread": (
        {
            "test_a.py": "import threading\nclass T(threading.Thread):\n"
            + "    def run(self):\n"
            + LONG_METHOD
            + "def test_a():\n    t = T(); t.start(); t.join()\n"
        },
        "--cov=.",
    ),
    "-p plugin": ({"plug.py": "a = 1\n" * 100, "test_a.py": OK}, "--cov=. -p plug"),
    "pytest_plugins": (
        {"plug.py": "a = 1\n" * 100, "conftest.py": "pytest_plugins=['plug']\n", "test_a.py": OK},
        "--cov=.",
    ),
    "__main__": ({"__main__.py": "a = 1\n" * 100, "test_a.py": OK}, "--cov=."),
    "import main pkg": (
        {
            "pkg/__init__.py": "",
            "pkg/__main__.py": "a = 1\n" * 50,
            "test_a.py": "import pkg\n" + OK,
        },
        "--cov=pkg",
    ),
    "run module": (
        {
            "app.py": APP,
            "test_a.py": "import runpy\ndef test_a():\n" + "    runpy.run_path('app.py')\n",
        },
        "--cov=.",
    ),
    "exec open": (
        {
            "app.py": APP,
            "test_a.py": "def test_a():\n"
            + "    exec(compile(open('app.py').read(),'app.py','e"
            + "xec'), {})\n",
        },
        "--cov=.",
    ),
    "omit": ({"app.py": APP, ".coveragerc": "[run]\nomit = app.py\n", "test_a.py": OK}, "--cov=."),
    "exclude": (
        {"app.py": APP, ".coveragerc": "[report]\nexclude_lines = def\n", "test_a.py": OK},
        "--cov=.",
    ),
    "precision": (
        {
            "app.py": APP,
            ".coveragerc": "[report]\nprecision = 2\n",
            "test_a.py": "import app\n" + OK,
        },
        "--cov=.",
    ),
    "relative src": (
        {
            "src/app.py": APP,
            "pytest.ini2": "",
            "test_a.py": "import sys\nsys.path.insert(0,'src')\nimport app\n"
            + "def test_a():\n    app.used()\n",
        },
        "--cov=src",
    ),
    "two cov": (
        {
            "app.py": APP,
            "b.py": "x = 1\n",
            "test_a.py": "import app, b\ndef test_a():\n    app.used()\n",
        },
        "--cov=b --cov=app",
    ),
    "cov file": (
        {"app.py": APP, "test_a.py": "import app\ndef test_a():\n    app.used()\n"},
        "--cov=app.py",
    ),
    "cov tests": ({"tests/test_a.py": "import pytest\n" + OK}, "--cov=tests"),
    "cov case": (
        {"App.py": APP, "test_a.py": "import App\ndef test_a():\n    App.used()\n"},
        "--cov=app",
    ),
    "star": (
        {"app.py": APP, "test_a.py": "from app import *\ndef test_a():\n    used()\n"},
        "--cov=app",
    ),
    "nested def": (
        {
            "app.py": "def outer():\n    def inner():\n        return 1\n" + "    return inner()\n",
            "test_a.py": "import app\ndef test_a():\n    app.outer()\n",
        },
        "--cov=app",
    ),
    "lambda": (
        {"app.py": "f = lambda: 1\n", "test_a.py": "import app\ndef test_a():\n    app.f()\n"},
        "--cov=app",
    ),
    "namespace pkg": (
        {"ns/app.py": APP, "test_a.py": "import ns.app\ndef test_a():\n    ns.app.used()\n"},
        "--cov=ns",
    ),
    "decorated": (
        {
            "app.py": "import functools\n\n\n@functools.cache\ndef f():\n" + "    return 1\n",
            "test_a.py": "import app\ndef test_a():\n    app.f()\n",
        },
        "--cov=app",
    ),
}
