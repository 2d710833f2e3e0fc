"""What the commands of ``benchhygiene pack`` print: one document, as JSON or as lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from benchhygiene.core.json import JSON
from benchhygiene.errors import PackRefused
from benchhygiene.evidence.pack import PackOrigin, WitnessPack
from benchhygiene.formats.escape import escape
from benchhygiene.formats.json import dump
from benchhygiene.sources.manifest import remarks
from benchhygiene.sources.packing.archives import Archive

SCHEMA = "benchhygiene.pack/1"
_Lines = Callable[[Mapping[str, JSON]], Iterator[str]]


def render(document: dict[str, JSON], style: str, lines: _Lines) -> str:
    """Return the document as JSON, or line by line for people."""
    if style == "json":
        return dump({"schema": SCHEMA, **document})
    return "".join(f"{escape(line)}\n" for line in lines(document))


def faults_document(error: PackRefused) -> dict[str, JSON]:
    """Return every fault of a pack that was refused."""
    faults: list[JSON] = [
        {"rule": one.rule, "path": one.path, "message": one.message} for one in error.faults
    ]
    return {"pack": error.pack, "verdict": "violation", "faults": faults}


def archive_document(archive: Archive, notes: tuple[str, ...]) -> dict[str, JSON]:
    """Return what can be said of an archive without reading what is in it."""
    return {
        "pack": archive.path,
        "verdict": "pass",
        "sha256": archive.sha256,
        "manifest_sha256": archive.manifest_sha256,
        "files": len(archive.members),
        "bytes": archive.size,
        "origin": dict(remarks(archive.origin or PackOrigin())),
        "notes": list(notes),
    }


def pack_document(
    pack: WitnessPack, notes: tuple[str, ...], *, with_files: bool = False
) -> dict[str, JSON]:
    """Return what a pack holds, and with every file by its digest where that is asked for."""
    found: dict[str, JSON] = {
        "pack": pack.directory or "",
        "verdict": "pass",
        "sha256": pack.archive_sha256,
        "manifest_sha256": pack.manifest_sha256,
        "files": len(pack.files.entries),
        "bytes": sum(one.size or 0 for one in pack.files.entries.values()),
        "origin": dict(remarks(pack.origin or PackOrigin())),
        "signers": list(pack.signers),
        "ledger_entries": len(pack.ledger.entries) if pack.ledger else 0,
        "waivers": len(pack.waivers.waivers) if pack.waivers else 0,
        "budgets": len(pack.campaign.budgets) if pack.campaign else 0,
        "notes": [*notes, *pack.notes],
    }
    if with_files:
        found["contents"] = [
            {
                "path": path,
                "sha256": one.identity.removeprefix("sha256:"),
                "bytes": one.size,
                "is_executable": one.is_executable,
            }
            for path, one in pack.files.entries.items()
        ]
    return found


def lines_of(document: Mapping[str, JSON]) -> Iterator[str]:
    """Yield a document's lines: a fault each, or what the pack is and holds."""
    faults = document.get("faults")
    if isinstance(faults, list):
        yield from (_fault(one) for one in faults if isinstance(one, dict))
        return
    for key, value in document.items():
        if key in ("verdict", "contents", "notes", "origin") or value in (None, [], 0):
            continue
        shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        yield f"{key.replace('_', ' ')}: {shown}"
    yield from _details(document)


def _details(document: Mapping[str, JSON]) -> Iterator[str]:
    origin, notes, contents = (document.get(key) for key in ("origin", "notes", "contents"))
    if isinstance(origin, dict):
        yield from (f"{key}: {value}" for key, value in origin.items())
    for note in notes if isinstance(notes, list) else ():
        yield f"note: {note}"
    for one in contents if isinstance(contents, list) else ():
        if isinstance(one, dict):
            yield f"{one['sha256']}  {one['path']}"


def _fault(fault: Mapping[str, JSON]) -> str:
    where = f"{fault['path']}: " if fault["path"] else ""
    return f"{fault['rule']}: {where}{fault['message']}"
