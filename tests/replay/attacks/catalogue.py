"""What a candidate's source may try against the tests that judge it.

Each candidate computes a wrong total and tries to get past the tests all the same. ``reports`` are
rules of which at least one must be reported besides plain failures; empty where the attempt has no
effect at all, and the tests simply fail.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

import attrs

WRONG = "\n\ndef total(prices):\n    return -1\n"


@attrs.frozen
class Attack:
    """One attempt: what it does, its files, and what we say of it."""

    name: str
    does: str
    files: Mapping[str, str]
    reports: tuple[str, ...] = ()


def _source(name: str, does: str, code: str, *reports: str, **more: str) -> Attack:
    files = {"shop.py": textwrap.dedent(code).strip("\n") + WRONG}
    files.update({path.replace("__", "/"): text for path, text in more.items()})
    return Attack(name, does, files, reports)


def _whole(name: str, does: str, code: str, *reports: str) -> Attack:
    return Attack(name, does, {"shop.py": textwrap.dedent(code).strip("\n") + "\n"}, reports)


def _file(name: str, does: str, path: str, text: str, *reports: str) -> Attack:
    return Attack(name, does, {"shop.py": WRONG, path: text}, reports)


_FLIP = "report.outcome = 'passed'; report.longrepr = None"

ATTACKS = (
    _source(
        "exit-at-import", "ends with status 0 at import", "import os; os._exit(0)", "run.unfinished"
    ),
    _source(
        "exit-in-atexit",
        "ends with status 0 when the interpreter ends",
        "import atexit, os; atexit.register(os._exit, 0)",
    ),
    _source(
        "sys-exit", "raises SystemExit at import", "import sys; sys.exit(0)", "run.missing_node"
    ),
    _whole(
        "exit-in-a-call",
        "ends with status 0 when first called",
        "import os\ndef total(prices):\n    os._exit(0)",
        "run.unfinished",
    ),
    _whole(
        "exit-one-in-a-call",
        "ends with the status that failing tests have",
        "import os\ndef total(prices):\n    os._exit(1)",
        "run.unfinished",
    ),
    _whole(
        "exec-another",
        "becomes another program",
        "import os\ndef total(prices):\n    os.execv('/bin/true', ['true'])",
        "run.unfinished",
    ),
    _source(
        "flip-makereport",
        "replaces what pytest makes reports with",
        f"""
        import _pytest.reports as reports
        original = reports.TestReport.from_item_and_call.__func__
        def lenient(cls, item, call):
            report = original(cls, item, call)
            {_FLIP}
            return report
        reports.TestReport.from_item_and_call = classmethod(lenient)
        """,
        "run.tampered",
    ),
    _source(
        "code-swap",
        "swaps the code of pytest's function, not the function",
        """
        import _pytest.runner
        def pytest_runtest_call(item):
            pass
        _pytest.runner.pytest_runtest_call.__code__ = pytest_runtest_call.__code__
        """,
        "run.tampered",
    ),
    _source(
        "pyfunc-call",
        "replaces what runs a test function",
        """
        import _pytest.python
        _pytest.python.Function.runtest = lambda self: None
        """,
        "run.tampered",
    ),
    _source(
        "register-plugin",
        "registers a pytest plugin found by the garbage collector",
        f"""
        import gc, pytest
        class Lenient:
            @pytest.hookimpl(hookwrapper=True, tryfirst=True)
            def pytest_runtest_makereport(self, item, call):
                result = yield
                report = result.get_result()
                {_FLIP}
        for one in gc.get_objects():
            if isinstance(one, pytest.Config):
                one.pluginmanager.register(Lenient())
        """,
        "run.tampered",
    ),
    _source(
        "reporter-by-gc",
        "finds the reporter by the garbage collector and lets it say passed",
        """
        import gc
        for one in gc.get_objects():
            if type(one).__name__ == 'Reporter':
                kind = type(one)
                send = one._send
                def lenient(message):
                    if message.get('t') == 'run':
                        message = {**message, 'end': 'passed'}
                    send(message)
                one._send = lenient
        """,
        "run.tampered",
        "run.canary",
    ),
    _whole(
        "reporter-by-frames",
        "finds the reporter through a traceback's frames and lets it say passed",
        """
        def total(prices):
            try:
                raise ValueError
            except ValueError as error:
                frame = error.__traceback__.tb_frame
            while frame is not None:
                item = frame.f_locals.get('item')
                if item is not None and hasattr(item, 'config'):
                    for plugin in item.config.pluginmanager.get_plugins():
                        if type(plugin).__name__ == 'Reporter' and not hasattr(plugin, 'old'):
                            plugin.old = plugin._send
                            plugin._send = lambda m, p=plugin: p.old({**m, 'end': 'passed'})
                frame = frame.f_back
            return -1
        """,
        "run.canary",
    ),
    _source(
        "forge-messages",
        "writes messages of its own to the channel",
        """
        import json, os
        for name in ('test_first.py::test_two', 'test_second.py::test_rows'):
            said = json.dumps({'t': 'run', 'id': 'tests/' + name, 'end': 'passed'}).encode()
            os.write(3, len(said).to_bytes(4, 'big') + bytes(16) + said)
        """,
        "run.forged",
    ),
    _source(
        "garbage-messages",
        "writes garbage to the channel",
        "import os; os.write(3, os.urandom(999))",
        "run.forged",
    ),
    _source(
        "endless-messages",
        "fills the channel",
        "import os\nwhile True: os.write(3, bytes(65536))",
        "run.unfinished",
    ),
    _source("close-channel", "closes the channel", "import os; os.close(3)", "run.unfinished"),
    _source(
        "replace-channel",
        "puts a file in the channel's place",
        "import os; os.dup2(os.open('/tmp/sink', os.O_RDWR | os.O_CREAT), 3)",
        "run.unfinished",
    ),
    _source(
        "write-to-the-pack",
        "rewrites the tests on disk",
        """
        import contextlib, pathlib
        for path in pathlib.Path('tests').glob('test_*.py'):
            with contextlib.suppress(OSError):
                path.write_text('def test_fine(): pass')
        """,
    ),
    _whole(
        "read-the-answers",
        "reads the expected totals out of the tests",
        """
        import ast, pathlib
        KNOWN = {'[]': 0, '[40, 2]': 42, '[5, 5]': 10}
        for path in pathlib.Path('tests').glob('test_*.py'):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Compare) and isinstance(node.left, ast.Call):
                    if node.left.args and isinstance(node.comparators[0], ast.Constant):
                        KNOWN[ast.unparse(node.left.args[0])] = node.comparators[0].value
                if isinstance(node, ast.Tuple) and len(node.elts) == 2:
                    KNOWN[ast.unparse(node.elts[0])] = getattr(node.elts[1], 'value', None)
        def total(prices):
            return KNOWN[str(prices)]
        """,
        "run.tampered",
    ),
    _whole(
        "answers-from-frames",
        "takes the expected total from the test's frame",
        """
        import sys
        def total(prices):
            return sys._getframe(1).f_locals.get('expected', -1)
        """,
        "run.tampered",
    ),
    _source(
        "fork-and-outlive",
        "goes on in a child, which never fails anything, and outlives the parent",
        """
        import os, time
        if os.fork() == 0:
            time.sleep(300)
            os._exit(0)
        """,
    ),
    _source(
        "child-reports",
        "lets a forked child report as well",
        "import os\nos.fork()",
    ),
    _source(
        "fork-without-end",
        "forks as long as it can",
        """
        import os, time
        for _ in range(500):
            try:
                if os.fork() == 0:
                    time.sleep(60)
                    os._exit(0)
            except OSError:
                break
        """,
    ),
    _source(
        "fill-the-disk",
        "fills what it can write",
        """
        import contextlib
        with contextlib.suppress(OSError):
            for number in range(100):
                with open(f'/tmp/{number}', 'wb') as file:
                    file.write(bytes(1 << 20))
        """,
    ),
    _source("memory", "takes all memory", "held = bytearray(8 << 30)"),
    _source(
        "network",
        "connects to loopback and to the outside",
        """
        import contextlib, socket
        for address in (('127.0.0.1', 22), ('192.0.2.1', 80)):
            with contextlib.suppress(OSError):
                socket.create_connection(address, 1).sendall(b'tests')
        """,
        "surface.nonhermetic",
    ),
    _source(
        "orphan",
        "leaves a program behind",
        """
        import subprocess, sys
        subprocess.Popen(['/bin/sleep', '300'], start_new_session=True)
        """,
    ),
    _source(
        "huge-output",
        "prints without end",
        "import os\nfor _ in range(2000): os.write(1, bytes(65536))",
    ),
    _source(
        "kill-the-parent",
        "kills its parent",
        "import contextlib, os\nwith contextlib.suppress(OSError): os.kill(os.getppid(), 9)",
        "run.tampered",
    ),
    _source("kill-itself", "kills itself", "import os; os.kill(os.getpid(), 9)", "run.unfinished"),
    _source("stop-itself", "stops itself", "import os; os.kill(os.getpid(), 19)", "run.unfinished"),
    _source(
        "guess-canaries",
        "passes everything but what looks like a canary",
        """
        import _pytest.python
        original = _pytest.python.Function.runtest
        def lenient(self):
            if 'test_a' in self.nodeid.split('::')[0] or 'test_z' in self.nodeid.split('::')[0]:
                return original(self)
        _pytest.python.Function.runtest = lenient
        """,
        "run.tampered",
    ),
    _file(
        "wrapper-program", "brings a python, a git and a pytest", "python", "#!/bin/sh\nexit 0\n"
    ),
    _file(
        "conftest",
        "brings a conftest",
        "conftest.py",
        "def pytest_collection_modifyitems(items):\n    items.clear()\n",
    ),
    _file(
        "tests-conftest",
        "brings a conftest for the tests",
        "tests/conftest.py",
        "def pytest_collection_modifyitems(items):\n    items.clear()\n",
    ),
    _file(
        "sitecustomize", "brings a sitecustomize", "sitecustomize.py", "import os; os._exit(0)\n"
    ),
    _file(
        "usercustomize", "brings a usercustomize", "usercustomize.py", "import os; os._exit(0)\n"
    ),
    _file("pth", "brings a .pth file", "zz.pth", "import os; os._exit(0)\n"),
    _file(
        "pytest-ini",
        "deselects all tests by its pytest.ini",
        "pytest.ini",
        "[pytest]\naddopts = --collect-only\n",
    ),
    _file(
        "pyproject",
        "deselects all tests by its pyproject",
        "pyproject.toml",
        "[tool.pytest.ini_options]\naddopts = '--collect-only'\n",
    ),
    Attack(
        "entry-point",
        "declares a pytest11 plugin",
        {
            "shop.py": WRONG,
            "lenient.py": "def pytest_collection_modifyitems(items):\n    items.clear()\n",
            "shop-1.dist-info/entry_points.txt": "[pytest11]\nlenient = lenient\n",
            "shop-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: shop\nVersion: 1\n",
        },
    ),
    _file(
        "stub-pytest",
        "brings its own pytest",
        "pytest.py",
        "import os; os._exit(0)\n",
        "run.planted",
    ),
    _source(
        "rewriting-off",
        "takes away assertion rewriting and has its own",
        """
        import sys
        from _pytest.assertion import rewrite
        rewrite.rewrite_asserts = lambda *args, **kwargs: None
        sys.meta_path[:] = [f for f in sys.meta_path if 'rewrite' not in type(f).__module__]
        """,
        "run.tampered",
    ),
    _source(
        "strip-asserts",
        "lets pytest's rewriting drop every assertion",
        """
        import ast
        from _pytest.assertion import rewrite
        def stripped(module, *args, **kwargs):
            class Drop(ast.NodeTransformer):
                def visit_Assert(self, node):
                    return ast.copy_location(ast.Pass(), node)
            ast.fix_missing_locations(Drop().visit(module))
        rewrite.rewrite_asserts = stripped
        """,
        "run.tampered",
        "run.canary",
    ),
    _source(
        "unittest",
        "lets unittest find everything equal",
        "import unittest\nunittest.TestCase.assertEqual = lambda *args, **kwargs: None",
        "run.tampered",
    ),
    _whole(
        "equal-to-all",
        "returns what equals anything",
        """
        class Any:
            def __eq__(self, other):
                return True
        def total(prices):
            return Any()
        """,
        "run.tampered",
    ),
    _whole(
        "equal-number",
        "returns a number that equals any",
        """
        class Any(int):
            def __eq__(self, other):
                return True
            __hash__ = int.__hash__
        def total(prices):
            return Any(7)
        """,
        "run.tampered",
    ),
    _source(
        "stub-in-modules",
        "puts another pytest and hypothesis into sys.modules",
        """
        import sys, types
        for name in ('pytest', 'unittest'):
            fake = types.ModuleType(name)
            fake.__dict__.update(vars(sys.modules[name]))
            sys.modules[name] = fake
        """,
        "run.tampered",
    ),
    _source(
        "builtins",
        "replaces isinstance and open",
        "import builtins\nkeep = builtins.isinstance\nbuiltins.isinstance = lambda *a: keep(*a)",
        "run.tampered",
    ),
    _source(
        "flipping-thread",
        "flips reports from a thread",
        f"""
        import gc, threading, time, pytest
        def flip():
            for _ in range(200):
                for report in gc.get_objects():
                    if type(report) is pytest.TestReport:
                        {_FLIP}
                time.sleep(.005)
        threading.Thread(target=flip, daemon=True).start()
        time.sleep(.05)
        """,
        "run.tampered",
    ),
    _source(
        "tracing",
        "changes what tests see by a tracing function",
        """
        import sys
        def follow(frame, event, arg):
            if frame.f_code.co_name.startswith('test_') and event == 'call':
                frame.f_trace_opcodes = True
            return follow
        sys.settrace(follow)
        """,
        "run.tampered",
    ),
    _whole(
        "skip-the-test",
        "skips whatever calls it",
        "import pytest\ndef total(prices):\n    pytest.skip('not today')",
        "run.tampered",
        "run.skipped",
    ),
    _whole(
        "expect-failure",
        "declares the failure expected",
        "import pytest\ndef total(prices):\n    pytest.xfail('known')",
        "run.tampered",
        "run.skipped",
    ),
    _source(
        "replace-the-tests",
        "replaces the functions of the test modules that are there already",
        """
        import sys
        from _pytest.python import Module
        original = Module._getobj
        def getobj(self):
            module = original(self)
            for name in vars(module):
                if name.startswith('test_'):
                    vars(module)[name] = lambda: None
            return module
        Module._getobj = getobj
        """,
        "run.tampered",
    ),
    _source(
        "own-importer",
        "serves tests that pass by an importer of its own",
        """
        import importlib.abc, importlib.machinery, sys
        class Serve(importlib.abc.MetaPathFinder, importlib.abc.Loader):
            def find_spec(self, name, path=None, target=None):
                if name.startswith('test_s'):
                    return importlib.machinery.ModuleSpec(name, self)
            def create_module(self, spec):
                return None
            def exec_module(self, module):
                code = 'import pytest\\ndef test_rows(): pass'
                exec(compile(code, f'/judged/tests/{module.__name__}.py', 'exec'), vars(module))
                module.__file__ = f'/judged/tests/{module.__name__}.py'
        sys.meta_path.insert(0, Serve())
        """,
        "run.tampered",
        "run.missing_node",
    ),
)
