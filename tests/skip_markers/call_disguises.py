"""Ways to hide a call that skips. Each turns tests that passed into skipped ones."""

# ruff: noqa: E501 -- edits read best as the lines they put in

from __future__ import annotations

from tests.skip_markers.edits import Disguise, bottom, disguise, inside, swap, top

C = "skip.call"
I = "skip.importorskip"  # noqa: E741
CONFTEST = "tests/conftest.py"
HELPER = "tests/marking.py"

CALLS: tuple[Disguise, ...] = (
    disguise("in the test", C, "one", inside("test_one", 'pytest.skip("x")')),
    disguise("returned", C, "one", inside("test_one", 'return pytest.skip("x")')),
    disguise("alias", C, "one", top("later = pytest.skip"), inside("test_one", 'later("x")')),
    disguise("imported", C, "one", top("from pytest import skip"), inside("test_one", 'skip("x")')),
    disguise("star", C, "one", top("from pytest import *"), inside("test_one", 'skip("x")')),
    disguise("getattr", C, "one", inside("test_one", 'getattr(pytest, "sk" + "ip")("x")')),
    disguise(
        "partial",
        C,
        "one",
        top('import functools\nlater = functools.partial(pytest.skip, "x")'),
        inside("test_one", "later()"),
    ),
    disguise(
        "lambda", C, "one", top('later = lambda: pytest.skip("x")'), inside("test_one", "later()")
    ),
    disguise("or", C, "one", inside("test_one", 'os.environ.get("NO_SUCH") or pytest.skip("x")')),
    disguise(
        "conditional", C, "one", inside("test_one", 'if os.sep == "/":\n    pytest.skip("x")')
    ),
    disguise("exception", C, "one", inside("test_one", 'raise pytest.skip.Exception("x")')),
    disguise(
        "outcome",
        C,
        "one",
        top("from _pytest.outcomes import Skipped"),
        inside("test_one", 'raise Skipped("x")'),
    ),
    disguise("SkipTest", C, "one", inside("test_one", 'raise unittest.SkipTest("x")')),
    disguise("SkipTest without call", C, "five", inside("test_five", "raise unittest.SkipTest")),
    disguise("skipTest", C, "five", inside("test_five", 'self.skipTest("x")')),
    disguise(
        "own exception",
        C,
        "one",
        top("class Later(unittest.SkipTest):\n    pass"),
        inside("test_one", "raise Later()"),
    ),
    disguise(
        "after the checks",
        C,
        "one",
        swap("assert 1 + 1 == 2", 'assert 1 + 1 == 2\n    pytest.skip("x")'),
    ),
    disguise("module", C, "all", top('pytest.skip("x", allow_module_level=True)')),
    disguise("module at the end", C, "all", bottom('pytest.skip("x", allow_module_level=True)')),
    disguise("module exception", C, "all", top('raise unittest.SkipTest("x")')),
    disguise(
        "module under if",
        C,
        "all",
        top('if os.sep == "/":\n    pytest.skip("x", allow_module_level=True)'),
    ),
    disguise(
        "imported module",
        C,
        "all",
        top("import marking"),
        files={HELPER: "import pytest\n\npytest.skip('x', allow_module_level=True)\n"},
    ),
    disguise(
        "class body", C, "all", inside("TestGroup", 'pytest.skip("x", allow_module_level=True)')
    ),
    disguise("setUp", C, "five six", inside("Cases", 'def setUp(self):\n    self.skipTest("x")')),
    disguise(
        "setUpClass",
        C,
        "five six",
        inside("Cases", '@classmethod\ndef setUpClass(cls):\n    raise unittest.SkipTest("x")'),
    ),
    disguise(
        "setup_method",
        C,
        "three four",
        inside("TestGroup", 'def setup_method(self):\n    pytest.skip("x")'),
    ),
    disguise(
        "setup_class",
        C,
        "three four",
        inside("TestGroup", '@classmethod\ndef setup_class(cls):\n    pytest.skip("x")'),
    ),
    disguise(
        "setup_function",
        C,
        "one two seven",
        top('def setup_function(function):\n    pytest.skip("x")'),
    ),
    disguise("setup_module", C, "all", top('def setup_module(module):\n    pytest.skip("x")')),
    disguise("setUpModule", C, "all", top('def setUpModule():\n    raise unittest.SkipTest("x")')),
    disguise(
        "setUp of a base",
        C,
        "five six",
        top('class Base(unittest.TestCase):\n    def setUp(self):\n        self.skipTest("x")'),
        swap("class Cases(unittest.TestCase)", "class Cases(Base)"),
    ),
    disguise(
        "helper",
        C,
        "one",
        top('def ready():\n    pytest.skip("x")'),
        inside("test_one", "ready()"),
    ),
    disguise(
        "helper elsewhere",
        C,
        "one",
        top("from marking import ready"),
        inside("test_one", "ready()"),
        files={
            HELPER: "from deeper import really\n\n\ndef ready():\n    really()\n",
            "tests/deeper.py": "import pytest\n\n\ndef really():\n    pytest.skip('x')\n",
        },
    ),
    disguise(
        "method",
        C,
        "three",
        inside("TestGroup", 'def ready(self):\n    pytest.skip("x")\n'),
        inside("test_three", "self.ready()"),
    ),
    disguise(
        "context manager",
        C,
        "one",
        top(
            'class Later:\n    def __enter__(self):\n        pytest.skip("x")\n    def __exit__(self, *a):\n        pass'
        ),
        inside("test_one", "with Later():\n    pass"),
    ),
    disguise(
        "decorator",
        C,
        "one",
        top(
            "import functools\ndef slow(function):\n    @functools.wraps(function)\n    def inner(*a, **k):\n"
            '        pytest.skip("x")\n    return inner'
        ),
        swap("def test_one", "@slow\ndef test_one"),
    ),
    disguise(
        "decorator with arguments",
        C,
        "one",
        top(
            "import functools\ndef slow(why):\n    def outer(function):\n        @functools.wraps(function)\n"
            "        def inner(*a, **k):\n            raise unittest.SkipTest(why)\n        return inner\n    return outer"
        ),
        swap("def test_one", '@slow("x")\ndef test_one'),
    ),
    disguise(
        "fixture",
        C,
        "one",
        top('@pytest.fixture\ndef ready():\n    pytest.skip("x")'),
        swap("def test_one()", "def test_one(ready)"),
    ),
    disguise(
        "fixture of a fixture",
        C,
        "one",
        top(
            '@pytest.fixture\ndef deep():\n    pytest.skip("x")\n@pytest.fixture\ndef ready(deep):\n    return 1'
        ),
        swap("def test_one()", "def test_one(ready)"),
    ),
    disguise(
        "usefixtures",
        C,
        "one",
        top('@pytest.fixture\ndef ready():\n    pytest.skip("x")'),
        swap("def test_one", '@pytest.mark.usefixtures("ready")\ndef test_one'),
    ),
    disguise(
        "usefixtures of a class",
        C,
        "three four",
        top('@pytest.fixture\ndef ready():\n    pytest.skip("x")'),
        swap("class TestGroup", '@pytest.mark.usefixtures("ready")\nclass TestGroup'),
    ),
    disguise(
        "usefixtures of a module",
        C,
        "all",
        top(
            '@pytest.fixture\ndef ready():\n    pytest.skip("x")\npytestmark = pytest.mark.usefixtures("ready")'
        ),
    ),
    disguise(
        "autouse",
        C,
        "all",
        top('@pytest.fixture(autouse=True)\ndef ready():\n    pytest.skip("x")'),
    ),
    disguise(
        "autouse in a class",
        C,
        "three four",
        inside(
            "TestGroup", '@pytest.fixture(autouse=True)\ndef ready(self):\n    pytest.skip("x")'
        ),
    ),
    disguise(
        "autouse for one",
        C,
        "one",
        top(
            '@pytest.fixture(autouse=True)\ndef ready(request):\n    if request.node.name == "test_one":\n'
            '        pytest.skip("x")'
        ),
    ),
    disguise(
        "autouse for a marker",
        C,
        "two",
        top(
            "@pytest.fixture(autouse=True)\ndef ready(request):\n"
            '    if request.node.get_closest_marker("later"):\n        pytest.skip("x")'
        ),
        swap("def test_two", "@pytest.mark.later\ndef test_two"),
    ),
    disguise(
        "autouse in a conftest",
        C,
        "all",
        files={
            CONFTEST: "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef ready():\n    pytest.skip('x')\n"
        },
    ),
    disguise(
        "conftest's fixture",
        C,
        "one",
        swap("def test_one()", "def test_one(ready)"),
        files={
            CONFTEST: "import pytest\n\n\n@pytest.fixture(name='ready')\ndef _r():\n    pytest.skip('x')\n"
        },
    ),
    disguise(
        "fixture of a plugin",
        C,
        "one",
        swap("def test_one()", "def test_one(ready)"),
        files={
            "conftest.py": "pytest_plugins = ['tests.marking']\n",
            "tests/__init__.py": "",
            HELPER: "import pytest\n\n\n@pytest.fixture\ndef ready():\n    pytest.skip('x')\n",
        },
    ),
    disguise(
        "fixture by name",
        C,
        "one",
        top('@pytest.fixture\ndef ready():\n    pytest.skip("x")'),
        swap("def test_one():", 'def test_one(request):\n    request.getfixturevalue("ready")'),
    ),
    disguise(
        "overridden fixture",
        C,
        "one",
        swap("def test_one()", "def test_one(tmp_path)"),
        top('@pytest.fixture\ndef tmp_path():\n    pytest.skip("x")'),
    ),
    disguise(
        "setup hook",
        C,
        "all",
        files={
            CONFTEST: "import pytest\n\n\ndef pytest_runtest_setup(item):\n    pytest.skip('x')\n"
        },
    ),
    disguise(
        "setup hook for one file",
        C,
        "all",
        files={
            CONFTEST: "import pytest\n\n\ndef pytest_runtest_setup(item):\n"
            "    if item.path.name == 'test_a.py':\n        pytest.skip('x')\n"
        },
    ),
    disguise(
        "call hook",
        C,
        "one",
        files={
            CONFTEST: "import pytest\n\n\ndef pytest_runtest_call(item):\n"
            "    if item.name.endswith('_one'):\n        raise pytest.skip.Exception('x')\n"
        },
    ),
    disguise(
        "condition widened",
        C,
        "one",
        inside("test_one", 'if os.sep == "/":\n    pytest.skip("x")'),
        parent=(inside("test_one", 'if os.sep == "?":\n    pytest.skip("x")'),),
    ),
    disguise(
        "condition dropped",
        C,
        "one",
        inside("test_one", 'pytest.skip("x")'),
        parent=(inside("test_one", 'if os.sep == "?":\n    pytest.skip("x")'),),
    ),
    disguise(
        "fixture that begins to skip",
        C,
        "one seven",
        top('@pytest.fixture\ndef ready():\n    pytest.skip("x")'),
        swap("def test_one()", "def test_one(ready)"),
        swap("def test_seven(n)", "def test_seven(n, ready)"),
        parent=(
            top("@pytest.fixture\ndef ready():\n    return 1"),
            swap("def test_one()", "def test_one(ready)"),
            swap("def test_seven(n)", "def test_seven(n, ready)"),
        ),
    ),
)

