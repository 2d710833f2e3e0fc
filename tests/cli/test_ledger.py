"""The commands of ``benchhygiene ledger``, whole, on real packs and real records."""

from __future__ import annotations

import hashlib
import json as standard
from pathlib import Path

import attrs
import jsonschema
import pytest

from benchhygiene import LedgerEntry, cli, sources
from benchhygiene.formats.ledger_text import entry_members
from benchhygiene.sources.pack_files import ledger
from tests.evidence.agreements import QUARANTINE
from tests.records import made

NODE = QUARANTINE.node_id
TODAY = ("--date", "2026-09-20")
SUITE = "import os\ndef test_a():\n    cents = int(os.environ['N'])\n    assert cents == 0\n"
STEADY = "def test_good(): pass\ndef test_bad(): raise KeyError('cents')\n"


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


def run(*words: str | Path) -> int:
    return cli.main(["ledger", *(str(word) for word in words)])


def pack(root: Path, *entries: LedgerEntry, policy: dict[str, object] | None = None) -> Path:
    """Write a pack with a ledger and its manifest."""
    told: dict[str, object] = {"version": 1, "entries": [entry_members(each) for each in entries]}
    text = standard.dumps(told if policy is None else {**told, "policy": policy}, indent=2) + "\n"
    path = root / "flakes" / "ledger.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()
    (root / "MANIFEST.sha256").write_text(f"{digest}  flakes/ledger.json\n", encoding="utf-8")
    return root


def file_of(directory: Path) -> Path:
    return directory / "flakes" / "ledger.json"


def entries_of(directory: Path) -> tuple[LedgerEntry, ...]:
    return ledger(file_of(directory).read_bytes()).entries


