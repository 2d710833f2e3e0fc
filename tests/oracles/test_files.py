"""What became of the files that tests are held against."""

from __future__ import annotations

import pytest

from benchhygiene.evidence import EntryKind, SourceTree, TreeEntry, entry
from benchhygiene_plugins.oracles import inventory
from tests.oracles.judging import found, told

TEST = """\
import csv
import glob
import importlib.resources
import os
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
DATA = os.path.join(os.path.dirname(__file__), "..", "assets")
CASES = sorted((ROOT / "cases").glob("*.txt"))

def load(name):
    return (ROOT / "samples" / name).read_text()

def test_a(tmp_path):
    open("res/x.csv")
    (tmp_path / "config.json").write_text("{}")
    load("one.bin")
    os.path.join(DATA, "a.svg")
    glob.glob("recorded/*.har")
    importlib.resources.files("shop.data") / "table.dat"
    Path("plain.txt").read_text()
    open("written.txt", "w")
"""
NAMED = [
    "res/x.csv",
    "samples/one.bin",
    "assets/a.svg",
    "recorded/b.har",
    "src/shop/data/table.dat",
    "cases/c.txt",
    "plain.txt",
]
UNNAMED = ["config.json", "res/y.csv", "samples/two.bin", "assets/b.svg", "written.txt", "x.csv"]


@pytest.mark.parametrize("path", NAMED)
def test_what_a_test_names(path: str) -> None:
    tree = {"tests/test_a.py": TEST}
    assert told({**tree, path: b"1\n2\n"}, {**tree, path: b"1\n3\n"}) == [
        ("fixture.bytes_changed", path, "error")
    ]
    (one,) = found({**tree, path: b"1"}, tree)
    assert (one.rule.id, one.locations[1].path) == ("fixture.deleted", "tests/test_a.py")


@pytest.mark.parametrize("path", [*UNNAMED, "README.md", "pyproject.toml", "docs/a.txt"])
def test_what_no_test_names(path: str) -> None:
    tree = {"tests/test_a.py": TEST}
    assert told({**tree, path: b"1\n2\n"}, {**tree, path: b"1\n"}) == []


@pytest.mark.parametrize(
    "path",
    [
        "tests/data/a.json",
        "tests/a.sql",
        "tests/__snapshots__/test_a.ambr",
        "src/pkg/__snapshots__/a.snap",
        "pkg/tests/data/a.bin",
        "test/expected/out.txt",
        "tests/test_a.test_b.approved.txt",
        "tests/cassettes/test_a.yaml",
        ".inline-snapshot/external/abc.txt",
        "testdata/a.txt",
        "tests/golden/README.txt.golden",
        "tests/golden/page.md",
        "tests/data/broken.py",
        "tests/fixtures/sample.pyi",
        "e2e_tests/a.feature",
        "checks/data/a.txt",
    ],
)
def test_what_stands_among_the_tests(path: str) -> None:
    tree = {"checks/test_b.py": "", "tests/test_a.py": ""}
    assert ("fixture.bytes_changed", path, "error") in told(
        {**tree, path: "a = 1\n"}, {**tree, path: "a = 2\n"}
    )


@pytest.mark.parametrize(
    "path",
    [
        "tests/README.md",
        "tests/data/README",
        "tests/requirements-test.txt",
        "tests/.gitignore",
        "tests/data/.gitkeep",
        "tests/py.typed",
        "tests/pytest.ini",
        "tests/__pycache__/a.pyc",
        "tests/LICENSE",
        "tests/notes.md",
        "src/pkg/data.json",
        "latest/a.txt",
    ],
)
def test_what_is_no_fixture(path: str) -> None:
    tree = {"tests/test_a.py": ""}
    assert told({**tree, path: "1\n"}, {**tree, path: "2\n"}) == []
    assert told({**tree, path: "1\n"}, tree) == []


