"""Trees that are made to break whoever reads them."""

from __future__ import annotations

import time

import pytest

from benchhygiene import Orchestrator, Registry, Report, Verdict
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.evidence.tree import TreeEntry
from benchhygiene_plugins.configuration import Configuration
from tests.configuration.steering import TREE

HOOK = "def pytest_collection_modifyitems(items):\n"
SECONDS = 20.0


def report(candidate: object, parent: object = None) -> Report:
    before = SourceTree(TREE if parent is None else parent)  # type: ignore[arg-type]
    change = Change(before, SourceTree(candidate))  # type: ignore[arg-type]
    found = Orchestrator(Registry().including(Configuration())).run(change)
    found.raise_for_crashes()
    return found


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5_000,
        "x = " + "1+" * 50_000 + "1\n" + HOOK + "    pass\n",
        b"\x00" + HOOK.encode(),
        b"# coding: no-such\n",
        b"\xff\xfe pytest_configure",
        HOOK,
    ],
    ids=["parentheses", "sum", "null", "cookie", "bytes", "no body"],
)
def test_a_conftest_that_cannot_be_read_is_inconclusive(text: str | bytes) -> None:
    found = report({**TREE, "tests/conftest.py": text})
    assert found.verdict is Verdict.INCONCLUSIVE
    assert {one.rule.id for one in found.findings} == {"config.unseen"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.ini", b"[pytest\n"),
        ("pytest.ini", b"\xff\xfe[pytest]"),
        ("pytest.ini", b"[pytest]\naddopts = -q\naddopts = -k x\n"),
        ("pytest.toml", b"[pytest\n"),
        ("pytest.toml", b"a" + b".a" * 30_000 + b" = 1\n"),
        ("pyproject.toml", b"[tool.pytest.ini_options]\nx = " + b"[" * 10_000),
        ("tox.ini", b"\x00\x01\x02"),
    ],
)
def test_settings_that_cannot_be_read_are_inconclusive(name: str, text: bytes) -> None:
    kept = {path: one for path, one in TREE.items() if path != "pytest.ini"}
    found = report({**kept, name: text}, kept)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "config.unseen" in {one.rule.id for one in found.findings}


def test_files_without_bytes_are_inconclusive() -> None:
    candidate: dict[str, object] = {
        **TREE,
        "tests/conftest.py": TreeEntry(error="PermissionError"),
    }
    assert report(candidate).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    "body",
    [
        "    while True:\n        pass\n",
        "    while items:\n        items.append(items[0])\n",
        "    for item in items:\n        items.append(item)\n",
        "    pytest_collection_modifyitems(items)\n",
        "    x = [0] * 10 ** 9\n    items[:] = x\n",
        "    x = 'a' * 10 ** 10\n    items[:] = [i for i in items if i.name in x]\n",
        "    n = 9 ** 9 ** 9\n    items[:] = items[:n]\n",
        "    import re\n    items[:] = [i for i in items if re.match('(a+)+$', 'a' * 40 + '!')]\n",
        "    f = lambda n: f(n - 1) + f(n - 2)\n    f(100)\n    items.clear()\n",
        "".join(f"    if unknown{n}():\n        items.pop()\n" for n in range(60)),
        "    " + "if x:\n    ".replace("\n    ", " ") + "items.clear()\n",
        "    items[:] = " + "[" * 60 + "items" + "]" * 60 + "\n",
        "    a = []\n    a.append(a)\n    items[:] = a\n",
        "    x = not " + "not " * 150 + "items\n    if x:\n        items.clear()\n",
        "    getattr(items, items[0].name * 0 + 'clear')()\n",
    ],
)
def test_hooks_end(body: str) -> None:
    start = time.perf_counter()
    report({**TREE, "tests/conftest.py": HOOK + body})
    assert time.perf_counter() - start < SECONDS


@pytest.mark.parametrize(
    "expression",
    ["(" * 5_000, "not " * 5_000 + "a", "a or " * 4_000 + "b", "a(b='" + "x" * 9_000, "\x00"],
)
def test_expressions_end(expression: str) -> None:
    start = time.perf_counter()
    report({**TREE, "pytest.toml": f"[pytest]\naddopts = ['-k', {expression!r}]\n"})
    assert time.perf_counter() - start < SECONDS


def test_circles_among_plugins_end() -> None:
    report(
        {
            **TREE,
            "conftest.py": "pytest_plugins = ['a']\nfrom a import *\n",
            "a.py": "pytest_plugins = ['b', 'conftest']\nfrom b import *\nx = x\n",
            "b.py": "pytest_plugins = ['a']\nfrom a import *\nfrom conftest import *\n",
        }
    )


def test_a_large_suite_is_judged_in_time() -> None:
    text = "".join(f"def test_{n}():\n    assert {n}\n\n" for n in range(20))
    tree = {f"tests/d{n % 50}/test_{n}.py": text for n in range(1_000)}
    hook = (
        HOOK
        + "    for item in list(items):\n        if 'd7/' in item.nodeid:\n"
        + "            items.remove(item)\n"
    )
    start = time.perf_counter()
    found = report({**tree, "conftest.py": hook}, tree)
    assert found.verdict in (Verdict.VIOLATION, Verdict.INCONCLUSIVE)
    assert time.perf_counter() - start < SECONDS * 3


def test_an_edit_elsewhere_looks_at_nothing() -> None:
    tree = {f"tests/test_{n}.py": f"def test_{n}():\n    assert {n}\n" for n in range(10_000)}
    start = time.perf_counter()
    assert report({**tree, "README.md": "new\n"}, tree).findings == ()
    assert time.perf_counter() - start < SECONDS


def test_a_constant_whose_making_raises_is_no_crash() -> None:
    support = "def made(n):\n    if n:\n        raise ValueError(n)\n\n\nLIMIT = made(1)\n"
    hook = "from support import LIMIT\n\n\n" + HOOK + "    items[:] = items[:LIMIT]\n"
    tree = {"conftest.py": hook, "support.py": support, "test_a.py": "def test_a(): pass\n"}
    parent = {**tree, "conftest.py": ""}
    assert report(tree, parent).outcomes  # which raises for a crash
