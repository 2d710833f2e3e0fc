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
_DIFF_USAGE = "Usage: benchhygiene diff PARENT [CANDIDATE] [OPTIONS]"
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
_Parent = Annotated[str, Parameter(help="The tree before: a directory, or with --git a revision.")]
_Candidate = Annotated[
    str | None,
    Parameter(help="The tree after, of the same kind. Left out with --patch.", show_default=False),
]
_Tree = Annotated[str, Parameter(help="A directory, or with --git a revision.")]
_Git = Annotated[
    str | None,
    Parameter(
        metavar="REPO",
        help="The git repository that the revisions are of. It is read without a checkout, and "
        "nothing that it configures is run.",
    ),
]
_Patch = Annotated[
    str | None,
    Parameter(
        metavar="FILE",
        help="A unified diff that makes the candidate out of the parent; - is standard input. It "
        "is applied in memory.",
    ),
]
_Pack = Annotated[
    str | None,
    Parameter(
        metavar="DIR",
        help="The witness pack: the ledger and the waivers that count. Kept where no agent can "
        "write.",
    ),
]
_Date = Annotated[
    str | None,
    Parameter(
        metavar="DAY",
        help="Hold ledger and waivers against this day, YYYY-MM-DD. Default: today in UTC.",
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
    app.command(diff, usage=_DIFF_USAGE)
    app.command(inventory)
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


def diff(
    parent: _Parent,
    candidate: _Candidate = None,
    /,
    *,
    git: _Git = None,
    patch: _Patch = None,
    pack: _Pack = None,
    date: _Date = None,
    config: _Config = None,
    style: _Style = "text",
    output: _Output = None,
) -> int:
    """Say how a patch has made the tests of a tree say less.

    Nothing of either tree is run. Configuration and waivers are never the candidate's own.

    For example:

      benchhygiene diff before/ after/

      benchhygiene diff main HEAD --git . --pack /srv/packs/arena

      benchhygiene diff v1.2 --git repo --patch answer.diff --format sarif
    """
    from benchhygiene.cli import diffing

    request = diffing.Request(parent, candidate, git, patch, pack, date, config, style, output)
    return diffing.run(request)


def inventory(tree: _Tree, /, *, git: _Git = None, style: _TextOrJson = "text") -> int:
    """List the tests of a tree with what they check, and what exempts them.

    For example:

      benchhygiene inventory . --format json
    """
    from benchhygiene.cli import inventories

    return inventories.run(tree, git, style)


def analyzers(*, style: _TextOrJson = "text") -> int:
    """List the installed analyzers, and the plugins that were refused."""
    from benchhygiene.cli import catalogue

    return catalogue.list_analyzers(style)


def explain(rule: _Rule, /) -> int:
    """Explain a rule, with an example that breaks it and one that does not."""
    from benchhygiene.cli import catalogue

    return catalogue.explain(rule)
