"""Whose signatures count: an allowed-signers file as OpenSSH reads it, and keys that were revoked.

Format: ssh-keygen(1), "ALLOWED SIGNERS". A time without ``Z`` is UTC here, and not this machine's.
"""

from __future__ import annotations

import base64
import binascii
import datetime
import hashlib
import re
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene.errors import InputError
from benchhygiene.sources.reading import read_regular, reason_of

NAMESPACE = "benchhygiene"
KRL_MAGIC = b"SSHKRL\n\0"
_LARGEST = 4 << 20
_TYPE = (
    r"ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)"
    r"|sk-ssh-ed25519@openssh\.com|sk-ecdsa-sha2-nistp256@openssh\.com"
)
_KEY = rf"(?P<type>{_TYPE})[ \t]+(?P<key>[A-Za-z0-9+/]+={{0,2}})(?:[ \t].*)?"
_LINE = re.compile(
    r'(?P<principals>"[^"]+"|[^\s"]+)[ \t]+'
    rf'(?:(?P<options>(?:[^\s"]|"[^"]*")+)[ \t]+)?{_KEY}'
)
_BARE = re.compile(_KEY)
_OPTION = re.compile(r'(?P<name>[A-Za-z-]+)(?:="(?P<quoted>[^"]*)"|=(?P<bare>[^",]*))?(?:,|\Z)')
_TIME = re.compile(r"(?P<day>[0-9]{8})(?P<clock>[0-9]{4}(?:[0-9]{2})?)?Z?")


@attrs.frozen
class PublicKey:
    """One key: its type and its bytes, as OpenSSH writes them."""

    type: str
    blob: bytes = attrs.field(repr=False)

    @property
    def fingerprint(self) -> str:
        """Return the name that ``ssh-keygen -l`` gives the key."""
        digest = base64.b64encode(hashlib.sha256(self.blob).digest()).decode()
        return f"SHA256:{digest.rstrip('=')}"

    @property
    def line(self) -> str:
        """Return the key as one line of a ``.pub`` file."""
        return f"{self.type} {base64.b64encode(self.blob).decode()}"


@attrs.frozen
class Signer:
    """One line of an allowed-signers file: who may sign with which key, what for and when."""

    principals: str
    key: PublicKey
    namespaces: tuple[str, ...] | None = None
    valid_after: datetime.datetime | None = None
    valid_before: datetime.datetime | None = None

    def refusal(self, namespace: str, at: datetime.datetime) -> str | None:
        """Return why a signature for the namespace does not count at that time, None if it does."""
        if self.namespaces is not None and not _is_listed(namespace, self.namespaces):
            allowed = ",".join(self.namespaces)
            return f"may sign for {allowed}, not for the namespace {namespace}"
        if self.valid_after is not None and at < self.valid_after:
            return f"is not valid before {_shown(self.valid_after)}"
        if self.valid_before is not None and at > self.valid_before:
            return f"has expired: it was valid until {_shown(self.valid_before)}"
        return None


@attrs.frozen
class Trust:
    """Whose signatures count. ``krl`` is the path of a binary list of revoked keys."""

    signers: tuple[Signer, ...]
    revoked: frozenset[PublicKey] = frozenset()
    krl: str | None = None

    @classmethod
    def read(cls, allowed: str, revoked: str | None = None) -> Trust:
        """Return what an allowed-signers file says, and a file of revoked keys.

        The latter has one public key a line, or is a KRL of ``ssh-keygen -k``. Raises InputError
        for a line that cannot be understood: nobody knows whom it would let in or keep out.
        """
        signers = tuple(_signers(_lines(allowed, _read(allowed)), allowed))
        if not signers:
            raise InputError(f"{allowed}: lists nobody who may sign")
        if revoked is None:
            return cls(signers)
        data = _read(revoked)
        if data.startswith(KRL_MAGIC):
            return cls(signers, krl=revoked)
        return cls(signers, frozenset(_keys(_lines(revoked, data), revoked)))

    def of(self, key: PublicKey) -> tuple[Signer, ...]:
        """Return the lines that are about a key."""
        return tuple(one for one in self.signers if one.key == key)


