"""The command ``diff``, whole, on real directories, revisions, diffs and packs."""

from __future__ import annotations

import hashlib
import json as standard
import os
import re
import sys
from pathlib import Path
from typing import cast

import jsonschema
import pytest

from benchhygiene import Change, Orchestrator, SourceTree, Verdict, cli
from benchhygiene.cli.diffing import REQUIRED, with_required
from benchhygiene.formats import json
from tests.cli.test_commands import COMMAND, one_error, run_process
from tests.surface import judging
from tests.trees.repositories import Git, write

TEST = "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
SKIPPED = TEST.replace("\n\ndef", "\nimport pytest\n\n\n@pytest.mark.skip\ndef")
PARENT = {"shop.py": "def total(x):\n    return sum(x)\n", "tests/test_shop.py": TEST}
GUILTY = {**PARENT, "tests/test_shop.py": SKIPPED, "new.py": "x = 1\n"}
INNOCENT = {**PARENT, "shop.py": "def total(x):\n    return sum(x) + 0\n"}
NODE = "tests/test_shop.py::test_total"


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def trees(tmp_path: Path) -> Path:
    """A directory with the trees parent, guilty and innocent in it."""
    for name, files in (("parent", PARENT), ("guilty", GUILTY), ("innocent", INNOCENT)):
        write(tmp_path / name, files)
    return tmp_path


@pytest.fixture
def repository(tmp_path: Path) -> Git:
    """A repository with the tags parent, guilty and innocent."""
    git = Git.init(tmp_path / "repository")
    for name, files in (("parent", PARENT), ("guilty", GUILTY), ("innocent", INNOCENT)):
        git.commit(files)
        git.run("tag", name)
    return git


def run(*words: str | Path) -> int:
    return cli.main([str(word) for word in words])


def pack(root: Path, **files: object) -> Path:
    """Write a pack with its manifest; double underscores in a name stand for a slash."""
    names = {
        "ledger": "flakes/ledger.json",
        "waivers": "waivers.json",
    }
    lines: list[str] = []
    for key, content in files.items():
        text = standard.dumps(content)
        write(root, {names[key]: text})
        lines.append(f"{hashlib.sha256(text.encode()).hexdigest()}  {names[key]}\n")
    write(root, {"MANIFEST.sha256": "".join(lines)})
    return root


def ledger(expires: str) -> dict[str, object]:
    entry = {
        "node_id": NODE,
        "first_seen": "2026-01-01",
        "expires": expires,
        "signature": "AssertionError",
        "owner": "ann",
        "allowed_action": "quarantine",
    }
    return {"version": 1, "entries": [entry]}


