"""One content has one archive, every byte of which counts."""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhygiene import EvidenceUnavailable, InputError, PackRefused, sources
from benchhygiene.sources.packing import archives, building, headers
from benchhygiene.sources.packing.contents import Given, sealed
from benchhygiene.sources.packing.headers import Header
from benchhygiene.sources.packing.verifying import verify
from tests.packing.samples import LONG, archive, info, tar
from tests.sources.packs import FILES, write

NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\0"), min_size=1)
PATHS = st.lists(NAMES.filter(lambda one: one not in (".", "..")), min_size=1, max_size=8).map(
    "/".join
)


def kinds(
    path: Path | str, pin: str = "", limits: sources.PackLimits | None = None
) -> list[tuple[str, str]]:
    with pytest.raises(PackRefused) as caught:
        sources.pack(f"{path}{pin}", limits=limits)
    return [(fault.rule, fault.path) for fault in caught.value.faults]


def test_an_archive_is_the_same_pack_as_its_directory(tmp_path: Path) -> None:
    found = archive(tmp_path, FILES | {LONG: b"1", "fixtures/ü.bin": b"2"})
    one = sources.pack(found.path)
    assert one == sources.pack(tmp_path / "laid-out")
    assert one.archive_sha256 == hashlib.sha256(Path(found.path).read_bytes()).hexdigest()
    assert Path(found.path).name == f"{one.archive_sha256}.tar"
    assert one.files.read(LONG) == b"1"
    assert pickle.loads(pickle.dumps(one)).files.read("fixtures/ü.bin") == b"2"


def test_a_pack_built_twice_is_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    first = archive(tmp_path / "one")
    for path in (tmp_path / "one" / "laid-out").rglob("*"):
        os.utime(path, (1, 1))
    os.chmod(tmp_path / "one" / "laid-out" / "waivers.json", 0o600)
    again = building.archive(building.laid_out(str(tmp_path / "one" / "laid-out")), str(tmp_path))
    backwards = archive(tmp_path / "two", dict(reversed(FILES.items())))
    assert first.sha256 == again.sha256 == backwards.sha256


def test_what_an_archive_is_named_never_changes() -> None:
    contents = sealed({"tests/test_a.py": Given(b"def test_a(): ...\n", True)}, None)
    assert building.digest(contents) == (
        "0fc62ead2643f2c4691cfc54fce5fc000ead027939ec84a94ddd393ffc0980d2"
    )


@pytest.mark.skipif(shutil.which("tar") is None, reason="needs tar")
def test_other_programs_read_it(tmp_path: Path) -> None:
    files = FILES | {LONG: b"1", "fixtures/ü.bin": b"2"}
    found = archive(tmp_path, files)
    (tmp_path / "out").mkdir()
    subprocess.run(["tar", "xf", found.path, "-C", tmp_path / "out"], check=True)
    with tarfile.open(found.path) as read:
        assert sorted(read.getnames()) == sorted([*files, "MANIFEST.sha256"])
        assert {one.mtime for one in read} == {315_532_800}
    for path, data in files.items():
        assert (tmp_path / "out" / path).read_bytes() == data
    checked = ["sha256sum", "--strict", "--check", "--quiet", "MANIFEST.sha256"]
    subprocess.run(checked, cwd=tmp_path / "out", check=True)


