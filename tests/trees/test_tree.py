"""The evidence itself, from literals: no directory and no repository."""

from __future__ import annotations

import pickle

import attrs
import pytest

from benchhygiene import Change, EvidenceUnavailable, InputError, SourceTree, TreeEntry
from benchhygiene.core.digest import digest
from benchhygiene.evidence import EntryKind, entry
from benchhygiene.evidence.tree import Memo

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 9\n"


def link(target: str) -> TreeEntry:
    return attrs.evolve(entry(target), kind=EntryKind.SYMLINK)


@pytest.mark.parametrize(
    "path", ["", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", "a/..", "./a", "a\0b"]
)
def test_a_path_that_leaves_the_root_or_has_two_spellings_is_refused(path: str) -> None:
    with pytest.raises(InputError, match="expected a plain path"):
        SourceTree({path: ""})
    with pytest.raises(InputError, match="expected a plain path"):
        SourceTree().overlaid({path: entry("")})


@pytest.mark.parametrize(
    "path", ["..a", "...", "a..", ".a/b", "a b", "a\nb", "a\\b", "\udcff", "-"]
)
def test_an_unusual_name_is_a_name(path: str) -> None:
    assert SourceTree({path: "x"}).read(path) == b"x"


def test_an_overlay_adds_replaces_and_takes_away() -> None:
    tree = SourceTree({"b": "1", "c": "2", "d": "3"}, unseen=["x"])
    over = tree.overlaid({"a": entry("0"), "c": entry("two"), "d": None, "e": None}, unseen=["y"])
    assert {path: over.read(path) for path in over.entries} == {"a": b"0", "b": b"1", "c": b"two"}
    assert list(over.entries) == ["a", "b", "c"]
    assert over.unseen == ("x", "y")
    assert over.memo is tree.memo
    assert list(tree.entries) == ["b", "c", "d"]


def test_an_overlay_is_what_the_same_tree_made_at_once_is() -> None:
    over = SourceTree({"a": "1", "b": "2"}).overlaid({"b": entry("3")})
    plain = SourceTree({"b": "3", "a": "1"})
    assert over == plain
    assert digest(over) == digest(plain)


@pytest.mark.parametrize(
    "other",
    [
        SourceTree({"a": "2"}),
        SourceTree({"b": "1"}),
        SourceTree({"a": "1", "b": ""}),
        SourceTree({"a": entry("1", is_executable=True)}),
        SourceTree({"a": link("1")}),
        SourceTree({"a": attrs.evolve(entry("1"), error="gone")}),
        SourceTree({"a": "1"}, unseen=["b"]),
        SourceTree(),
    ],
)
def test_a_digest_tells_trees_apart(other: SourceTree) -> None:
    assert digest(SourceTree({"a": "1"})) != digest(other)


def test_a_digest_does_not_depend_on_where_a_tree_lies() -> None:
    assert digest(SourceTree({"a": "1"}, roots=["/x"])) == digest(SourceTree({"a": "1"}))


def test_a_tree_travels() -> None:
    tree = SourceTree({"a": "1", "b": link("a")}, unseen=["x"], left_out=[".git"])
    other = pickle.loads(pickle.dumps(tree))
    assert other == tree
    assert other.left_out == (".git",)
    assert other.read("a") == b"1"


def test_an_lfs_pointer_is_not_the_content() -> None:
    tree = SourceTree({"a.bin": POINTER, "long": POINTER + b"x" * 1024})
    with pytest.raises(EvidenceUnavailable, match=r"a\.bin: a Git LFS pointer"):
        tree.read("a.bin")
    with pytest.raises(EvidenceUnavailable, match="a Git LFS pointer"):
        tree.derived("a.bin", len)
    assert tree.stored("a.bin") == POINTER
    assert tree.read("long").startswith(POINTER)
    assert tree.materialise().stored("a.bin") == POINTER
    assert Change(tree, tree.overlaid({"a.bin": entry(POINTER + b"\n")})).differing() == ("a.bin",)


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("real/a.py", "real/a.py"),
        ("one.py", "real/a.py"),
        ("two.py", "real/a.py"),
        ("folder/a.py", "real/a.py"),
        ("folder/../one.py", "one.py/.."),
        ("up/real/a.py", "real/a.py"),
        ("out.py", None),
        ("absolute.py", None),
        ("etc/a.py", None),
        ("dangling.py", None),
        ("ring.py", None),
        ("self/self/a.py", None),
        ("folder", None),
        ("missing", None),
        ("real/a.py/b", None),
        ("unknown.py", None),
    ],
)
def test_links_are_followed_inside_the_tree_only(path: str, leads_to: str | None) -> None:
    tree = SourceTree(
        {
            "real/a.py": "x",
            "one.py": link("real/a.py"),
            "two.py": link("./real/../one.py"),
            "folder": link("real"),
            "up": link("real/.."),
            "out.py": link("../secret.py"),
            "absolute.py": link("/real/a.py"),
            "etc": link("/"),
            "dangling.py": link("nowhere"),
            "ring.py": link("gnir.py"),
            "gnir.py": link("ring.py"),
            "self": link("self"),
            "unknown.py": TreeEntry(EntryKind.SYMLINK, error="gone"),
        }
    )
    expected = "real/a.py" if leads_to == "one.py/.." else leads_to
    assert tree.resolve(path) == expected


