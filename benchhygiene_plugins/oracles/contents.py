"""What the bytes of a fixture hold: records, nothing, or something nobody here can read."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

import attrs

_MOST_READ = 8_000_000  # bytes of a file whose records are counted
_HOLLOW = frozenset((b"", b"[]", b"{}", b"null", b'""', b"''", b"[[]]", b"[{}]", b"~", b"None"))
_HOLLOW_XML = re.compile(rb"(?:<\?[^>]*>|\s)*<([\w:.-]+)[^<>]*(?:/>|>\s*</\1\s*>)\s*")
_YAML = (".yaml", ".yml")
_TABLES = {".csv": ",", ".tsv": "\t", ".psv": "|"}
_LINES = (".jsonl", ".ndjson")
_COMMENTS = {".sql": b"--", ".yaml": b"#", ".yml": b"#", ".toml": b"#", ".ini": b"#", ".cfg": b"#"}

Plain: TypeAlias = object


@attrs.frozen
class Content:
    """The facts of one file's bytes; ``rows`` is None where no records can be told apart.

    ``records`` are what a JSON document, JSON lines or a table hold; ``header`` is a table's.
    """

    digest: str
    size: int
    rows: int | None = None
    is_hollow: bool = False
    records: object = attrs.field(default=None, eq=False, repr=False)
    is_parsed: bool = False


@attrs.frozen
class ContentReader:
    """Makes a Content of bytes, by the suffix of the file's name; for ``tree.derived``."""

    suffix: str

    def __call__(self, data: bytes) -> Content:
        """Return what the bytes hold."""
        digest = hashlib.sha256(data).hexdigest()
        hollow = _is_hollow(data, self.suffix)
        if len(data) > _MOST_READ:
            return Content(digest, len(data))
        try:
            records = _records(data, self.suffix)
        except (ValueError, RecursionError, MemoryError, csv.Error):
            return Content(digest, len(data), is_hollow=hollow)
        rows = _rows(records, self.suffix)
        is_table = self.suffix in _TABLES
        hollow = hollow or (is_table and rows == 0)
        return Content(digest, len(data), rows, hollow, records, records is not None)


def suffix_of(path: str) -> str:
    """Return the lower-case suffix of a path's last part, with its dot."""
    name = path.rpartition("/")[2]
    return name[name.rfind(".") :].lower() if "." in name[1:] else ""


def _is_hollow(data: bytes, suffix: str) -> bool:
    bare = data.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r\n\x00")
    mark = _COMMENTS.get(suffix)
    if mark is not None:
        lines = (line.strip() for line in bare.splitlines())
        kept = [line for line in lines if line and not line.startswith(mark)]
        kept = [line for line in kept if suffix not in _YAML or line not in (b"---", b"...")]
        bare = b"".join(kept)
    if len(bare) < 64 and bytes(b for b in bare if not chr(b).isspace()) in _HOLLOW:
        return True
    return len(bare) < 4096 and _HOLLOW_XML.fullmatch(bare) is not None


def _records(data: bytes, suffix: str) -> object:
    if suffix in _TABLES:
        text = data.decode("utf-8-sig")
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=_TABLES[suffix])
        return [row for row in rows if row]
    if suffix in _LINES:
        lines = (line for line in data.decode("utf-8-sig").splitlines() if line.strip())
        return [_json(line) for line in lines]
    if suffix in (".json", ".geojson", ".har", ".webmanifest"):
        return _json(data.decode("utf-8-sig"))
    return None


def _json(text: str) -> object:
    # Numbers stay text: 1.0 is not 1, and no number is too long to be read.
    return cast("object", json.loads(text, parse_int=_number, parse_float=_number))


@attrs.frozen
class Number:
    """A number as it is written."""

    text: str


def _number(text: str) -> Number:
    return Number(text)


def _rows(records: object, suffix: str) -> int | None:
    if suffix in _TABLES and isinstance(records, list):
        return max(0, len(cast("list[object]", records)) - 1)
    if isinstance(records, list | dict):
        return len(cast("Sequence[object]", records))
    return None


def emptied_part(old: object, new: object, pointer: str = "", depth: int = 3) -> str | None:
    """Return the JSON pointer of the first collection that held something and holds nothing now."""
    if not isinstance(old, dict) or not isinstance(new, dict) or depth == 0:
        return None
    after = cast("Mapping[str, object]", new)
    for name, value in cast("Mapping[str, object]", old).items():
        if name not in after:
            continue
        inner = f"{pointer}/{escaped(name)}"
        if _is_record(value) and value and after[name] in ([], {}, None, ""):
            return inner
        found = emptied_part(value, after[name], inner, depth - 1)
        if found is not None:
            return found
    return None


def escaped(name: str) -> str:
    """Return a name as a part of a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")


def only_adds_records(old: object, new: object) -> bool:
    """Return whether every record is still there, in its order, and there are more of them.

    Records are objects and rows: a longer list of plain values is another value.
    """
    if isinstance(old, list) and isinstance(new, list):
        before, after = cast("list[object]", old), cast("list[object]", new)
        if len(after) <= len(before) or not before or not all(map(_is_record, after)):
            return False
        rest = iter(after)
        return all(any(one == other for other in rest) for one in before)
    if isinstance(old, dict) and isinstance(new, dict):
        was, now = cast("Mapping[str, object]", old), cast("Mapping[str, object]", new)
        added = now.keys() - was.keys()
        same = was.keys() <= now.keys() and all(now[name] == was[name] for name in was)
        return bool(was and added) and same and all(map(_is_record, now.values()))
    return False


def _is_record(one: object) -> bool:
    return isinstance(one, list | dict)
