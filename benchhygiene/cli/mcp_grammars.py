"""What ``benchhygiene mcp`` and its commands take."""

from __future__ import annotations

from benchhygiene.cli.parsing import Argument, Grammar, Option

MCP = Grammar(
    "benchhygiene mcp COMMAND",
    """\
Judge what MCP servers declare about their tools.

TARGET is a URL, a saved listing, a client's file with mcpServers (FILE#NAME is one of them), or \
after -- the command that starts a server.
""",
)
_TARGET = Argument(
    "TARGET",
    "A URL, a saved listing, or a client's JSON file with mcpServers. Left out where a command "
    "follows --.",
    is_required=False,
)
_TIMEOUT = Option(
    "--timeout",
    "SECONDS",
    "How long each answer may take, the first one too. Default: 60 for the first, 30 for others.",
)
_SESSIONS = Option(
    "--sessions",
    "N",
    "How often the server is started and asked anew: what it declares must stay the same. "
    "Default: 2.",
)
_OUTPUT = Option(
    "--output",
    "FILE",
    "Write to this file, whole or not at all, instead of to standard output; - is that.",
)
_LIVE = (_TIMEOUT, _SESSIONS)
LINT = Grammar(
    "benchhygiene mcp lint [TARGET] [OPTIONS] [-- COMMAND]",
    """\
Say what is wrong with a server's declarations, from their raw bytes.

No tool is called. The header Authorization comes from BENCHHYGIENE_MCP_AUTHORIZATION.

For example:

  benchhygiene mcp lint -- npx -y @modelcontextprotocol/server-memory

  benchhygiene mcp lint https://example.org/mcp --lock mcp.lock.json

  benchhygiene mcp lint ~/.config/client/mcp.json --format json
""",
    arguments=(_TARGET,),
    options=(
        Option(
            "--lock",
            "FILE",
            "Hold the declarations against this lock, and report what has changed.",
        ),
        *_LIVE,
        Option(
            "--format",
            "CHOICE",
            "What to write: text, json or sarif. Default: text.",
            choices=("text", "json", "sarif"),
        ),
        _OUTPUT,
    ),
    takes_command=True,
)
LOCK = Grammar(
    "benchhygiene mcp lock [TARGET] [OPTIONS] [-- COMMAND]",
    """\
Write down what a server declares, to see later what has changed.

Names, descriptions, schemas, hints and digests are kept; commit the file.

For example:

  benchhygiene mcp lock mcp.json --output mcp.lock.json
""",
    arguments=(_TARGET,),
    options=(*_LIVE, _OUTPUT),
    takes_command=True,
)
TOOLS = Grammar(
    "benchhygiene mcp tools [TARGET] [OPTIONS] [-- COMMAND]",
    """\
List a server's tools with the hints they declare.

For example:

  benchhygiene mcp tools -- mcp-server-time --local-timezone UTC
""",
    arguments=(_TARGET,),
    options=(
        *_LIVE,
        Option(
            "--save",
            "FILE",
            "Keep the answers byte for byte in this file, which lint and lock read as TARGET.",
        ),
        Option(
            "--format",
            "CHOICE",
            "What to write: text or json. Default: text.",
            choices=("text", "json"),
        ),
    ),
    takes_command=True,
)
