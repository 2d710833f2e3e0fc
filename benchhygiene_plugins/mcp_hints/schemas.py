"""Whether a tool's schemas are schemas: JSON Schema 2020-12, an object at the root.

Specification 2025-11-25, server/tools: inputSchema MUST be a valid JSON Schema object (not null),
2020-12 where no $schema says otherwise; outputSchema likewise where there is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import attrs

from benchhygiene.inventory.declarations import ToolDeclaration
from benchhygiene.inventory.declarations.tools import schema_value

_MOST_SHOWN = 200
_MOST_CHECKED = 200_000  # characters: the check of a schema takes time in its size
_DIALECTS = (
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema",
    "http://json-schema.org/draft-06/schema",
    "http://json-schema.org/draft-04/schema",
)


@attrs.frozen
class SchemaFault:
    """A schema that is none, by its member; ``is_doubt`` where it could not be judged."""

    member: str
    reason: str
    is_doubt: bool = False


def schema_faults(tool: ToolDeclaration) -> Iterator[SchemaFault]:
    """Yield what is wrong with the input schema, then with the output schema."""
    if tool.input_schema is None:
        yield SchemaFault("inputSchema", "is missing")
    else:
        yield from _faults("inputSchema", tool.input_schema)
    if tool.output_schema is not None:
        yield from _faults("outputSchema", tool.output_schema)


def _faults(member: str, text: str) -> Iterator[SchemaFault]:
    schema = schema_value(text)
    if not isinstance(schema, dict):
        yield SchemaFault(member, f"is {text[:_MOST_SHOWN]}, and not an object")
        return
    members = cast("dict[str, object]", schema)
    if members.get("type") != "object":
        said = "has no type" if "type" not in members else f"has the type {_shown(members['type'])}"
        yield SchemaFault(member, f'{said}, where "object" is expected')
    if len(text) > _MOST_CHECKED:
        yield SchemaFault(member, f"has more than {_MOST_CHECKED} characters", is_doubt=True)
        return
    yield from _by_metaschema(member, members)


def _shown(value: object) -> str:
    return repr(value)[:_MOST_SHOWN]


def _by_metaschema(member: str, schema: dict[str, object]) -> Iterator[SchemaFault]:
    try:
        from jsonschema import validators
        from jsonschema.exceptions import SchemaError
    except ImportError:
        yield SchemaFault(member, "cannot be checked: install benchhygiene[mcp]", is_doubt=True)
        return
    named = schema.get("$schema", _DIALECTS[0])
    if not isinstance(named, str) or named.removesuffix("#") not in _DIALECTS:
        yield SchemaFault(member, f"is of a dialect unknown here: {_shown(named)}", is_doubt=True)
        return
    # The schema is only ever held against its metaschema: no $ref of it is followed anywhere.
    validator = validators.validator_for(schema, default=validators.Draft202012Validator)
    try:
        validator.check_schema(schema)
    except SchemaError as error:
        where = "/".join(str(part) for part in error.absolute_path)
        at = f" at {where[:_MOST_SHOWN]}" if where else ""
        yield SchemaFault(member, f"is no valid JSON Schema{at}: {error.message[:_MOST_SHOWN]}")
    except RecursionError:
        yield SchemaFault(member, "is nested too deeply", is_doubt=True)
