"""Signatures in a DSSE envelope, by securesystemslib (extra ``sign``): ed25519 keys of OpenSSH."""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING

import attrs

from benchhygiene.errors import InputError, MissingExtra
from benchhygiene.sources.documents import json_of, structured
from benchhygiene.sources.packing.signers import PublicKey
from benchhygiene.sources.packing.signers import public_key as parse_key
from benchhygiene.sources.packing.statements import PAYLOAD_TYPE
from benchhygiene.sources.reading import read_regular, reason_of

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_TYPE = "ssh-ed25519"
_SIZE = 32  # bytes of an ed25519 key, the last of its blob
_LARGEST_KEY = 1 << 16


@attrs.frozen
class DsseSignature:
    """One signature of an envelope, and the fingerprint of the key that it claims."""

    keyid: str
    sig: str


@attrs.frozen
class _Envelope:
    payload: str
    payloadType: str  # noqa: N815 -- the format's own name
    signatures: tuple[DsseSignature, ...]


@attrs.frozen
class Envelope:
    """What an envelope holds: a payload of the in-toto kind, and who claims to have signed it."""

    payload: bytes
    signatures: tuple[DsseSignature, ...]

    def is_genuine(self, signature: DsseSignature, key: PublicKey) -> bool:
        """Return whether the key has made the signature.

        Raises MissingExtra without securesystemslib.
        """
        try:
            from securesystemslib.dsse import Envelope as Signed
            from securesystemslib.exceptions import VerificationError
            from securesystemslib.signer import (
                Signature,  # pyright: ignore[reportPrivateImportUsage]
                SSlibKey,  # pyright: ignore[reportPrivateImportUsage]
            )
        except ImportError as error:
            raise MissingExtra("sign", "a signature in a DSSE envelope") from error
        public = {"public": key.blob[-_SIZE:].hex()}
        known = SSlibKey(signature.keyid, "ed25519", "ed25519", public)
        signed = Signature(signature.keyid, _decoded(signature.sig, "sig").hex())
        try:
            Signed(self.payload, PAYLOAD_TYPE, {signature.keyid: signed}).verify([known], 1)
        except VerificationError:
            return False
        return True


def parse(data: bytes, name: str) -> Envelope:
    """Return what an envelope holds; raises InputError for what is none."""
    found = structured(json_of(data, name), _Envelope, name, {})
    if found.payloadType != PAYLOAD_TYPE:
        raise InputError(f"{name}: payloadType: expected {PAYLOAD_TYPE}")
    for one in found.signatures:
        _decoded(one.sig, name)
    return Envelope(_decoded(found.payload, name), found.signatures)


def sign(payload: bytes, key: str) -> bytes:
    """Return the envelope of a payload, signed by an ed25519 key in a file without passphrase.

    Raises InputError where the file holds no such key, MissingExtra without securesystemslib.
    """
    try:
        from securesystemslib.dsse import Envelope as Signed
        from securesystemslib.signer import (
            CryptoSigner,  # pyright: ignore[reportPrivateImportUsage]
            SSlibKey,  # pyright: ignore[reportPrivateImportUsage]
        )
    except ImportError as error:
        raise MissingExtra("sign", "--style dsse") from error
    private = _private(key)
    public = _public(private)
    known = SSlibKey(
        public.fingerprint, "ed25519", "ed25519", {"public": public.blob[-_SIZE:].hex()}
    )
    made = Signed(payload, PAYLOAD_TYPE, {}).sign(CryptoSigner(private, known))
    signature = {"keyid": made.keyid, "sig": _encoded(bytes.fromhex(made.signature))}
    envelope = {
        "payload": _encoded(payload),
        "payloadType": PAYLOAD_TYPE,
        "signatures": [signature],
    }
    return json.dumps(envelope, sort_keys=True).encode() + b"\n"


def _public(private: Ed25519PrivateKey) -> PublicKey:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    text = private.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
    found = parse_key(text)
    if found is None:
        raise InputError("--key: its public part cannot be understood")
    return found


def _private(path: str) -> Ed25519PrivateKey:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import (
        load_pem_private_key,
        load_ssh_private_key,
    )

    try:
        data = read_regular(path, _LARGEST_KEY)
        load = load_ssh_private_key if b"OPENSSH PRIVATE KEY" in data else load_pem_private_key
        found = load(data, None)
    except OSError as error:
        raise InputError(f"--key {path}: cannot be read: {reason_of(error)}") from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise InputError(
            f"--key {path}: expected a private key without passphrase; sign with --style ssh where "
            "an agent has the key"
        ) from error
    if not isinstance(found, Ed25519PrivateKey):
        raise InputError(f"--key {path}: expected an ed25519 key, as ssh-keygen -t ed25519 makes")
    return found


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _decoded(text: str, name: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InputError(f"{name}: not base 64") from error
    if _encoded(data) != text:  # bits that nobody reads stand behind the last byte
        raise InputError(f"{name}: not the plain spelling of base 64")
    return data


def is_usable(key: PublicKey) -> bool:
    """Return whether an envelope's signature can be held against the key."""
    return key.type == _TYPE
