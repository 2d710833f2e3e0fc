"""What a signature vouches for: an in-toto Statement about one archive.

It is made of the archive alone and always the same bytes, so that a signature beside the archive
needs no copy of it. Form: https://in-toto.io/Statement/v1, with a predicate of our own.
"""

from __future__ import annotations

import json

from benchhygiene.core.findings import DOCUMENTATION
from benchhygiene.core.json import JSON
from benchhygiene.evidence.pack import PackOrigin
from benchhygiene.sources.manifest import remarks
from benchhygiene.sources.packing.archives import Archive, name_of

PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = f"{DOCUMENTATION}/pack.html#witness-pack-v1"


def statement(archive: Archive) -> bytes:
    """Return the statement about an archive: its name and digest, its manifest's, its origin."""
    subject: JSON = {"name": name_of(archive.sha256), "digest": {"sha256": archive.sha256}}
    predicate: JSON = {
        "manifest": {"sha256": archive.manifest_sha256},
        "files": len(archive.members),
        "origin": dict(remarks(archive.origin or PackOrigin())),
    }
    whole: JSON = {
        "_type": STATEMENT_TYPE,
        "subject": [subject],
        "predicateType": PREDICATE_TYPE,
        "predicate": predicate,
    }
    return json.dumps(whole, sort_keys=True, separators=(",", ":")).encode()
