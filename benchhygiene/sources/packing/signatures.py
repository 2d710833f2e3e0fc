"""Sign an archive, and tell whether somebody who is trusted has."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator

import attrs

from benchhygiene.errors import InputError
from benchhygiene.evidence.pack import PackFault, PackFaultKind
from benchhygiene.sources.packing import dsse, sshsig
from benchhygiene.sources.packing.archives import Archive
from benchhygiene.sources.packing.files import create, unfinished
from benchhygiene.sources.packing.signers import NAMESPACE, PublicKey, Signer, Trust
from benchhygiene.sources.packing.statements import statement
from benchhygiene.sources.reading import read_regular, reason_of

SSH, DSSE = ".sig", ".dsse.json"
SUFFIXES = (DSSE, SSH)
_LARGEST = 1 << 20  # bytes
_MOST_SIGNATURES = 32  # of one envelope


@attrs.frozen
class Signed:
    """One signature that counts, or why it does not: exactly one of the two is there."""

    path: str
    signer: str | None = None
    refusal: str | None = None


def sign(archive: Archive, key: str, style: str) -> str:
    """Sign an archive with a private key, in the style ``ssh`` or ``dsse``, and return the file.

    It lies beside the archive and replaces one of the same style.
    """
    message = statement(archive)
    data = dsse.sign(message, key) if style == "dsse" else sshsig.sign(message, key)
    target = archive.path + (DSSE if style == "dsse" else SSH)
    with unfinished(target) as name:
        create(name, (data,))
        os.replace(name, target)
    return target


def signatures(archive: Archive, trust: Trust, at: datetime.datetime) -> tuple[Signed, ...]:
    """Return what became of every signature beside an archive."""
    found: list[Signed] = []
    for suffix, judge in ((DSSE, _of_dsse), (SSH, _of_ssh)):
        path = archive.path + suffix
        try:
            data = read_regular(path, _LARGEST)
        except FileNotFoundError:
            continue
        except OSError as error:
            found.append(Signed(path, refusal=f"cannot be read: {reason_of(error)}"))
            continue
        found.extend(judge(path, data, statement(archive), trust, at))
    return tuple(found)


def faults(found: tuple[Signed, ...]) -> tuple[PackFault, ...]:
    """Return why none of the signatures counts; nothing where one does."""
    if any(one.signer is not None for one in found):
        return ()
    if not found:
        message = f"nobody has signed it: there is no {DSSE} and no {SSH} beside the archive"
        return (PackFault(PackFaultKind.SIGNATURE, "", message),)
    return tuple(
        PackFault(PackFaultKind.SIGNATURE, os.path.basename(one.path), one.refusal or "")
        for one in found
    )


def _of_ssh(
    path: str, data: bytes, message: bytes, trust: Trust, at: datetime.datetime
) -> Iterator[Signed]:
    found = sshsig.parse(data)
    if found is None:
        yield Signed(path, refusal="is no signature of ssh-keygen -Y sign")
        return
    if found.namespace != NAMESPACE:
        yield Signed(
            path, refusal=f"was made for the namespace {found.namespace!r}, not for {NAMESPACE}"
        )
        return
    signer, refusal = _standing(found.key, trust, at)
    if refusal is None and not found.is_genuine(message):
        refusal = "does not fit the archive: it is of another one, or damaged"
    yield Signed(path, None if refusal else signer, refusal)


def _of_dsse(
    path: str, data: bytes, message: bytes, trust: Trust, at: datetime.datetime
) -> Iterator[Signed]:
    try:
        envelope = dsse.parse(data, os.path.basename(path))
    except InputError as error:
        yield Signed(path, refusal=str(error).partition(": ")[2])
        return
    if envelope.payload != message:
        yield Signed(path, refusal="states something else than this archive, or damaged")
        return
    if not 0 < len(envelope.signatures) <= _MOST_SIGNATURES:
        yield Signed(path, refusal=f"has {len(envelope.signatures)} signatures")
        return
    for one in envelope.signatures:
        signer, refusal = _of_envelope(envelope, one, trust, at)
        yield Signed(path, None if refusal else signer, refusal)


def _of_envelope(
    envelope: dsse.Envelope, one: dsse.DsseSignature, trust: Trust, at: datetime.datetime
) -> tuple[str, str | None]:
    keys = {signer.key for signer in trust.signers if dsse.is_usable(signer.key)}
    keys |= {key for key in trust.revoked if dsse.is_usable(key)}
    key = next((key for key in keys if key.fingerprint == one.keyid), None)
    if key is None:
        return "", _unknown(one.keyid)
    signer, refusal = _standing(key, trust, at)
    if refusal is None and not envelope.is_genuine(one, key):
        refusal = f"{one.keyid} has not made it: it is of something else, or damaged"
    return signer, refusal


def _standing(key: PublicKey, trust: Trust, at: datetime.datetime) -> tuple[str, str | None]:
    """Return who signs with a key, and why that does not count."""
    if key in trust.revoked or (trust.krl is not None and sshsig.is_in_krl(key, trust.krl)):
        return "", f"the key {key.fingerprint} was revoked"
    lines = trust.of(key)
    if not lines:
        return "", _unknown(key.fingerprint)
    reasons = [(line, line.refusal(NAMESPACE, at)) for line in lines]
    good = next((line for line, reason in reasons if reason is None), None)
    if good is not None:
        return good.principals, None
    return "", _refused(*reasons[0])


def _refused(line: Signer, reason: str | None) -> str:
    return f"the key of {line.principals} {reason}"


def _unknown(fingerprint: str) -> str:
    return f"the key {fingerprint} is not among the allowed signers"
