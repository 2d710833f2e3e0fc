"""Conftests and settings that steer a collection in one way or another."""

from __future__ import annotations

SUITE = """\
import unittest

import pytest


def test_parse():
    assert int("5") == 5


@pytest.mark.slow
def test_render():
    assert str(5) == "5"


@pytest.mark.parametrize("number", [1, 2, 3])
def test_each(number):
    assert number


class TestMoney:
    @pytest.mark.network
    def test_add(self):
        assert 1 + 1 == 2

    class TestInner:
        def test_deep(self):
            assert True


class CaseTests(unittest.TestCase):
    def test_case(self):
        self.assertEqual(1, 1)

    def test_other(self):
        self.assertEqual(2, 2)
"""
OTHER = """\
def test_first():
    assert 1


async def test_async():
    assert 1
"""
TREE = {
    "pytest.ini": "[pytest]\nmarkers =\n    slow: s\n    network: n\n    flaky: f\n",
    "tests/test_money.py": SUITE,
    "tests/unit/test_other.py": OTHER,
    "tests/helpers.py": "NAMES = ['test_parse']\n",
}

#: Conftests at ``tests/conftest.py`` that take tests away.
TAKING_CONFTESTS = {
    "filter": """\
def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if 'parse' not in i.name]
""",
    "del_slice": """\
def pytest_collection_modifyitems(items):
    del items[3:]
""",
    "del_all": """\
def pytest_collection_modifyitems(items):
    del items[:]
""",
    "pop": """\
def pytest_collection_modifyitems(items):
    while len(items) > 2:
        items.pop()
""",
    "init": """\
def pytest_collection_modifyitems(items):
    items.__init__()
""",
    "imul": """\
def pytest_collection_modifyitems(items):
    items *= 0
""",
    "list_clear": """\
def pytest_collection_modifyitems(items):
    list.clear(items)
""",
    "getattr_clear": """\
def pytest_collection_modifyitems(items):
    getattr(items, 'cl' + 'ear')()
""",
    "setitem": """\
def pytest_collection_modifyitems(items):
    items.__setitem__(slice(None), items[:2])
""",
    "remove_while_looping": """\
def pytest_collection_modifyitems(items):
    for item in items:
        items.remove(item)
""",
    "exec": """\
def pytest_collection_modifyitems(items):
    exec('items.clear()')
""",
    "helper": """\
from helpers import NAMES

def _keeps(item):
    return item.name not in NAMES

def pytest_collection_modifyitems(items):
    items[:] = filter(_keeps, items)
""",
    "helper_module": """\
import helpers

def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if i.name not in helpers.NAMES]
""",
    "class_attribute": """\
class Settings:
    skip = {'test_parse', 'test_case'}

def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if i.name not in Settings.skip]
""",
    "default_argument": """\
def pytest_collection_modifyitems(items, drop=('test_parse',)):
    items[:] = [i for i in items if i.name not in drop]
""",
    "nested_function": """\
def pytest_collection_modifyitems(items):
    def keep(item):
        if item.get_closest_marker('slow'):
            return False
        return True
    items[:] = [i for i in items if keep(i)]
""",
    "generator": """\
def _kept(items):
    for item in items:
        if item.get_closest_marker('network') is None:
            yield item

def pytest_collection_modifyitems(items):
    items[:] = list(_kept(items))
""",
    "closure": """\
def make(mark):
    def keep(item):
        return not any(m.name == mark for m in item.iter_markers())
    return keep

KEEP = make('slow')

def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if KEEP(i)]
""",
    "partial": """\
import functools

def without(word, item):
    return word not in item.nodeid

keep = functools.partial(without, 'TestMoney')

def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if keep(i)]
""",
    "regex": """\
import re

PATTERN = re.compile(r'test_(parse|render)$')

def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if not PATTERN.search(i.nodeid)]
""",
    "path": """\
def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if 'unit' not in i.path.parts]
""",
    "fspath": """\
import os

def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if os.path.basename(str(i.fspath)) != 'test_other.py']
""",
    "parent_path": """\
from pathlib import Path

HERE = Path(__file__).parent

def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if i.path.parent == HERE]
""",
    "cls": """\
def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if i.cls is None]
""",
    "module": """\
def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if i.module.__name__.rpartition('.')[2] != 'test_other']
""",
    "unittest_only": """\
import unittest

def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if not (i.cls and issubclass(i.cls, unittest.TestCase))]
""",
    "coroutines": """\
import inspect

def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if not inspect.iscoroutinefunction(i.obj)]
""",
    "callspec": """\
def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if not hasattr(i, 'callspec')]
""",
    "row": """\
def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if not i.name.endswith('[2]')]
""",
    "keywords": """\
def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if 'slow' not in i.keywords]
""",
    "location": """\
def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if i.location[0] != 'tests/unit/test_other.py']
""",
    "first_ten": """\
def pytest_collection_modifyitems(items):
    items[:] = items[:4]
""",
    "sampled": """\
import random

def pytest_collection_modifyitems(items):
    items[:] = random.sample(items, 3)
""",
    "hashed": """\
import zlib

def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if zlib.crc32(i.nodeid.encode()) % 2]
""",
    "session_items": """\
def pytest_collection_finish(session):
    session.items = [i for i in session.items if i.name != 'test_parse']
""",
    "session_start": """\
def pytest_sessionstart(session):
    session.config.option.keyword = 'money and not parse'
""",
    "runtestloop": """\
def pytest_runtestloop(session):
    session.items.clear()
""",
    "collection": """\
def pytest_collection(session):
    session.items = []
    session.testscollected = 0
    return True
""",
    "markexpr": """\
def pytest_configure(config):
    config.option.markexpr = 'not slow'
""",
    "keyword_dict": """\
def pytest_configure(config):
    config.option.__dict__['keyword'] = 'not parse'
""",
    "keyword_update": """\
def pytest_configure(config):
    vars(config.option).update(keyword='not parse')
""",
    "loop_setattr": """\
def pytest_configure(config):
    for name, value in {'keyword': 'not parse', 'verbose': 1}.items():
        setattr(config.option, name, value)
""",
    "inicache": """\
def pytest_configure(config):
    config._inicache['python_functions'] = ['test_p*']
""",
    "args": """\
def pytest_configure(config):
    config.args[:] = ['tests/unit']
""",
    "ignore_collect": """\
def pytest_ignore_collect(collection_path, config):
    if 'unit' in str(collection_path):
        return True
""",
    "ignore_collect_name": """\
def pytest_ignore_collect(collection_path):
    return collection_path.match('*other*')
""",
    "collect_file": """\
import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_collect_file(file_path):
    outcome = yield
    if file_path.name == 'test_other.py':
        outcome.force_result([])
""",
    "makeitem_empty": """\
def pytest_pycollect_makeitem(collector, name, obj):
    if name == 'TestMoney':
        return []
""",
    "makeitem_wrapper": """\
import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_pycollect_makeitem(name):
    outcome = yield
    if name in ('test_parse', 'test_render'):
        outcome.force_result([])
""",
    "report": """\
import pytest

@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    report.result = [r for r in report.result if r.name != 'test_parse']
    return report
""",
    "collect_ignore": """\
collect_ignore = ['unit']
""",
    "collect_ignore_path": """\
import pathlib

collect_ignore = [pathlib.Path(__file__).parent / 'unit' / 'test_other.py']
""",
    "collect_ignore_append": """\
collect_ignore = []
collect_ignore.append('test_money.py')
""",
    "collect_ignore_glob": """\
collect_ignore_glob = ['*/test_ot*']
""",
    "collect_ignore_condition": """\
import sys

if sys.version_info >= (3, 9):
    collect_ignore = ['unit/test_other.py']
""",
    "registered": """\
class Plugin:
    def pytest_collection_modifyitems(self, items):
        items.clear()

def pytest_configure(config):
    config.pluginmanager.register(Plugin())
""",
    "registered_static": """\
import pytest

class Plugin:
    @staticmethod
    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(items):
        items.clear()

def pytest_sessionstart(session):
    session.config.pluginmanager.register(Plugin(), 'x')
""",
    "alias": """\
def _run(config, items):
    items.clear()

pytest_collection_modifyitems = _run
""",
    "globals": """\
globals()['pytest_collection_modifyitems'] = lambda items: items.clear()
""",
    "try": """\
def pytest_collection_modifyitems(items):
    try:
        raise ValueError
    except ValueError:
        items.clear()
    finally:
        pass
""",
    "marked_in_hook": """\
import pytest

def pytest_collection_modifyitems(config, items):
    for i in items:
        if 'render' in i.name:
            i.add_marker(pytest.mark.network)
    config.option.markexpr = 'not network'
""",
    "method": """\
class Chooser:
    def __init__(self, drop):
        self.drop = drop

    def keeps(self, item):
        return item.name != self.drop

chooser = Chooser('test_parse')

def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if chooser.keeps(i)]
""",
    "ternary": """\
def pytest_collection_modifyitems(items):
    items[:] = items if len(items) < 2 else items[:2]
""",
    "index_set": """\
def pytest_collection_modifyitems(items):
    keep = {0, 1}
    items[:] = [i for n, i in enumerate(items) if n in keep]
""",
    "dict_by_name": """\
def pytest_collection_modifyitems(items):
    seen = {}
    for item in items:
        seen[item.module] = item
    items[:] = list(seen.values())
""",
    "match": """\
def pytest_collection_modifyitems(items):
    for item in list(items):
        match item.name:
            case 'test_parse':
                items.remove(item)
""",
    "walrus": """\
def pytest_collection_modifyitems(items):
    if (bad := [i for i in items if i.name == 'test_parse']):
        items.remove(bad[0])
""",
    "json": """\
import json

NAMES = json.loads('["test_parse"]')

def pytest_collection_modifyitems(items):
    items[:] = [i for i in items if i.name not in NAMES]
""",
    "sets": """\
def pytest_collection_modifyitems(items):
    names = set()
    names.add('test_parse')
    names |= {'test_render'}
    items[:] = [i for i in items if i.name not in names]
""",
    "early_return": """\
def pytest_collection_modifyitems(config, items):
    if not config.getoption('-k'):
        items[:] = items[:1]
""",
    "plugins_unregistered": """\
def pytest_configure(config):
    plugin = config.pluginmanager.get_plugin('python')
    config.pluginmanager.unregister(name='unittest')
""",
}

