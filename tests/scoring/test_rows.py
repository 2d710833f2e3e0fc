"""Every row of the decision table, with a real pack, a real repository's files and real pytest."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

import pytest

from benchhygiene import cli
from benchhygiene.core.score import Row
from tests.scoring import till
from tests.scoring.till import ENTRY, Till

EXPIRED = {**ENTRY, "expires": "2026-11-30"}
UNSTEADY = {"till/unsteady.py": "", "till/tax.py": till.SOURCE + "\n\nNOTE = 1\n"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Till:
    """A project whose flaky test is in quarantine."""
    return till.built(tmp_path_factory.mktemp("till"), [ENTRY])


@pytest.fixture(scope="module")
def lapsed(tmp_path_factory: pytest.TempPathFactory) -> Till:
    """The same, and the quarantine has expired."""
    return till.built(tmp_path_factory.mktemp("lapsed"), [EXPIRED])


def scored(
    project: Till,
    name: str,
    edits: dict[str, str | None],
    capsys: pytest.CaptureFixture[str],
    *more: str,
) -> tuple[int, dict[str, object]]:
    """Return the exit status and the score's document."""
    capsys.readouterr()
    status = project.score(project.candidate(name, edits), "--format", "json", *more)
    return status, json.loads(capsys.readouterr().out)


def found(document: dict[str, object]) -> set[str]:
    report = document["report"]
    assert isinstance(report, dict)
    return {finding["rule"] for finding in report["findings"]}


def test_a_clean_candidate_passes_and_its_flake_is_not_scored(
    project: Till, capsys: pytest.CaptureFixture[str]
) -> None:
    edit = till.SOURCE.replace("sum(prices)", "sum(price for price in prices)")
    status, said = scored(project, "clean", {"till/tax.py": edit}, capsys)
    assert (status, said["row"], said["passed"], said["scored"]) == (0, "clean", 6, 6)
    assert [each["node_id"] for each in said["omitted"]] == [ENTRY["node_id"]]


