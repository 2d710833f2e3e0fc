"""Laws over random trees, with the real git: however a change is held, it is the same change."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from benchhygiene import InputError, SourceTree, sources
from tests.trees.repositories import Content, Git, Link, Program, Written, content, write

NAMES = (
    "a.py",
    "A.py",
    "b/a.py",
    "tests",
    "tests/test_a.py",
    "tests/ü b.py",
    "d/e",
    "d/e/f/g.txt",
    'q"uote',
    "tab\tx",
    "new\nline",
    " lead",
    "trail ",
    "a b/a b",
    "-- x",
    os.fsdecode(b"x\xff.py"),
)
LINES = (
    b"def f():",
    b"    assert x == 1",
    b"",
    b"pass",
    b"carriage\r",
    b"\xff\xfe",
    b"@@ -1 +1 @@",
    b"--- a/x",
    b"\\ No newline at end of file",
    b"diff --git a/a.py b/a.py",
    *(b"line %d" % number for number in range(12)),
)
OPTIONS = (
    (),
    ("-M",),
    ("-M", "-C", "--find-copies-harder"),
    ("-B", "-M"),
    ("-U1",),
    ("-U8", "--full-index"),
    ("--no-renames", "--patience"),
)

texts = st.builds(
    lambda lines, newline: b"\n".join(lines) + (b"\n" if newline and lines else b""),
    st.lists(st.sampled_from(LINES), max_size=40),
    st.booleans(),
)
contents: st.SearchStrategy[Written] = st.one_of(
    texts,
    texts.map(Program),
    st.binary(max_size=200),
    st.binary(min_size=1, max_size=50).map(lambda data: b"\0" + data * 30),
    st.sampled_from(["a.py", "../a.py", "nowhere"]).map(Link),
)
Files = dict[str, Written]


def _fitting(files: Mapping[str, Written]) -> Files:
    """Leave out what would lie below another file."""
    return {
        name: written
        for name, written in files.items()
        if not any(name.startswith(f"{other}/") for other in files)
    }


trees = st.dictionaries(st.sampled_from(NAMES), contents, max_size=7).map(_fitting)


@st.composite
def _edited(draw: st.DrawFn, files: Files) -> Files:
    """Return the files with some changed a little, moved, copied, removed or added."""
    after: Files = {}
    for name, written in files.items():
        deed = draw(st.sampled_from(("keep", "edit", "move", "copy", "drop", "mode", "replace")))
        other = draw(st.sampled_from(NAMES))
        if deed in ("keep", "copy"):
            after[name] = written
        if deed in ("move", "copy"):
            after[other] = written
        if deed == "replace":
            after[name] = draw(contents)
        if deed in ("edit", "mode"):
            after[name] = _changed(draw, written, deed)
    return _fitting(
        {**after, **draw(st.dictionaries(st.sampled_from(NAMES), contents, max_size=2))}
    )


def _changed(draw: st.DrawFn, written: Written, deed: str) -> Written:
    if isinstance(written, Link | str):
        return written
    data = written.content if isinstance(written, Program) else written
    if deed == "mode":
        return data if isinstance(written, Program) else Program(data)
    lines = data.split(b"\n")
    at = draw(st.integers(0, len(lines)))
    lines[at : at + draw(st.integers(0, 2))] = draw(st.lists(st.sampled_from(LINES), max_size=2))
    joined = b"\n".join(lines)
    return Program(joined) if isinstance(written, Program) else joined


changes = trees.flatmap(lambda before: st.tuples(st.just(before), _edited(before)))


@settings(max_examples=60)
@given(changes, st.sampled_from(OPTIONS), st.sampled_from(("true", "false")))
def test_directories_revisions_and_diffs_give_the_same_change(
    change: tuple[Files, Files], options: tuple[str, ...], quote: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        before, after = (
            write(root / name, files) for name, files in zip("ab", change, strict=True)
        )
        git = Git.init(root / "repo")
        old, new = (git.commit(files) for files in change)
        diff = git.run("-c", f"core.quotePath={quote}", "diff", "--binary", *options, old, new)
        with sources.Repository(git.path) as repository:
            ways = (
                sources.change(before, after),
                sources.git_change(repository, old, new),
                sources.patch_change(before, diff),
                sources.patch_change(repository, diff, revision=old),
            )
            seen = [(content(way.parent), content(way.candidate), way.differing()) for way in ways]
    assert seen == [seen[0]] * 4
    old_files, new_files, differing = seen[0]
    assert set(differing) == {
        path for path in {*old_files, *new_files} if old_files.get(path) != new_files.get(path)
    }
    assert set(new_files) == set(change[1])


@st.composite
def _damaged(draw: st.DrawFn, diff: bytes) -> bytes:
    """Return the diff with a line lost, doubled, changed or counted wrongly."""
    lines = diff.split(b"\n")
    at = draw(st.integers(0, len(lines) - 1))
    deed = draw(st.sampled_from(("lose", "double", "spoil", "indent", "swap")))
    other = draw(st.integers(0, len(lines) - 1))
    if deed == "lose":
        del lines[at]
    elif deed == "double":
        lines.insert(other, lines[at])
    elif deed == "spoil":
        lines[at] = lines[at][:-1] + b"Z"
    elif deed == "indent":
        lines[at] = b" " + lines[at][1:]
    else:
        lines[at], lines[other] = lines[other], lines[at]
    return b"\n".join(lines)


@settings(max_examples=60)
@given(changes, st.sampled_from(OPTIONS), st.data())
def test_what_both_accept_of_a_damaged_diff_git_applies_alike(
    change: tuple[Files, Files], options: tuple[str, ...], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        git = Git.init(Path(folder))
        old, new = (git.commit(files) for files in change)
        diff = git.diff(*options, old, new)
        with sources.Repository(git.path) as repository:
            for _ in range(3):
                damaged = data.draw(_damaged(diff))
                ours = _ours(repository, old, damaged)
                theirs = _theirs(git, repository, old, damaged)
                assert ours is None or theirs is None or ours == theirs


def _ours(repository: sources.Repository, old: str, diff: bytes) -> Content | None:
    try:
        return content(sources.patch_change(repository, diff, revision=old).candidate)
    except InputError:
        return None


def _theirs(git: Git, repository: sources.Repository, old: str, diff: bytes) -> Content | None:
    git.run("read-tree", old)
    if not git.accepts("apply", "--cached", given=diff):
        (git.path / ".git" / "index.lock").unlink(missing_ok=True)
        return None
    return content(repository.tree(git.run("write-tree").decode().strip()))


@settings(max_examples=400)
@given(st.lists(st.sampled_from(LINES), max_size=12), st.binary(max_size=300))
def test_no_text_is_more_than_a_fault(lines: list[bytes], junk: bytes) -> None:
    text = b"\n".join([*lines, junk, *lines])
    with contextlib.suppress(InputError):
        sources.patch_change(SourceTree({"a.py": "pass\n", "a/x": "x"}), text)
