from __future__ import annotations

import hashlib
import os
import pickle
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhygiene import (
    AllowedAction,
    EvidenceUnavailable,
    InputError,
    PackFaultKind,
    PackRefused,
    sources,
)
from benchhygiene.evidence.as_of import day
from tests.sources.packs import FILES, manifest_of, write

NODE = "tests/test_a.py::test_a"


def refused(root: Path, limits: sources.PackLimits | None = None) -> list[tuple[str, str]]:
    with pytest.raises(PackRefused) as caught:
        sources.pack(root, limits=limits)
    return [(fault.kind.value, fault.path) for fault in caught.value.faults]


def test_a_pack_is_its_files_and_their_parsed_parts(tmp_path: Path) -> None:
    pack = sources.pack(write(tmp_path, FILES))
    assert pack.is_verified
    assert pack.manifest_sha256 == hashlib.sha256(manifest_of(FILES)).hexdigest()
    assert list(pack.files.entries) == sorted([*FILES, "MANIFEST.sha256"])
    assert pack.ledger is not None
    assert pack.ledger.quarantines(NODE, day("2026-10-02"))
    assert not pack.ledger.allows(NODE, AllowedAction.DELETE, day("2026-10-02"))
    assert pack.waivers is not None
    assert [waiver.approved_by for waiver in pack.waivers.waivers] == ["ann"]
    assert pack.campaign is not None
    assert pack.campaign.budgets["parse_money"].max_examples == 400
    assert pack.files.read("fixtures/rows.bin") == FILES["fixtures/rows.bin"]
    assert pack.notes == ()


def test_what_a_pack_does_not_have_is_none(tmp_path: Path) -> None:
    pack = sources.pack(write(tmp_path, {"tests/test_a.py": b""}))
    assert pack.parts == ()


def test_the_same_pack_is_the_same_evidence_wherever_it_lies(tmp_path: Path) -> None:
    one, two = (sources.pack(write(tmp_path / name, FILES)) for name in ("one", "two"))
    assert one == two
    travelled = pickle.loads(pickle.dumps(one))
    assert travelled == one
    assert travelled.files.read("waivers.json") == FILES["waivers.json"]


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs GNU coreutils")
@pytest.mark.parametrize("options", [[], ["--binary"]])
def test_the_manifest_is_what_sha256sum_writes(tmp_path: Path, options: list[str]) -> None:
    odd = {"fixtures/a b\n\r\\n.bin": b"1", "fixtures/\\": b"2", "fixtures/ü*": b"3"}
    root = write(tmp_path / "pack", FILES | odd, b"")
    command = ["find", ".", "-type", "f", "-exec", "sha256sum", *options, "{}", "+"]
    written = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
    (root / "MANIFEST.sha256").write_bytes(written)
    assert b"\n\\" in written  # some name is escaped
    assert set(sources.pack(root).files.entries) == {*FILES, *odd, "MANIFEST.sha256"}


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs GNU coreutils")
def test_the_remedy_for_a_missing_manifest_is_one(tmp_path: Path) -> None:
    root = write(tmp_path / "pack", FILES, b"")
    with pytest.raises(PackRefused, match="if you vouch for the directory") as caught:
        sources.pack(root)
    command = str(caught.value).partition("run in it: ")[2]
    subprocess.run(["bash", "-c", command], cwd=root, check=True)
    assert sources.pack(root).is_verified


def test_a_pack_without_a_manifest_is_refused_unless_it_was_asked_for(tmp_path: Path) -> None:
    root = write(tmp_path, FILES, b"")
    assert refused(root) == [("manifest", "MANIFEST.sha256")]
    pack = sources.pack(root, require_manifest=False)
    assert not pack.is_verified
    assert pack.ledger is not None
    assert pack.notes == ("has no manifest: nobody verified what it holds",)


def test_a_manifest_that_is_there_is_never_ignored(tmp_path: Path) -> None:
    root = write(tmp_path, FILES)
    (root / "waivers.json").write_bytes(b"{}")
    with pytest.raises(PackRefused):
        sources.pack(root, require_manifest=False)