def record(directory: Path, number: int, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the record of a real run in which the node's number is this one."""
    made.write(directory, {"tests/test_a.py": SUITE, "tests/test_b.py": STEADY})
    monkeypatch.setenv("N", str(number))
    path = directory / f"run{number}.jsonl"
    made.run(directory, "pytest", f"--report-log={path}")
    return path


def error(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    assert out == ""
    return err.removeprefix("benchhygiene: error: ").rstrip("\n")


@pytest.mark.parametrize(
    ("day", "status", "rules"),
    [
        ("2026-09-20", 0, {"ledger.expiring"}),
        ("2026-10-02", 0, {"ledger.expiring"}),
        ("2026-10-03", 0, {"ledger.expired"}),
    ],
)
def test_check_judges_a_pack_for_a_day(
    day: str, status: int, rules: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (pack(tmp_path, QUARANTINE), "--date", day, "--format", "json")
    assert run("check", *words) == status
    report = standard.loads(capsys.readouterr().out)
    found = {each["rule"] for each in report["findings"]}
    assert found == rules


def test_check_holds_a_real_run_against_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failed = record(tmp_path / "suite", 3, monkeypatch)
    known = attrs.evolve(QUARANTINE, signature="assert 17 == 0", last_seen=QUARANTINE.first_seen)
    held = pack(tmp_path / "held", known)
    assert run("check", held, "--run", failed, *TODAY) == 0
    other = pack(tmp_path / "other", QUARANTINE)
    assert run("check", other, "--run", failed, *TODAY) == 1
    assert "ledger.unknown_shape" in capsys.readouterr().out
    assert run("check", held, "--run", failed, "--date", "2026-10-03") == 1
    assert "ledger.still_flaky" in capsys.readouterr().out


def test_check_takes_a_tree_a_parent_and_a_lone_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    held = pack(tmp_path / "held", QUARANTINE)
    parent = pack(tmp_path / "parent")
    tree = made.write(tmp_path / "tree", {"tests/test_b.py": "def test_b(): pass\n"})
    assert run("check", file_of(held), "--tree", tree, "--parent", parent, *TODAY) == 0
    out = capsys.readouterr().out
    assert "ledger.dangling" in out
    assert "ledger.grown" in out
    assert "1 entry, judged as of 2026-09-20" in out


def test_check_writes_sarif_to_a_file_and_heeds_severities(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    held = pack(tmp_path / "held", QUARANTINE, policy={"max_entries": 0})
    assert run("check", held, *TODAY) == 1
    config = tmp_path / "config.toml"
    config.write_text('[severity]\n"ledger.over_limit" = "note"\n', encoding="utf-8")
    target = tmp_path / "out.sarif"
    words = ("--config", config, "--format", "sarif", "--output", target, *TODAY)
    assert run("check", held, *words) == 0
    assert standard.loads(target.read_text(encoding="utf-8"))["version"] == "2.1.0"


def test_check_is_inconclusive_where_the_record_is(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_text('{"pytest_version": "9", "$report_type": "SessionStart"}\n', encoding="utf-8")
    assert run("check", pack(tmp_path / "held", QUARANTINE), "--run", path, *TODAY) == 3


def test_check_refuses_what_is_no_ledger(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    held = pack(tmp_path / "held", QUARANTINE)
    file_of(held).write_text("{}", encoding="utf-8")
    assert run("check", held) == 2
    assert "its SHA-256 is" in error(capsys)
    assert run("check", file_of(held)) == 2
    assert "this key is missing" in error(capsys)
    assert run("check", tmp_path / "absent") == 2
    assert "cannot be read" in error(capsys)
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "waivers.json").write_text('{"version": 1, "waivers": []}')
    digest = hashlib.sha256((tmp_path / "bare" / "waivers.json").read_bytes()).hexdigest()
    (tmp_path / "bare" / "MANIFEST.sha256").write_text(f"{digest}  waivers.json\n")
    assert run("check", tmp_path / "bare") == 2
    assert "has no flakes/ledger.json" in error(capsys)


ADD = ("--signature", "AssertionError: no", "--owner", "ann", "--expires", "2026-10-01", *TODAY)


def test_add_adds_one_entry_and_says_what_is_left_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    held = pack(tmp_path, QUARANTINE)
    before = file_of(held).read_text(encoding="utf-8")
    assert run("add", held, "t.py::test_b[é x]", *ADD, "--issue", "#1", "--reason", "slow") == 0
    assert "write the manifest anew" in capsys.readouterr().out
    assert file_of(held).read_text(encoding="utf-8").startswith(before[: before.rindex("}\n  ]")])
    first, added = entries_of(held)
    assert first == QUARANTINE
    assert (added.node_id, added.owner, added.issue) == ("t.py::test_b[é x]", "ann", "#1")
    assert (str(added.first_seen), str(added.expires)) == ("2026-09-20", "2026-10-01")
    jsonschema.validate(
        standard.loads(file_of(held).read_text(encoding="utf-8")),
        sources.pack_schemas()["flakes/ledger.json"],
    )
    assert run("check", held) == 2  # the manifest is written by people


def test_add_takes_the_shape_from_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failed = record(tmp_path / "suite", 3, monkeypatch)
    held = pack(tmp_path / "held")
    words = ("--owner", "ann", "--expires", "2026-10-01", "--run", failed, *TODAY)
    assert run("add", held, NODE, *words) == 0
    (added,) = entries_of(held)
    assert added.signature == "AssertionError: assert <n> == <n>"
    capsys.readouterr()
    assert run("add", held, "tests/test_b.py::test_good", *words) == 2
    assert "has no failure of tests/test_b.py::test_good" in error(capsys)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((NODE, *ADD), f"{NODE}: has an entry until 2026-10-02, and nothing is extended"),
        ((NODE, *ADD[:5], "2026-12-01", *TODAY, "--beside"), "may not hold longer than that"),
        ((NODE, "--signature", QUARANTINE.signature, *ADD[2:], "--beside"), "the same failure"),
        (("t::b", *ADD[2:]), "--signature is missing"),
        (("t::b", *ADD[:2], *ADD[4:]), "--owner is missing"),
        (("t::b", *ADD[:4], *TODAY), "--expires is missing"),
        (("t::b", *ADD[:4], "--expires", "soon", *TODAY), "--expires soon: expected a day"),
        (("t::b", *ADD[:4], "--expires", "2026-09-19", *TODAY), "is over before it begins"),
        (("t::b", *ADD, "--action", "rename"), "needs a renamed_to"),
        (("t::b", *ADD, "--renamed", "t::c"), "renamed_to does not go with"),
        (("t::b", *ADD, "--seen", "2026-13-01"), "--seen 2026-13-01: expected a day"),
        ((" ", *ADD), "expected text"),
    ],
)
def test_add_refuses(
    words: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    held = pack(tmp_path, QUARANTINE)
    before = file_of(held).read_bytes()
    assert run("add", held, *words) == 2
    assert message in error(capsys)
    assert file_of(held).read_bytes() == before


def test_an_expired_entry_is_not_extended_either(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    held = pack(tmp_path, QUARANTINE)
    words = (*ADD[:4], "--expires", "2026-11-01", "--date", "2026-10-20")
    assert run("add", held, NODE, *words) == 2
    assert "nothing is extended" in error(capsys)


def test_another_shape_stands_beside_the_first(tmp_path: Path) -> None:
    held = pack(tmp_path, QUARANTINE)
    assert run("add", held, NODE, *ADD, "--beside") == 0
    assert [each.node_id for each in entries_of(held)] == [NODE, NODE]


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"max_days": 5}, "--expires: 11 days, and the policy allows 5"),
        ({"require_issue": True}, "--issue is missing; the policy requires one"),
        ({"max_entries": 1}, "has 1 entries that hold, and the policy allows 1"),
    ],
)
def test_add_keeps_to_the_policy(
    policy: dict[str, object], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("add", pack(tmp_path, QUARANTINE, policy=policy), "t::b", *ADD) == 2
    assert message in error(capsys)


def test_add_and_prune_can_be_tried(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    held = pack(tmp_path, QUARANTINE)
    before = file_of(held).read_bytes()
    assert run("add", held, "t::b", *ADD, "--dry") == 0
    assert run("prune", held, "--date", "2026-10-03", "--dry") == 0
    assert capsys.readouterr().out == (
        "would add quarantine t::b until 2026-10-01\n"
        f"would take out quarantine {NODE} until 2026-10-02\n"
    )
    assert file_of(held).read_bytes() == before


def test_prune_takes_out_what_has_expired(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    later = attrs.evolve(QUARANTINE, node_id="t::b", expires=QUARANTINE.expires.replace(day=3))
    held = pack(tmp_path, QUARANTINE, later)
    assert run("prune", held, "--date", "2026-10-02") == 0
    assert capsys.readouterr().out == "no entry has expired by 2026-10-02\n"
    assert run("prune", held, "--date", "2026-10-03") == 0
    assert entries_of(held) == (later,)
    assert run("prune", held, "--node", "t::c") == 2
    assert run("prune", held, "--node", "t::b", "--date", "2026-10-03") == 0
    assert file_of(held).read_text(encoding="utf-8") == '{\n  "version": 1,\n  "entries": []\n}\n'


def test_an_edit_does_not_follow_a_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    held = pack(tmp_path / "held", QUARANTINE)
    link = tmp_path / "link.json"
    link.symlink_to(file_of(held))
    assert run("add", link, "t::b", *ADD) == 2
    assert "is a link" in error(capsys)


def test_an_edit_that_cannot_be_written_leaves_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    held = pack(tmp_path, QUARANTINE)
    before = file_of(held).read_bytes()

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.replace", refuse)
    assert run("add", held, "t::b", *ADD) == 2
    assert error(capsys) == f"{file_of(held)}: cannot be written: Permission denied"
    assert file_of(held).read_bytes() == before
    assert sorted(path.name for path in file_of(held).parent.iterdir()) == ["ledger.json"]


def test_propose_names_what_flips_and_what_only_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [record(tmp_path / "suite", number, monkeypatch) for number in (3, 0, 8)]
    assert run("propose", *runs, "--owner", "ann", "--format", "json", *TODAY) == 0
    told = standard.loads(capsys.readouterr().out)
    assert told["schema"] == "benchhygiene.proposal/1"
    (flaky,) = told["flaky"]
    assert (flaky["node_id"], flaky["failures"], flaky["attempts"]) == (NODE, 2, 3)
    assert flaky["flip_rate"] == 1.0
    assert flaky["shapes"] == [{"shape": "AssertionError: assert <n> == <n>", "times": 2}]
    (entry,) = flaky["entries"]
    assert (entry["owner"], entry["expires"]) == ("ann", "2026-10-04")
    document = {"version": 1, "entries": flaky["entries"]}
    assert ledger(standard.dumps(document).encode()).entries[0].node_id == NODE
    assert [each["node_id"] for each in told["always_fail"]] == ["tests/test_b.py::test_bad"]
    assert told["doubts"] == []


def test_propose_tells_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [record(tmp_path / "suite", number, monkeypatch) for number in (3, 0)]
    assert run("propose", *runs, *TODAY) == 0
    out = capsys.readouterr().out
    assert f"{NODE} failed 1 of 2 times; it flipped 1 times (flip rate 1.00)\n" in out
    assert '"signature": "AssertionError: assert <n> == <n>"' in out
    assert (
        "these fail every time, which is no flake; mend them:\n  tests/test_b.py::test_bad" in out
    )
    again = runs[0].with_name("again.jsonl")
    again.write_bytes(runs[0].read_bytes())
    assert run("propose", runs[0], again, *TODAY) == 0
    assert "no node flips in 2 runs\n" in capsys.readouterr().out


def test_propose_needs_two_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "a.jsonl")
    assert run("propose", path) == 2
    assert "expected two records or more" in error(capsys)
    assert run("propose", path, path) == 2
    assert "is given twice" in error(capsys)
