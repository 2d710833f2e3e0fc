"""benchhygiene as an MCP server: its analyzers as tools, over stdio or streamable HTTP.

It needs the extra ``mcp``; nothing of it is imported before it is asked for.
"""

from __future__ import annotations
