"""Small suites, each with one way to be collected or not; the real pytest says what is right."""

from __future__ import annotations

from collections.abc import Mapping

HEAD = "import functools\nimport sys\nimport unittest\n\nimport pytest\n\n\n"
BASE = """import unittest

ROWS = [("a", 1), ("b", 2)]
MORE = {"x": 1, "y": 2}
MORE["z"] = 3


class Contract:
    def test_inherited(self):
        pass

    def test_overridden(self):
        pass


class Base(unittest.TestCase):
    def test_base(self):
        pass


def test_shared():
    pass


def noop(function):
    return None


def same(function):
    return function


def wrapped(function):
    def inner():
        function()

    return inner
"""

#: Name of a test module, and its source below HEAD.
MODULES: Mapping[str, str] = {
    "plain": "def test_a(): pass\ndef testb(): pass\ndef helper(): pass\n"
    "async def test_c(): pass\n",
    "classes": "class TestA:\n    def test_a(self): pass\n    class TestB:\n"
    "        def test_b(self): pass\n    class Other:\n        def test_c(self): pass\n"
    "class Helper:\n    def test_d(self): pass\n",
    "constructors": "class TestA:\n    def __init__(self): pass\n    def test_a(self): pass\n"
    "class TestB:\n    def __new__(cls): pass\n    def test_b(self): pass\n"
    "class TestC(Exception):\n    def test_c(self): pass\n",
    "flags": "class TestA:\n    __test__ = False\n    def test_a(self): pass\n"
    "class Yes:\n    __test__ = True\n    def test_b(self): pass\n"
    "def test_c(): pass\ntest_c.__test__ = False\ndef runs(): pass\nruns.__test__ = True\n"
    "class TestD(TestA):\n    def test_d(self): pass\nclass TestE(TestA):\n    __test__ = True\n",
    "switched_off": "__test__ = False\ndef test_a(): pass\n",
    "unittests": "class Lower(unittest.TestCase):\n    def test_a(self): pass\n"
    "    def check(self): pass\n    class Inner(unittest.TestCase):\n"
    "        def test_b(self): pass\nT = unittest.TestCase\nclass Aliased(T):\n"
    "    def test_c(self): pass\nclass Child(Lower):\n    def test_d(self): pass\n"
    "class Alone(unittest.TestCase):\n    def runTest(self): pass\n",
    "unittest_flags": "class A(unittest.TestCase):\n    __test__ = False\n"
    "    def test_a(self): pass\n"
    "class B(unittest.TestCase):\n    def test_b(self): pass\n    test_c = None\n"
    "    test_d = lambda self: None\n",
    "inherited": "from base import Base, Contract\nimport base as other\n"
    "class TestA(Contract):\n    def test_overridden(self): pass\n    def test_own(self): pass\n"
    "class TestB(other.Contract):\n    test_inherited = None\nclass Unit(other.Base):\n"
    "    def test_u(self): pass\n",
    "imported": "from base import test_shared, Contract as TestContract\n",
    "starred": "from base import *\ndef test_mine(): pass\n",
    "shadowed": "def test_a(): pass\ndef test_a(): pass\ndef test_b(): pass\ntest_b = 1\n"
    "def test_c(): pass\ndel test_c\ndef test_d(): pass\ntest_d = None\n"
    "from base import test_shared as test_e\ndef test_e(): pass\nclass TestF:\n"
    "    def test_f(self): pass\nTestF = 3\n",
    "rewritten": "def test_a(): pass\ndef test_b(): pass\nglobals()['test_a'] = None\n"
    "for name in ['test_x', 'test_y']:\n    globals()[name] = lambda: None\n"
    "setattr(sys.modules[__name__], 'test_z', lambda: None)\n"
    "class TestC:\n    def test_c(self): pass\n    def test_d(self): pass\n"
    "del TestC.test_c\nTestC.test_e = lambda self: None\nglobals().pop('test_b')\n"
    "globals().update(test_f=lambda: None)\n",
    "called": "def test_a(): pass\ndef test_b(): pass\ndef wipe():\n    global test_a\n"
    "    test_a = None\n    globals().pop('test_b')\nwipe()\n",
    "branches": "from typing import TYPE_CHECKING\nif False:\n    def test_a(): pass\nelse:\n"
    "    def test_b(): pass\nif TYPE_CHECKING:\n    def test_c(): pass\n"
    "if sys.version_info < (3, 6):\n    def test_d(): pass\n"
    "elif sys.version_info[0] == 3:\n    def test_e(): pass\n"
    "if __name__ == '__main__':\n    def test_f(): pass\nwhile False:\n    def test_g(): pass\n"
    "for _ in []:\n    def test_h(): pass\ntry:\n    import no_such_module_anywhere\n"
    "except ImportError:\n    def test_i(): pass\nfor _ in [1]:\n    def test_j(): pass\n"
    "with open(__file__):\n    def test_k(): pass\nmatch 1:\n    case 1:\n"
    "        def test_l(): pass\n",
    "decorated": "from base import noop, same, wrapped\n@noop\ndef test_a(): pass\n@same\n"
    "def test_b(): pass\n@wrapped\ndef test_c(): pass\n@pytest.fixture\ndef test_d(): pass\n"
    "@(lambda f: None)\ndef test_e(): pass\n@property\ndef test_f(): pass\nSEEN = []\n"
    "@SEEN.append\ndef test_g(): pass\n@functools.lru_cache\ndef test_h(): pass\n"
    "@pytest.mark.skip\ndef test_i(): pass\n@unittest.skip('x')\ndef test_j(): pass\n"
    "def make(n):\n    def deco(f):\n        if n:\n            return f\n    return deco\n"
    "@make(1)\ndef test_k(): pass\nclass TestM:\n    @staticmethod\n    def test_m(): pass\n"
    "    @classmethod\n    def test_n(cls): pass\n    @property\n    def test_o(self): pass\n",
    "assigned": "def helper(): pass\ntest_a = helper\ntest_b = lambda: None\n"
    "test_c = functools.partial(helper)\ntest_d = pytest.mark.skip(helper)\ntest_e = [1]\n"
    "test_f, test_g = helper, None\nif (test_h := helper):\n    pass\n",
    "abstract": "import abc\nclass TestA(abc.ABC):\n    @abc.abstractmethod\n"
    "    def test_a(self): pass\nclass TestB(TestA):\n    def test_a(self): pass\n",
    "data": "import dataclasses, enum\n@dataclasses.dataclass\nclass TestA:\n    x: int = 1\n"
    "    def test_a(self): pass\nclass TestB(enum.Enum):\n    A = 1\n    def test_b(self): pass\n",
    "parameters": "from base import MORE, ROWS\nN = 3\n"
    "@pytest.mark.parametrize('a', [1, 2.5, 'x', None, True, b'y', (1, 2)])\n"
    "def test_a(a): pass\n@pytest.mark.parametrize('a,b', ROWS)\ndef test_b(a, b): pass\n"
    "@pytest.mark.parametrize('a', range(N))\n@pytest.mark.parametrize('b', sorted(MORE))\n"
    "def test_c(a, b): pass\n@pytest.mark.parametrize(('a',), [(1,), (2,)])\n"
    "def test_d(a): pass\n@pytest.mark.parametrize('a', [])\ndef test_e(a): pass\n"
    "@pytest.mark.parametrize('a', [pytest.param(1, id='one'), pytest.param(2)])\n"
    "def test_f(a): pass\n@pytest.mark.parametrize('a', [1, 2], ids=['x', None])\n"
    "def test_g(a): pass\n@pytest.mark.parametrize('a', [object(), object()])\n"
    "def test_h(a): pass\n@pytest.mark.parametrize('a', ['x', 'x', 'y'])\ndef test_i(a): pass\n"
    "@pytest.mark.parametrize('a', [n * n for n in range(4) if n % 2])\ndef test_j(a): pass\n"
    "@pytest.mark.parametrize('a', [len, int, pytest])\ndef test_k(a): pass\n"
    "@pytest.mark.parametrize('a', ['\\u00e9', 'a\\nb', ''])\ndef test_l(a): pass\n"
    "@pytest.mark.parametrize('a', [1, 2], ids=lambda v: f'v{v}')\ndef test_m(a): pass\n"
    "@pytest.mark.parametrize('a', [1, 2], ids=str)\ndef test_n(a): pass\n"
    "@pytest.mark.parametrize('a', [*range(2), *'ab'][1:])\ndef test_o(a): pass\n",
    "class_parameters": "pytestmark = pytest.mark.parametrize('m', ['p', 'q'])\n"
    "@pytest.mark.parametrize('c', [1, 2])\nclass TestA:\n"
    "    pytestmark = [pytest.mark.parametrize('d', 'xy')]\n"
    "    @pytest.mark.parametrize('e', [5])\n    def test_a(self, m, c, d, e): pass\n",
    "fixtures": "@pytest.fixture(params=['u', 'v'])\ndef own(request): return 1\n"
    "@pytest.fixture\ndef user(own): return own\n"
    "@pytest.fixture(params=[1, 2], name='renamed')\ndef _hidden(request): return 1\n"
    "def test_a(own): pass\ndef test_b(user): pass\ndef test_c(renamed, own): pass\n"
    "def test_d(shared): pass\n@pytest.mark.usefixtures('own')\ndef test_e(): pass\n"
    "@pytest.mark.parametrize('own', [7], indirect=True)\ndef test_f(own): pass\n"
    "class TestG:\n    @pytest.fixture(params='pq')\n    def own(self, request): return 1\n"
    "    def test_g(self, own): pass\n",
}
CONFTEST = """import pytest

collect_ignore = ["test_ignored.py"]
collect_ignore_glob = ["*_left_out_test.py"]


@pytest.fixture(params=["s", "t"])
def shared(request):
    return request.param
"""
EXTRA: Mapping[str, str] = {
    "test_ignored.py": "def test_a(): pass\n",
    "some_left_out_test.py": "def test_a(): pass\n",
    "some_test.py": "def test_a(): pass\n",
    "tested.py": "def test_a(): pass\n",
    "build/test_built.py": "def test_a(): pass\n",
    ".hidden/test_hidden.py": "def test_a(): pass\n",
    "deep/down/test_deep.py": "from base import Contract\nclass TestA(Contract): pass\n",
    "test_words.txt": ">>> 1 + 1\n2\n",
    "test_prose.txt": "no example\n",
}


def suite() -> dict[str, str]:
    """Return every small suite as one tree."""
    files = {f"test_{name}.py": HEAD + body for name, body in MODULES.items()}
    return {"base.py": BASE, "conftest.py": CONFTEST, **files, **EXTRA}
