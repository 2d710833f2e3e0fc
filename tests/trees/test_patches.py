"""Diffs: what they may say, what is refused, and how it is said."""

from __future__ import annotations

import base64
import subprocess
import zlib
from pathlib import Path

import attrs
import pytest

from benchhygiene import InputError, SourceTree, TreeEntry, sources
from benchhygiene.evidence import EntryKind, entry
from benchhygiene.sources import TreeLimits
from tests.trees.repositories import Git, Link, content, write

OLD = "".join(f"line {number}\n" for number in range(1, 21))
TREE = SourceTree({"a.py": OLD, "b/c.py": "x = 1\n", "end": "no newline"})
HEAD = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n"


def patched(diff: str | bytes, tree: SourceTree = TREE) -> dict[str, bytes]:
    after = sources.patch_change(tree, diff).candidate
    return {path: after.stored(path) for path in after.entries}


def refusal(diff: str | bytes, tree: SourceTree = TREE) -> str:
    with pytest.raises(InputError) as caught:
        sources.patch_change(tree, diff)
    return str(caught.value)


def test_a_hunk_replaces_lines() -> None:
    diff = HEAD + "@@ -2,3 +2,3 @@ anything\n line 2\n-line 3\n+LINE 3\n line 4\n"
    assert patched(diff)["a.py"] == OLD.replace("line 3\n", "LINE 3\n").encode()


def test_an_empty_diff_changes_nothing() -> None:
    assert sources.patch_change(TREE, "").differing() == ()
    assert sources.patch_change(TREE, b"\n \n").differing() == ()


def test_text_round_the_diff_is_passed_over() -> None:
    diff = "From 1\nSubject: x\n\n---\n a.py | 1 +\n\n" + HEAD
    diff += "@@ -19,2 +19,3 @@\n line 19\n line 20\n+line 21\n-- \n2.39.5\n"
    assert patched(diff)["a.py"] == (OLD + "line 21\n").encode()


@pytest.mark.parametrize("start", [1, 5, 12, 19])
def test_a_hunk_that_moved_finds_its_place(start: int) -> None:
    diff = HEAD + f"@@ -{start + 1},3 +{start + 1},2 @@\n line 8\n-line 9\n line 10\n"
    assert patched(diff)["a.py"] == OLD.replace("line 9\n", "").encode()


def test_of_two_places_the_nearest_is_taken_and_of_two_as_near_the_one_below() -> None:
    tree = SourceTree({"a.py": "x\ny\nz\n" + "-\n" * 4 + "x\ny\nz\n" + "-\n" * 4})
    hunk = "@@ -{0},3 +{0},3 @@\n x\n-y\n+Y\n z\n"
    near_the_first = patched(HEAD + hunk.format(3), tree)["a.py"]
    near_the_second = patched(HEAD + hunk.format(6), tree)["a.py"]
    assert near_the_first.index(b"Y") < near_the_first.index(b"y")
    assert near_the_second.index(b"Y") > near_the_second.index(b"y")
    between = SourceTree({"a.py": "-\nx\ny\nz\n-\n-\n-\nx\ny\nz\n-\n"})
    assert patched(HEAD + hunk.format(5), between)["a.py"].index(b"Y") == 16


def test_two_hunks_do_not_take_the_same_lines() -> None:
    hunk = "@@ -3,3 +3,3 @@\n line 3\n-line 4\n+line 4\n line 5\n"
    assert "hunk 2" in refusal(HEAD + hunk + hunk)


def test_a_missing_newline_is_part_of_the_content() -> None:
    head = HEAD.replace("a.py", "end")
    gained = head + "@@ -1 +1 @@\n-no newline\n\\ No newline at end of file\n+no newline\n"
    assert patched(gained)["end"] == b"no newline\n"
    kept = head + "@@ -1 +1,2 @@\n+first\n no newline\n\\ No newline at end of file\n"
    assert patched(kept)["end"] == b"first\nno newline"
    assert "found 'no newline'" in refusal(head + "@@ -1 +1 @@\n-no newline\n+x\n")


