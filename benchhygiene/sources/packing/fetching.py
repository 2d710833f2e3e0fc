"""Get an archive from wherever it is kept, and believe it only by its digest."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator

from benchhygiene.errors import EvidenceUnavailable, InputError, PackRefused
from benchhygiene.evidence.pack import MANIFEST, PackFault, PackFaultKind
from benchhygiene.evidence.tree import EntryKind, SourceTree
from benchhygiene.sources import manifest
from benchhygiene.sources.git import Repository
from benchhygiene.sources.git_objects import ObjectStore
from benchhygiene.sources.pack_walk import PackLimits
from benchhygiene.sources.packing import archives
from benchhygiene.sources.packing.building import laid_out, place
from benchhygiene.sources.packing.contents import Content, Copied, Measured, sealed
from benchhygiene.sources.packing.files import create, unfinished
from benchhygiene.sources.packing.headers import BLOCK
from benchhygiene.sources.packing.signatures import SUFFIXES
from benchhygiene.sources.packing.stores import Bucket
from benchhygiene.sources.packing.uris import STORES, Uri
from benchhygiene.sources.packing.verifying import verify
from benchhygiene.sources.reading import chunks_of, reason_of
from benchhygiene.sources.trees import TreeLimits

_LARGEST_SIGNATURE = 1 << 20  # bytes
_IN_MEMORY = 1 << 30  # bytes of an archive that git hands over whole


def fetch(uri: Uri, target: str, limits: PackLimits | None = None) -> archives.Archive:
    """Write the archive at the place to a file, with the signatures that lie beside it.

    A directory as ``target`` gets it under its digest. It has its name once all of it is there and
    verified; what breaks off leaves nothing. Raises PackRefused for other bytes than the digest
    says, InputError where the place has no archive, no digest is given for one that could change,
    or other bytes have the name.
    """
    bounds = limits or PackLimits()
    require_pinned(uri)
    into = os.path.isdir(target)
    with unfinished(os.path.join(target, "pack") if into else target) as name:
        found = obtain(uri, name, bounds)
        final = os.path.join(target, archives.name_of(found.sha256)) if into else target
        place(name, final, found.sha256, bounds)
    for suffix in SUFFIXES:
        _fetch_signature(uri, suffix, final + suffix)
    return archives.Archive(
        final, found.sha256, found.size, found.members, found.manifest_sha256, found.origin
    )


def require_pinned(uri: Uri) -> None:
    """Raise InputError for a store's object without a digest: whoever may write it decides."""
    if uri.sha256 is None and uri.scheme in STORES:
        raise InputError(f"{uri}: expected a digest behind it, #sha256=...; a store's object moves")


def obtain(uri: Uri, name: str, limits: PackLimits) -> archives.Archive:
    """Write the archive at the place to a file that is not there yet, and verify it."""
    create(name, chunks(uri, limits))
    try:
        return verify(name, sha256=uri.sha256, limits=limits)
    except PackRefused as error:
        raise PackRefused(str(uri), error.faults) from error


def chunks(uri: Uri, limits: PackLimits) -> Iterator[bytes]:
    """Yield the bytes of the archive at the place; a directory's are those it would have."""
    most = limits.total_bytes + 8 * BLOCK * limits.entries
    if uri.is_directory:
        return archives.blocks(laid_out(uri.location, limits=limits))
    if uri.is_local:
        return _of_file(uri, most)
    if uri.scheme == "git":
        return _of_commit(uri, limits)
    return Bucket.of(uri).chunks(most)


def _of_file(uri: Uri, most: int) -> Iterator[bytes]:
    try:
        yield from chunks_of(uri.location, most)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "not a path"
        raise InputError(f"pack {uri}: {reason}") from error


def _of_commit(uri: Uri, limits: PackLimits) -> Iterator[bytes]:
    """Yield the archive that a commit holds, or that of the directory it holds."""
    bounds = TreeLimits(file_bytes=limits.file_bytes, entries=limits.entries, depth=limits.depth)
    with Repository(uri.location, limits=bounds) as repository:
        tree = repository.tree(uri.commit or "")
        found = tree.entries.get(uri.path)
        if found is None:
            yield from archives.blocks(_directory(uri, tree))
        elif found.kind is EntryKind.FILE:
            yield _blob(uri)
        else:
            raise InputError(f"{uri}: a {found.kind.value}; expected an archive or a directory")


def _blob(uri: Uri) -> bytes:
    store = ObjectStore(os.path.realpath(uri.location), _IN_MEMORY)
    try:
        return store.read(f"{uri.commit}:{uri.path}").data
    except EvidenceUnavailable as error:
        raise InputError(f"{uri}: {str(error).rpartition(': ')[2]}") from error
    finally:
        store.close()


def _directory(uri: Uri, tree: SourceTree) -> dict[str, Measured]:
    """Return the pack's directory in a commit as contents, once its own manifest holds."""
    prefix = f"{uri.path}/" if uri.path else ""
    inside = {path: one for path, one in tree.entries.items() if path.startswith(prefix)}
    if not inside:
        raise InputError(f"{uri}: there is no such file or directory in the commit")
    if prefix + MANIFEST not in inside:
        raise PackRefused(str(uri), (PackFault(PackFaultKind.MANIFEST, MANIFEST, "there is none"),))
    contents: dict[str, Content] = {}
    faults: list[PackFault] = []
    for path, one in inside.items():
        own = path.removeprefix(prefix)
        if one.kind is EntryKind.FILE:
            contents[own] = Copied(tree, path, one.is_executable)
        else:
            faults.append(PackFault(PackFaultKind.TYPE, own, "is no regular file"))
    listed = manifest.parse(b"".join(contents[MANIFEST].chunks()))
    found = sealed(contents, listed.origin)
    faults.extend((*listed.faults, *manifest.disagreements(found, listed.digests)))
    if faults:
        raise PackRefused(str(uri), tuple(faults))
    return found


def _fetch_signature(uri: Uri, suffix: str, target: str) -> None:
    """Copy what signs the archive, where there is such; it is believed by nobody yet."""
    data = _signature(uri, suffix)
    if data is None:
        return
    with unfinished(target) as name:
        create(name, (data,))
        os.replace(name, target)


def _signature(uri: Uri, suffix: str) -> bytes | None:
    if uri.is_directory or uri.scheme == "git":
        return None
    try:
        if uri.is_local:
            return b"".join(chunks_of(uri.location + suffix, _LARGEST_SIGNATURE))
        bucket = Bucket.of(uri)
        own = posixpath.basename(bucket.name.partition("?")[0])
        return b"".join(Bucket(uri, bucket.store, own + suffix).chunks(_LARGEST_SIGNATURE))
    except (OSError, InputError):
        return None
