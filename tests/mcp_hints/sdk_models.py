"""Print what the installed SDK's models make of each line of standard input: run by the test."""

from __future__ import annotations

import json
import sys

from mcp.types import ListToolsResult

NAMES = {
    "readOnlyHint": "read_only_hint",
    "destructiveHint": "destructive_hint",
    "idempotentHint": "idempotent_hint",
    "openWorldHint": "open_world_hint",
}

for line in sys.stdin:
    try:
        result = ListToolsResult.model_validate(json.loads(f'{{"tools":[{line}]}}'))
    except ValueError:
        print(json.dumps(None))
        continue
    held = result.tools[0].annotations
    values = {name: getattr(held, name, getattr(held, own, None)) for name, own in NAMES.items()}
    print(json.dumps(values))