@given(data=st.data())
@settings(max_examples=300, deadline=None)
def test_a_flipped_bit_anywhere_is_refused(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("flipped")
    found = archive(folder, {"tests/test_a.py": b"def test_a(): ...\n", LONG: b"1" * 700})
    whole = bytearray(Path(found.path).read_bytes())
    at = data.draw(st.integers(0, len(whole) * 8 - 1))
    whole[at // 8] ^= 1 << at % 8
    Path(found.path).write_bytes(whole)
    with pytest.raises(PackRefused):
        sources.pack(found.path)  # its name is its digest
    free = folder / "free.tar"
    free.write_bytes(whole)
    with pytest.raises(PackRefused):
        sources.pack(f"{free}#sha256={found.sha256}")
    with pytest.raises(PackRefused):  # without remarks in the manifest no digest is needed either
        sources.pack(free)


@given(PATHS, st.integers(0, 8**11 - 1), st.booleans())
def test_a_header_is_read_as_it_was_written(path: str, size: int, runs: bool) -> None:
    one = Header(path, size, runs)
    written = headers.header(one)
    more = headers.extension_size(written[:512])
    assert len(written) == 512 + (len(headers.padded(bytes(more))) + 512 if more else 0)
    assert headers.parse(written) == one


@given(PATHS)
def test_a_header_is_what_tarfile_reads(path: str) -> None:
    whole = headers.header(Header(path, 0)) + headers.END
    with tarfile.open(fileobj=io.BytesIO(whole)) as read:
        (found,) = read.getmembers()
    assert found.name == path.rstrip("/")
    assert (found.mode, found.uid, found.uname) == (0o644, 0, "")


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("../x", {}),
        ("/etc/x", {}),
        ("a/../../x", {}),
        ("./x", {}),
        ("a//x", {}),
        ("x", {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}),
        ("x", {"type": tarfile.LNKTYPE, "linkname": "MANIFEST.sha256"}),
        ("x", {"type": tarfile.CHRTYPE}),
        ("x", {"type": tarfile.BLKTYPE}),
        ("x", {"type": tarfile.FIFOTYPE}),
        ("x", {"type": tarfile.DIRTYPE}),
        ("x", {"type": tarfile.CONTTYPE}),
        ("x", {"type": tarfile.GNUTYPE_SPARSE}),
        ("x", {"type": tarfile.AREGTYPE}),
        ("x", {"type": b"Z"}),
        ("x", {"mode": 0o4755}),
        ("x", {"mode": 0o666}),
        ("x", {"uid": 1000}),
        ("x", {"uname": "root"}),
        ("x", {"mtime": 0}),
        ("x", {"linkname": "y"}),
    ],
)
def test_a_hostile_entry_is_refused(tmp_path: Path, name: str, fields: dict[str, object]) -> None:
    listed = {name: b""}
    hostile = tar(tmp_path / "x.tar", info(name, **fields), files=listed)
    assert [kind for kind, _ in kinds(hostile)] in (["pack.archive"], ["pack.name", "pack.archive"])


def test_its_innocent_twin_is_not(tmp_path: Path) -> None:
    assert sources.pack(tar(tmp_path / "x.tar", info("x"), info("y", b"2"))).is_verified


@pytest.mark.parametrize(
    "extra",
    [
        {"path": "tests/other.py"},
        {"size": "5"},
        {"GNU.sparse.major": "1"},
        {"comment": "hidden"},
        {"linkpath": "x"},
        {"hdrcharset": "BINARY"},
    ],
)
@pytest.mark.parametrize("kind", ["pax_headers", "global"])
def test_tricks_of_extended_headers_are_refused(
    tmp_path: Path, extra: dict[str, str], kind: str
) -> None:
    entry, data = info("tests/test_a.py", b"12345")
    if kind == "pax_headers":
        entry.pax_headers = extra
        path = tar(tmp_path / "x.tar", (entry, data), style=tarfile.PAX_FORMAT)
        refused = kinds(path)
    else:
        path = tar(tmp_path / "x.tar", (entry, data))
        whole = path.read_bytes()
        path.write_bytes(tarfile.TarInfo.create_pax_global_header(extra) + whole)
        refused = kinds(path)
    assert [kind for kind, _ in refused][-1] in ("pack.archive", "pack.unlisted", "pack.missing")


def test_what_stands_twice_out_of_order_or_unlisted_is_refused(tmp_path: Path) -> None:
    a, b = info("a", b"1"), info("b", b"2")
    assert kinds(tar(tmp_path / "1.tar", a, a)) == [("pack.name", "a")]
    assert kinds(tar(tmp_path / "2.tar", b, a)) == [("pack.archive", "a")]
    assert kinds(tar(tmp_path / "3.tar", a, b, files={"a": b"1"})) == [("pack.unlisted", "b")]
    assert kinds(tar(tmp_path / "4.tar", a, files={"a": b"1", "b": b"2"})) == [
        ("pack.missing", "b")
    ]
    assert kinds(tar(tmp_path / "5.tar", a, files={"a": b"2"})) == [("pack.digest", "a")]
    assert kinds(tar(tmp_path / "6.tar", info("A", b"1"), a)) == [("pack.name", "a")]
    assert kinds(tar(tmp_path / "7.tar", a, info("a/b"))) == [("pack.name", "a/b")]


def test_what_hides_behind_an_end_is_refused(tmp_path: Path) -> None:
    path = tar(tmp_path / "x.tar", info("a", b"1"))
    whole = path.read_bytes()
    path.write_bytes(whole + bytes(512))
    assert kinds(path) == [("pack.archive", "")]
    path.write_bytes(whole[:-1])
    assert kinds(path) == [("pack.archive", "")]
    padding = bytearray(whole)
    padding[-1025] = 1
    path.write_bytes(padding)
    assert kinds(path) == [("pack.archive", "a")]


@pytest.mark.parametrize("data", [b"", b"PK\3\4", b"\x1f\x8b\x08", b"\0" * 1024, b"x" * 4096])
def test_what_is_no_archive_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.tar"
    path.write_bytes(data)
    assert kinds(path)


