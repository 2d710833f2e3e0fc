"""What ``benchhygiene ledger`` and each of its commands take, and what their help says."""

from __future__ import annotations

from benchhygiene.cli.parsing import Argument, Grammar, Option

LEDGER = Grammar(
    "benchhygiene ledger COMMAND",
    """\
Judge and edit the flake ledger of a witness pack, or propose its entries.

Edits are for people: nothing is ever extended, and the pack's manifest is not written anew.
""",
)
_LEDGER = Argument("PACK", "The pack's directory, or its ledger.json.")
_DAY = Option("--date", "DAY", "Judge as of this day, YYYY-MM-DD. Default: today in UTC.")
_OUTPUT = Option(
    "--output",
    "FILE",
    "Write to this file, whole or not at all, instead of to standard output; - is that.",
)
_DRY = Option("--dry", "", "Say what would be done, and leave the file as it is.")
CHECK = Grammar(
    "benchhygiene ledger check PACK [OPTIONS]",
    """\
Judge a pack's ledger for a day: what has lapsed, breaks its policy, or is disproved by a run.

For example:

  benchhygiene ledger check packs/arena --date 2026-10-02

  benchhygiene ledger check packs/arena --run log.jsonl --tree .
""",
    arguments=(_LEDGER,),
    options=(
        _DAY,
        Option(
            "--run",
            "FILE",
            "The record of a run of the suite: pytest-reportlog, JUnit XML, pytest-json-report, "
            "CTRF or what unittest -v prints.",
        ),
        Option("--tree", "DIR", "The tree whose tests the entries name."),
        Option("--parent", "PACK", "The pack that this one was made from: growth is told."),
        Option(
            "--config",
            "FILE",
            "Configuration in TOML, kept where no agent can write. Nothing else configures "
            "benchhygiene.",
        ),
        Option(
            "--format",
            "CHOICE",
            "What to write: text, json or sarif. Default: text.",
            choices=("text", "json", "sarif"),
        ),
        _OUTPUT,
    ),
)
ADD = Grammar(
    "benchhygiene ledger add PACK NODE --expires DAY --owner NAME [OPTIONS]",
    """\
Add an entry for a node to the pack's ledger, whole or not at all.

A node that has an entry gets no other one: nothing is extended silently.

For example:

  benchhygiene ledger add packs/arena tests/test_a.py::test_a \
--signature "AssertionError: cents != 0" --owner payments --expires 2026-10-02
""",
    arguments=(_LEDGER, Argument("NODE", "pytest's id of the node.")),
    options=(
        Option(
            "--signature",
            "TEXT",
            "The shape of the failure, or the failure as it was printed. With --run it need not be "
            "given where the node fails in one shape.",
        ),
        Option("--run", "FILE", "The record of a run in which the node failed."),
        Option("--owner", "NAME", "Who answers for the test."),
        Option("--expires", "DAY", "The last day on which the entry holds."),
        Option("--seen", "DAY", "When the failure was first seen. Default: the day of --date."),
        Option("--issue", "LINK", "The issue that is about it."),
        Option("--reason", "TEXT", "Why it is left alone until then."),
        Option(
            "--action",
            "CHOICE",
            "What is allowed: quarantine, rename, move or delete. Default: quarantine.",
            choices=("quarantine", "rename", "move", "delete"),
        ),
        Option("--renamed", "NODE", "What the node becomes by a rename or a move."),
        Option(
            "--beside",
            "",
            "Add the entry beside another of the node, for another shape of failure; it may not "
            "hold longer than that one.",
        ),
        _DAY,
        _DRY,
    ),
)
PRUNE = Grammar(
    "benchhygiene ledger prune PACK [OPTIONS]",
    """\
Take the entries that have expired out of the pack's ledger, or those of single nodes.

For example:

  benchhygiene ledger prune packs/arena --dry
""",
    arguments=(_LEDGER,),
    options=(
        Option(
            "--node",
            "NODE",
            "Take out every entry for this node instead, expired or not; repeat it for each.",
            repeats=True,
        ),
        _DAY,
        _DRY,
    ),
)
PROPOSE = Grammar(
    "benchhygiene ledger propose RUN... [OPTIONS]",
    """\
Read several runs of the same code, and propose an entry for each node that flips.

The runs are given in their order. What fails in every one is no flake, and is said apart.

For example:

  benchhygiene ledger propose runs/*.xml --owner payments --expires 2026-10-02
""",
    arguments=(
        Argument(
            "RUN",
            "A record of a run: pytest-reportlog, JUnit XML, pytest-json-report, CTRF or what "
            "unittest -v prints.",
            repeats=True,
        ),
    ),
    options=(
        Option(
            "--owner", "NAME", "Who answers for the tests. Default: nobody yet, and ? is shown."
        ),
        Option("--expires", "DAY", "The entries' last day. Default: 14 days after --date."),
        _DAY,
        Option(
            "--format",
            "CHOICE",
            "What to write: text or json. Default: text.",
            choices=("text", "json"),
        ),
        _OUTPUT,
    ),
)