def test_documentation_that_a_test_names() -> None:
    tree = {
        "tests/test_a.py": "from pathlib import Path\nX = Path(__file__).parent / 'README.md'\n"
    }
    path = "tests/README.md"
    assert told({**tree, path: "1\n"}, {**tree, path: "2\n"}) == [
        ("fixture.bytes_changed", path, "error")
    ]


EMPTY = [
    ("a.json", b"[1]", b"[ ]"),
    ("a.json", b"[1]", b"{}"),
    ("a.json", b"[1]", b"null\n"),
    ("a.json", b"[1]", b'""'),
    ("a.json", b'[{"a": 1}]', b"[{}]"),
    ("a.csv", b"a,b\n1,2\n", b"a,b\n"),
    ("a.tsv", b"a\tb\n1\t2\n", b"a\tb\n\n\n"),
    ("a.txt", b"x", b" \r\n\t\n"),
    ("a.txt", b"x", b"\xef\xbb\xbf"),
    ("a.bin", b"\x01", b"\0\0\0\0"),
    ("a.yaml", b"a: 1\n", b"---\n# nothing\n"),
    ("a.yml", b"a: 1\n", b"---\n[]\n"),
    ("a.sql", b"insert into t values (1);\n", b"-- insert into t values (1);\n"),
    ("a.xml", b"<a><b/></a>", b"<?xml version='1.0'?>\n<a></a>\n"),
    ("a.jsonl", b'{"a": 1}\n', b"\n\n"),
    ("a.ambr", b"# serializer version: 1\n# name: test_a\n  'a'\n", b""),
]


@pytest.mark.parametrize(("name", "old", "new"), EMPTY)
def test_emptied(name: str, old: bytes, new: bytes) -> None:
    path = f"tests/data/{name}"
    assert told({path: old}, {path: new}) == [("fixture.emptied", path, "error")]
    # It was empty before, and is refilled or reformatted: no loss that is a rule of its own.
    assert "fixture.emptied" not in {rule for rule, _, _ in told({path: new}, {path: old})}


def test_a_part_is_emptied() -> None:
    path = "tests/data/a.json"
    old, new = b'{"v": 1, "page": {"rows": [1]}}', b'{"v": 1, "page": {"rows": []}}'
    assert told({path: old}, {path: new}) == [
        ("fixture.bytes_changed", path, "error"),
        ("fixture.emptied", path, "error"),
    ]


def test_links_and_folders() -> None:
    path, other = "tests/data/a.json", "tests/data/b.json"
    link = TreeEntry(EntryKind.SYMLINK, data=b"b.json")
    null = TreeEntry(EntryKind.SYMLINK, data=b"/dev/null")
    old = {path: "[1]", other: "[2]"}
    assert told(old, {path: link, other: "[2]"}) == [("fixture.bytes_changed", path, "error")]
    assert told(old, {path: null, other: "[2]"}) == [("fixture.emptied", path, "error")]
    assert told({path: "[1]"}, {path: link, other: "[]"}) == [("fixture.emptied", path, "error")]
    assert told({path: "[1]"}, {f"{path}/x": "[1]"}) == [("fixture.emptied", path, "error")]
    assert told({path: "[1]"}, {path: link}) == [("fixture.deleted", path, "error")]
    assert told({path: link, other: "[2]"}, {path: null, other: "[2]"}) == [
        ("fixture.bytes_changed", path, "error")
    ]
    assert told({path: "#!"}, {path: entry("#!", is_executable=True)}) == [
        ("fixture.bytes_changed", path, "error")
    ]
    outside = {
        "res/a.json": "[1]",
        "tests/a.json": TreeEntry(EntryKind.SYMLINK, data=b"../res/a.json"),
    }
    assert told(outside, {**outside, "res/a.json": "[3]"}) == [
        ("fixture.bytes_changed", "res/a.json", "error")
    ]