def test_a_quarantined_node_that_fails_in_its_known_shape_is_omitted(
    project: Till, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = scored(project, "unsteady", UNSTEADY, capsys)
    assert (status, said["row"]) == (0, "clean")
    (shape,) = said["omitted"][0]["shapes"]
    assert shape.startswith("AssertionError: slow clock")


def test_an_expired_quarantine_of_a_node_that_still_fails_fails(
    lapsed: Till, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = scored(lapsed, "unsteady", UNSTEADY, capsys)
    assert (status, said["row"]) == (1, "expired")
    assert "ledger.still_flaky" in found(said)


def test_a_node_back_in_the_score_that_passes_is_scored(
    lapsed: Till, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = scored(lapsed, "steady", {}, capsys)
    assert (status, said["row"], said["scored"], said["omitted"]) == (0, "clean", 7, [])


def test_a_regression_fails(project: Till, capsys: pytest.CaptureFixture[str]) -> None:
    edit = till.SOURCE.replace("100 + RATES", "101 + RATES")
    status, said = scored(project, "regression", {"till/tax.py": edit}, capsys)
    assert (status, said["row"]) == (1, "regression")
    assert {"run.regression", "ledger.unknown_shape"} <= found(said)


@pytest.mark.parametrize(
    ("name", "edits", "row", "rule"),
    [
        (
            "dropped",
            {
                "tests/test_tax.py": till.TESTS.replace(
                    '    assert total([], "de") == 0', "    pass"
                )
            },
            "surface",
            "assert.removed",
        ),
        (
            "skipped",
            {
                "tests/test_tax.py": till.TESTS.replace(
                    "def test_tax", "@pytest.mark.skip\ndef test_tax"
                )
            },
            "surface",
            "skip.marker",
        ),
        ("deleted", {"tests/test_tax.py": None}, "surface", "node.deleted"),
        ("fixture", {"tests/data/seen.json": "[]\n"}, "surface", "fixture.emptied"),
        (
            "configuration",
            {"pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-q -p no:cacheprovider'\n"},
            "surface",
            "config.changed",
        ),
        (
            "budget",
            {
                "tests/test_properties.py": till.PROPERTIES.replace(
                    "max_examples=40", "max_examples=2"
                )
            },
            "budget",
            "property.max_examples_lowered",
        ),
        (
            "own ledger",
            {"flakes/ledger.json": json.dumps({"version": 1, "entries": [ENTRY]})},
            "surface",
            "pack.tampered",
        ),
    ],
)
def test_a_quieter_surface_fails(
    name: str,
    edits: dict[str, str | None],
    row: str,
    rule: str | None,
    project: Till,
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, said = scored(project, name, edits, capsys)
    rules = found(said)
    assert (status, said["row"]) == (1, row), rules
    assert rule is None or rule in rules
    assert said["action"] == Row(row).action


def test_a_candidate_that_reaches_for_its_judge_fails(
    project: Till, capsys: pytest.CaptureFixture[str]
) -> None:
    edit = f"{till.SOURCE}\nimport os\nos._exit(0)\n"
    status, said = scored(project, "exit", {"till/tax.py": edit}, capsys)
    assert (status, said["row"]) == (1, "run")


def test_a_wrong_digest_fails_before_anything_is_run(
    project: Till, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = project.root / "ran"
    edit = f"open({str(ran)!r}, 'w').close()\n{till.SOURCE}"
    candidate = project.candidate("wrong", {"till/tax.py": edit})
    renamed = project.root / "renamed.tar"
    renamed.write_bytes(project.archive.read_bytes())
    uri = f"{renamed}#sha256={'0' * 64}"
    capsys.readouterr()
    words = ("--pack", uri, "--candidate", str(candidate), "--format", "json")
    assert cli.main(("score", *words)) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["row"], said["scored"], said["report"]["findings"]) == ("pack", 0, [])
    assert any("SHA-256" in reason for reason in said["reasons"])
    assert not ran.exists()


def test_a_flipped_bit_fails(project: Till, capsys: pytest.CaptureFixture[str]) -> None:
    data = bytearray(project.archive.read_bytes())
    data[len(data) // 2] ^= 1
    flipped = project.root / "flipped.tar"
    flipped.write_bytes(data)
    uri = f"{flipped}#sha256={project.sha256}"
    assert cli.main(("score", "--pack", uri, "--candidate", str(project.parent))) == 1
    assert capsys.readouterr().out.startswith("FAIL  the pack is not the one that was pinned")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--candidate", "x"), "--pack is missing"),
        (("--pack", "x"), "--candidate is missing"),
        (("--pack", "x.tar", "--candidate", "x"), "expected #sha256=DIGEST"),
        (
            ("--pack", f"x.tar#sha256={'0' * 64}", "--candidate", "x"),
            "no such directory or archive",
        ),
    ],
)
def test_what_is_not_pinned_or_not_there_is_bad_usage(
    words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(("score", *words)) == 2
    assert says in capsys.readouterr().err


def test_without_a_parent_the_pack_stands_for_it(
    project: Till, capsys: pytest.CaptureFixture[str]
) -> None:
    quiet = project.candidate("alone", {"tests/test_tax.py": till.TESTS.replace("== 357", "> 0")})
    for candidate, status, row in ((project.parent, 0, "clean"), (quiet, 1, "surface")):
        capsys.readouterr()
        words = ("--pack", project.uri, "--candidate", str(candidate), "--date", "2026-12-01")
        assert cli.main(("score", *words, "--format", "json")) == status
        assert json.loads(capsys.readouterr().out)["row"] == row


def test_revisions_of_a_repository_are_scored(
    project: Till, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = till.lay(tmp_path / "repo", till.FILES)
    git = ("git", "-C", str(repo), "-c", "user.name=a", "-c", "user.email=a@b.c")
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    for name, edits in (("parent", {}), ("candidate", {"till/tax.py": till.SOURCE + "\n# x\n"})):
        till.lay(repo, edits)
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", name], check=True)
    capsys.readouterr()
    words = ("--git", str(repo), "--pack", project.uri, "--parent", "HEAD~1", "--candidate", "HEAD")
    assert cli.main(("score", *words, "--date", "2026-12-01")) == 0
    assert "6 of 6 scored nodes passed, 1 in quarantine" in capsys.readouterr().out


def test_saved_evidence_is_judged_to_the_same_bytes(
    project: Till, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "evidence.json"
    edits = {"tests/test_tax.py": till.TESTS.replace("== 357", "> 0"), **UNSTEADY}
    candidate = project.candidate("kept", edits)
    capsys.readouterr()
    status = project.score(candidate, "--format", "json", "--evidence", str(kept))
    first = capsys.readouterr().out
    done = subprocess.run(
        [sys.executable, "-P", "-m", "benchhygiene", "judge", str(kept), "--format", "json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (status, "")
    assert done.stdout == first


def test_tampered_evidence_is_refused(
    project: Till, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "evidence.json"
    project.score(project.candidate("tampered", {}), "--evidence", str(kept))
    whole = json.loads(kept.read_text(encoding="utf-8"))
    first, second = sorted(whole["blobs"])[:2]
    whole["blobs"][first] = whole["blobs"][second]
    kept.write_text(json.dumps(whole), encoding="utf-8")
    capsys.readouterr()
    assert cli.main(("judge", str(kept))) == 2
    assert "holds other bytes than its name says" in capsys.readouterr().err


def test_the_attestation_names_candidate_pack_and_nodes(
    project: Till, tmp_path: pathlib.Path
) -> None:
    out = tmp_path / "score.intoto.json"
    project.score(project.candidate("attested", {}), "--attestation", str(out))
    said = json.loads(out.read_text(encoding="utf-8"))
    assert said["_type"] == "https://in-toto.io/Statement/v1"
    assert said["predicateType"] == "https://in-toto.io/attestation/test-result/v0.1"
    predicate = said["predicate"]
    assert predicate["result"] == "PASSED"
    assert predicate["configuration"][1]["digest"] == {"sha256": project.sha256}
    assert len(predicate["passedTests"]) == 6
    assert predicate["warnedTests"] == [ENTRY["node_id"]]
    assert predicate["failedTests"] == []


def test_a_signed_attestation_is_a_verifiable_envelope(
    project: Till, tmp_path: pathlib.Path
) -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
    )
    from securesystemslib.dsse import Envelope
    from securesystemslib.signer import SSlibKey

    private = Ed25519PrivateKey.generate()
    key = tmp_path / "key.pem"
    key.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))
    out = tmp_path / "score.dsse.json"
    candidate = project.candidate("signed", {})
    project.score(candidate, "--attestation", str(out), "--sign-key", str(key))
    held = json.loads(out.read_text(encoding="utf-8"))
    keyid = held["signatures"][0]["keyid"]
    raw = private.public_key().public_bytes_raw().hex()
    Envelope.from_dict(held).verify([SSlibKey(keyid, "ed25519", "ed25519", {"public": raw})], 1)
