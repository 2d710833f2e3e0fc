"""Put an archive where scoring jobs fetch it: under its digest, and never over another one."""

from __future__ import annotations

import os
import posixpath

import attrs

from benchhygiene.errors import InputError
from benchhygiene.sources.packing import archives
from benchhygiene.sources.packing.building import place
from benchhygiene.sources.packing.files import create, unfinished
from benchhygiene.sources.packing.signatures import SUFFIXES
from benchhygiene.sources.packing.stores import Bucket
from benchhygiene.sources.packing.uris import Uri
from benchhygiene.sources.packing.verifying import verify
from benchhygiene.sources.reading import chunks_of, read_regular

_LARGEST_SIGNATURE = 1 << 20  # bytes


@attrs.frozen
class Published:
    """Where an archive can be fetched from now on, and whether it was there before."""

    uri: str
    was_there: bool


def push(found: archives.Archive, destination: Uri) -> Published:
    """Put a verified archive and its signatures below the destination, and return where it is.

    Signatures may be put over older ones: each proves itself. Raises InputError where other bytes
    have the archive's name, or the destination cannot be written to.
    """
    if destination.scheme in ("git", "http", "https"):
        raise InputError(
            f"{destination}: cannot be pushed to; commit the archive with git, or upload it with "
            "what runs the server"
        )
    if destination.sha256 is not None:
        raise InputError(f"{destination}: expected a directory; the archive is named by its digest")
    name = archives.name_of(found.sha256)
    was_there = (_to_directory if destination.is_local else _to_store)(found, destination, name)
    where = posixpath.join(destination.location.rstrip("/"), name)
    return Published(f"{where}#sha256={found.sha256}", was_there)


def _to_directory(found: archives.Archive, destination: Uri, name: str) -> bool:
    if not destination.is_directory:
        raise InputError(f"{destination}: not a directory")
    target = os.path.join(destination.location, name)
    was_there = os.path.lexists(target)
    with unfinished(target) as unnamed:
        create(unnamed, chunks_of(found.path, found.size))
        verify(unnamed, sha256=found.sha256)
        place(unnamed, target, found.sha256)
        for suffix, data in _signatures(found):
            with unfinished(target + suffix) as part:
                create(part, (data,))
                os.replace(part, target + suffix)
    return was_there


def _to_store(found: archives.Archive, destination: Uri, name: str) -> bool:
    was_there = not Bucket.of(destination, name).create(found.path, found.sha256)
    for suffix, data in _signatures(found):
        Bucket.of(destination, name + suffix).replace(data)
    return was_there


def _signatures(found: archives.Archive) -> tuple[tuple[str, bytes], ...]:
    return tuple(
        (suffix, read_regular(found.path + suffix, _LARGEST_SIGNATURE))
        for suffix in SUFFIXES
        if os.path.isfile(found.path + suffix)
    )