def test_a_file_that_cannot_be_read_differs_only_where_it_may() -> None:
    large = attrs.evolve(entry("x"), data=None, error="too large")
    other = attrs.evolve(entry("y"), data=None, error="too large")
    unknown = TreeEntry(error="PermissionError")
    assert Change({"a": large}, {"a": large.__class__(**_fields(large))}).differing() == ()
    assert Change({"a": large}, {"a": other}).differing() == ("a",)
    assert Change({"a": unknown}, {"a": TreeEntry(error="PermissionError")}).differing() == ("a",)


def _fields(found: TreeEntry) -> dict[str, object]:
    return attrs.asdict(found)


def test_modes_and_kinds_are_differences() -> None:
    before = {"a": entry("x"), "b": entry("x"), "c": "same"}
    after = {"a": entry("x", is_executable=True), "b": link("x"), "c": "same"}
    assert Change(before, after).differing() == ("a", "b")


def test_what_was_derived_is_kept_for_equal_bytes_and_let_go_at_the_limit() -> None:
    asked: list[bytes] = []

    def count(data: bytes) -> int:
        asked.append(data)
        return len(data)

    tree = SourceTree({"a": "xx", "b": "xx", "c": "y"}, memo=Memo(limit=1))
    assert [tree.derived(path, count) for path in "aabca"] == [2, 2, 2, 1, 2]
    assert asked == [b"xx", b"y", b"xx"]


def test_a_memo_is_bounded_by_the_bytes_its_facts_were_made_of() -> None:
    memo = Memo(weight=100)
    asked: list[int] = []

    def tree_of(data: bytes) -> list[bytes]:
        asked.append(len(data))
        return [data]

    tree = SourceTree({"a": "a" * 60, "b": "b" * 60, "c": "c" * 200}, memo=memo)
    for path in "aabbabc":
        tree.derived(path, tree_of)
    assert asked == [60, 60, 60, 60, 200]


def test_of_an_answered_question_a_memo_keeps_what_may_be_asked_again() -> None:
    memo = Memo()
    asked: list[bytes] = []

    def tree_of(data: bytes) -> list[bytes]:
        asked.append(data[:1])
        return [data]

    files = {name: name * (100 << 10) for name in "abcdefgh"}
    tree = SourceTree(files, memo=memo)
    for question in ("ab", "ac", "adefgh"):  # each is asked for twice, as analyzers do
        for path in (*question, *question):
            tree.derived(path, tree_of)
        memo.trim()
    assert asked == [*map(str.encode, "abcdefgh")]
    for path in "ah":
        tree.derived(path, tree_of)
    assert len(asked) == 8  # what two questions have asked for, and the last of one
    tree.derived("b", tree_of)
    assert len(asked) == 9


def test_plain_facts_hardly_count_for_a_memo() -> None:
    asked: list[int] = []

    def length(data: bytes) -> int:
        asked.append(len(data))
        return len(data)

    tree = SourceTree({"a": "a" * 60, "b": "b" * 60, "c": "c" * 200}, memo=Memo(weight=100))
    for path in "abcabc":
        tree.derived(path, length)
    assert asked == [60, 60, 200]
