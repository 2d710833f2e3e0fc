"""The commands ``benchhygiene pack ...``, from a repository to a pack that was fetched."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from benchhygiene import cli, sources

TESTS = """\
import json, pathlib, time
from hypothesis import given, settings, strategies as st
from shop import parse, helper

@settings(max_examples=400, deadline=6000)
@given(st.integers())
def test_parse_money(n):
    assert parse(n) == n

def test_latency():
    spent = []
    for _ in range(50):
        start = time.perf_counter()
        parse(1)
        spent.append(time.perf_counter() - start)
    assert max(spent) < 0.5

def test_rows():
    assert json.loads(pathlib.Path("golden/rows.json").read_text())
"""
FILES = {
    "tests/test_money.py": TESTS,
    "tests/data/a.txt": "a\n",
    "tests/helper.py": "x = 1\n",
    "shop/test_inside.py": "def test_inside(): assert 1 + 1 == 2\n",
    "shop/__init__.py": "def parse(n): return n\n",
    "shop/test/client.py": "def get(): return 1\n",
    "shop/defaults.json": "{}\n",
    "golden/rows.json": "[1]\n",
    "api/openapi.yaml": "openapi: 3.0.0\npaths: {}\n",
    "conftest.py": "\n",
    "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['.']\n",
    "notes.txt": "nobody reads this\n",
}
HELD = {
    "MANIFEST.sha256",
    "contracts/api/openapi.yaml",
    "fixtures/conftest.py",
    "fixtures/golden/rows.json",
    "fixtures/pyproject.toml",
    "fixtures/shop/test_inside.py",
    "flakes/ledger.json",
    "properties/campaign.toml",
    "tests/data/a.txt",
    "tests/helper.py",
    "tests/test_money.py",
    "waivers.json",
}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Commit the files, and go where the commands are to run."""
    root = tmp_path / "repository"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    identity = ["-c", "user.name=ann", "-c", "user.email=ann@example.org"]
    for words in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-qm", "shop"]):
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    monkeypatch.chdir(tmp_path)
    return root


