"""The list of what a pack holds, in the format of ``sha256sum``."""

from __future__ import annotations

import datetime
import posixpath
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

import attrs

from benchhygiene.evidence.pack import MANIFEST, PackFault, PackFaultKind, PackOrigin
from benchhygiene.evidence.tree import is_plain

# GNU coreutils: a leading backslash says that the name is escaped, "*" that the file is binary.
_LINE = re.compile(r"(?P<escaped>\\?)(?P<digest>[0-9a-f]{64}) [ *](?P<name>.+)", re.DOTALL)
_ESCAPES = {"\\\\": "\\", "\\n": "\n", "\\r": "\r"}
_SPELLED = {meant: spelled for spelled, meant in _ESCAPES.items()}
_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)
# ``sha256sum --check`` passes over lines that begin with "#".
_REMARK = re.compile(
    r"# (?P<key>repository|commit|committed|max-age-days): (?P<value>[ -~]{1,1000})"
)
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_DAYS = re.compile(r"[1-9][0-9]{0,5}")
_TIME = "%Y-%m-%dT%H:%M:%SZ"


@attrs.frozen
class Manifest:
    """The SHA-256 of each listed path, in hexadecimal, and the lines that cannot be believed.

    ``origin`` is what the remarks at its head say, None where there are none.
    """

    digests: dict[str, str]
    faults: tuple[PackFault, ...]
    origin: PackOrigin | None = None


def parse(data: bytes) -> Manifest:
    """Return what the manifest lists; a path is taken with or without a leading ``./``."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return Manifest({}, (_fault(f"not UTF-8: byte {error.start} cannot be decoded"),))
    digests: dict[str, str] = {}
    faults: list[PackFault] = []
    said: dict[str, str] = {}
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        if line.startswith("#"):
            faults.extend(_remark(line, number, said, is_head=not digests))
            continue
        entry = _entry(line)
        if entry is None:
            faults.append(_fault(f"line {number}: expected a SHA-256, two blanks and a path"))
            continue
        path, digest = entry
        faults.extend(_faults_of(path, number, digests))
        digests[path] = digest
    return Manifest(digests, tuple(faults), _origin(said) if said else None)


def render(digests: Mapping[str, str], origin: PackOrigin | None = None) -> bytes:
    """Return the manifest of these paths, as ``parse`` and ``sha256sum --check`` read it."""
    said = {} if origin is None else remarks(origin)
    head = "".join(f"# {key}: {value}\n" for key, value in said.items())
    return (head + "".join(_line(path, digests[path]) for path in sorted(digests))).encode()


def _line(path: str, digest: str) -> str:
    escaped = re.sub(r"[\\\n\r]", lambda one: _SPELLED[one.group()], path)
    return f"{'' if escaped == path else chr(92)}{digest}  {escaped}\n"


def remarks(origin: PackOrigin) -> dict[str, str]:
    """Return what a manifest says of an origin at its head, by the key it goes under."""
    time = origin.committed
    given = {
        "repository": origin.repository,
        "commit": origin.commit,
        "committed": None if time is None else time.astimezone(datetime.UTC).strftime(_TIME),
        "max-age-days": None if origin.max_age_days is None else str(origin.max_age_days),
    }
    return {key: value for key, value in given.items() if value is not None}


def _remark(line: str, number: int, known: dict[str, str], *, is_head: bool) -> Iterator[PackFault]:
    found = _REMARK.fullmatch(line)
    if found is None or not is_head or not _is_possible(found["key"], found["value"]):
        yield _fault(
            f"line {number}: expected, before the first file, '# repository: NAME', "
            "'# commit: ID', '# committed: YYYY-MM-DDTHH:MM:SSZ' or '# max-age-days: N'"
        )
    elif found["key"] in known:
        yield _fault(f"line {number}: says {found['key']} for the second time")
    else:
        known[found["key"]] = found["value"]


def _is_possible(key: str, value: str) -> bool:
    if key == "committed":
        return _time(value) is not None
    form = {"commit": _COMMIT, "max-age-days": _DAYS}.get(key)
    return value == value.strip() if form is None else form.fullmatch(value) is not None


def _time(text: str) -> datetime.datetime | None:
    try:
        found = datetime.datetime.strptime(text, _TIME).replace(tzinfo=datetime.UTC)
    except ValueError:
        return None
    return found if found.strftime(_TIME) == text else None


def _origin(remarks: Mapping[str, str]) -> PackOrigin:
    days = remarks.get("max-age-days")
    return PackOrigin(
        remarks.get("repository"),
        remarks.get("commit"),
        _time(remarks.get("committed", "")),
        None if days is None else int(days),
    )


def _entry(line: str) -> tuple[str, str] | None:
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    name: str | None = found["name"]
    if found["escaped"]:
        name = _unescaped(found["name"])
    return None if name is None else (name.removeprefix("./"), found["digest"])


def _unescaped(name: str) -> str | None:
    if any(escape.group() not in _ESCAPES for escape in _ESCAPE.finditer(name)):
        return None
    return _ESCAPE.sub(lambda escape: _ESCAPES[escape.group()], name)


def _faults_of(path: str, number: int, known: Iterable[str]) -> Iterator[PackFault]:
    if path in known:
        yield _fault(f"line {number}: lists {path!r} for the second time", path)
    if path == MANIFEST:
        yield _fault(f"line {number}: lists the manifest itself", path)
    if not is_plain(path):
        yield _fault(f"line {number}: {path!r} is no plain path below the pack", path)


def _fault(message: str, path: str | None = None) -> PackFault:
    kind = PackFaultKind.MANIFEST if path is None else PackFaultKind.NAME
    return PackFault(kind, MANIFEST, message)


def disagreements(found: Mapping[str, _Hashed], listed: Mapping[str, str]) -> Iterator[PackFault]:
    """Yield in what these files are not those that a manifest lists."""
    there = set(found) - {MANIFEST}
    for path in sorted(there - set(listed)):
        yield PackFault(PackFaultKind.UNLISTED, path, "is not in the manifest")
    for path in sorted(set(listed) - there):
        yield PackFault(PackFaultKind.MISSING, path, "is in the manifest and not in the pack")
    for path in sorted(there & set(listed)):
        if found[path].sha256 != listed[path]:
            message = f"its SHA-256 is {found[path].sha256}, the manifest says {listed[path]}"
            yield PackFault(PackFaultKind.DIGEST, path, message)


class _Hashed(Protocol):
    """Something that knows its SHA-256 in hexadecimal."""

    @property
    def sha256(self) -> str: ...


def collisions(paths: Iterable[str]) -> Iterator[PackFault]:
    """Yield the paths, directories included, that another file system would take for one."""
    seen: dict[str, str] = {}
    for path in sorted({part for file in paths for part in _with_directories(file)}):
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
        first = seen.setdefault(folded, path)
        if first != path:
            message = f"differs from {first!r} by case or by accents' form alone"
            yield PackFault(PackFaultKind.NAME, path, message)


def _with_directories(path: str) -> Iterator[str]:
    while path:
        yield path
        path = posixpath.dirname(path)
