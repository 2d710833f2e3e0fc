"""What a contract may and may not become."""

from __future__ import annotations

import copy
import importlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from benchhygiene.evidence import WitnessPack
from benchhygiene_plugins.oracles.schemas import Comparison
from tests.oracles.judging import told

LOOSER = [
    ({"type": "integer"}, {"type": "number"}),
    ({"type": "string"}, {"type": ["string", "null"]}),
    ({"type": "string"}, {"type": "string", "nullable": True}),
    ({"type": "string"}, {}),
    ({"type": "string"}, True),
    ({"type": "string"}, {"description": "anything"}),
    ({"type": "string"}, {"anyOf": [{"type": "string"}, {"type": "integer"}]}),
    ({"enum": [1, 2]}, {"enum": [1, 2, 3]}),
    ({"enum": ["a", "b"]}, {"type": "string"}),
    ({"const": "a"}, {"enum": ["a", "b"]}),
    ({"const": "a"}, {"const": "b"}),
    ({"minimum": 1}, {"minimum": 0}),
    ({"exclusiveMinimum": 0}, {"minimum": 0}),
    ({"minimum": 0, "exclusiveMinimum": True}, {"minimum": 0}),
    ({"maximum": 1}, {"type": "number"}),
    ({"minLength": 1}, {"minLength": 0}),
    ({"maxItems": 3}, {"maxItems": 30}),
    ({"multipleOf": 10}, {"multipleOf": 5}),
    ({"pattern": "^[A-Z]{3}$"}, {"pattern": ".*"}),
    ({"pattern": "^[A-Z]{3}$"}, {"type": "string"}),
    ({"type": "string", "format": "date"}, {"type": "string"}),
    ({"uniqueItems": True, "type": "array"}, {"type": "array"}),
    ({"required": ["a", "b"]}, {"required": ["a"]}),
    ({"additionalProperties": False, "type": "object"}, {"type": "object"}),
    ({"additionalProperties": {"type": "string"}}, {"additionalProperties": {}}),
    ({"unevaluatedProperties": False, "type": "object"}, {"type": "object"}),
    ({"properties": {"a": {"type": "string"}}}, {"properties": {}}),
    ({"properties": {"a": {"type": "string"}}}, {"properties": {"a": {}}}),
    ({"items": {"type": "string"}}, {"items": {}}),
    ({"prefixItems": [{"type": "string"}]}, {"prefixItems": []}),
    ({"items": [{"type": "string"}], "additionalItems": False}, {"items": [{"type": "string"}]}),
    ({"oneOf": [{"type": "string"}]}, {"oneOf": [{"type": "string"}, {"type": "null"}]}),
    ({"anyOf": [{"minimum": 1}]}, {"anyOf": [{"minimum": 0}]}),
    ({"allOf": [{"minimum": 1}, {"maximum": 5}]}, {"allOf": [{"minimum": 1}]}),
    ({"allOf": [{"required": ["a"]}]}, {"allOf": [{"required": []}]}),
    ({"not": {"type": "null"}}, {"type": ["null", "string"]}),
    ({"if": {"const": 1}, "then": {"required": ["a"]}}, {"if": {"const": 1}}),
    ({"dependentRequired": {"a": ["b"]}}, {"dependentRequired": {}}),
    ({"$ref": "#/$defs/a"}, {"$ref": "#/$defs/open"}),
    ({"$ref": "#/$defs/a"}, {}),
    ({"$ref": "common.json#/a"}, {"$ref": "other.json#/a"}),
    ({"items": {"$ref": "#/$defs/a"}}, {"items": {"$ref": "#/$defs/open"}}),
    ({"propertyNames": {"pattern": "^a"}}, {"type": "object"}),
    ({"contains": {"type": "string"}}, {"type": "array"}),
    ({"minProperties": 1}, {"type": "object"}),
]
AS_STRICT = [
    ({"type": "number"}, {"type": "integer"}),
    ({"type": ["string", "null"]}, {"type": "string"}),
    ({"type": "string"}, {"type": "string", "title": "a", "examples": ["b"], "default": ""}),
    ({"type": "string"}, {"anyOf": [{"type": "string", "minLength": 1}, {"const": "x"}]}),
    ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "string"}),
    ({"enum": ["a", "b"]}, {"enum": ["b"]}),
    ({"enum": ["a", "b"]}, {"const": "a"}),
    ({"enum": ["a", "b"]}, {"enum": ["b", "a"]}),
    ({"minimum": 0}, {"exclusiveMinimum": 0}),
    ({"minimum": 0}, {"minimum": 1}),
    ({"exclusiveMinimum": 0}, {"minimum": 1}),
    ({"maxLength": 9}, {"maxLength": 5}),
    ({"multipleOf": 5}, {"multipleOf": 10}),
    ({"pattern": "[A-Z]{3}"}, {"pattern": "^[A-Z]{3}$"}),
    ({"type": "string"}, {"type": "string", "format": "date", "pattern": "a"}),
    ({"required": ["a"]}, {"required": ["b", "a"]}),
    ({"properties": {"a": {}}}, {"properties": {"a": {"type": "string"}, "b": {}}}),
    ({"type": "object"}, {"type": "object", "additionalProperties": False}),
    ({"items": {}}, {"items": {"type": "string"}, "minItems": 1, "uniqueItems": True}),
    ({"oneOf": [{"type": "string"}, {"type": "null"}]}, {"oneOf": [{"type": "string"}]}),
    ({"anyOf": [{"minimum": 0}]}, {"anyOf": [{"minimum": 1}]}),
    ({"allOf": [{"minimum": 0}]}, {"allOf": [{"maximum": 5}, {"minimum": 0}]}),
    ({"allOf": [{"minimum": 0}]}, {"minimum": 0}),
    ({"$ref": "#/$defs/open"}, {"$ref": "#/$defs/a"}),
    ({"$ref": "#/$defs/a"}, {"$ref": "#/$defs/same"}),
    ({"$ref": "#/$defs/a"}, {"type": "string"}),
    ({"dependentRequired": {"a": ["b"]}}, {"dependentRequired": {"a": ["b", "c"]}}),
    (True, {"type": "string"}),
    ({}, False),
]
DEFINITIONS = {"$defs": {"a": {"type": "string"}, "same": {"type": "string"}, "open": {}}}


