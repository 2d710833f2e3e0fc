"""Signatures of OpenSSH, by the ``ssh-keygen`` program in an environment of its own.

Form of a signature: OpenSSH's PROTOCOL.sshsig.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import subprocess
import tempfile
from collections.abc import Sequence

import attrs

from benchhygiene.errors import InputError
from benchhygiene.sources.packing.signers import NAMESPACE, PublicKey

_PATIENCE = 120  # seconds; a key on a stick waits for a finger
_ARMOUR = re.compile(
    rb"-----BEGIN SSH SIGNATURE-----\s+([A-Za-z0-9+/=\s]+)-----END SSH SIGNATURE-----\s*"
)
_MAGIC = b"SSHSIG"


@attrs.frozen
class SshSignature:
    """Who made a signature and what for; whether it is genuine, ``is_genuine`` says."""

    key: PublicKey
    namespace: str
    armoured: bytes = attrs.field(repr=False)

    def is_genuine(self, message: bytes) -> bool:
        """Return whether the key has signed the message for the namespace."""
        with tempfile.TemporaryDirectory() as folder:
            allowed, signature = os.path.join(folder, "allowed"), os.path.join(folder, "sig")
            _write(allowed, f"signer {self.key.line}\n".encode())
            _write(signature, self.armoured)
            words = ["-Y", "verify", "-f", allowed, "-I", "signer", "-n", self.namespace]
            return _ran([*words, "-s", signature], message).returncode == 0


def parse(data: bytes) -> SshSignature | None:
    """Return what an armoured signature says of itself, None where it is none."""
    found = _ARMOUR.fullmatch(data)
    if found is None:
        return None
    try:
        blob = base64.b64decode(b"".join(found[1].split()), validate=True)
        key, rest = _string(blob.removeprefix(_MAGIC)[4:])
        namespace, _ = _string(rest)
        kind, _ = _string(key)
        public = PublicKey(kind.decode("ascii"), key)
        name = namespace.decode("ascii")
    except (binascii.Error, ValueError):
        return None
    return SshSignature(public, name, data) if blob.startswith(_MAGIC) else None


def sign(message: bytes, key: str) -> bytes:
    """Return the armoured signature of a message by a private key, or by an agent's public one.

    ``ssh-keygen`` asks for a passphrase itself, on the terminal. Raises InputError where it cannot
    sign.
    """
    agent = {name: os.environ[name] for name in ("SSH_AUTH_SOCK",) if name in os.environ}
    done = _ran(["-q", "-Y", "sign", "-f", os.path.abspath(key), "-n", NAMESPACE], message, agent)
    if done.returncode or parse(done.stdout) is None:
        said = done.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise InputError(f"--key {key}: ssh-keygen cannot sign with it: {said or 'without a word'}")
    return done.stdout


def is_in_krl(key: PublicKey, krl: str) -> bool:
    """Return whether a KRL says that a key was revoked; one that cannot be read says so of all."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "key.pub")
        _write(path, f"{key.line}\n".encode())
        return _ran(["-Q", "-f", os.path.abspath(krl), path], b"").returncode != 0


def _ran(
    words: Sequence[str], message: bytes, environ: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    clean = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC", "HOME": os.devnull}
    try:
        return subprocess.run(
            [_program(), *words],
            input=message,
            capture_output=True,
            env=clean | (environ or {}),
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"ssh-keygen: did not run to its end: {error}") from error


def _program() -> str:
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        program = os.path.join(folder, "ssh-keygen")
        if os.path.isabs(folder) and os.path.isfile(program) and os.access(program, os.X_OK):
            return program
    raise InputError(
        "ssh-keygen: no such program on PATH; install OpenSSH's client, or sign with --style dsse"
    )


def _string(data: bytes) -> tuple[bytes, bytes]:
    """Return the string that the bytes begin with, and what follows it."""
    end = 4 + int.from_bytes(data[:4], "big")
    if len(data) < end or end == 4:
        raise ValueError("cut short")
    return data[4:end], data[end:]


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)
