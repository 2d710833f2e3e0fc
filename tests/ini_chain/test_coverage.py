"""What the real coverage.py measures lies within the bounds."""

from __future__ import annotations

import ast
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchhygiene_plugins.ini_chain.coverage.bounds import Bounds, Names, loaded, unloaded
from benchhygiene_plugins.ini_chain.coverage.lines import Lines, counted_lines
from benchhygiene_plugins.ini_chain.coverage.measure import misses
from tests.ini_chain.programs import PROGRAMS

MEASURING = Path(__file__).with_name("measuring.py")
ONE_LINERS = ["a = 1", "a = 1; b = 2", "f(1)", "'text'", "pass", "a: int = 1", "a = [\n    1,\n]"]


def _program(seed: int) -> str:
    """Return a program of nested statements that runs to its end."""
    chance = random.Random(seed)
    lines = ["def f(x):", "    return x", "", "def g(x):", "    return f(x)"]
    lines += [*_block(chance, 0), "def test_it():"]
    for _ in range(2):
        lines += [*_block(chance, 1), *_early(chance)]
    return "\n".join([*lines, "    f(2)", ""])


def _early(chance: random.Random) -> list[str]:
    return [f"    if f({chance.choice([0, 0, 1])}):", "        a = 1", "        return"]


def _block(chance: random.Random, depth: int) -> list[str]:
    return [line for _ in range(chance.randint(1, 3)) for line in _statement(chance, depth)]


def _statement(chance: random.Random, depth: int) -> Iterator[str]:
    pad = "    " * depth
    kind = chance.choice(["one", "if", "for", "try", "with", "def", "class", "while"])
    if depth > 3 or kind == "one":
        yield from ("\n".join(pad + line for line in chance.choice(ONE_LINERS).split("\n")),)
        return
    inner = _block(chance, depth + 1)
    heads = {
        "if": f"if {chance.choice(['f(0)', 'f(1)', 'True', 'False', '1 > 2'])}:",
        "for": f"for i in range({chance.choice([0, 2])}):",
        "try": "try:",
        "with": "with __import__('contextlib').suppress(ValueError):",
        "def": f"def h{chance.randint(0, 9)}(x=1):",
        "class": "class C:",
        "while": "while f(0):",
    }
    yield pad + heads[kind]
    yield from inner
    if kind in ("try", "with") and chance.random() < 0.5:
        yield f"{pad}    int('x')"
        yield f"{pad}    b = 2"
    if kind == "try":
        yield f"{pad}except ValueError:"
        yield from _block(chance, depth + 1)
    if kind in ("if", "for", "while") and chance.random() < 0.5:
        yield f"{pad}else:"
        yield from _block(chance, depth + 1)


SOURCES = {
    **{f"p_{name}": text for name, text in PROGRAMS.items()},
    **{f"r_{seed}": _program(seed) for seed in range(80)},
}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, int]]:
    """Return, for every program, how many lines the real coverage counts and saw run."""
    directory = tmp_path_factory.mktemp("programs")
    for name, text in SOURCES.items():
        (directory / f"{name}.py").write_text(text, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-B", str(MEASURING), str(directory)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    found: dict[str, tuple[int, int]] = json.loads(ran.stdout)
    return found


def _counted(text: str) -> tuple[ast.Module, Lines]:
    tree = ast.parse(text)
    lines = counted_lines(tree, text.encode())
    assert lines is not None
    return tree, lines


def _bounds(text: str) -> Bounds:
    tree, lines = _counted(text)
    tests: dict[int, bool | None] = {
        node.lineno: True
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test")
    }
    return loaded(tree, lines, Names.of([tree]), tests, certain=True)


@pytest.mark.parametrize("name", SOURCES)
def test_what_is_measured_lies_within_the_bounds(
    measured: dict[str, tuple[int, int]], name: str
) -> None:
    total, ran = measured[name]
    bounds = _bounds(SOURCES[name])
    assert bounds.total <= total <= bounds.total + bounds.optional
    assert bounds.certain <= ran <= bounds.possible + bounds.optional
    low, high = bounds.percent()
    assert low <= (100 * ran / total if total else 100) <= high


def test_bounds_are_not_trivial(measured: dict[str, tuple[int, int]]) -> None:
    exact = [name for name in SOURCES if len(set(_bounds(SOURCES[name]).percent())) == 1]
    assert len(exact) > len(PROGRAMS) // 3
    assert any(measured[name][0] > measured[name][1] for name in SOURCES)


def test_a_file_nothing_loads_counts_and_never_runs() -> None:
    for text in PROGRAMS.values():
        bounds = unloaded(_counted(text)[1])
        assert (bounds.certain, bounds.possible, bounds.optional) == (0, 0, 0)


@pytest.mark.parametrize("text", ["return 1\n", "def f(a, a): pass\n", "x = ('\n", "a\0"])
def test_what_the_compiler_refuses_has_no_lines(text: str) -> None:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    assert counted_lines(tree, text.encode()) is None


@pytest.mark.parametrize(
    ("percent", "floor", "expected"),
    [
        ((80.0, 80.0), 80.0, False),
        ((79.4, 79.4), 80.0, True),
        ((79.6, 79.6), 80.0, None),  # rounded by newer versions, not by older ones
        ((79.96, 79.96), 80.1, True),
        ((99.9, 99.9), 100.0, True),
        ((100.0, 100.0), 100.0, False),
        ((10.0, 90.0), 80.0, None),
        ((85.0, 90.0), 80.0, False),
        ((0.0, 0.0), 0.5, True),
    ],
)
def test_a_floor_is_missed_reached_or_open(
    percent: tuple[float, float], floor: float, expected: bool | None
) -> None:
    assert misses(percent, floor) is expected
