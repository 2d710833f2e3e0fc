"""A small pack as archive, and the means to make others that nobody should believe."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

from benchhygiene.sources.packing import archives, building
from tests.sources.packs import FILES, manifest_of, write

LONG = f"fixtures/{'deep/' * 30}{'n' * 120}.bin"


def archive(folder: Path, files: dict[str, bytes] | None = None) -> archives.Archive:
    """Write the archive of these files below the folder."""
    root = write(folder / "laid-out", FILES if files is None else files)
    building.seal(str(root))
    return building.archive(building.laid_out(str(root)), str(folder))


def info(name: str, data: bytes = b"", **fields: object) -> tuple[tarfile.TarInfo, bytes]:
    """Return an entry as our archives have it, but for the fields."""
    found = tarfile.TarInfo(name)
    found.size, found.mode, found.mtime = len(data), 0o644, 315_532_800
    for field, value in fields.items():
        setattr(found, field, value)
    return found, data


def tar(
    path: Path,
    *entries: tuple[tarfile.TarInfo, bytes],
    style: int = tarfile.USTAR_FORMAT,
    files: dict[str, bytes] | None = None,
) -> Path:
    """Write a tar of a manifest of the entries, and of the entries; it ends where ours end."""
    listed = {one.name: data for one, data in entries} if files is None else files
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=style) as written:
        for one, data in (info("MANIFEST.sha256", manifest_of(listed)), *entries):
            written.addfile(one, io.BytesIO(data))
        end = written.offset
    path.write_bytes(stream.getvalue()[:end] + bytes(1024))
    return path