CALLS_LATE: tuple[Disguise, ...] = (
    disguise(
        "fixture of a config file",
        C,
        "all",
        files={
            "pytest.ini": "[pytest]\nusefixtures = ready\n",
            CONFTEST: "import pytest\n\n\n@pytest.fixture\ndef ready():\n    pytest.skip('x')\n",
        },
    ),
    disguise(
        "failure caught",
        C,
        "one",
        swap(
            "assert 1 + 1 == 2\n",
            "try:\n        assert 1 + 1 == 3\n    except AssertionError:\n        pytest.skip('x')\n",
        ),
    ),
    disguise(
        "result asked first", C, "one", inside("test_one", "if 1 + 1 != 3:\n    pytest.skip('x')")
    ),
    disguise(
        "lambda on an item",
        C,
        "one",
        files={
            CONFTEST: "import pytest\n\n\ndef pytest_itemcollected(item):\n"
            "    if item.name == 'test_one':\n"
            "        item.runtest = lambda: pytest.skip('x')\n"
        },
    ),
    disguise(
        "module under try",
        C,
        "all",
        top(
            "try:\n    import no_such\nexcept ImportError:\n"
            "    pytest.skip('x', allow_module_level=True)"
        ),
    ),
    disguise(
        "partial of a helper",
        C,
        "one",
        top(
            "import functools\ndef later(why):\n    pytest.skip(why)\nnow = functools.partial(later, 'x')"
        ),
        inside("test_one", "now()"),
    ),
    disguise("comprehension", C, "one", inside("test_one", "[pytest.skip('x') for _ in range(1)]")),
    disguise("assert", C, "one", inside("test_one", "assert pytest.skip('x') is None")),
    disguise(
        "inner function",
        C,
        "one",
        inside("test_one", "def later():\n    pytest.skip('x')\nlater()"),
    ),
    disguise("callback", C, "one", inside("test_one", "list(map(pytest.skip, ['x']))")),
    disguise(
        "class that is called",
        C,
        "one",
        top("class Later:\n    def __call__(self):\n        pytest.skip('x')"),
        inside("test_one", "later = Later()\nlater()"),
    ),
    disguise(
        "context manager by a generator",
        C,
        "one",
        top(
            "import contextlib\n@contextlib.contextmanager\ndef later():\n    pytest.skip('x')\n    yield"
        ),
        inside("test_one", "with later():\n    pass"),
    ),
    disguise(
        "match",
        C,
        "one",
        inside("test_one", "match os.sep:\n    case _:\n        pytest.skip('x')"),
    ),
    disguise("while", C, "one", inside("test_one", "while True:\n    pytest.skip('x')")),
    disguise("asserted later", C, "one", inside("test_one", "skip = pytest.skip\nskip('x')")),
    disguise(
        "setUp in a mixin",
        C,
        "five six",
        top(
            "class Later:\n    def setUp(self):\n        super().setUp()\n        self.skipTest('x')"
        ),
        swap("class Cases(unittest.TestCase)", "class Cases(Later, unittest.TestCase)"),
    ),
    disguise(
        "cleanup-like method",
        C,
        "three four",
        inside(
            "TestGroup",
            "def setup_method(self, method):\n    self.later()\ndef later(self):\n    pytest.skip('x')",
        ),
    ),
)

