"""Test modules of every shape, collected by the real pytest."""

from __future__ import annotations

MODULES: dict[str, str] = {
    "plain": "def test_a(): pass\ndef helper(): pass\ndef testb(): pass\n",
    "async": "async def test_a(): pass\n",
    "class": (
        "class TestA:\n    def test_a(self): pass\n    def helper(self): pass\n"
        "    class TestB:\n        def test_b(self): pass\nclass Other:\n"
        "    def test_x(self): pass\n"
    ),
    "init": (
        "class TestA:\n    def __init__(self): pass\n    def test_a(self): pass\n"
        "class TestB:\n    def __new__(cls): return object.__new__(cls)\n"
        "    def test_a(self): pass\n"
    ),
    "inherit": (
        "class Base:\n    def test_base(self): pass\nclass TestA(Base):\n"
        "    def test_a(self): pass\n"
    ),
    "inherit2": (
        "class TestBase:\n    def test_base(self): pass\nclass TestA(TestBase):\n    pass\n"
    ),
    "inherit_init": (
        "class Base:\n    def __init__(self): pass\nclass TestA(Base):\n"
        "    def test_a(self): pass\n"
    ),
    "unittest": (
        "import unittest\nclass A(unittest.TestCase):\n    def test_a(self): pass\n"
        "    def testb(self): pass\n    def helper(self): pass\n    def runTest(self): pass\n"
    ),
    "unittest_alias": (
        "from unittest import TestCase as T\nclass A(T):\n    def test_a(self): pass\n"
    ),
    "unittest_iso": (
        "from unittest import IsolatedAsyncioTestCase\nclass A(IsolatedAsyncioTestCase):\n"
        "    async def test_a(self): pass\n"
    ),
    "unittest_own": (
        "import unittest\nclass Base(unittest.TestCase):\n    def test_base(self): pass\n"
        "class Child(Base):\n    def test_c(self): pass\n"
    ),
    "unittest_runtest": (
        "import unittest\nclass A(unittest.TestCase):\n    def runTest(self): pass\n"
    ),
    "unittest_local_name": "class MyTestCase:\n    def test_a(self): pass\n",
    "fake_testcase": (
        "class FakeTestCase: pass\nclass Test1(FakeTestCase):\n    def test_a(self): pass\n"
        "class Spec(FakeTestCase):\n    def test_b(self): pass\n"
    ),
    "param": "import pytest\n@pytest.mark.parametrize('x',[1,2])\ndef test_a(x): pass\n",
    "param2": (
        "import pytest\n@pytest.mark.parametrize('x',[1,2])\n"
        "@pytest.mark.parametrize('y',['a','b'])\ndef test_a(x,y): pass\n"
    ),
    "param_types": (
        "import pytest\n"
        "@pytest.mark.parametrize('x',[1,1.5,True,None,'s','',b'b','é','a b','a[b]',("
        "1,2),[1],{'a':1},-1,1e10,1e-7,int,'\\n','a-b','a/b', 0x10, 1_000, 'x'*100, 1j"
        ", ...])\ndef test_a(x): pass\n"
    ),
    "param_dup": "import pytest\n@pytest.mark.parametrize('x',[1,1,1])\ndef test_a(x): pass\n",
    "param_dup2": (
        "import pytest\n@pytest.mark.parametrize('x',['a','a','a0'])\ndef test_a(x): pass\n"
    ),
    "param_dup3": (
        "import pytest\n@pytest.mark.parametrize('x',['a1','a1'])\ndef test_a(x): pass\n"
    ),
    "param_multi": (
        "import pytest\n@pytest.mark.parametrize('x,y',[(1,2),(3,4)])\ndef test_a(x,y): pass\n"
    ),
    "param_multi2": (
        "import pytest\n@pytest.mark.parametrize(('x','y'),[(1,2),(3,4)])\ndef test_a(x,y): pass\n"
    ),
    "param_one_tuple": (
        "import pytest\n@pytest.mark.parametrize(('x',),[(1,),(2,)])\ndef test_a(x): pass\n"
    ),
    "param_one_comma": (
        "import pytest\n@pytest.mark.parametrize('x,',[(1,),(2,)])\ndef test_a(x): pass\n"
    ),
    "param_one_list": (
        "import pytest\n@pytest.mark.parametrize(['x'],[[1],[2]])\ndef test_a(x): pass\n"
    ),
    "param_ids": (
        "import pytest\n@pytest.mark.parametrize('x',[1,2],ids=['one','two'])\n"
        "def test_a(x): pass\n"
    ),
    "param_ids_none": (
        "import pytest\n@pytest.mark.parametrize('x',[1,2],ids=None)\ndef test_a(x): pass\n"
    ),
    "param_ids_some": (
        "import pytest\n@pytest.mark.parametrize('x',[1,2],ids=['one',None])\ndef test_a(x): pass\n"
    ),
    "param_ids_uni": (
        "import pytest\n@pytest.mark.parametrize('x',[1,2],ids=['é','a b'])\ndef test_a(x): pass\n"
    ),
    "param_ids_dup": (
        "import pytest\n@pytest.mark.parametrize('x',[1,2],ids=['a','a'])\ndef test_a(x): pass\n"
    ),
    "param_empty_id": (
        "import pytest\n@pytest.mark.parametrize('x',[1,2],ids=['',''])\ndef test_a(x): pass\n"
    ),
    "param_ids_fn": (
        "import pytest\n@pytest.mark.parametrize('x',[1,2],ids=str)\ndef test_a(x): pass\n"
    ),
    "param_pp": (
        "import pytest\n@pytest.mark.parametrize('x',[pytest.param(1,id='one'),2])\n"
        "def test_a(x): pass\n"
    ),
    "param_empty": "import pytest\n@pytest.mark.parametrize('x',[])\ndef test_a(x): pass\n",
    "param_kw": (
        "import pytest\n@pytest.mark.parametrize(argnames='x',argvalues=[1,2])\n"
        "def test_a(x): pass\n"
    ),
    "param_kw2": (
        "import pytest\n@pytest.mark.parametrize('x',argvalues=[1,2])\ndef test_a(x): pass\n"
    ),
    "param_var": (
        "import pytest\nXS=[1,2]\n@pytest.mark.parametrize('x',XS)\ndef test_a(x): pass\n"
    ),
    "param_class": (
        "import pytest\n@pytest.mark.parametrize('x',[1,2])\nclass TestA:\n"
        "    def test_a(self,x): pass\n"
    ),
    "param_mod": (
        "import pytest\npytestmark = pytest.mark.parametrize('x',[1,2])\ndef test_a(x): pass\n"
    ),
    "param_fixture": (
        "import pytest\n@pytest.fixture(params=[1,2])\ndef f(request): return 1\n"
        "def test_a(f): pass\n"
    ),
    "param_fixture_auto": (
        "import pytest\n@pytest.fixture(params=[1,2],autouse=True)\n"
        "def f(request): return 1\ndef test_a(): pass\n"
    ),
    "param_alias": ("from pytest import mark\n@mark.parametrize('x',[1,2])\ndef test_a(x): pass\n"),
    "param_alias2": ("import pytest as pt\n@pt.mark.parametrize('x',[1,2])\ndef test_a(x): pass\n"),
    "param_alias3": (
        "import pytest\nparametrize = pytest.mark.parametrize\n@parametrize('x',[1,2])\n"
        "def test_a(x): pass\n"
    ),
    "gen_tests": (
        "def pytest_generate_tests(metafunc):\n"
        "    if 'x' in metafunc.fixturenames: metafunc.parametrize('x',[1,2])\n"
        "def test_a(x): pass\n"
    ),
    "redefined": "def test_a(): pass\ndef test_a(): pass\ndef test_b(): pass\ntest_b = None\n",
    "assigned": "def helper(): pass\ntest_a = helper\n",
    "assigned_lambda": "test_a = lambda: None\n",
    "deleted": "def test_a(): pass\ndel test_a\n",
    "imported": "from os.path import join as test_join\ndef test_a(): pass\n",
    "imported_cls": "from unittest import TestCase\ndef test_a(): pass\n",
    "imported_cls2": (
        "from unittest import FunctionTestCase\nimport unittest.mock\ndef test_a(): pass\n"
    ),
    "not_test": (
        "def test_a(): pass\ntest_a.__test__ = False\nclass TestB:\n    __test__ = False\n"
        "    def test_b(self): pass\n__test__x = 1\n"
    ),
    "mod_not_test": "__test__ = False\ndef test_a(): pass\n",
    "nose": (
        "class Spec:\n    __test__ = True\n    def test_a(self): pass\ndef check():\n"
        "    pass\ncheck.__test__ = True\n"
    ),
    "fixture_named": (
        "import pytest\n@pytest.fixture\ndef test_data(): return 1\ndef test_a(test_data): pass\n"
    ),
    "fixture_alias": (
        "from pytest import fixture\n@fixture\ndef test_data(): return 1\n@fixture()\n"
        "def test_more(): return 1\ndef test_a(test_data): pass\n"
    ),
    "decorated": (
        "import functools\ndef deco(f):\n    @functools.wraps(f)\n"
        "    def inner(*a, **k): return f(*a, **k)\n    return inner\n@deco\n"
        "def test_a(): pass\n"
    ),
    "decorated_obj": "def deco(f): return 3\n@deco\ndef test_a(): pass\n",
    "static": (
        "class TestA:\n    @staticmethod\n    def test_s(): pass\n    @classmethod\n"
        "    def test_c(cls): pass\n    @property\n    def test_p(self): return 1\n"
    ),
    "patch": "from unittest.mock import patch\n@patch('os.getcwd')\ndef test_a(m): pass\n",
    "if": "import sys\nif sys:\n    def test_a(): pass\n",
    "try": "try:\n    def test_a(): pass\nfinally: pass\n",
    "class_if": "class TestA:\n    if True:\n        def test_a(self): pass\n",
    "class_loop": (
        "class TestA:\n    for i in range(2):\n        exec(f'def test_{i}(self): pass')\n"
    ),
    "exec": "exec('def test_a(): pass')\n",
    "setattr": "import sys\nsetattr(sys.modules[__name__], 'test_x', lambda: None)\n",
    "globals": "globals()['test_x'] = lambda: None\ndef test_a(): pass\n",
    "dataclass": (
        "import dataclasses\n@dataclasses.dataclass\nclass TestA:\n    x: int = 0\n"
        "    def test_a(self): pass\n"
    ),
    "enum": "import enum\nclass TestE(enum.Enum):\n    A = 1\n    def test_a(self): pass\n",
    "namedtuple": (
        "from typing import NamedTuple\nclass TestN(NamedTuple):\n    x: int = 1\n"
        "    def test_a(self): pass\n"
    ),
    "abc": (
        "import abc\nclass TestA(abc.ABC):\n    @abc.abstractmethod\n"
        "    def test_a(self): ...\n    def test_b(self): pass\n"
    ),
    "method_assign": "class TestA:\n    def helper(self): pass\n    test_x = helper\n",
    "nested_fn": "def outer():\n    def test_a(): pass\n",
    "skip": "import pytest\npytest.skip('x', allow_module_level=True)\ndef test_a(): pass\n",
    "importorskip": "import pytest\npytest.importorskip('nosuchmod')\ndef test_a(): pass\n",
    "importorskip2": ("import pytest\nx = pytest.importorskip('nosuchmod')\ndef test_a(): pass\n"),
    "generator": "def test_a():\n    yield 1\n",
    "star": "from os.path import *\ndef test_a(): pass\n",
    "usefix_cls": (
        "import pytest\n@pytest.mark.usefixtures('tmp_path')\nclass TestA:\n"
        "    def test_a(self): pass\n"
    ),
    "overridden": "class TestA:\n    def test_a(self): pass\n    test_a = None\n",
    "order": (
        "class TestB:\n    def test_z(self): pass\n    def test_a(self): pass\n"
        "def test_m(): pass\nclass TestA:\n    def test_q(self): pass\n"
    ),
    "walrus": "(test_a := lambda: None)\n",
    "annotated": (
        "from typing import Callable\ntest_a: Callable = lambda: None\ndef test_b(): pass\n"
    ),
    "metaclass": "class M(type): pass\nclass TestA(metaclass=M):\n    def test_a(self): pass\n",
    "generic": (
        "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass TestA(Generic[T]):\n"
        "    def test_a(self): pass\n"
    ),
    "class_call": "class TestA:\n    def __call__(self): pass\n    def test_a(self): pass\n",
    "doctest": "def f():\n    '''\n    >>> 1\n    1\n    '''\ndef test_a(): pass\n",
    "two_class": (
        "class TestA:\n    def test_a(self): pass\nclass TestA:\n    def test_b(self): pass\n"
    ),
    "bom": "\ufeffdef test_a(): pass\n",
    "param_stacked_none": (
        "import pytest\nX=[1]\n@pytest.mark.parametrize('x',X)\n"
        "@pytest.mark.parametrize('y',[1,2])\ndef test_a(x,y): pass\n"
    ),
    "param_str": "import pytest\n@pytest.mark.parametrize('x','ab')\ndef test_a(x): pass\n",
    "param_range": ("import pytest\n@pytest.mark.parametrize('x',range(3))\ndef test_a(x): pass\n"),
    "param_set": "import pytest\n@pytest.mark.parametrize('x',{1})\ndef test_a(x): pass\n",
    "param_dict": "import pytest\n@pytest.mark.parametrize('x',{'k':1})\ndef test_a(x): pass\n",
    "indirect": (
        "import pytest\n@pytest.fixture\ndef x(request): return request.param\n"
        "@pytest.mark.parametrize('x',[1,2],indirect=True)\ndef test_a(x): pass\n"
    ),
    "param_big_float": (
        "import pytest\n@pytest.mark.parametrize('x',[float('inf'),1.0,1e22])\n"
        "def test_a(x): pass\n"
    ),
    "param_floats": (
        "import pytest\n@pytest.mark.parametrize('x',[1.0,1e22,-0.0])\ndef test_a(x): pass\n"
    ),
    "hid": (
        "import pytest\n@pytest.mark.parametrize('x',[1,2],ids=[pytest.HIDDEN_PARAM,'b'])\n"
        "def test_a(x): pass\n"
    ),
    "num_ids": (
        "import pytest\n@pytest.mark.parametrize('x',['a','b'],ids=[1,2])\ndef test_a(x): pass\n"
    ),
    "ids_tuple": (
        "import pytest\n@pytest.mark.parametrize('x',['a','b'],ids=('p','q'))\n"
        "def test_a(x): pass\n"
    ),
    "unit_param": (
        "import pytest,unittest\nclass A(unittest.TestCase):\n"
        "    @pytest.mark.parametrize('x',[1,2])\n    def test_a(self,x=1): pass\n"
    ),
    "unit_loadtests": (
        "import unittest\nclass A(unittest.TestCase):\n    def test_a(self): pass\n"
        "def load_tests(l,t,p): return t\n"
    ),
    "unit_skip": (
        "import unittest\n@unittest.skip('x')\nclass A(unittest.TestCase):\n"
        "    def test_a(self): pass\n"
    ),
    "uni_name": "def test_é(): pass\ndef test_ﬁ(): pass\n",
    "collect_init_sub": (
        "class TestA:\n    def __init_subclass__(cls): pass\n    def test_a(self): pass\n"
    ),
    "nested_base": (
        "class TestA:\n    class Base:\n        def test_b(self): pass\n"
        "    class TestC(Base):\n        pass\n"
    ),
    "return_cls": (
        "def make():\n    class TestX:\n        def test_a(self): pass\n    return TestX\n"
        "TestMade = make()\n"
    ),
    "type_call": "TestT = type('TestT', (), {'test_a': lambda self: None})\n",
}