MILD = [
    ("tests/data/a.json", '[{"a": 1}]', '[{"b": 0}, {"a": 1}]'),
    ("tests/data/a.json", '{"x": {"a": 1}}', '{"x": {"a": 1}, "y": {"a": 2}}'),
    ("tests/data/a.csv", "a,b\n1,2\n", "a,b\n3,4\n1,2\n"),
    ("tests/data/a.jsonl", '{"a": 1}\n', '{"a": 1}\n{"a": 2}\n'),
]
GRAVE = [
    ("tests/golden/a.json", '[{"a": 1}]', '[{"a": 1}, {"a": 2}]'),
    ("tests/data/expected.json", '[{"a": 1}]', '[{"a": 1}, {"a": 2}]'),
    ("tests/data/a.json", "[1]", "[1, 2]"),
    ("tests/data/a.json", '{"a": 1}', '{"a": 1, "b": 2}'),
    ("tests/data/a.json", '[{"a": 1}, {"a": 2}]', '[{"a": 2}, {"a": 1}, {"a": 3}]'),
    ("tests/data/a.json", '[{"a": 1}]', '[ {"a": 1} ]'),
    ("tests/data/a.json", '[{"a": 1}]', '[{"a": 1.0}]'),
    ("tests/data/a.csv", "a,b\r\n1,2\r\n", "a,b\n1,2\n"),
    ("tests/data/a.txt", "a\n", "a\nb\n"),
]


@pytest.mark.parametrize(("path", "old", "new"), MILD)
def test_records_added(path: str, old: str, new: str) -> None:
    assert told({path: old}, {path: new}) == [("fixture.bytes_changed", path, "warning")]


@pytest.mark.parametrize(("path", "old", "new"), GRAVE)
def test_more_is_another_expectation(path: str, old: str, new: str) -> None:
    assert told({path: old}, {path: new}) == [("fixture.bytes_changed", path, "error")]


def test_code_that_changed_with_it_is_named() -> None:
    old = {"tests/golden/a.txt": "1", "src/a.py": "X = 1\n"}
    (one,) = found(old, {"tests/golden/a.txt": "2", "src/a.py": "X = 2\n"})
    assert "the code under test changed with it (src/a.py)" in one.message
    assert (one.old_text, one.new_text) == ("1", "2")


SNAPSHOT = "# name: test_a\n  'a'\n"
FOLLOWED = [
    (
        {"tests/test_a.py": "def test_a(): ...\n", "tests/__snapshots__/test_a.ambr": SNAPSHOT},
        {"tests/test_b.py": "def test_a(): ...\n", "tests/__snapshots__/test_b.ambr": SNAPSHOT},
    ),
    (
        {"tests/test_a.py": TEST, "tests/data/a.json": "[1]"},
        {"tests/unit/test_a.py": TEST, "tests/unit/data/a.json": "[1]"},
    ),
    (
        {"tests/test_a.py": "D = 'data/a.json'\n", "tests/data/a.json": "[1]"},
        {"tests/test_a.py": "D = 'rows/a.json'\n", "tests/rows/a.json": "[1]"},
    ),
]


@pytest.mark.parametrize(("old", "new"), FOLLOWED)
def test_what_names_it_follows(old: dict[str, str], new: dict[str, str]) -> None:
    severities = [one for one in told(old, new) if one[0].startswith("fixture")]
    assert [(rule, severity) for rule, _, severity in severities] == [("fixture.deleted", "note")]


def test_the_inventory() -> None:
    tree = SourceTree(
        {
            "tests/test_a.py": TEST,
            "tests/data/a.json": "[1, 2]",
            "res/x.csv": "a\n1\n",
            "contracts/a.json": '{"type": "object", "properties": {}}',
            "src/a.py": "",
        }
    )
    assert [(one.path, one.rows, one.named_by, one.contract) for one in inventory(tree)] == [
        ("contracts/a.json", 2, (), "JSON Schema"),
        ("res/x.csv", 1, ("tests/test_a.py",), None),
        ("tests/data/a.json", 2, (), None),
    ]