CIRCLES: tuple[Disguise, ...] = (
    disguise(
        "argument that decides",
        C,
        "two",
        top("def need(it):\n    if it:\n        pytest.skip('x')"),
        inside("test_one", "need(False)"),
        inside("test_two", "need(True)"),
    ),
    disguise(
        "functions in a circle",
        C,
        "one two",
        top(
            "def f(n=2):\n    if n > 0:\n        g(n - 1)\n    pytest.skip('x')\n"
            "def g(n=2):\n    f(n)"
        ),
        inside("test_one", "f()"),
        inside("test_two", "g()"),
    ),
    disguise(
        "overridden method",
        C,
        "four",
        top(
            "class Base:\n    def setup_method(self):\n        self.ready()\n"
            "    def ready(self):\n        pass"
        ),
        swap("class TestGroup:", "class TestGroup(Base):"),
        bottom("class TestOther(TestGroup):\n    def ready(self):\n        pytest.skip('x')"),
        inside("test_four", "self.setup_method()\npytest.skip('x')"),
    ),
)

IMPORTS: tuple[Disguise, ...] = (
    disguise("in the test", I, "one", inside("test_one", 'pytest.importorskip("no_such")')),
    disguise("module", I, "all", top('pytest.importorskip("no_such")')),
    disguise("module assigned", I, "all", top('no_such = pytest.importorskip("no_such")')),
    disguise("alias", I, "all", top('from pytest import importorskip as need\nneed("no_such")')),
    disguise(
        "named", I, "one", top("need = pytest.importorskip"), inside("test_one", 'need("no_such")')
    ),
    disguise("getattr", I, "all", top('getattr(pytest, "importorskip")("no_such")')),
    disguise("star", I, "all", top('from pytest import *\nimportorskip("no_such")')),
    disguise("version", I, "all", top('pytest.importorskip("pytest", minversion="999")')),
    disguise("version by position", I, "all", top('pytest.importorskip("pytest", "999")')),
    disguise("name by keyword", I, "all", top('pytest.importorskip(modname="no_such")')),
    disguise("name in a constant", I, "all", top('WHAT = "no_such"\npytest.importorskip(WHAT)')),
    disguise("loop", I, "all", top('for name in ("no_such",):\n    pytest.importorskip(name)')),
    disguise("comprehension", I, "all", top('[pytest.importorskip(name) for name in ["no_such"]]')),
    disguise(
        "fixture",
        I,
        "one",
        top('@pytest.fixture\ndef need():\n    return pytest.importorskip("no_such")'),
        swap("def test_one()", "def test_one(need)"),
    ),
    disguise(
        "autouse",
        I,
        "all",
        top('@pytest.fixture(autouse=True)\ndef need():\n    pytest.importorskip("no_such")'),
    ),
    disguise(
        "autouse in a conftest",
        I,
        "all",
        files={
            CONFTEST: "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef need():\n"
            "    pytest.importorskip('no_such')\n"
        },
    ),
    disguise(
        "setUp",
        I,
        "five six",
        inside("Cases", 'def setUp(self):\n    pytest.importorskip("no_such")'),
    ),
    disguise(
        "setup_method",
        I,
        "three four",
        inside("TestGroup", 'def setup_method(self):\n    pytest.importorskip("no_such")'),
    ),
    disguise(
        "setup_module", I, "all", top('def setup_module():\n    pytest.importorskip("no_such")')
    ),
    disguise(
        "helper",
        I,
        "one",
        top("def need(what):\n    return pytest.importorskip(what)"),
        inside("test_one", 'need("no_such")'),
    ),
    disguise(
        "helper elsewhere",
        I,
        "all",
        top("from marking import need\nneed()"),
        files={HELPER: "import pytest\n\n\ndef need():\n    pytest.importorskip('no_such')\n"},
    ),
    disguise(
        "imported module",
        I,
        "all",
        top("import marking"),
        files={HELPER: "import pytest\n\npytest.importorskip('no_such')\n"},
    ),
    disguise(
        "another module",
        I,
        "one",
        inside("test_one", 'pytest.importorskip("no_such")'),
        parent=(inside("test_one", 'pytest.importorskip("json")'),),
    ),
    disguise(
        "version raised",
        I,
        "one",
        inside("test_one", 'pytest.importorskip("pytest", "999")'),
        parent=(inside("test_one", 'pytest.importorskip("pytest", "1")'),),
    ),
    disguise(
        "hook",
        I,
        "all",
        files={
            CONFTEST: "import pytest\n\n\ndef pytest_runtest_setup(item):\n    pytest.importorskip('no_such')\n"
        },
    ),
)