def ran(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert cli.main(("pack", *words)) == status
    out, err = capsys.readouterr()
    return err if status == 2 else out


def document(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> dict[str, object]:
    found: dict[str, object] = json.loads(ran(capsys, *words, "--format=json", status=status))
    assert found["schema"] == "benchhygiene.pack/1"
    return found


def test_a_pack_holds_the_tests_and_all_they_are_held_against(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran(capsys, "build", "HEAD", "--git", str(repository), "--out", "pack.tar")
    pack = sources.pack("pack.tar")
    assert set(pack.files.entries) == HELD
    assert pack.files.read("tests/test_money.py") == TESTS.encode()
    assert pack.origin is not None
    head = ["git", "rev-parse", "HEAD"]
    commit = subprocess.run(head, cwd=repository, capture_output=True, text=True, check=True)
    assert pack.origin.commit == commit.stdout.strip()
    product = {path for path in FILES if path.startswith("shop/") and "inside" not in path}
    assert set(pack.laid_out) == set(FILES) - product - {"api/openapi.yaml", "notes.txt"}
    budgets = tomllib.loads(pack.files.read("properties/campaign.toml").decode())
    assert budgets["parse_money"] == {
        "node_id": "tests/test_money.py::test_parse_money",
        "max_examples": 400,
        "deadline_ms": 6000,
        "seed_source": "pack",
    }
    assert budgets["latency"]["samples"] == 50
    assert budgets["latency"]["threshold_ms"] == 500


def test_a_revision_and_its_checkout_make_the_same_pack_apart_from_its_origin(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git = ("build", "HEAD", "--git", str(repository), "--out")
    one, two = (document(capsys, *git, name) for name in ("1.tar", "2.tar"))
    assert one["sha256"] == two["sha256"]
    assert Path("1.tar").read_bytes() == Path("2.tar").read_bytes()
    ran(capsys, "build", str(repository), "--out", "laid")
    laid, archived = sources.pack("laid"), sources.pack("1.tar")
    assert {path: one.identity for path, one in laid.files.entries.items() if "SHA" not in path}
    without = {**laid.files.entries, "MANIFEST.sha256": archived.files.entries["MANIFEST.sha256"]}
    assert without == dict(archived.files.entries)


def test_what_is_included_excluded_and_handed_in(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = '{"version": 1, "entries": [], "policy": {"max_entries": 1}}'
    Path("ledger.json").write_text(ledger)
    build = ("build", str(repository), "--ledger", "ledger.json", "--include", "notes.*")
    ran(capsys, *build, "--exclude", "*/data/*", "--max-age", "90", "--out", "packs", "--archive")
    (found,) = Path("packs").iterdir()
    pack = sources.pack(found)
    assert found.name == f"{pack.archive_sha256}.tar"
    assert set(pack.files.entries) == HELD - {"tests/data/a.txt"} | {"fixtures/notes.txt"}
    assert pack.files.read("flakes/ledger.json").decode() == ledger
    assert pack.origin is not None
    assert pack.origin.max_age_days == 90


def test_a_pack_is_laid_out_edited_and_sealed(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ran(capsys, "init", "laid") == ""
    assert document(capsys, "verify", "laid")["files"] == 4
    Path("laid/tests/test_a.py").write_text("def test_a(): assert True\n")
    assert ran(capsys, "verify", "laid", status=1) == (
        "pack.unlisted: tests/test_a.py: is not in the manifest\n"
    )
    ran(capsys, "build", "--laid-out", "laid", "--repository", "https://example.org/shop")
    sealed = document(capsys, "build", "--laid-out", "laid", "--out", "pack.tar")
    assert sealed["origin"] == {"repository": "https://example.org/shop"}
    digest = sealed["sha256"]
    for place in ("laid", "pack.tar"):
        assert document(capsys, "verify", f"{place}#sha256={digest}")["verdict"] == "pass"
    shown = document(capsys, "show", "pack.tar")
    assert isinstance(shown["contents"], list)
    assert [one["path"] for one in shown["contents"] if "test" in one["path"]] == [
        "tests/test_a.py"
    ]


def test_every_fault_is_one_line(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran(capsys, "init", "laid")
    Path("laid/new\x1b.txt").write_text("x")
    Path("laid/waivers.json").write_text("{}")
    lines = ran(capsys, "verify", "laid", status=1).splitlines()
    assert lines == ["pack.unlisted: new\\x1b.txt: is not in the manifest"]
    Path("laid/new\x1b.txt").unlink()
    found = document(capsys, "verify", "laid", status=1)
    assert found["verdict"] == "violation"
    assert [one["rule"] for one in found["faults"]] == ["pack.digest"]  # type: ignore[attr-defined]


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs OpenSSH")
def test_a_pack_is_signed_pushed_and_fetched(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key"], check=True)
    Path("allowed").write_text(f'ann valid-before="20300101" {Path("key.pub").read_text()}')
    trust = ("--allowed-signers", "allowed", "--date", "2026-12-01")
    ran(capsys, "build", "HEAD", "--git", str(repository), "--out", "pack.tar")
    (fault,) = ran(capsys, "verify", "pack.tar", *trust, status=1).splitlines()
    assert fault.startswith("pack.signature: nobody has signed it")
    assert ran(capsys, "sign", "pack.tar", "--key", "key") == "pack.tar.sig\n"
    assert ran(capsys, "sign", "pack.tar", "--key", "key", "--style", "dsse") == (
        "pack.tar.dsse.json\n"
    )
    assert document(capsys, "verify", "pack.tar", *trust)["signers"] == ["ann"]
    late = ran(capsys, "verify", "pack.tar", *trust[:3], "2031-01-01", status=1)
    assert late.count("pack.signature: ") == late.count("has expired") == 2
    assert "was not looked at" in ran(capsys, "verify", "pack.tar")
    Path("store").mkdir()
    uri = document(capsys, "push", "pack.tar", "store", *trust)["uri"]
    assert isinstance(uri, str)
    assert "it was there already" in ran(capsys, "push", "pack.tar", "store")
    ran(capsys, "fetch", uri, "--out", "got.tar", "--unpack", "files", *trust)
    assert Path("got.tar").read_bytes() == Path("pack.tar").read_bytes()
    assert document(capsys, "verify", "got.tar", *trust)["signers"] == ["ann"]
    assert sources.pack("files") == sources.pack("got.tar")
    ran(capsys, "fetch", uri, "--out", "late.tar", *trust[:3], "2031-01-01", status=1)
    assert not Path("late.tar").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("build", "HEAD", "--git", "repository"), "--out is missing"),
        (("build", "nope", "--git", "repository", "--out", "p"), "revision 'nope'"),
        (("build", "nope", "--out", "p"), "tree 'nope'"),
        (("build", "repository", "--out", "p", "--include", "*.nope"), "matches no file"),
        (("build", "repository", "--out", "p", "--exclude", "*.py"), "there is no test"),
        (("build", "repository", "--out", "repository"), "new or empty"),
        (("build", "repository", "--out", "p", "--max-age", "-1"), "--max-age -1: expected"),
        (("build", "repository", "--out", "p", "--waivers", "nope"), "--waivers nope: cannot"),
        (("build", "repository", "--out", "p", "--ledger", "repository/notes.txt"), "not JSON"),
        (("build", "--laid-out", "nope"), "pack nope: not a directory"),
        (("verify", "nope"), "pack nope: no such directory or archive"),
        (("verify", "repository", "--revoked", "x"), "--revoked needs --allowed-signers"),
        (("verify", "a.tar#sha256=1"), "64 hexadecimal digits"),
        (("sign", "repository", "--key", "k"), "expected an archive of this machine"),
        (("sign", "repository"), "--key is missing"),
        (("push", "repository"), "DEST is missing"),
        (("fetch", "x"), "--out is missing"),
        (("fetch", "s3://bucket/pack.tar", "--out", "p.tar"), "expected a digest"),
        (("init", "repository"), "new or empty"),
        (("built",), "there is no command 'built'; did you mean build?"),
    ],
)
def test_bad_usage_is_one_line_and_writes_nothing(
    words: tuple[str, ...], says: str, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(Path().rglob("*"))
    said = ran(capsys, *words, status=2)
    assert says in said
    assert said.count("\n") == 1
    assert sorted(Path().rglob("*")) == before


def test_a_change_is_judged_with_an_archive_and_its_commits(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran(capsys, "build", "HEAD", "--git", str(repository), "--out", "pack.tar")
    (repository / "tests" / "test_money.py").write_text(TESTS.replace("== n", "or True"))
    identity = ["-c", "user.name=bot", "-c", "user.email=bot@example.org"]
    edit = ["git", *identity, "commit", "-qam", "weaker"]
    subprocess.run(edit, cwd=repository, check=True, capture_output=True)
    ran(capsys, "build", "HEAD", "--git", str(repository), "--out", "candidate.tar")
    rules = {}
    for name in ("pack.tar", "candidate.tar"):
        diff = ("diff", "HEAD~1", "HEAD", "--git", str(repository), "--pack", name)
        assert cli.main((*diff, "--format", "json")) == 1
        report = json.loads(capsys.readouterr().out)
        rules[name] = {one["rule"] for one in report["findings"] if one["rule"][:4] == "pack"}
    assert rules == {"pack.tar": set(), "candidate.tar": {"pack.tracks_candidate"}}