def test_a_header_that_promises_terabytes_costs_nothing(tmp_path: Path) -> None:
    path = tar(tmp_path / "x.tar", info("a", b"1"))
    whole = path.read_bytes()
    path.write_bytes(whole[:1024] + headers.header(Header("a", 8**11 - 1)) + bytes(1024))
    assert kinds(path) == [("pack.limit", "a")]


@pytest.mark.parametrize(
    "limits",
    [
        sources.PackLimits(file_bytes=200),
        sources.PackLimits(total_bytes=400),
        sources.PackLimits(entries=3),
        sources.PackLimits(depth=1),
        sources.PackLimits(manifest_bytes=10),
    ],
)
def test_an_archive_has_limits(tmp_path: Path, limits: sources.PackLimits) -> None:
    found = archive(tmp_path)
    assert [kind for kind, _ in kinds(found.path, limits=limits)] == ["pack.limit"]


def test_a_wrong_digest_is_told_first_and_with_what_else_is_wrong(tmp_path: Path) -> None:
    path = tar(tmp_path / "x.tar", info("a", b"1"), files={"a": b"2"})
    assert kinds(path, pin=f"#sha256={'0' * 64}") == [("pack.digest", ""), ("pack.digest", "a")]
    directory = write(tmp_path / "d", FILES)
    assert kinds(directory, pin=f"#sha256={'0' * 64}") == [("pack.digest", "")]


def test_a_directory_with_a_strange_mode_is_refused(tmp_path: Path) -> None:
    root = write(tmp_path / "pack", FILES)
    os.chmod(root / "tests" / "test_a.py", 0o4755)
    assert kinds(root) == [("pack.mode", "tests/test_a.py")]


def test_an_archive_larger_than_the_buffers_is_hashed_whole(tmp_path: Path) -> None:
    big = os.urandom(9 << 20)
    found = archive(tmp_path, {"fixtures/big.bin": big, "tests/test_a.py": b""})
    assert found.sha256 == hashlib.sha256(Path(found.path).read_bytes()).hexdigest()
    assert verify(found.path, sha256=found.sha256) == found
    whole = bytearray(Path(found.path).read_bytes())
    whole[5 << 20] ^= 1
    Path(found.path).write_bytes(whole)
    assert kinds(found.path) == [("pack.digest", ""), ("pack.digest", "fixtures/big.bin")]


def test_bytes_that_changed_since_are_not_handed_out(tmp_path: Path) -> None:
    found = archive(tmp_path)
    pack = sources.pack(found.path)
    member = found.members["fixtures/rows.bin"]
    whole = bytearray(Path(found.path).read_bytes())
    whole[member.start] ^= 1
    Path(found.path).write_bytes(whole)
    with pytest.raises(EvidenceUnavailable, match="changed after it was verified"):
        pack.files.read("fixtures/rows.bin")
    with pytest.raises(EvidenceUnavailable, match="changed after it was verified"):
        sources.unpacked(pack, tmp_path / "out")
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == []
    assert pack.files.read("waivers.json") == FILES["waivers.json"]


def test_unpacking_is_private_and_read_only(tmp_path: Path) -> None:
    root = write(tmp_path / "laid-out", FILES)
    os.chmod(root / "tests" / "test_a.py", 0o755)
    building.seal(str(root))
    found = building.archive(building.laid_out(str(root)), str(tmp_path))
    for number, source in enumerate((found.path, root)):
        out = tmp_path / f"out{number}"
        assert sources.unpacked(sources.pack(source), out) == str(out)
        assert out.stat().st_mode & 0o777 == 0o700
        modes = {path.stat().st_mode & 0o777 for path in out.rglob("*") if path.is_file()}
        assert modes == {0o444, 0o555}
        assert sources.pack(out) == sources.pack(found.path)
    with pytest.raises(InputError, match="new or empty"):
        sources.unpacked(sources.pack(root), root)


def test_an_archive_is_never_written_over_another(tmp_path: Path) -> None:
    found = archive(tmp_path)
    other = tmp_path / "other.tar"
    contents = building.laid_out(str(tmp_path / "laid-out"))
    assert building.archive(contents, str(other)).sha256 == found.sha256
    assert building.archive(contents, str(other)).sha256 == found.sha256
    other.write_bytes(b"mine")
    with pytest.raises(InputError, match="is there already and holds something else"):
        building.archive(contents, str(other))
    assert other.read_bytes() == b"mine"
    assert not list(tmp_path.glob(".benchhygiene-*"))
    assert archives.name_of(found.sha256) == Path(found.path).name