def _loosenings(old: object, new: object) -> list[object]:
    return [*Comparison(DEFINITIONS, DEFINITIONS).schema(old, new, "")]


@pytest.mark.parametrize(("old", "new"), LOOSER)
def test_looser(old: object, new: object) -> None:
    assert _loosenings(old, new)
    nested = [{"properties": {"x": {"items": one}}} for one in (old, new)]
    assert _loosenings(*nested)


@pytest.mark.parametrize(("old", "new"), AS_STRICT)
def test_as_strict(old: object, new: object) -> None:
    assert _loosenings(old, new) == []
    nested = [{"properties": {"x": {"items": one}}} for one in (old, new)]
    assert _loosenings(*nested) == []


@pytest.mark.parametrize("schema", [one for pair in LOOSER for one in pair])
def test_nothing_is_looser_than_itself(schema: object) -> None:
    assert _loosenings(schema, copy.deepcopy(schema)) == []


Api = dict[str, Any]
API: Api = {
    "openapi": "3.0.3",
    "info": {"title": "Shop", "version": "1"},
    "paths": {
        "/orders/{id}": {
            "get": {
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
                    {"name": "q", "in": "query", "required": True, "schema": {"enum": ["a"]}},
                ],
                "security": [{"key": []}],
                "responses": {
                    "200": {
                        "headers": {"ETag": {"required": True, "schema": {"type": "string"}}},
                        "content": {
                            "application/json": {"schema": {"$ref": "#/components/schemas/Order"}}
                        },
                    },
                    "404": {"description": "none"},
                },
            },
            "post": {
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"type": "object"}}},
                },
                "responses": {"201": {"description": "made"}},
            },
        }
    },
    "components": {
        "schemas": {"Order": {"type": "object", "required": ["id"]}, "Any": {"type": "object"}}
    },
}
Edit = Callable[[Api], object]


def _get(api: Api) -> Api:
    return api["paths"]["/orders/{id}"]["get"]


def _post(api: Api) -> Api:
    return api["paths"]["/orders/{id}"]["post"]


def _ok(api: Api) -> Api:
    return _get(api)["responses"]["200"]


LOOSER_EDITS: dict[str, Edit] = {
    "path": lambda api: api["paths"].clear(),
    "operation": lambda api: api["paths"]["/orders/{id}"].pop("post"),
    "status": lambda api: _get(api)["responses"].pop("404"),
    "content": lambda api: _ok(api).pop("content"),
    "schema emptied": lambda api: _ok(api)["content"]["application/json"].update(schema={}),
    "schema gone": lambda api: _ok(api)["content"]["application/json"].pop("schema"),
    "another schema": lambda api: _ok(api)["content"]["application/json"].update(
        schema={"$ref": "#/components/schemas/Any"}
    ),
    "header": lambda api: _ok(api).pop("headers"),
    "header optional": lambda api: _ok(api)["headers"]["ETag"].pop("required"),
    "parameter gone": lambda api: _get(api)["parameters"].pop(),
    "parameter optional": lambda api: _get(api)["parameters"][1].update(required=False),
    "parameter wider": lambda api: _get(api)["parameters"][1].update(schema={"enum": ["a", "b"]}),
    "no security": lambda api: _get(api).update(security=[]),
    "body optional": lambda api: _post(api)["requestBody"].update(required=False),
    "body gone": lambda api: _post(api).pop("requestBody"),
    "component": lambda api: api["components"]["schemas"]["Order"].update(required=[]),
}
STRICT_EDITS: dict[str, Edit] = {
    "path added": lambda api: api["paths"].update({"/more": {"get": {"responses": {}}}}),
    "operation added": lambda api: api["paths"]["/orders/{id}"].update(put={"responses": {}}),
    "status added": lambda api: _get(api)["responses"].update({"410": {"description": "gone"}}),
    "words": lambda api: api["info"].update(description="A shop."),
    "parameter renamed": lambda api: api.update(
        paths={"/orders/{number}": api["paths"]["/orders/{id}"]}
    ),
    "parameter added": lambda api: _get(api)["parameters"].append(
        {"name": "limit", "in": "query", "schema": {"type": "integer"}}
    ),
    "tighter": lambda api: api["components"]["schemas"]["Order"].update(required=["id", "total"]),
    "inlined": lambda api: _ok(api)["content"]["application/json"].update(
        schema={"type": "object", "required": ["id", "total"]}
    ),
    "optional property": lambda api: api["components"]["schemas"]["Order"].update(
        properties={"note": {"type": "string"}}
    ),
}