def test_carriage_returns_are_part_of_the_content() -> None:
    tree = SourceTree({"a.py": b"one\r\ntwo\r\n"})
    diff = HEAD.encode() + b"@@ -1,2 +1,2 @@\n one\r\n-two\r\n+2\n"
    assert patched(diff, tree)["a.py"] == b"one\r\n2\n"
    assert "expected line 1 to be 'one\\n', found 'one\\r\\n'" in refusal(
        HEAD + "@@ -1,2 +1,2 @@\n one\n-two\n+2\n", tree
    )


def test_a_diff_whose_own_headers_end_in_crlf_says_so() -> None:
    diff = (HEAD + "@@ -1,2 +1,1 @@\n line 1\n-line 2\n").replace("\n", "\r\n")
    assert refusal(diff).endswith("no such file; the lines of the diff itself end in CRLF")


@pytest.mark.parametrize(
    ("diff", "says"),
    [
        ("nothing like a diff", "diff: holds no change; expected the output of git diff"),
        ("@@ -1 +1 @@\n-a\n+b\n", "diff, line 1: a hunk without the name of a file"),
        (HEAD, "a.py: a header with no change below it"),
        (HEAD + "@@ -1,9 +1 @@\n line 1\n", "diff, line 6: .* the diff ends in the middle of it"),
        (HEAD + "@@ -1 +1 @@\n-line 1\n+x", "line 6: .* the last line has no newline"),
        (HEAD + "@@ -1 +1 @@\n*line 1\n", "line 5: .* expected a line with ' ', '-' or '\\+'"),
        (HEAD + "@@ -1 +1 @@\n line 1\n", "line 4: .* it changes nothing"),
        (HEAD + "@@ -1,x @@\n line 1\n", "the header of a hunk is damaged|no change below it"),
        (
            HEAD + "@@ -7,2 +7,1 @@\n line 7\n-line eight\n",
            r"a\.py: hunk 1 \(@@ -7,2 \+7,1 @@, line 4 of the diff\) does not apply: "
            r"expected line 8 to be 'line eight\\n', found 'line 8\\n'$",
        ),
        (HEAD + "@@ -20,2 +20 @@\n line 20\n-x\n", "found the end of the file"),
        (HEAD + "@@ -5,2 +5,1 @@\n line 5\n-line 6\n", "expected it at the end of the file"),
        (HEAD + "@@ -1,2 +1,1 @@\n line 5\n-line 6\n line 7\n", "line 1 to be|damaged"),
        (HEAD + "@@ -3,0 +4 @@\n+x\n", "it has no context to be placed by"),
        (HEAD.replace("a.py", "nope") + "@@ -1 +1 @@\n-a\n+b\n", "nope: .* no such file"),
        ("diff --git a/a.py b/a.py\nold mode 1x\n", "line 2: expected a mode such as 100644"),
        ("diff --git a/a.py b/b.py\nindex 1..2\n@@ -1 +1 @@\n-a\n+b\n", "does not name the file"),
        (
            "diff --git a/a.py b/a.py\nindex 1..2\n--- a/b.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b\n",
            "b.py: the diff changes it, but there is no such file",
        ),
        (
            "diff --git a/a.py b/a.py\nindex 1..2\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+b\n",
            "line 3: /dev/null, but no `new file mode`",
        ),
        (
            "diff --git a/n b/n\nnew file mode 100644\n--- a/n\n+++ b/n\n@@ -0,0 +1 @@\n+b\n",
            "expected /dev/null",
        ),
        (
            "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n"
            "@@ -1 +1 @@\n-a\n+b\n",
            "n: a new file, but the diff has lines of an old one",
        ),
        ("diff --git a/a.py b/a.py\nnew file mode 100644\n", "creates it, but it exists already"),
        (
            "diff --git a/a.py b/end\nsimilarity index 100%\nrename from a.py\nrename to end\n",
            "end: the diff creates it, but it exists already",
        ),
        ("diff --git a/a.py b/a.py\ndeleted file mode 100644\n", "lines would be left over"),
        ("diff --git a/a.py b/a.py\nold mode 120000\nnew mode 120000\n", "no change below it"),
        ("diff --git a/a.py b/a.py\nold mode 120000\nnew mode 100644\n", "a file of another kind"),
        ("diff --git a/x b/x\nnew file mode 100644\ndiff --git a/x b/x\nnew file mode 100644\n",
         "x: the diff creates it, but it exists already"),
        ("diff --git a/b b/b\nnew file mode 100644\n", "b: .* creates it where a directory is"),
        ("diff --git a/end/x b/end/x\nnew file mode 100644\n", "end/x: .* below end, which is no"),
        (
            "diff --git a/i.png b/i.png\nnew file mode 100644\nindex 0..1\n"
            "Binary files /dev/null and b/i.png differ\n",
            "i.png: the diff only says that it differs; make it with git diff --binary",
        ),
    ],
    ids=lambda value: "" if value.startswith("diff --git") else value[:30],
)  # fmt: skip
def test_a_fault_is_one_error_that_says_where_and_what(diff: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        sources.patch_change(TREE, diff)


ESCAPES = ["../x", "/etc/x", "a/../../x", ".git/config", "a/.GIT/hooks/x", "./x", "a/./x", "x/.."]


@pytest.mark.parametrize("path", ESCAPES)
def test_a_path_that_leads_out_is_refused(path: str, tmp_path: Path) -> None:
    new = f"diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n"
    renamed = f"diff --git a/a.py b/{path}\nrename from a.py\nrename to {path}\n"
    plain = f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n"
    quoted = f'diff --git a/a.py "b/{path}"\ncopy from a.py\ncopy to "{path}"\n'
    for diff in (new + "@@ -0,0 +1 @@\n+x\n", renamed, plain, quoted):
        assert refusal(diff).endswith("leads out of the tree")


@pytest.mark.parametrize("octal", [True, False])
def test_quotes_hide_no_escape(octal: bool) -> None:
    path = "\\056\\056/x" if octal else "..\\057x"
    diff = f'diff --git "a/{path}" "b/{path}"\nnew file mode 100644\n'
    assert "leads out of the tree" in refusal(diff)


def test_nothing_is_created_behind_a_link() -> None:
    tree = SourceTree({"out": entry("/etc")}).overlaid({})
    link = tree.overlaid({"out": _as_link("/etc")})
    diff = "diff --git a/out/x b/out/x\nnew file mode 100644\n--- /dev/null\n+++ b/out/x\n"
    assert "below out, which is no directory" in refusal(diff + "@@ -0,0 +1 @@\n+x\n", link)


def _as_link(target: str) -> TreeEntry:
    return attrs.evolve(entry(target), kind=EntryKind.SYMLINK)


def test_names_may_be_unusual(git: Git) -> None:
    names = ["a b", "tab\tx", 'q"', "new\nline", "\\", " lead", "trail ", "é", "b/a b/b", "\x01"]
    old = git.commit({"z": "z"})
    new = git.commit(dict.fromkeys(names, "x\n"))
    for quote in ("true", "false"):
        diff = git.run("-c", f"core.quotePath={quote}", "diff", old, new)
        after = sources.patch_change(git.path, diff, revision=old).candidate
        assert sorted(after.entries) == sorted(names)


def test_two_files_change_places() -> None:
    tree = SourceTree({"a": "A\n", "b": "B\n"})
    swap = "diff --git a/{0} b/{1}\nsimilarity index 100%\nrename from {0}\nrename to {1}\n"
    assert patched(swap.format("a", "b") + swap.format("b", "a"), tree) == {
        "a": b"B\n",
        "b": b"A\n",
    }


def test_a_copy_starts_from_what_was_there() -> None:
    tree = SourceTree({"a": "A\n"})
    diff = HEAD.replace("a.py", "a") + "@@ -1 +1 @@\n-A\n+B\n"
    diff += "diff --git a/a b/b\nsimilarity index 100%\ncopy from a\ncopy to b\n"
    assert patched(diff, tree) == {"a": b"B\n", "b": b"A\n"}


def test_a_second_patch_of_a_file_goes_on_from_the_first() -> None:
    one = HEAD + "@@ -1,2 +1,2 @@\n-line 1\n+one\n line 2\n"
    two = HEAD + "@@ -1,2 +1,2 @@\n-one\n+uno\n line 2\n"
    assert patched(one + two)["a.py"] == OLD.replace("line 1\n", "uno\n", 1).encode()


@pytest.mark.parametrize("word", ["literal 9999999999999", "literal 99999999"])
def test_a_binary_hunk_cannot_claim_what_it_has_not(word: str) -> None:
    ids = f"index {'0' * 40}..{'1' * 40}"
    diff = f"diff --git a/i b/i\nnew file mode 100644\n{ids}\nGIT binary patch\n{word}\n\n"
    after = sources.patch_change(TREE, diff).candidate
    assert "more than the limit of" in str(after.entries["i"].error)


def _binary(kind: str, size: int, data: bytes) -> str:
    packed = zlib.compress(data)
    lines = [packed[at : at + 52] for at in range(0, len(packed), 52)]
    text = "".join(
        chr(len(line) + (64 if len(line) <= 26 else 70))
        + base64.b85encode(line, pad=True).decode()
        + "\n"
        for line in lines
    )
    return f"GIT binary patch\n{kind} {size}\n{text}\n"


def _numbered(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


@pytest.mark.parametrize(
    "delta",
    [
        _numbered(6) + _numbered(1 << 60) + b"\x90\x06" * 9,
        _numbered(6) + _numbered(12) + b"\x90\x06" * 9,
        _numbered(6) + _numbered(6) + b"\x91\x05\x06",
        _numbered(6) + _numbered(6) + b"\x00",
        _numbered(6) + _numbered(6) + b"\x05ab",
        _numbered(6) + _numbered(6),
        _numbered(7) + _numbered(6) + b"\x90\x06",
        b"\xff" * 40,
        b"",
    ],
)
def test_a_delta_that_leads_astray_is_refused(delta: bytes) -> None:
    tree = SourceTree({"i": "x = 1\n"})
    old = subprocess.run(
        ["git", "hash-object", "--stdin"], input=b"x = 1\n", capture_output=True, check=True
    ).stdout.decode()
    head = f"diff --git a/i b/i\nindex {old.strip()}..{'1' * 40} 100644\n"
    message = refusal(head + _binary("delta", len(delta), delta), tree)
    assert message.startswith("i: ")


def test_a_bomb_in_a_binary_hunk_inflates_no_further_than_it_says() -> None:
    head = f"diff --git a/i b/i\nnew file mode 100644\nindex {'0' * 40}..{'1' * 40}\n"
    assert "does not hold 10 bytes" in refusal(head + _binary("literal", 10, b"x" * 50_000_000))


def test_binary_content_must_be_what_the_ids_say(git: Git) -> None:
    old = git.commit({"i": b"\0one" * 30})
    new = git.commit({"i": b"\0two" * 30})
    diff = git.diff("--full-index", old, new)
    assert patched(diff, SourceTree({"i": b"\0one" * 30})) == {"i": b"\0two" * 30}
    assert "other content than is there" in refusal(diff, SourceTree({"i": b"\0One" * 30}))
    digits = git.run("rev-parse", f"{new}:i").strip()
    assert "does not make what its id says" in refusal(
        diff.replace(digits, b"1" * 40), SourceTree({"i": b"\0one" * 30})
    )
    assert "needs the full ids" in refusal(
        diff.replace(digits, b"1" * 7), SourceTree({"i": b"\0one" * 30})
    )


def test_a_diff_over_the_limit_is_refused() -> None:
    with pytest.raises(InputError, match="diff: 11 bytes, more than the limit of 10"):
        sources.patch_change(TREE, "x" * 11, limits=TreeLimits(diff_bytes=10))


def test_a_file_that_cannot_be_read_stays_in_doubt() -> None:
    limits = TreeLimits(file_bytes=10)
    tree = SourceTree({"a.py": OLD}).materialise()
    large = tree.overlaid({"a.py": attrs.evolve(entry(OLD), data=None, error="too large")})
    diff = HEAD + "@@ -2,3 +2,3 @@\n line 2\n-line 3\n+LINE 3\n line 4\n"
    change = sources.patch_change(large, diff, limits=limits)
    assert change.candidate.entries["a.py"].error == "too large, and the diff changes it"
    assert change.differing() == ("a.py",)


def test_a_directory_is_patched_without_a_repository(tmp_path: Path) -> None:
    root = write(tmp_path / "t", {"a.py": OLD, "l": Link("a.py")})
    diff = HEAD + "@@ -2,3 +2,3 @@\n line 2\n-line 3\n+LINE 3\n line 4\n"
    change = sources.patch_change(root, diff)
    assert change.differing() == ("a.py",)
    assert change.candidate.read("a.py") == OLD.replace("line 3\n", "LINE 3\n").encode()
    assert (root / "a.py").read_text() == OLD


@pytest.mark.parametrize("count", [10_000])
def test_a_diff_of_ten_thousand_files(count: int) -> None:
    tree = SourceTree({f"d{n % 100}/test_{n}.py": f"x = {n}\n" for n in range(count)})
    diff = "".join(
        f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-{tree.stored(path).decode()}+y\n"
        for path in tree.entries
    )
    assert len(sources.patch_change(tree, diff).differing()) == count


def test_a_search_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchhygiene.sources.hunks._MOST_WORK", 100_000)
    tree = SourceTree({"a.py": "x\n" * 5_000 + "".join(f"{n}\n" for n in range(50))})
    hunks = "".join(f"@@ -{n + 2},2 +{n + 2},1 @@\n-{n}\n {n + 1}\n" for n in range(0, 40, 2))
    assert "too many hunks that are not where they claim" in refusal(HEAD + hunks, tree)


def test_a_plain_diff_may_make_and_remove_files(tmp_path: Path) -> None:
    write(tmp_path / "a", {"gone.py": "x\n", "kept.py": "k\n", "d/e.py": "1\n2\n"})
    write(tmp_path / "b", {"kept.py": "k\nk\n", "d/e.py": "2\n", "new/n.py": "n\n"})
    diff = subprocess.run(
        ["diff", "-ruN", "a", "b"], cwd=tmp_path, capture_output=True, check=False
    ).stdout
    change = sources.patch_change(tmp_path / "a", diff)
    assert content(change.candidate) == content(sources.tree(tmp_path / "b"))


def test_a_plain_diff_of_files_without_directories() -> None:
    tree = SourceTree({"x.py": "1\n"})
    assert patched(
        "--- x.py.orig\n+++ x.py\n@@ -1 +1 @@\n-1\n+2\n", SourceTree({"x.py": "1\n"})
    ) == {"x.py": b"2\n"}
    assert patched("--- x.py\n+++ x.py~\n@@ -1 +1 @@\n-1\n+2\n", tree) == {"x.py": b"2\n"}


def test_other_depths_of_names() -> None:
    diff = "--- x/y/a.py\n+++ x/y/a.py\n@@ -1,2 +1,1 @@\n-line 1\n line 2\n"
    assert sources.patch_change(TREE, diff, strip=2).differing() == ("a.py",)
    flat = "diff --git a.py a.py\n--- a.py\n+++ a.py\n@@ -1,2 +1,1 @@\n-line 1\n line 2\n"
    assert sources.patch_change(TREE, flat, strip=0).differing() == ("a.py",)
    assert "does not name the file" in refusal(flat)