def public_key(text: str) -> PublicKey | None:
    """Return the key of one line of a ``.pub`` file, None where it is no such line."""
    found = _BARE.fullmatch(text.strip())
    return None if found is None else _key(found["type"], found["key"])


def _read(path: str) -> bytes:
    try:
        return read_regular(path, _LARGEST)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "not a path"
        raise InputError(f"{path}: cannot be read: {reason}") from error


def _lines(path: str, data: bytes) -> Iterator[tuple[int, str]]:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8: byte {error.start} cannot be decoded") from error
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.strip()


def _signers(lines: Iterable[tuple[int, str]], path: str) -> Iterator[Signer]:
    for number, line in lines:
        found = _LINE.fullmatch(line)
        key = None if found is None else _key(found["type"], found["key"])
        if found is None or key is None:
            raise InputError(
                f"{path}: line {number}: expected PRINCIPAL [OPTIONS] KEY-TYPE BASE64-KEY"
            )
        options = _options(found["options"] or "", f"{path}: line {number}")
        yield _signer(found["principals"].strip('"'), key, options, f"{path}: line {number}")


def _keys(lines: Iterable[tuple[int, str]], path: str) -> Iterator[PublicKey]:
    for number, line in lines:
        key = public_key(line)
        if key is None:
            raise InputError(f"{path}: line {number}: expected KEY-TYPE BASE64-KEY")
        yield key


def _key(kind: str, text: str) -> PublicKey | None:
    """Return the key, None where its bytes are of another type than is said."""
    try:
        blob = base64.b64decode(text, validate=True)
    except binascii.Error:
        return None
    named = kind.encode()
    return PublicKey(kind, blob) if blob[4 : 4 + len(named)] == named else None


def _options(text: str, where: str) -> dict[str, str]:
    options: dict[str, str] = {}
    at = 0
    while at < len(text):
        found = _OPTION.match(text, at)
        if found is None:
            raise InputError(f"{where}: the options {text!r} cannot be understood")
        name = found["name"].lower()
        if name in options:
            raise InputError(f"{where}: {name} is given twice")
        options[name] = found["quoted"] or found["bare"] or ""
        at = found.end()
    return options


def _signer(principals: str, key: PublicKey, options: dict[str, str], where: str) -> Signer:
    unknown = sorted(set(options) - {"namespaces", "valid-after", "valid-before"})
    if unknown:
        raise InputError(
            f"{where}: {unknown[0]}: expected namespaces, valid-after or valid-before; "
            "certificates are not taken"
        )
    names = options.get("namespaces")
    return Signer(
        principals,
        key,
        None if names is None else tuple(names.split(",")),
        _time(options.get("valid-after"), where),
        _time(options.get("valid-before"), where),
    )


def _time(text: str | None, where: str) -> datetime.datetime | None:
    if text is None:
        return None
    found = _TIME.fullmatch(text)
    try:
        if found is not None:
            digits = found["day"] + (found["clock"] or "").ljust(6, "0")
            return datetime.datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=datetime.UTC)
    except ValueError:
        pass
    raise InputError(f"{where}: {text!r}: expected a time as YYYYMMDD or YYYYMMDDHHMM[SS]")


def _is_listed(name: str, patterns: Iterable[str]) -> bool:
    """Return whether a pattern matches and none that begins with ``!`` does."""
    found = False
    for pattern in patterns:
        if _fits(name, pattern.removeprefix("!")):
            if pattern.startswith("!"):
                return False
            found = True
    return found


def _fits(name: str, pattern: str) -> bool:
    parts = (".*" if one == "*" else "." if one == "?" else re.escape(one) for one in pattern)
    return re.fullmatch("".join(parts), name) is not None


def _shown(time: datetime.datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")
