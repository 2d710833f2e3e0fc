"""Sources and settings that are made to break whoever reads them."""

from __future__ import annotations

import time

import pytest

from benchhygiene import Orchestrator, Registry, Report, Verdict
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.evidence.tree import TreeEntry
from benchhygiene_plugins.harness import Harness, inventory

_PARENT = {"tests/test_a.py": "def test_a():\n    assert 1\n"}


def _report(candidate: dict[str, bytes | str | TreeEntry]) -> Report:
    both = SourceTree(_PARENT), SourceTree({**_PARENT, **candidate})
    report = Orchestrator(Registry().including(Harness())).run(Change(*both))
    report.raise_for_crashes()
    return report


@pytest.mark.parametrize(
    "source",
    [
        "(" * 5_000 + "os._exit",
        "import os\nx = " + "1+" * 50_000 + "os._exit(0)\n",
        b"\x00os._exit",
        b"# coding: no-such\nimport os",
        b"\xff\xfe import os",
        "import os\n" + "".join(f"{' ' * n}if os:\n" for n in range(95)) + " " * 95 + "os._exit(0)",
    ],
    ids=["parentheses", "sum", "null", "cookie", "bytes", "blocks"],
)
def test_what_cannot_be_read_is_never_silent(source: bytes | str) -> None:
    assert _report({"tests/conftest.py": source}).verdict is not Verdict.PASS


def test_a_file_without_bytes_is_inconclusive() -> None:
    entry = TreeEntry(error="PermissionError")
    assert _report({"tests/conftest.py": entry}).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    "lines",
    [
        "a = b\nb = c\nc = a\na()",
        "def a():\n    return a()\na()",
        "def a():\n    b()\ndef b():\n    a()\nb()",
        "from conftest import *\nfrom conftest import a\na()",
        "class a(a):\n    def pytest_runtest_call(self, item): a(item)",
        "\n".join(f"def f{n}():\n    f{n + 1}()\n    f{n + 1}()" for n in range(60)) + "\nf0()",
        "exec('exec(x)')\nx = 'exec(x)'",
        "x = " + ".".join(["x"] * 800) + "\nx()",
    ],
)
def test_names_that_lead_round_in_circles_end(lines: str) -> None:
    report = _report({"tests/conftest.py": f"import os, sys\n{lines}\n"})
    assert {one.rule.id for one in report.findings} <= {"harness.unseen"}


@pytest.mark.parametrize("path", ["Makefile", "pytest.ini", "setup.cfg", "a.pth", "pyproject.toml"])
@pytest.mark.parametrize(
    "data",
    [
        b"python " + b"-b " * 100_000 + b"-m pytest",
        b"\x00\xff" * 1_000,
        b"pytest11 = [" + b"a" * 300_000,
        b"PYTHONPATH=" + b"a:" * 100_000 + b"\npython -O",
        b"--assert" + b" " * 300_000 + b"x",
        b"-p " * 100_000,
    ],
)
def test_settings_are_read_in_time(path: str, data: bytes) -> None:
    began = time.perf_counter()
    _report({path: data})
    assert time.perf_counter() - began < 5


def test_ten_thousand_files_and_one_exit() -> None:
    files = {f"src/m{n}.py": f"import m{n + 1}\n" for n in range(10_000)}
    tree = SourceTree({**files, **_PARENT})
    exits = {"tests/test_b.py": "import os\ndef test_b():\n    os._exit(0)\n"}
    change = Change(tree, SourceTree({**tree.entries, **exits}))
    began = time.perf_counter()
    report = Orchestrator(Registry().including(Harness())).run(change)
    assert [one.rule.id for one in report.findings] == ["harness.exit_forced"]
    assert time.perf_counter() - began < 10


def test_many_functions_are_read_in_time() -> None:
    body = "\n".join(
        f"def test_{n}():\n    with pytest.raises(ValueError):\n        int('x{n}')\n"
        for n in range(3_000)
    )
    began = time.perf_counter()
    assert _report({"tests/test_b.py": f"import pytest\n{body}"}).verdict is Verdict.PASS
    assert time.perf_counter() - began < 15


def test_an_inventory_names_every_deed() -> None:
    tree = SourceTree(
        {"tests/conftest.py": "import os\nos._exit(0)\n", "Makefile": "t:\n\tpython -O -m pytest\n"}
    )
    assert [one.what for one in inventory(tree)] == ["python -O", "os._exit"]
