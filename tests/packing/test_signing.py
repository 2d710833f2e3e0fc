"""Whose signature counts, when, what for, and for which bytes."""

from __future__ import annotations

import datetime
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from benchhygiene import InputError, PackRefused, sources
from benchhygiene.sources.packing import signatures
from benchhygiene.sources.packing.archives import Archive
from benchhygiene.sources.packing.signers import Trust
from benchhygiene.sources.packing.statements import statement
from tests.packing.samples import archive

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs OpenSSH")
NOON = datetime.datetime(2026, 6, 15, 12, tzinfo=datetime.UTC)
STYLES = ("ssh", "dsse")


def key(folder: Path, name: str = "key", kind: str = "ed25519") -> Path:
    """Make a key and return its path; beside it lies the public one."""
    path = folder / name
    words = ["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "me", "-f", path]
    subprocess.run(words, check=True)
    return path


def public(path: Path) -> str:
    return path.with_name(f"{path.name}.pub").read_text()


def allowed(folder: Path, *lines: str) -> Path:
    path = folder / "allowed"
    path.write_text("# who may sign\n\n" + "".join(f"{line.strip()}\n" for line in lines))
    return path


def refusal(found: Archive, keys: Path, revoked: Path | None = None) -> str:
    """Return the one fault that the signature is refused with."""
    with pytest.raises(PackRefused) as caught:
        sources.pack(found.path, allowed_signers=keys, revoked=revoked, at=NOON)
    (fault,) = caught.value.faults
    assert fault.rule == "pack.signature"
    return str(fault)


@pytest.mark.parametrize("style", STYLES)
def test_a_signature_counts(tmp_path: Path, style: str) -> None:
    found, own = archive(tmp_path), key(tmp_path)
    signatures.sign(found, str(own), style)
    keys = allowed(tmp_path, f"ann@example.org {public(own)}")
    assert sources.pack(found.path, allowed_signers=keys, at=NOON).signers == ("ann@example.org",)
    assert sources.pack(found.path).signers == ()


def test_what_nobody_signed_is_refused(tmp_path: Path) -> None:
    found, own = archive(tmp_path), key(tmp_path)
    assert "nobody has signed it" in refusal(found, allowed(tmp_path, f"ann {public(own)}"))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("options", "says"),
    [
        ('valid-before="20260101"', "has expired: it was valid until 2026-01-01T00:00:00Z"),
        ('valid-after="20270101Z"', "is not valid before 2027-01-01T00:00:00Z"),
        ('valid-before="20260615115959Z"', "has expired"),
        ('namespaces="git"', "may sign for git, not for the namespace benchhygiene"),
        ('namespaces="git,!bench*,*"', "may sign for git,!bench*,*, not for"),
        ('valid-after="20260101",valid-before="20261231"', ""),
        ('valid-before="202606151201"', ""),
        ('namespaces="git,bench*"', ""),
        ('namespaces="benchhygien?"', ""),
    ],
)
def test_a_key_has_its_time_and_its_purpose(
    tmp_path: Path, style: str, options: str, says: str
) -> None:
    found, own = archive(tmp_path), key(tmp_path)
    signatures.sign(found, str(own), style)
    keys = allowed(tmp_path, f"ann {options} {public(own)}")
    if says:
        assert f"the key of ann {says}" in refusal(found, keys)
    else:
        assert sources.pack(found.path, allowed_signers=keys, at=NOON).signers == ("ann",)


@pytest.mark.parametrize("style", STYLES)
def test_strangers_and_revoked_keys_are_refused(tmp_path: Path, style: str) -> None:
    found, own, other = archive(tmp_path), key(tmp_path), key(tmp_path, "other")
    signatures.sign(found, str(own), style)
    assert "is not among the allowed signers" in refusal(
        found, allowed(tmp_path, f"bob {public(other)}")
    )
    keys = allowed(tmp_path, f"ann {public(own)}", f"bob {public(other)}")
    revoked = tmp_path / "revoked"
    revoked.write_text(public(own))
    assert "was revoked" in refusal(found, keys, revoked)
    krl = tmp_path / "krl"
    subprocess.run(["ssh-keygen", "-q", "-k", "-f", krl, f"{own}.pub"], check=True)
    assert "was revoked" in refusal(found, keys, krl)
    revoked.write_text(public(other))
    assert sources.pack(found.path, allowed_signers=keys, revoked=revoked, at=NOON).signers
    subprocess.run(["ssh-keygen", "-q", "-k", "-f", krl, f"{other}.pub"], check=True)
    assert sources.pack(found.path, allowed_signers=keys, revoked=krl, at=NOON).signers


def test_a_signature_of_another_namespace_is_refused(tmp_path: Path) -> None:
    found, own = archive(tmp_path), key(tmp_path)
    message = tmp_path / "statement"
    message.write_bytes(statement(found))
    words = ["ssh-keygen", "-q", "-Y", "sign", "-n", "git", "-f", own, message]
    subprocess.run(words, check=True, stderr=subprocess.DEVNULL)
    os.replace(f"{message}.sig", f"{found.path}.sig")
    assert "for the namespace 'git', not for benchhygiene" in refusal(
        found, allowed(tmp_path, f"ann {public(own)}")
    )


@pytest.mark.parametrize("style", STYLES)
def test_a_signature_of_another_pack_is_refused(tmp_path: Path, style: str) -> None:
    (tmp_path / "1").mkdir()
    (tmp_path / "2").mkdir()
    one, two = archive(tmp_path / "1"), archive(tmp_path / "2", {"tests/test_a.py": b""})
    own = key(tmp_path)
    made = signatures.sign(one, str(own), style)
    shutil.copy(made, two.path + made.removeprefix(one.path))
    said = refusal(two, allowed(tmp_path, f"ann {public(own)}"))
    assert "another one" in said or "something else than this archive" in said