#: Those that take nothing away.
INNOCENT_CONFTESTS = {
    "sorted": """\
def pytest_collection_modifyitems(items):
    items.sort(key=lambda i: i.name)
""",
    "reversed": """\
def pytest_collection_modifyitems(items):
    items[:] = reversed(items)
""",
    "reversed_in_place": """\
def pytest_collection_modifyitems(items):
    items.reverse()
""",
    "shuffled": """\
import random

def pytest_collection_modifyitems(items):
    random.Random(4).shuffle(items)
""",
    "partition": """\
def pytest_collection_modifyitems(items):
    first, last = [], []
    for i in items:
        (last if i.get_closest_marker('slow') else first).append(i)
    items[:] = first + last
""",
    "absent_mark": """\
def pytest_collection_modifyitems(config, items):
    dropped = [i for i in items if 'integration' in i.keywords]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = [i for i in items if i not in dropped]
""",
    "marks": """\
import pytest

def pytest_collection_modifyitems(items):
    for i in items:
        if 'unit' in str(i.path):
            i.add_marker(pytest.mark.slow)
""",
    "itertools_chain": """\
import itertools

def pytest_collection_modifyitems(items):
    slow = [i for i in items if 'slow' in i.keywords]
    rest = [i for i in items if 'slow' not in i.keywords]
    items[:] = itertools.chain(rest, slow)
""",
    "absent_option": """\
def pytest_addoption(parser):
    group = parser.getgroup('mine')
    group.addoption('--only', default=None)

def pytest_collection_modifyitems(config, items):
    only = config.getoption('--only')
    if only:
        items[:] = [i for i in items if only in i.name]
""",
    "getoption_default": """\
def pytest_collection_modifyitems(config, items):
    if config.getoption('--quick', default=False):
        items[:] = items[:2]
""",
    "rotation": """\
def pytest_collection_modifyitems(items):
    items.append(items.pop(0))
""",
    "insert": """\
def pytest_collection_modifyitems(items):
    for item in list(items):
        if 'unit' in item.nodeid:
            items.remove(item)
            items.insert(0, item)
""",
    "ignore_nothing": """\
def pytest_ignore_collect(collection_path):
    if collection_path.suffix == '.yaml':
        return True
    return None
""",
    "makeitem_none": """\
def pytest_pycollect_makeitem(collector, name, obj):
    if name.startswith('it_'):
        return list(collector._genfunctions(name, obj))
""",
    "markers_line": """\
def pytest_configure(config):
    config.addinivalue_line('markers', 'gpu: needs a card')
    config.option.verbose = 1
""",
    "header": """\
def pytest_report_header(config):
    return 'hello'

def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line('done')
""",
    "collect_ignore_absent": """\
collect_ignore = ['setup.py', 'data']
collect_ignore_glob = ['*_py2.py']
""",
    "grouped": """\
from collections import defaultdict

def pytest_collection_modifyitems(items):
    groups = defaultdict(list)
    for item in items:
        groups[item.path].append(item)
    items[:] = [i for group in groups.values() for i in group]
""",
    "deduplicated": """\
def pytest_collection_modifyitems(items):
    items[:] = list(dict.fromkeys(items))
""",
    "nodeid_renamed": """\
def pytest_collection_modifyitems(items):
    for item in items:
        item._nodeid = item.nodeid.encode().decode()
""",
    "timeouts": """\
import pytest

def pytest_collection_modifyitems(session, config, items):
    for item in items:
        if item.get_closest_marker('timeout') is None:
            item.add_marker(pytest.mark.timeout(60))
""",
    "sorted_by_helper": """\
def _rank(item):
    marker = item.get_closest_marker('order')
    return marker.args[0] if marker else 0

def pytest_collection_modifyitems(items):
    items[:] = sorted(items, key=_rank)
""",
    "logging": """\
import logging

log = logging.getLogger(__name__)

def pytest_collection_modifyitems(items):
    log.info('%d tests', len(items))
    print(items)
""",
}

