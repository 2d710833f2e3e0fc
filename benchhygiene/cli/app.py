"""The command line's grammar: commands, options and their help."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from cyclopts import App, Parameter

from benchhygiene import __version__

_HELP = """\
Find what makes a coding benchmark's grade untrue.

Exit status: 0 nothing wrong, 1 violation, 2 bad usage or input, 3 inconclusive.

benchhygiene COMMAND --help shows a command's options and examples.

In a directory you do not trust, start it as benchhygiene, or as

  python -P -m benchhygiene

Without -P, python -m imports modules from the current directory first.
"""
_CHECK_USAGE = "Usage: benchhygiene check WORKSPACE [OPTIONS] [-- PYTEST-ARGS]"

Style: TypeAlias = Literal["text", "json", "sarif"]
_Workspace = Annotated[str, Parameter(help="The directory in which the tests are going to be run.")]
_Pytest = Annotated[
    str | None,
    Parameter(
        metavar="VERSION",
        help="Predict for this version of pytest. Default: the one that --python has installed.",
    ),
]
_Python = Annotated[
    str | None,
    Parameter(
        metavar="PATH",
        help="Predict for this interpreter or environment directory, which is read and never run; "
        "a version such as 3.12 will do. Default: the one that runs benchhygiene.",
    ),
]
_Plugins = Annotated[
    tuple[str, ...],
    Parameter(
        name="--plugin",
        metavar="NAME=VERSION",
        show_default=False,
        help="A distribution installed where the tests run; repeat it for each. Once one is given, "
        "nothing else counts as installed.",
    ),
]
_Config = Annotated[
    str | None,
    Parameter(
        metavar="FILE",
        help="Configuration in TOML, kept where the workspace cannot reach it. Nothing else "
        "configures benchhygiene.",
    ),
]
_Style = Annotated[Style, Parameter(name="--format", help="What to write.")]
_TextOrJson = Annotated[Literal["text", "json"], Parameter(name="--format", help="What to write.")]
_Output = Annotated[
    str | None,
    Parameter(
        metavar="FILE",
        help="Write to this file, whole or not at all, instead of to standard output; - is that.",
    ),
]
_Unparsed = Annotated[tuple[str, ...], Parameter(parse=False)]
_Rule = Annotated[
    str, Parameter(help="A rule's id such as ini.coverage_gate, or an analyzer's name.")
]


def build_app() -> App:
    """Return the parser with its commands."""
    app = App(
        name="benchhygiene",
        help=_HELP,
        version=f"benchhygiene {__version__}",
        help_format="plaintext",
        default_parameter=Parameter(negative=()),
    )
    app.command(check, usage=_CHECK_USAGE)
    app.command(analyzers)
    app.command(explain)
    return app


def check(
    workspace: _Workspace,
    /,
    *,
    pytest: _Pytest = None,
    python: _Python = None,
    plugins: _Plugins = (),
    config: _Config = None,
    style: _Style = "text",
    output: _Output = None,
    pytest_args: _Unparsed = (),
) -> int:
    """Say what python -m pytest would inherit when run in a workspace.

    Nothing of the workspace is run. What follows the first -- are the arguments of pytest.

    For example:

      benchhygiene check attempts/7/workspace -- tests/ -q

      benchhygiene check ws --pytest 8.4.2 --plugin pytest-cov=7.1.0 -- tests/

      benchhygiene check ws --python .venv --format sarif --output ws.sarif
    """
    from benchhygiene.cli import checking

    request = checking.Request(
        workspace, pytest_args, pytest, python, plugins, config, style, output
    )
    return checking.run(request)


def analyzers(*, style: _TextOrJson = "text") -> int:
    """List the installed analyzers, and the plugins that were refused."""
    from benchhygiene.cli import catalogue

    return catalogue.list_analyzers(style)


def explain(rule: _Rule, /) -> int:
    """Explain a rule, with an example that breaks it and one that does not."""
    from benchhygiene.cli import catalogue

    return catalogue.explain(rule)
