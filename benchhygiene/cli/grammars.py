"""What the program and each of its commands take, and what their help says."""

from __future__ import annotations

from benchhygiene.cli.parsing import Argument, Grammar, Option

PROGRAM = Grammar(
    "benchhygiene COMMAND",
    """\
Find what makes a coding benchmark's grade untrue.

Exit status: 0 nothing wrong, 1 violation, 2 bad usage or input, 3 inconclusive.

benchhygiene COMMAND --help shows a command's options and examples.

In a directory you do not trust, start it as benchhygiene, or as

  python -P -m benchhygiene

Without -P, python -m imports modules from the current directory first.
""",
)
_CONFIG = Option(
    "--config",
    "FILE",
    "Configuration in TOML, kept where the workspace cannot reach it. Nothing else configures "
    "benchhygiene.",
)
_FORMAT = Option(
    "--format",
    "CHOICE",
    "What to write: text, json or sarif. Default: text.",
    choices=("text", "json", "sarif"),
)
_TEXT_OR_JSON = Option(
    "--format",
    "CHOICE",
    "What to write: text or json. Default: text.",
    choices=("text", "json"),
)
_OUTPUT = Option(
    "--output",
    "FILE",
    "Write to this file, whole or not at all, instead of to standard output; - is that.",
)
_GIT = Option(
    "--git",
    "REPO",
    "The git repository that the revisions are of. It is read without a checkout, and nothing that "
    "it configures is run.",
)
CHECK = Grammar(
    "benchhygiene check WORKSPACE [OPTIONS] [-- PYTEST-ARGS]",
    """\
Say what python -m pytest would inherit when run in a workspace.

Nothing of the workspace is run. What follows the first -- are the arguments of pytest.

For example:

  benchhygiene check attempts/7/workspace -- tests/ -q

  benchhygiene check ws --pytest 8.4.2 --plugin pytest-cov=7.1.0 -- tests/

  benchhygiene check ws --python .venv --format sarif --output ws.sarif
""",
    arguments=(Argument("WORKSPACE", "The directory in which the tests are going to be run."),),
    options=(
        Option(
            "--pytest",
            "VERSION",
            "Predict for this version of pytest. Default: the one that --python has installed.",
        ),
        Option(
            "--python",
            "PATH",
            "Predict for this interpreter or environment directory, which is read and never run; "
            "a version such as 3.12 will do. Default: the one that runs benchhygiene.",
        ),
        Option(
            "--plugin",
            "NAME=VERSION",
            "A distribution installed where the tests run; repeat it for each. Once one is given, "
            "nothing else counts as installed.",
            repeats=True,
        ),
        _CONFIG,
        _FORMAT,
        _OUTPUT,
    ),
    takes_pytest_args=True,
)
DIFF = Grammar(
    "benchhygiene diff PARENT [CANDIDATE] [OPTIONS]",
    """\
Say how a patch has made the tests of a tree say less.

Nothing of either tree is run. Configuration and waivers are never the candidate's own.

For example:

  benchhygiene diff before/ after/

  benchhygiene diff main HEAD --git . --pack /srv/packs/arena

  benchhygiene diff v1.2 --git repo --patch answer.diff --format sarif
""",
    arguments=(
        Argument("PARENT", "The tree before: a directory, or with --git a revision."),
        Argument(
            "CANDIDATE",
            "The tree after, of the same kind. Left out with --patch.",
            is_required=False,
        ),
    ),
    options=(
        _GIT,
        Option(
            "--patch",
            "FILE",
            "A unified diff that makes the candidate out of the parent; - is standard input. It is "
            "applied in memory.",
        ),
        Option(
            "--pack",
            "PACK",
            "The witness pack, a directory or an archive: the ledger and the waivers that count. "
            "Kept where no agent can write.",
        ),
        Option(
            "--date",
            "DAY",
            "Hold ledger and waivers against this day, YYYY-MM-DD. Default: today in UTC.",
        ),
        _CONFIG,
        _FORMAT,
        _OUTPUT,
    ),
)
INVENTORY = Grammar(
    "benchhygiene inventory TREE [OPTIONS]",
    """\
List the tests of a tree with what they check, and what exempts them.

For example:

  benchhygiene inventory . --format json
""",
    arguments=(Argument("TREE", "A directory, or with --git a revision."),),
    options=(_GIT, _TEXT_OR_JSON),
)
ANALYZERS = Grammar(
    "benchhygiene analyzers [OPTIONS]",
    "List the installed analyzers, and the plugins that were refused.\n",
    options=(_TEXT_OR_JSON,),
)
EXPLAIN = Grammar(
    "benchhygiene explain RULE",
    "Explain a rule, with an example that breaks it and one that does not.\n",
    arguments=(Argument("RULE", "A rule's id such as ini.coverage_gate, or an analyzer's name."),),
)