def test_every_fault_is_named_and_the_first_one_told(tmp_path: Path) -> None:
    root = write(tmp_path, FILES)
    (root / "waivers.json").unlink()
    (root / "extra.txt").write_bytes(b"")
    (root / "tests" / "MANIFEST.sha256").write_bytes(b"")
    assert refused(root) == [
        ("unlisted", "extra.txt"),
        ("unlisted", "tests/MANIFEST.sha256"),
        ("missing", "waivers.json"),
    ]
    told = re.escape(f"pack {root}: extra.txt: is not in the manifest (and 2 more faults)")
    with pytest.raises(PackRefused, match=told) as caught:
        sources.pack(root)
    assert pickle.loads(pickle.dumps(caught.value)).faults == caught.value.faults


def test_other_bytes_are_refused_with_both_digests(tmp_path: Path) -> None:
    root = write(tmp_path, FILES)
    (root / "flakes" / "ledger.json").write_bytes(b"{}")
    (root / "tests" / "test_a.py").write_bytes(b"")
    assert refused(root) == [("digest", "flakes/ledger.json"), ("digest", "tests/test_a.py")]
    with pytest.raises(PackRefused, match=hashlib.sha256(b"{}").hexdigest()):
        sources.pack(root)


SMALL = {"tests/a.py": b"x", "waivers.json": FILES["waivers.json"]}
BITS = [
    (path, bit)
    for path, data in {**SMALL, "MANIFEST.sha256": manifest_of(SMALL)}.items()
    for bit in range(8 * len(data))
]


@given(st.sampled_from(BITS))
def test_a_flipped_bit_anywhere_is_refused(place: tuple[str, int]) -> None:
    path, bit = place
    with tempfile.TemporaryDirectory() as directory:
        root = write(Path(directory), SMALL)
        flipped = bytearray((root / path).read_bytes())
        flipped[bit // 8] ^= 1 << bit % 8
        (root / path).write_bytes(flipped)
        with pytest.raises(PackRefused):
            sources.pack(root)


@pytest.mark.parametrize("target", ["test_a.py", "/etc/hostname", "../../outside", "nowhere"])
def test_links_are_refused_wherever_they_lead(tmp_path: Path, target: str) -> None:
    root = write(tmp_path / "pack", FILES)
    (tmp_path / "outside").write_bytes(b"")
    (root / "tests" / "link.py").symlink_to(target)
    assert refused(root) == [("type", "tests/link.py")]


def test_a_link_to_a_directory_is_not_entered(tmp_path: Path) -> None:
    root = write(tmp_path / "pack", FILES)
    (root / "fixtures" / "loop").symlink_to(root, target_is_directory=True)
    assert refused(root) == [("type", "fixtures/loop")]


def test_the_pack_itself_may_be_reached_through_a_link(tmp_path: Path) -> None:
    root = write(tmp_path / "pack", FILES)
    (tmp_path / "current").symlink_to(root)
    assert sources.pack(tmp_path / "current").directory == str(root.resolve())


def test_a_fifo_is_refused_and_not_read(tmp_path: Path) -> None:
    root = write(tmp_path, FILES)
    os.mkfifo(root / "fixtures" / "pipe")
    assert refused(root) == [("type", "fixtures/pipe")]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("tests/a.py", "tests/A.py"),
        ("tests/a.py", "Tests/b.py"),
        ("fixtures/straße", "fixtures/STRASSE"),
        ("fixtures/\u00e9", "fixtures/e\u0301"),
    ],
)
def test_names_that_another_file_system_takes_for_one_are_refused(
    tmp_path: Path, one: str, two: str
) -> None:
    root = write(tmp_path, {one: b"", two: b""})
    assert {kind for kind, _ in refused(root)} == {"name"}


def test_a_name_that_is_no_text_is_refused(tmp_path: Path) -> None:
    root = write(tmp_path, FILES)
    with open(os.fsencode(root) + b"/tests/\xff.py", "wb"):
        pass
    assert [kind for kind, _ in refused(root)] == ["name"]


