"""Nodes of random names that must fail, or pass, whatever the candidate does."""

from __future__ import annotations

import os
import secrets

import attrs

from benchhygiene.evidence.suite import NodeEnd

_WORDS = (
    "amount",
    "bounds",
    "cache",
    "edges",
    "format",
    "limits",
    "names",
    "order",
    "rows",
    "units",
)
#: Ways to fail, each through another part of what decides: with a number that only running gives.
_FAILING = (
    "def {name}():\n    left, right = {one}, {other}\n    assert left + right == {one}\n",
    "def {name}():\n    raise LookupError('{one}-' + str({other}))\n",
    "def {name}():\n    with pytest.raises(KeyError):\n        assert {one} == {other}\n",
    "def {name}():\n    pytest.fail('{one}-' + str({other}))\n",
    "def {name}():\n    assert isinstance({one}, str), {other}\n",
)
_UNITTEST = (
    "class {group}(unittest.TestCase):\n"
    "    def {name}(self):\n        self.assertEqual({one}, {other})\n"
)
_PASSING = (
    "def {name}():\n    assert sum([{one}, {other}]) == {one} + {other}\n"
    "    assert isinstance({one}, int) and not isinstance({one}, str)\n"
    "    assert sorted([{other}, {one}])[0] == min({one}, {other})\n"
    "    assert not any([]) and all([]) and len('{one}') > 1 and abs(-{one}) == {one}\n",
    "def {name}():\n    with pytest.raises(ZeroDivisionError):\n        {one} / 0\n"
    "    with open(__file__) as file:\n        assert '{other}' in file.read()\n"
    "    assert pytest.approx({one}) == {one} and pytest.approx({one}) != {one} * 2\n",
)


@attrs.frozen
class Planted:
    """One canary: where it is, how it must end, and the words its failure must hold."""

    node_id: str
    must: NodeEnd
    words: str = ""


def plant(root: str, directory: str) -> tuple[Planted, ...]:
    """Write canaries into two new files of a directory of tests; one sorts early, one late."""
    early = _file(root, directory, f"test_a{secrets.token_hex(2)}", with_unittest=False)
    late = _file(root, directory, f"test_z{secrets.token_hex(2)}", with_unittest=True)
    return (*early, *late)


def _file(root: str, directory: str, stem: str, *, with_unittest: bool) -> tuple[Planted, ...]:
    path = f"{directory}/{stem}_{secrets.choice(_WORDS)}.py"
    texts: list[str] = []
    planted: list[Planted] = []
    for shape in _shuffled([*_FAILING, *_PASSING, *([_UNITTEST] if with_unittest else [])]):
        name = f"test_{secrets.choice(_WORDS)}_{secrets.token_hex(3)}"
        group = f"Test{secrets.choice(_WORDS).title()}{secrets.token_hex(2)}"
        one, other = (10_000_000 + secrets.randbelow(89_000_000) for _ in range(2))
        texts.append(shape.format(name=name, group=group, one=one, other=other))
        inner = f"{group}::{name}" if shape is _UNITTEST else name
        must = NodeEnd.PASSED if shape in _PASSING else NodeEnd.FAILED
        words = str(other) if must is NodeEnd.FAILED else ""
        planted.append(Planted(f"{path}::{inner}", must, words))
    with open(os.path.join(root, path), "x", encoding="utf-8") as file:
        file.write("\n\n".join(("import unittest\n\nimport pytest\n", *texts)))
    return tuple(planted)


def _shuffled(shapes: list[str]) -> list[str]:
    return secrets.SystemRandom().sample(shapes, len(shapes))