def _edited(edit: Edit) -> object:
    api = copy.deepcopy(API)
    edit(api)
    return api


def _dumped(value: object, suffix: str) -> str:
    if suffix == "json":
        return json.dumps(value)
    yaml = importlib.import_module("yaml")
    return str(yaml.safe_dump(value))


@pytest.mark.parametrize("suffix", ["json", "yaml"])
@pytest.mark.parametrize("edit", LOOSER_EDITS.values(), ids=list(LOOSER_EDITS))
def test_looser_interfaces(edit: Edit, suffix: str) -> None:
    path = f"api/openapi.{suffix}"
    told_of = told({path: _dumped(API, suffix)}, {path: _dumped(_edited(edit), suffix)})
    assert {*told_of} == {("contract.loosened", path, "error")}


@pytest.mark.parametrize("suffix", ["json", "yaml"])
@pytest.mark.parametrize("edit", STRICT_EDITS.values(), ids=list(STRICT_EDITS))
def test_interfaces_as_strict(edit: Edit, suffix: str) -> None:
    path = f"api/openapi.{suffix}"
    assert told({path: _dumped(API, suffix)}, {path: _dumped(_edited(edit), suffix)}) == []


STRICT = json.dumps({"type": "object", "properties": {"a": {"type": "string"}}})
LOOSE = json.dumps({"type": "object", "properties": {"a": {}}})


@pytest.mark.parametrize("path", ["contracts/a.json", "tests/contracts/a.json", "api/a.json"])
def test_the_packs_contract_must_hold(path: str) -> None:
    pack = WitnessPack({"contracts/a.json": STRICT})
    assert told({path: LOOSE}, {path: LOOSE}, pack) == [("contract.loosened", path, "error")]
    assert told({path: STRICT}, {path: STRICT}, pack) == []
    assert told({}, {"elsewhere.json": LOOSE}, pack) == []


def test_a_contract_that_is_gone() -> None:
    path = "contracts/a.json"
    assert told({path: STRICT}, {}) == [("contract.loosened", path, "error")]
    assert told({path: STRICT}, {"contracts/v1/a.json": STRICT}) == []


def test_a_contract_of_its_own_form() -> None:
    old = {"required": ["a", "b"], "types": {"a": "int", "b": "str"}, "status": 201}
    path = "contracts/http.json"
    for new in (
        {**old, "required": ["a"]},
        {**old, "types": {"a": "int"}},
        {**old, "types": {"a": "any", "b": "str"}},
        {k: v for k, v in old.items() if k != "status"},
    ):
        told_of = told({path: json.dumps(old)}, {path: json.dumps(new)})
        assert {*told_of} == {("contract.loosened", path, "error")}
    more = {**old, "required": ["a", "b", "c"]}
    assert told({path: json.dumps(old)}, {path: json.dumps(more)}) == []


SPELLED = "SCHEMA = {'type': 'object', 'required': ['a', 'b']}\ndef test_a():\n    check(SCHEMA)\n"


@pytest.mark.parametrize("path", ["tests/test_a.py", "tests/schemas.py", "tests/conftest.py"])
def test_schemas_in_code(path: str) -> None:
    looser = SPELLED.replace(", 'b'", "")
    assert told({path: SPELLED}, {path: looser}) == [("contract.loosened", path, "error")]
    tighter = SPELLED.replace("}", ", 'additionalProperties': False}")
    assert told({path: SPELLED}, {path: tighter}) == []
    inner = "class A:\n    " + SPELLED.partition("\n")[0] + "\n"
    assert told({path: inner}, {path: inner.replace(", 'b'", "")}) == [
        ("contract.loosened", path, "error")
    ]