#: Other files of the root, and how many tests they take away.
SETTINGS: dict[str, dict[str, str]] = {
    "k_or": {"pytest.ini": "[pytest]\naddopts = -k 'parse or each'\n"},
    "k_class": {"pytest.ini": "[pytest]\naddopts = -k TestMoney\n"},
    "k_file": {"pytest.ini": "[pytest]\naddopts = -k test_money\n"},
    "k_all": {"pytest.ini": "[pytest]\naddopts = -k test\n"},
    "k_directory": {"pytest.ini": "[pytest]\naddopts = -k 'not unit'\n"},
    "k_case": {"pytest.ini": "[pytest]\naddopts = -k 'not PARSE'\n"},
    "k_mark": {"pytest.ini": "[pytest]\nmarkers =\n  slow\n  network\naddopts = -k slow\n"},
    "m_absent": {"pytest.ini": "[pytest]\nmarkers =\n  slow\n  network\naddopts = -m 'not gpu'\n"},
    "m_either": {
        "pytest.ini": "[pytest]\nmarkers =\n slow\n network\naddopts = -m 'not (slow or network)'\n"
    },
    "deselect_row": {
        "pytest.ini": "[pytest]\naddopts = --deselect 'tests/test_money.py::test_each[2]'\n"
    },
    "deselect_absent": {"pytest.ini": "[pytest]\naddopts = --deselect tests/test_nothing.py\n"},
    "ignore_dir": {"pytest.ini": "[pytest]\naddopts = --ignore=tests/unit\n"},
    "ignore_absent": {"pytest.ini": "[pytest]\naddopts = --ignore=docs --ignore-glob=*/legacy/*\n"},
    "ignore_glob": {"pytest.ini": "[pytest]\naddopts = --ignore-glob='*/test_o*'\n"},
    "classes": {"pytest.ini": "[pytest]\npython_classes = Check*\n"},
    "functions": {"pytest.ini": "[pytest]\npython_functions = test_p* test_r*\n"},
    "functions_same": {"pytest.ini": "[pytest]\npython_functions = test_* check_*\n"},
    "files": {"pytest.ini": "[pytest]\npython_files = test_m*.py\n"},
    "files_same": {"pytest.ini": "[pytest]\npython_files = test_*.py check_*.py\n"},
    "testpaths": {"pytest.ini": "[pytest]\ntestpaths = tests/unit\n"},
    "testpaths_glob": {"pytest.ini": "[pytest]\ntestpaths = tests/un*\n"},
    "testpaths_absent": {"pytest.ini": "[pytest]\ntestpaths = nowhere\n"},
    "norecurse": {"pytest.ini": "[pytest]\nnorecursedirs = unit\n"},
    "toml_wins": {"pytest.toml": "[pytest]\npython_functions = ['test_p*']\n"},
    "hidden_ini_loses": {".pytest.ini": "[pytest]\npython_functions = test_p*\n"},
    "tox_loses": {"tox.ini": "[pytest]\naddopts = -k parse\n"},
    "override": {"pytest.ini": "[pytest]\naddopts = -o python_files=test_o*.py\n"},
    "positional": {"pytest.ini": "[pytest]\naddopts = tests/unit\n"},
    "positional_node": {"pytest.ini": "[pytest]\naddopts = tests/test_money.py::test_parse\n"},
    "value_is_no_path": {"pytest.ini": "[pytest]\naddopts = --basetemp tests_tmp -q\n"},
    "no_unittest": {"pytest.ini": "[pytest]\naddopts = -p no:unittest\n"},
    "last_keyword_wins": {"pytest.ini": "[pytest]\naddopts = -k parse -k ''\n"},
    "quiet": {"pytest.ini": "[pytest]\naddopts = -q --tb=short -ra --durations=3\n"},
}