def test_a_skip_is_a_violation_that_shows_what_was_written(
    trees: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("diff", trees / "parent", trees / "guilty") == 1
    out, err = capsys.readouterr()
    assert err == ""
    head, _, rest = out.partition("\n\n")
    assert (
        head == "VIOLATION  1 error\nparent against candidate\n2 files differ (1 changed, 1 added)"
    )
    assert rest.startswith(f"error  skip.marker  tests/test_shop.py:6:2 ({NODE})\n")
    assert "\n    + pytest.mark.skip\n" in rest
    assert re.search(r"\n  fingerprint v1:[0-9a-f]{32}\n", rest)
    assert str(trees) not in out


def test_an_innocent_change_passes(trees: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("diff", trees / "parent", trees / "innocent") == 0
    assert capsys.readouterr().out == (
        f"PASS  nothing found by {', '.join(REQUIRED)}\n"
        "parent against candidate\n1 file differs (1 changed)\n"
    )


@pytest.mark.parametrize("style", ["text", "json", "sarif"])
def test_however_a_change_is_held_the_findings_are_the_same(
    trees: Path, repository: Git, style: str, capsys: pytest.CaptureFixture[str]
) -> None:
    diff = trees / "x.diff"
    diff.write_bytes(repository.diff("parent", "guilty"))
    ways = (
        (trees / "parent", trees / "guilty"),
        (trees / "parent", "--patch", diff),
        ("parent", "guilty", "--git", repository.path),
        ("parent", "--patch", diff, "--git", repository.path),
    )
    outs: list[str] = []
    for way in ways:
        assert run("diff", *way, "--format", style) == 1
        text = capsys.readouterr().out
        outs.append(re.sub(r'"sha256": "[0-9a-f]{64}"', "", text))  # names blobs in two ways
    assert len(set(outs)) == 1


def test_a_diff_may_come_through_a_pipe(trees: Path, repository: Git) -> None:
    diff = trees / "x.diff"
    diff.write_bytes(repository.diff("parent", "guilty"))
    done = run_process("diff", trees / "parent", "--patch", "-", shell=f'"$@" < "{diff}"')
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"skip.marker" in done.stdout
    closed = run_process("diff", trees / "parent", "--patch=-", shell='"$@" <&-')
    assert closed.returncode in (0, 2)


def test_json_holds_both_texts_and_the_fingerprint(
    trees: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(trees / "weak", {**PARENT, "tests/test_shop.py": TEST.replace(" == 3", "")})
    assert run("diff", trees / "parent", trees / "weak", "--format", "json") == 1
    document = standard.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(cast("dict[str, object]", json.schema())).validate(document)
    (finding,) = document["findings"]
    assert finding["rule"] == "assert.weakened"
    assert finding["old_text"] == "assert total([1, 2]) == 3"
    assert finding["new_text"] == "assert total([1, 2])"
    assert finding["fingerprint"].startswith("v1:")
    assert finding["locations"][0]["node_id"] == NODE
    assert run("diff", trees / "parent", trees / "weak", "--format", "sarif") == 1
    (result,) = standard.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert result["properties"]["old_text"] == finding["old_text"]
    assert result["properties"]["new_text"] == finding["new_text"]
    assert result["partialFingerprints"] == {"benchhygiene/v1": finding["fingerprint"]}
    assert "Parent: assert total([1, 2]) == 3\n" in result["message"]["text"]


def test_the_ledger_of_the_pack_excuses_until_its_last_day(
    trees: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    oracle = pack(trees / "pack", ledger=ledger("2026-06-30"))
    words = ("diff", trees / "parent", trees / "guilty", "--pack", oracle)
    assert run(*words, "--date", "2026-06-30") == 0
    assert re.search(r"judged with the pack [0-9a-f]{12} as of 2026-06-30\n", _out(capsys))
    assert run(*words, "--date", "2026-07-01") == 1
    assert run(*words, "--date", "tomorrow") == 2
    assert "expected a day as YYYY-MM-DD" in one_error(capsys.readouterr().err)


def _out(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_a_ledger_in_the_candidate_excuses_nothing(
    trees: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack(trees / "guilty", ledger=ledger("2099-01-01"))
    assert run("diff", trees / "parent", trees / "guilty") == 1
    assert run("diff", trees / "parent", trees / "guilty", "--pack", trees / "guilty") == 2
    capsys.readouterr()


def test_a_waiver_excuses_what_its_fingerprint_names(
    trees: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("diff", trees / "parent", trees / "guilty", "--format", "json") == 1
    (finding,) = standard.loads(_out(capsys))["findings"]
    waiver = {
        "path": "tests/test_shop.py",
        "kind": "skip.marker",
        "node_id": NODE,
        "fingerprint": finding["fingerprint"],
        "reason": "known",
        "approved_by": "ann",
        "expires": "2099-01-01",
    }
    oracle = pack(trees / "pack", waivers={"version": 1, "waivers": [waiver]})
    words = ("diff", trees / "parent", trees / "guilty", "--pack", oracle, "--date", "2026-01-01")
    assert run(*words) == 0
    assert "approved by ann until 2099-01-01: known" in _out(capsys)


def test_configuration_is_never_the_candidates(
    trees: Path, repository: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    text = '[severity]\n"skip.marker" = "note"\n'
    for place in (trees / "guilty", trees / "parent", repository.path):
        (place / "bench.toml").write_text(text)
    (trees / "linked.toml").symlink_to(trees / "guilty" / "bench.toml")
    words = ("diff", trees / "parent", trees / "guilty")
    assert run(*words) == 1
    capsys.readouterr()
    for config in (trees / "guilty" / "bench.toml", trees / "linked.toml"):
        assert run(*words, "--config", config) == 2
        assert "lies in the directory under judgement" in one_error(capsys.readouterr().err)
    assert run(*words, "--config", trees / "parent" / "bench.toml") == 0
    assert "configuration lowers skip.marker to note" in _out(capsys)
    revisions = ("diff", "parent", "guilty", "--git", repository.path)
    assert run(*revisions, "--config", repository.path / "bench.toml") == 2
    assert run(*revisions, "--config", trees / "parent" / "bench.toml") == 0


def test_a_disabled_analyzer_leaves_it_inconclusive(
    trees: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (trees / "bench.toml").write_text('disable = ["nodes"]\n')
    words = ("diff", trees / "parent", trees / "innocent", "--config", trees / "bench.toml")
    assert run(*words) == 3
    assert "nodes was skipped although it is required" in _out(capsys)


def test_what_was_passed_over_or_not_seen_is_noted(
    trees: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(trees / "innocent", {"env/pyvenv.cfg": "", "env/lib/x.py": "", ".git/config": ""})
    run("diff", trees / "parent", trees / "innocent")
    assert "\nNotes\n  evidence: candidate: env was passed over\n" in _out(capsys)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("diff",), "PARENT"),
        (("diff", "parent"), "CANDIDATE: expected a second tree, or --patch FILE"),
        (("diff", "parent", "guilty", "--patch", "x"), "expected one of them"),
        (("diff", "parent", "guilty", "innocent"), "unexpected argument: innocent"),
        (("diff", "parent", "nope"), "tree 'nope': No such file or directory"),
        (("diff", "parent", "parent/../parent"), "is the same directory as parent"),
        (("diff", "parent", "--patch", "nope"), "--patch nope: cannot be read: FileNotFound"),
        (("diff", "parent", "--patch", "."), "--patch .: cannot be read"),
        (("diff", "parent", "--patch", "junk"), "diff: holds no change"),
        (("diff", "parent", "--patch", "escape"), "leads out of the tree"),
        (("diff", "parent", "--patch", "stale"), "shop.py: hunk 1 (@@ -1,2 +1,2 @@"),
        (("diff", "parent", "guilty", "--git", "parent"), "not a git repository"),
        (("diff", "nope", "guilty", "--git", "repository"), "revision 'nope': not in the repos"),
        (("diff", "parent", "guilty", "--pack", "nope"), "pack nope: no such directory or archive"),
        (("diff", "parent", "guilty", "--format", "xml"), "xml"),
        (("diff", "parent", "guilty", "--", "x"), "diff takes nothing after --: x"),
        (("inventory",), "TREE"),
        (("inventory", "nope"), "tree 'nope': No such file or directory"),
        (("inventory", "nope", "--git", "repository"), "revision 'nope'"),
        (("inventory", "parent", "--format", "sarif"), "sarif"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bad_usage_and_bad_input_are_one_line_and_status_2(
    words: tuple[str, ...],
    says: str,
    trees: Path,
    repository: Git,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(trees)
    Path("junk").write_text("nothing\n")
    Path("escape").write_text("--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n")
    Path("stale").write_text("--- a/shop.py\n+++ b/shop.py\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n")
    assert run(*words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in one_error(err)


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_hostile_trees_survive_any_encoding(tmp_path: Path, encoding: str) -> None:
    name = os.fsdecode(b"tests/test_\xff\x1b[31m\n\xe2\x80\xae.py")
    body = "def test_a():\n    assert f('\x1b[2J\u202e') == 1\n"
    write(tmp_path / "a", {name: body, "tests/test_b.py": body})
    write(tmp_path / "b", {"tests/test_b.py": b"def test_a(:\0\xff"})
    for style in ("text", "json", "sarif"):
        done = run_process(
            "diff", tmp_path / "a", tmp_path / "b", "--format", style,
            env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        )  # fmt: skip
        assert done.returncode == 1, done.stderr
        assert done.stderr == b""
        assert done.stdout.decode(encoding).replace("\n", "").isprintable()


def test_the_inventory_lists_tests_checks_and_exemptions(
    trees: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("inventory", trees / "guilty") == 0
    assert _out(capsys) == (
        "1 test, 1 check, 1 test exempted, 0 doctests\n"
        "\n"
        "tests/test_shop.py\n"
        "  test_total  1 check\n"
        "    ! skip.marker at tests/test_shop.py:6: pytest.mark.skip\n"
    )


def test_the_inventory_of_a_revision_is_that_of_its_directory(
    trees: Path, repository: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("inventory", trees / "guilty", "--format", "json") == 0
    directory = _out(capsys)
    assert run("inventory", "guilty", "--git", repository.path, "--format", "json") == 0
    assert _out(capsys) == directory
    document = standard.loads(directory)
    assert document["schema"] == "benchhygiene.inventory/1"
    (node,) = document["nodes"]
    assert node["node_id"] == NODE
    assert node["checks"][0]["text"] == "assert total([1, 2]) == 3"
    assert node["exemptions"][0]["note"] == "skip.marker"


def test_the_inventory_says_what_it_does_not_know(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        tmp_path,
        {
            "test_broken.py": "def test_a(:\n",
            "test_empty.py": "def test_nothing():\n    pass\n\n\ndef helper():\n    assert 0\n",
            "test_vain.py": "def test_vain():\n    assert True\n",
        },
    )
    assert run("inventory", tmp_path) == 0
    out = _out(capsys)
    assert "  test_nothing  0 checks\n" in out
    assert "`assert True` cannot fail" in out
    assert "\nNot seen\n  test_broken.py" in out


def test_help_shows_the_two_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("diff", "--help") == 0
    out = _out(capsys)
    assert "Usage: benchhygiene diff PARENT [CANDIDATE] [OPTIONS]\n" in out
    assert "  benchhygiene diff main HEAD --git . --pack /srv/packs/arena\n" in out
    assert run("inventory", "--help") == 0
    assert COMMAND[0] == sys.executable


def _asks_for_change(consumes: type) -> bool:
    """Return whether the evidence is a change, or a bundle that cannot do without one."""
    fields = getattr(consumes, "__annotations__", {})
    return consumes is Change or str(fields.get("change")) in ("Change", repr(Change))


def test_every_bundled_analyzer_of_a_change_is_required() -> None:
    bundled = (plugin.load() for plugin in judging.registry())
    assert tuple(one.name for one in bundled if _asks_for_change(one.consumes)) == REQUIRED


@pytest.mark.parametrize("name", REQUIRED)
def test_a_required_analyzer_that_is_not_installed_is_inconclusive(name: str) -> None:
    rest = judging.registry().only(*({*judging.registry().names} - {name}))
    tree = SourceTree({"shop.py": b"x = 1\n"})
    report = Orchestrator(rest).run(Change(tree, SourceTree({"shop.py": b"x = 2\n"})))
    judged = with_required(report)
    assert (report.verdict, judged.verdict) == (Verdict.PASS, Verdict.INCONCLUSIVE)
    assert [one.analyzer for one in judged.outcomes] == sorted(judging.registry().names)
