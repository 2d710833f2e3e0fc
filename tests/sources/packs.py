"""Packs on disk, and their manifests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

ENTRY: dict[str, object] = {
    "node_id": "tests/test_a.py::test_a",
    "first_seen": "2026-09-18",
    "expires": "2026-10-02",
    "signature": "AssertionError: cents != 0",
    "owner": "payments",
    "allowed_action": "quarantine",
}
WAIVER: dict[str, object] = {
    "path": "tests/test_a.py",
    "kind": "assert.removed",
    "reason": "covered elsewhere",
    "approved_by": "ann",
    "expires": "2026-10-02",
}
FILES: dict[str, bytes] = {
    "flakes/ledger.json": json.dumps({"version": 1, "entries": [ENTRY]}).encode(),
    "waivers.json": json.dumps({"version": 1, "waivers": [WAIVER]}).encode(),
    "properties/campaign.toml": b"[parse_money]\nmax_examples = 400\n",
    "tests/test_a.py": b"def test_a():\n    assert True\n",
    "fixtures/rows.bin": bytes(range(256)),
}


def manifest_of(files: Mapping[str, bytes]) -> bytes:
    lines = (f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in files.items())
    return "".join(lines).encode()


def write(root: Path, files: Mapping[str, bytes], manifest: bytes | None = None) -> Path:
    """Write the files with their manifest, or with the given one; an empty one is left out."""
    listed = manifest_of(files) if manifest is None else manifest
    for path, data in {**files, **({"MANIFEST.sha256": listed} if listed else {})}.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return root
