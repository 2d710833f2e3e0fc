"""Which files use which, by the words of their imports and by the tops of their modules."""

from __future__ import annotations

import re

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene.evidence.tree import Change, SourceTree, TreeEntry, entry
from benchhygiene.inventory.importers import (
    Importers,
    changed_names,
    import_words,
    importing,
    stem,
    users,
    users_among,
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
    found = TREE.surveyed(Importers.of).naming(TREE, "pkg/a.py")
    assert found == (
        "tests/joined.py",
        "tests/named.py",
        "tests/plain.py",
        "tests/split.py",
        "tests/starred.py",
    )
    assert TREE.surveyed(Importers.of).naming(TREE, "pkg/a.py") is found


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
        outline(SourceTree({"a.py": f"class A:\n    x = 1\n    def b(self): return {n}\n"}), "a.py")
        for n in (1, 2)
    )
    assert one.digests["A"] == other.digests["A"]
    assert one.digests["A.b"] != other.digests["A.b"]


def test_importing_asks_for_no_names_and_ends() -> None:
    chain = {f"m{n}.py": f"import m{n + 1}\n".encode() for n in range(9)}
    tree = SourceTree({**chain, "m9.py": b"import m8\n", "other.py": b"import os\n"})
    assert importing(tree, ["m9.py"]) == {f"m{n}.py" for n in range(10)}
    assert importing(tree, ["m1.py"]) == {"m0.py"}
    assert importing(tree, ["other.py"]) == frozenset()


class Counting:
    """Serves files on demand, and remembers which."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.asked: list[str] = []

    def tree(self) -> SourceTree:
        listed = {path: attrs.evolve(entry(data), data=None) for path, data in self.files.items()}
        return SourceTree(listed, reader=self)

    def read(self, path: str, found: TreeEntry) -> bytes:
        del found
        self.asked.append(path)
        return self.files[path]


CHAIN = {
    "t/test_a.py": b"def test_a(): pass\n",
    "t/through.py": b"from test_a import test_a\n",
    "t/test_end.py": b"import through\n",
    "t/test_lone.py": b"import os\n",
}


@pytest.mark.parametrize("is_known", [False, True])
def test_what_ends_cannot_come_upon_is_not_near_them(is_known: bool) -> None:
    tree = SourceTree(CHAIN)
    importers = Importers.of(tree)
    if is_known:
        importers.naming(tree, "t/test_a.py")
    near = importers.near(tree, ["t/test_a.py", "t/test_lone.py"], ["t/test_end.py"])
    assert near == {"t/test_a.py"}
    assert importers.near(tree, ["t/test_a.py"], ["t/test_lone.py", "t/test_a.py"]) == frozenset()


def test_what_is_near_is_told_without_reading_what_no_end_imports() -> None:
    far = {f"far/m{n}.py": b"from test_a import x\n" for n in range(9)}
    reader = Counting({**CHAIN, **far})
    tree = reader.tree()
    Importers.of(tree).near(tree, ["t/test_a.py"], ["t/test_end.py"])
    assert sorted(reader.asked) == ["t/test_a.py", "t/test_end.py", "t/through.py"]


def test_where_too_many_files_may_be_between_everything_is_near() -> None:
    many = {f"m{n}.py": f"import m{n + 1}, test_b\n".encode() for n in range(3)}
    wide = {f"w{n}.py": b"" for n in range(300)}
    end = b"".join(b"import w%d\n" % n for n in range(300))
    tree = SourceTree({**CHAIN, **many, **wide, "end.py": end})
    assert Importers.of(tree).near(tree, ["t/test_a.py"], ["end.py"]) == {"t/test_a.py"}


def test_many_words_are_found_as_one_is() -> None:
    names = [f"m{n}" for n in range(40)]
    files = {f"{name}.py": f"import m{n // 2}\n".encode() for n, name in enumerate(names)}
    tree = SourceTree({**files, "caf\u00e9.py": b"x = 1\n"})
    importers = Importers.of(tree)
    asked = {f"{name}.py": tuple(importers.naming(tree, f"{name}.py")) for name in names}
    alone = {path: tuple(Importers.of(tree).naming(tree, path)) for path in asked}
    assert asked == alone
    assert asked["m3.py"] == ("m6.py", "m7.py")
    assert set(importers.naming(tree, "\u00e4.py")) == {*files}
    assert set(Importers.of(tree).naming(tree, "\u00e4.py")) == {*files}


_MODULES = ("a", "b", "c", "d", "e", "\u00e4")
_LINES = (*(f"from {one} import x, f" for one in _MODULES), "from a import *", "def f(): return x")
_TREES = st.dictionaries(
    st.sampled_from(_MODULES).map("{}.py".format),
    st.lists(st.sampled_from((*_LINES, "x = 'hypothesis'", "x = f()")), max_size=4).map("\n".join),
    min_size=1,
).map(SourceTree)


def _speaks(data: bytes) -> bool:
    return b"hypothesis" in data


@given(_TREES)
def test_a_file_leads_to_what_is_sought_where_it_is_among_those_who_import_it(
    tree: SourceTree,
) -> None:
    own = [path for path in tree.files() if _speaks(tree.read(path))]
    expected = importing(tree, own) | frozenset(own)
    found = {
        path
        for path in (*tree.files(), "missing.py")
        if Importers.of(tree).leads_to(tree, path, _speaks)
    }
    assert found == expected


@given(_TREES, st.data(), st.booleans())
def test_users_among_files_are_those_of_all_users(
    tree: SourceTree, data: st.DataObject, is_known: bool
) -> None:
    paths = sorted(tree.files())
    ends = data.draw(st.sets(st.sampled_from(paths), min_size=1))
    sources = data.draw(st.sets(st.sampled_from(sorted(ends))))
    changed = {path: frozenset(("x",)) for path in sorted(sources)}
    everything = users(SourceTree(tree.entries), changed)
    if is_known:  # the imports of the whole tree have been read
        tree.surveyed(Importers.of).naming(tree, paths[0])
    expected = {path: everything[path] for path in ends if path in everything}
    assert users_among(tree, ends, changed) == expected


def test_a_file_is_among_its_own_users_where_its_imports_lead_back() -> None:
    circle = SourceTree({"a.py": "import b\nx = 1\ny = b.z\n", "b.py": "from a import x\nz = x\n"})
    straight = SourceTree({"a.py": "import b\nx = 1\ny = b.z\n", "b.py": "z = 1\n"})
    names = {"a.py": frozenset(("x",))}
    assert "y" in users_among(circle, ("a.py",), names)["a.py"]
    assert users_among(straight, ("a.py",), names) == {}
