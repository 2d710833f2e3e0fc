"""Whatever a patch holds, the analyzer ends soon, and says what it could not see."""

from __future__ import annotations

import json
import time

import pytest

from benchhygiene import Verdict
from benchhygiene.evidence import EntryKind, TreeEntry
from tests.oracles.judging import found, told

_CONFTEST = "import pytest\n@pytest.fixture\ndef rows():\n    return [1, 2]\n"
_TEST = {"tests/test_a.py": "def test_a(rows):\n    assert rows\n", "tests/conftest.py": _CONFTEST}
_SCHEMA = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfe\x00[",
        b"[" * 200_000,
        b'{"a":' * 50_000,
        b"9" * 200_000,
        b"\x00" * 4096 + b"1",
        b'"' + b"\\u" * 1000,
        b"<" * 4000,
        b"<?" * 2000,
        b"<a " + b" " * 3000,
        b"a,b\n" + b'"' * 100_001,
    ],
)
@pytest.mark.parametrize("suffix", ["json", "csv", "jsonl", "yaml", "xml", "bin"])
def test_data_of_any_kind(data: bytes, suffix: str) -> None:
    path = f"tests/data/a.{suffix}"
    began = time.perf_counter()
    told_of = told({path: b"1,2\n3,4\n"}, {path: data})
    assert told_of in (
        [("fixture.bytes_changed", path, "error")],
        [("fixture.emptied", path, "error")],  # one row is taken for a header
    )
    assert told({path: data}, {path: b"1,2\n3,4\n"}) != []
    assert time.perf_counter() - began < 3


@pytest.mark.parametrize(
    "text",
    [
        "def f(:\n",
        "\0",
        "x = " + "(" * 5000 + ")" * 5000,
        "x = " + "-" * 20_000 + "1",
        "\xff\xfe",
        "# coding: nonsense\n",
    ],
)
def test_a_conftest_that_cannot_be_read(text: str) -> None:
    after = {**_TEST, "tests/conftest.py": text.encode("latin-1", "replace")}
    findings = found(_TEST, after)
    assert [one.verdict for one in findings] == [Verdict.INCONCLUSIVE]


@pytest.mark.parametrize(
    "body",
    [
        "    return " + "+".join(["x"] * 3000) + "\n",
        "    return [" + "1, " * 100_000 + "]\n",
        "".join(f"    x{k} = x{k - 1} + x{k - 1}\n" for k in range(1, 3000)) + "    return x2999\n",
        "    x0 = [1]\n"
        + "".join(f"    x{k} = [x{k - 1}, x{k - 1}]\n" for k in range(1, 200))
        + "    return x199\n",
        "".join("    " * (k + 1) + "if a:\n" for k in range(90)) + "    " * 91 + "return 1\n",
        "    return " + "(lambda: " * 60 + "1" + ")" * 60 + "\n",
    ],
)
def test_a_fixture_that_is_too_much(body: str) -> None:
    head = "import pytest\n@pytest.fixture\ndef rows():\n"
    began = time.perf_counter()
    assert found(_TEST, {**_TEST, "tests/conftest.py": head + body}) != []
    assert time.perf_counter() - began < 6


def test_helpers_that_call_one_another() -> None:
    text = "".join(
        f"def make_{k}(n=1):\n    return [make_{(k + 1) % 40}(n), make_{(k + 7) % 40}(n)]\n"
        for k in range(40)
    )
    began = time.perf_counter()
    assert found({"tests/data_of.py": text}, {"tests/data_of.py": text + "\nX = [1]\n"}) == []
    changed = text.replace("n=1", "n=0")
    assert found({"tests/data_of.py": text}, {"tests/data_of.py": changed}) != []
    assert time.perf_counter() - began < 10


def test_ten_thousand_files() -> None:
    old = {f"tests/data/{k}.json": f"[{k}]" for k in range(10_000)}
    new = {f"tests/other/{k}.json": f"[{k}]" for k in range(10_000)}
    began = time.perf_counter()
    assert len(told(old, new)) == 10_000
    assert len(told(old, dict.fromkeys(old, "[]"))) == 10_000
    assert time.perf_counter() - began < 20


def test_references_that_turn_in_a_circle() -> None:
    old = {**_SCHEMA, "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    new = {**_SCHEMA, "$defs": {"a": {"$ref": "#/$defs/a"}, "b": {"$ref": "#/$defs/b"}}}
    path = "contracts/a.json"
    assert found({path: json.dumps(old)}, {path: json.dumps(new)}) != []


def test_a_schema_that_refers_to_itself_through_others() -> None:
    def schema(limit: int, names: str) -> str:
        node = {"anyOf": [{"$ref": f"#/$defs/{one}"} for one in names], "maxItems": limit}
        return json.dumps({**_SCHEMA, "$defs": dict.fromkeys(names, node), "items": node})

    path = "contracts/a.json"
    began = time.perf_counter()
    assert found({path: schema(1, "abcdef")}, {path: schema(2, "fedcba")}) != []
    assert time.perf_counter() - began < 5


def test_a_deep_contract() -> None:
    deep = '{"properties": {"a": ' * 400 + "{}" + "}}" * 400
    other = '{"properties": {"a": ' * 400 + '{"type": "string"}' + "}}" * 400
    path = "contracts/a.schema.json"
    findings = found({path: other}, {path: deep})
    assert [one.verdict for one in findings] == [Verdict.INCONCLUSIVE]


def test_yaml_that_multiplies() -> None:
    pytest.importorskip("yaml")
    bomb = "a: &a [x, x]\n" + "".join(
        f"{name}: &{name} [*{before}, *{before}, *{before}, *{before}, *{before}, *{before}]\n"
        for before, name in zip("abcdefghij", "bcdefghijk", strict=True)
    )
    path = "contracts/openapi.yaml"
    began = time.perf_counter()
    findings = found({path: "openapi: 3.0.0\npaths: {}\n"}, {path: "openapi: 3.0.0\n" + bomb})
    assert [one.verdict for one in findings] == [Verdict.INCONCLUSIVE]
    assert time.perf_counter() - began < 5


def test_links_and_bytes_that_nobody_has() -> None:
    path = "tests/data/a.json"
    link = TreeEntry(EntryKind.SYMLINK, data=b"../../../etc/passwd")
    assert told({path: "[1]"}, {path: link}) == [("fixture.deleted", path, "error")]
    gone = TreeEntry(error="larger than the limit")
    assert told({path: "[1]"}, {path: gone}) == [("fixture.unseen", path, "warning")]
    known = [TreeEntry(identity=f"git:{k}", error="not fetched") for k in range(2)]
    assert told({path: known[0]}, {path: known[1]}) == [("fixture.bytes_changed", path, "error")]
