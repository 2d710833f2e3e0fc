"""What ``benchhygiene serve`` takes."""

from __future__ import annotations

from benchhygiene.cli.parsing import Grammar, Option

SERVE = Grammar(
    "benchhygiene serve [OPTIONS]",
    """\
Offer the analyzers as tools of an MCP server, over standard input and output or HTTP.

Clients can name paths below --root only, and nothing there is run. Beyond loopback they must bear \
the secret that BENCHHYGIENE_TOKEN holds.

For example:

  benchhygiene serve --root workspaces

  benchhygiene serve --http --port 8137
""",
    options=(
        Option("--http", "", "Serve streamable HTTP at /mcp instead of standard input and output."),
        Option("--host", "HOST", "The address to listen on. Default: 127.0.0.1."),
        Option("--port", "PORT", "The port to listen on, 0 for a free one. Default: 8137."),
        Option(
            "--allow-host",
            "NAME",
            "A name that clients may call the server by, such as a proxy's.",
            repeats=True,
        ),
        Option(
            "--root",
            "DIRECTORY",
            "The directory that all paths must lie in. Default: the working directory.",
        ),
        Option("--timeout", "SECONDS", "How long one call may take. Default: 120."),
        Option("--workers", "N", "How many calls run at once. Default: the number of processors."),
        Option("--offline", "", "Refuse to ask the servers behind URLs that clients name."),
    ),
)
