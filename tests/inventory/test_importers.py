"""Which files use which, by the words of their imports and by the tops of their modules."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene.evidence.tree import Change, SourceTree
from benchhygiene.inventory.importers import (
    Importers,
    changed_names,
    import_words,
    importing,
    stem,
    users,
)
from benchhygiene.inventory.index import words
from benchhygiene.inventory.outline import EVERYTHING, outline

TREE = SourceTree(
    {
        "pkg/__init__.py": "",
        "pkg/a.py": "X = 1\n",
        "tests/plain.py": "from pkg.a import X\nY = X\n",
        "tests/split.py": "from pkg import (\n    a,\n)\nZ = a.X\n",
        "tests/joined.py": "from pkg import \\\n    a\nX = a\n",
        "tests/named.py": "import importlib\nm = importlib.import_module('pkg.a').X\n",
        "tests/starred.py": "from pkg.a import *\n",
        "tests/other.py": "import os\nX = 'pkg.a'\n",
        "tests/through.py": "from plain import Y\n",
    }
)


@given(st.binary(max_size=80) | st.text("a_1Z \n.\u00e4(", max_size=30).map(str.encode))
def test_words_are_what_the_pattern_finds(data: bytes) -> None:
    assert words(data) == frozenset(re.findall(rb"[^\W\d]\w*|[\x80-\xff]+", data))


def test_importers_are_found_by_every_way_to_import() -> None:
    found = TREE.surveyed(Importers.of).naming("pkg/a.py")
    assert found == (
        "tests/joined.py",
        "tests/named.py",
        "tests/plain.py",
        "tests/split.py",
        "tests/starred.py",
    )
    assert TREE.surveyed(Importers.of).naming("pkg/a.py") is found


@pytest.mark.parametrize(
    ("source", "named"),
    [
        (b"x = 1\nimport a.b\n", True),
        (b"x = 1  # b\nimport a\n", False),
        (b"from c import (  # why\n  a,\n  b\n)\n", True),
        (b"pytest_plugins = 'b'\n", True),
        (b"__import__('a')\nx = 'b'\n", True),
        (b"runpy.run_path('b')\n", True),
    ],
)
def test_words_of_imports(source: bytes, named: bool) -> None:
    assert (b"b" in import_words(source)) is named


def test_a_package_goes_by_the_name_of_its_folder() -> None:
    assert [stem("a/b.py"), stem("a/__init__.py")] == ["b", "a"]


def test_users_hand_on_what_they_define_with_what_they_use() -> None:
    found = users(TREE, {"pkg/a.py": ["X"]})
    assert found["tests/plain.py"] == {"X", "Y"}
    assert "tests/through.py" in found
    assert "tests/other.py" not in found
    assert users(TREE, {"pkg/a.py": ["unused"]}).keys() == {"tests/starred.py"}
    assert "tests/split.py" in users(TREE, {"pkg/a.py": [EVERYTHING]})


def names(old: str, new: str, *apart: str) -> frozenset[str]:
    change = Change({"a.py": old}, {"a.py": new})
    return changed_names(change.parent, change.candidate, "a.py", apart)


def test_names_change_with_what_they_rest_on() -> None:
    source = "A = 1\nB = A\ndef c():\n    return B\ndef d():\n    return 1\n"
    assert names(source, source) == frozenset()
    assert names(source, source + "# why\n") == frozenset()
    assert names(source, source.replace("A = 1", "A = 2")) == {"A", "B", "c"}
    assert names(source, source.replace("return 1", "return 2")) == {"d"}
    assert names(source, source.replace("return 1", "return 2"), "d") == frozenset()
    assert EVERYTHING in names(source, source + "print()\n")
    assert names(source, "(") >= {"A", EVERYTHING}


def test_an_outline_holds_methods_apart_from_their_class() -> None:
    one, other = (
        outline(b"class A:\n    x = 1\n    def b(self): return %d\n" % n).digests for n in (1, 2)
    )
    assert one["A"] == other["A"]
    assert one["A.b"] != other["A.b"]


def test_importing_asks_for_no_names_and_ends() -> None:
    chain = {f"m{n}.py": f"import m{n + 1}\n".encode() for n in range(9)}
    tree = SourceTree({**chain, "m9.py": b"import m8\n", "other.py": b"import os\n"})
    assert importing(tree, ["m9.py"]) == {f"m{n}.py" for n in range(10)}
    assert importing(tree, ["m1.py"]) == {"m0.py"}
    assert importing(tree, ["other.py"]) == frozenset()
