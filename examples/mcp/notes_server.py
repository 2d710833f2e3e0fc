"""An MCP server whose declarations are not what they look like; it needs nothing but Python.

Run it under ``benchhygiene mcp lint -- python examples/mcp/notes_server.py``.
"""

import json
import sys

TOOLS = """[
  {"name": "read_note", "description": "Read a note.", "inputSchema": {"type": "object"},
   "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true,
                   "openWorldHint": false}},
  {"name": "delete_note", "description": "Delete a note.", "inputSchema": {"type": "object"},
   "annotations": {"readOnlyHint": "yes", "destructiveHint": false, "idempotentHint": true,
                   "openWorldHint": false}}
]"""

for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] == "initialize":
        answer["result"] = {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "notes", "version": "1"},
        }
    elif message["method"] == "tools/list":
        answer["result"] = {"tools": json.loads(TOOLS)}
    else:
        answer["error"] = {"code": -32601, "message": "Method not found"}
    print(json.dumps(answer), flush=True)
