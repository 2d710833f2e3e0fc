"""Lay out a pack: as a directory that people edit, or as the archive that is named by digest."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping

from benchhygiene.errors import InputError, PackRefused
from benchhygiene.evidence.pack import CAMPAIGN, LEDGER, MANIFEST, WAIVERS, PackOrigin
from benchhygiene.sources import manifest
from benchhygiene.sources.pack_walk import PackLimits, walk
from benchhygiene.sources.packing import archives
from benchhygiene.sources.packing.contents import Content, Given, Measured, local, sealed
from benchhygiene.sources.packing.files import create, publish, unfinished
from benchhygiene.sources.packing.verifying import verify
from benchhygiene.sources.reading import read_regular, reason_of

#: What a pack says before anybody has agreed on anything.
EMPTY: Mapping[str, bytes] = {
    LEDGER: b'{\n  "version": 1,\n  "entries": []\n}\n',
    WAIVERS: b'{\n  "version": 1,\n  "waivers": []\n}\n',
    CAMPAIGN: b"# A table for each property: see the documentation of the witness pack.\n",
}
_FOLDERS = ("contracts", "fixtures", "tests")


def init(directory: str) -> None:
    """Lay out an empty pack in a new or empty directory; raises InputError for any other."""
    lay_out(sealed({path: Given(data) for path, data in EMPTY.items()}, None), directory)
    for name in _FOLDERS:
        os.mkdir(os.path.join(directory, name))


def lay_out(contents: Mapping[str, Measured], directory: str) -> None:
    """Write the contents into a new or empty directory; raises InputError for any other."""
    try:
        os.makedirs(directory, exist_ok=True)
        if os.listdir(directory):
            raise InputError(f"{directory}: expected a directory that is new or empty")
        for path, one in contents.items():
            target = os.path.join(directory, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            create(target, one.chunks(), 0o755 if one.content.is_executable else 0o644)
    except OSError as error:
        raise InputError(f"{directory}: cannot be written: {error.strerror or error}") from error


def laid_out(
    directory: str, origin: PackOrigin | None = None, limits: PackLimits | None = None
) -> dict[str, Measured]:
    """Return what lies in a pack's directory, listed anew; a manifest that is there is passed over.

    The origin is the manifest's unless another is given. Raises PackRefused for links, devices and
    whatever else no pack may hold.
    """
    bounds = limits or PackLimits()
    if not os.path.isdir(directory):
        raise InputError(f"pack {directory}: not a directory")
    walked = walk(directory, bounds)
    if walked.faults:
        raise PackRefused(directory, walked.faults)
    contents: dict[str, Content] = {
        path: local(directory, path, bounds.file_bytes) for path in walked.files
    }
    return sealed(contents, origin or _origin_of(directory, bounds))


def _origin_of(directory: str, limits: PackLimits) -> PackOrigin | None:
    try:
        data = read_regular(os.path.join(directory, MANIFEST), limits.manifest_bytes)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{directory}/{MANIFEST}: {reason_of(error)}") from error
    return manifest.parse(data).origin


def seal(directory: str, origin: PackOrigin | None = None) -> None:
    """Write the manifest of a pack's directory anew, in one step."""
    (listed, *_) = laid_out(directory, origin).values()
    target = os.path.join(directory, MANIFEST)
    with unfinished(target) as name:
        create(name, listed.chunks())
        os.replace(name, target)


def digest(contents: Mapping[str, Measured]) -> str:
    """Return the SHA-256 of the contents' archive, without writing it."""
    whole = hashlib.sha256()
    for chunk in archives.blocks(contents):
        whole.update(chunk)
    return whole.hexdigest()


def archive(
    contents: Mapping[str, Measured], target: str, limits: PackLimits | None = None
) -> archives.Archive:
    """Write the archive of the contents and return it as it was verified.

    A directory as ``target`` gets it under its digest. An archive that is there already must be the
    same. Raises InputError where another file has the name, PackRefused for what no pack may hold.
    """
    into = os.path.isdir(target)
    with unfinished(os.path.join(target, "pack") if into else target) as name:
        create(name, archives.blocks(contents))
        found = verify(name, limits=limits)
        final = os.path.join(target, archives.name_of(found.sha256)) if into else target
        place(name, final, found.sha256, limits)
    return archives.Archive(
        final, found.sha256, found.size, found.members, found.manifest_sha256, found.origin
    )


def place(name: str, final: str, sha256: str, limits: PackLimits | None = None) -> None:
    """Give a verified archive its name; raises InputError where other bytes have it."""
    if publish(name, final):
        return
    try:
        verify(final, sha256=sha256, limits=limits)
    except PackRefused as error:
        raise InputError(f"{final}: is there already and holds something else") from error