def listed(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


GOOD = "0" * 64


@pytest.mark.parametrize(
    ("manifest", "kind"),
    [
        (b"\xff", "manifest"),
        (b"\xef\xbb\xbf" + listed(f"{GOOD}  a"), "manifest"),
        (listed(f"{GOOD} a"), "manifest"),
        (listed(f"{GOOD}  a", ""), "manifest"),
        (listed(f"{GOOD[:-1]}  a"), "manifest"),
        (listed(f"{'A' * 64}  a"), "manifest"),
        (listed(f"\\{GOOD}  a\\t"), "manifest"),
        (listed(f"SHA256 (a) = {GOOD}"), "manifest"),
        (listed(f"{GOOD}  a", f"{GOOD} *./a"), "name"),
        (listed(f"{GOOD}  ../a"), "name"),
        (listed(f"{GOOD}  tests/../../a"), "name"),
        (listed(f"{GOOD}  /etc/hostname"), "name"),
        (listed(f"{GOOD}  tests//a"), "name"),
        (listed(f"{GOOD}  ././a"), "name"),
        (listed(f"{GOOD}  MANIFEST.sha256"), "name"),
        (listed(f"{GOOD}  a\0b"), "name"),
    ],
)
def test_a_manifest_that_cannot_be_believed_is_refused(
    tmp_path: Path, manifest: bytes, kind: str
) -> None:
    found = refused(write(tmp_path, {}, manifest))
    assert (kind, "MANIFEST.sha256") in found


@pytest.mark.parametrize(
    ("limits", "kinds"),
    [
        (sources.PackLimits(file_bytes=255), {"limit"}),
        (sources.PackLimits(total_bytes=300), {"limit"}),
        (sources.PackLimits(entries=5), {"limit"}),
        (sources.PackLimits(depth=0), {"limit"}),
        (sources.PackLimits(manifest_bytes=50), {"manifest"}),
    ],
)
def test_a_pack_over_the_limits_is_refused(
    tmp_path: Path, limits: sources.PackLimits, kinds: set[str]
) -> None:
    found = refused(write(tmp_path, FILES), limits)
    assert {kind for kind, _ in found} == kinds


def test_a_parsed_part_has_a_limit_of_its_own(tmp_path: Path) -> None:
    root = write(tmp_path, FILES)
    with pytest.raises(InputError, match=r"ledger\.json: .* more than the limit of 10"):
        sources.pack(root, limits=sources.PackLimits(parsed_bytes=10))


@pytest.mark.parametrize("path", ["flakes/ledger.json", "waivers.json", "properties/campaign.toml"])
def test_a_malformed_part_is_one_error_that_names_its_file(tmp_path: Path, path: str) -> None:
    root = write(tmp_path, FILES | {path: b"\xef\xbb\xbf"})
    with pytest.raises(InputError, match=re.escape(f"{root}/{path}: begins with")):
        sources.pack(root)


@pytest.mark.parametrize("name", ["nowhere", "a\0b", ""])
def test_what_is_not_there_is_one_error(tmp_path: Path, name: str) -> None:
    root = write(tmp_path, FILES)
    with pytest.raises(InputError, match=f"pack .*{name}: no such directory or archive"):
        sources.pack(f"{root}/{name}" if name else name)


def test_bytes_that_changed_since_are_not_handed_out(tmp_path: Path) -> None:
    root = write(tmp_path, FILES)
    pack = sources.pack(root)
    (root / "fixtures" / "rows.bin").write_bytes(b"other")
    with pytest.raises(EvidenceUnavailable, match="was changed after the evidence was taken"):
        pack.files.read("fixtures/rows.bin")
    (root / "fixtures" / "rows.bin").unlink()
    with pytest.raises(EvidenceUnavailable, match=r"fixtures/rows\.bin: FileNotFoundError"):
        pack.files.read("fixtures/rows.bin")


def test_an_unreadable_directory_is_refused(tmp_path: Path) -> None:
    root = write(tmp_path, FILES)
    (root / "fixtures").chmod(0)
    try:
        if os.access(root / "fixtures", os.R_OK):
            pytest.skip("this user may read everything")
        assert (PackFaultKind.UNREADABLE.value, "fixtures") in refused(root)
    finally:
        (root / "fixtures").chmod(0o700)