@pytest.mark.parametrize("style", STYLES)
def test_no_damaged_signature_counts(tmp_path: Path, style: str) -> None:
    found, own = archive(tmp_path), key(tmp_path)
    made = Path(signatures.sign(found, str(own), style))
    keys = allowed(tmp_path, f"ann {public(own)}")
    whole = made.read_bytes()
    step = 7 if style == "dsse" else 29  # each is a process of its own
    for at in range(0, len(whole), step):
        made.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        with pytest.raises((PackRefused, InputError)):
            sources.pack(found.path, allowed_signers=keys, at=NOON)
    made.write_bytes(whole)
    assert sources.pack(found.path, allowed_signers=keys, at=NOON).signers == ("ann",)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff", b"-----BEGIN SSH SIGNATURE-----"])
def test_what_is_no_signature_is_refused(tmp_path: Path, style: str, data: bytes) -> None:
    found, own = archive(tmp_path), key(tmp_path)
    Path(found.path + (".dsse.json" if style == "dsse" else ".sig")).write_bytes(data)
    assert refusal(found, allowed(tmp_path, f"ann {public(own)}"))


def test_a_key_is_rotated_by_a_second_signature(tmp_path: Path) -> None:
    found, old, new = archive(tmp_path), key(tmp_path, "old"), key(tmp_path, "new")
    signatures.sign(found, str(old), "ssh")
    signatures.sign(found, str(new), "dsse")
    keys = allowed(tmp_path, f'ann valid-before="20260101" {public(old)}', f"ann {public(new)}")
    assert sources.pack(found.path, allowed_signers=keys, at=NOON).signers == ("ann",)
    os.unlink(f"{found.path}.dsse.json")
    assert "has expired" in refusal(found, keys)


@pytest.mark.parametrize("kind", ["ed25519", "ecdsa", "rsa"])
def test_openssh_says_the_same(tmp_path: Path, kind: str) -> None:
    found, own = archive(tmp_path), key(tmp_path, kind=kind)
    made = signatures.sign(found, str(own), "ssh")
    keys = allowed(tmp_path, f'ann namespaces="benchhygiene" {public(own)}')
    assert sources.pack(found.path, allowed_signers=keys, at=NOON).signers == ("ann",)
    words = ["-Y", "verify", "-f", keys, "-I", "ann", "-n", "benchhygiene", "-s", made]
    done = subprocess.run(["ssh-keygen", *words], input=statement(found), capture_output=True)
    assert done.returncode == 0


def test_securesystemslib_says_the_same(tmp_path: Path) -> None:
    from securesystemslib.dsse import Envelope

    found, own = archive(tmp_path), key(tmp_path)
    envelope = json.loads(Path(signatures.sign(found, str(own), "dsse")).read_text())
    read = Envelope.from_dict(envelope)
    assert read.payload == statement(found)
    stated = json.loads(read.payload)
    assert stated["_type"] == "https://in-toto.io/Statement/v1"
    (subject,) = stated["subject"]
    assert subject == {"name": f"{found.sha256}.tar", "digest": {"sha256": found.sha256}}


@pytest.mark.parametrize(
    "line",
    [
        "ann",
        "ann ssh-ed25519",
        "ann ssh-ed25519 !!!",
        "ann ssh-ed25519 AAAA",
        "ann cert-authority {key}",
        "ann no-such-option {key}",
        'ann valid-before="tomorrow" {key}',
        'ann valid-before="20261332" {key}',
        'ann namespaces="a",namespaces="b" {key}',
        "{key}",
    ],
)
def test_a_line_nobody_understands_lets_nobody_in(tmp_path: Path, line: str) -> None:
    own = key(tmp_path)
    keys = allowed(tmp_path, line.format(key=public(own).strip()))
    with pytest.raises(InputError, match=r"allowed: line 3: "):
        Trust.read(str(keys))


def test_an_empty_list_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="lists nobody"):
        Trust.read(str(allowed(tmp_path)))
    with pytest.raises(InputError, match="cannot be read"):
        Trust.read(str(tmp_path / "nowhere"))


def test_a_directory_bears_no_signature(tmp_path: Path) -> None:
    archive(tmp_path)
    keys = allowed(tmp_path, f"ann {public(key(tmp_path))}")
    with pytest.raises(InputError, match="bears no signature"):
        sources.pack(tmp_path / "laid-out", allowed_signers=keys)


def _no_key(folder: Path) -> Path:
    path = folder / "nothing"
    path.write_bytes(b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
    return path


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("make", [_no_key, lambda folder: folder / "absent"])
def test_what_is_no_key_signs_nothing(
    tmp_path: Path, style: str, make: Callable[[Path], Path]
) -> None:
    found = archive(tmp_path)
    with pytest.raises(InputError, match="--key"):
        signatures.sign(found, str(make(tmp_path)), style)
    assert [path.suffix for path in tmp_path.glob(f"{found.sha256}*")] == [".tar"]


def test_a_program_of_the_same_name_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, own = archive(tmp_path), key(tmp_path)
    signatures.sign(found, str(own), "ssh")
    keys = allowed(tmp_path, f"bob {public(key(tmp_path, 'other'))}", f"ann {public(own)}")
    trap = tmp_path / "ssh-keygen"
    trap.write_text("#!/bin/sh\ntouch ran\n")
    trap.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{os.curdir}{os.pathsep}{os.environ['PATH']}")
    assert sources.pack(found.path, allowed_signers=keys, at=NOON).signers == ("ann",)
    assert not (tmp_path / "ran").exists()
