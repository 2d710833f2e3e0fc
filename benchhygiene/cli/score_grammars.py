"""What ``benchhygiene score`` and ``benchhygiene judge`` take."""

from __future__ import annotations

from benchhygiene.cli.parsing import Argument, Grammar, Option

_FORMAT = Option(
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
_ATTESTATION = Option(
    "--attestation",
    "FILE",
    "Write the score as an in-toto test-result statement as well.",
)
_SIGN_KEY = Option(
    "--sign-key",
    "FILE",
    "Sign the attestation with this ed25519 key, as a DSSE envelope.",
)
_CONFIG = Option(
    "--config",
    "FILE",
    "Configuration in TOML, kept where the candidate cannot reach it.",
)
SCORE = Grammar(
    "benchhygiene score --pack URI#sha256=DIGEST --candidate TREE [OPTIONS]",
    """\
Score a candidate by a witness pack that it cannot write: verify, inventory, replay.

The pack's tests run against the candidate's source in a sandbox; its own tests are only read.

For example:

  benchhygiene score --pack arena.tar#sha256=... --candidate attempt/ --parent base/

  benchhygiene score --git . --pack s3://oracles/... --parent main --candidate HEAD
""",
    options=(
        Option(
            "--pack",
            "URI",
            "The pack: a directory, an archive or where one is kept, with #sha256=DIGEST unless "
            "its signature is asked for.",
        ),
        Option("--candidate", "TREE", "What is scored: a directory, or with --git a revision."),
        Option(
            "--parent",
            "TREE",
            "What the candidate was made from, of the same kind. Without it the pack's own tests "
            "are held against the candidate's.",
        ),
        Option("--git", "REPO", "The repository that the revisions are of."),
        Option(
            "--date",
            "DAY",
            "Hold ledger and waivers against this day, YYYY-MM-DD. Default: today in UTC.",
        ),
        Option(
            "--allowed-signers",
            "FILE",
            "Refuse a pack that none of these has signed; the file has OpenSSH's format.",
        ),
        Option("--revoked", "FILE", "Keys that no longer count."),
        Option(
            "--python",
            "PATH",
            "The interpreter, or its environment, that has pytest and what the tests need. "
            "Default: the one that runs benchhygiene.",
        ),
        Option(
            "--plugin",
            "MODULE",
            "A pytest plugin that the tests need; no other is loaded. Repeat it for each.",
            repeats=True,
        ),
        Option("--reruns", "N", "Run the ledger's nodes so many times more. Default: 0."),
        Option(
            "--reach", "", "Say which changed lines no test of the pack executed; needs --parent."
        ),
        Option(
            "--no-sandbox",
            "",
            "Run the candidate's source without a sandbox. The report says so.",
        ),
        Option(
            "--evidence", "FILE", "Save all evidence, for benchhygiene judge to score it again."
        ),
        _ATTESTATION,
        _SIGN_KEY,
        _CONFIG,
        _FORMAT,
        _OUTPUT,
    ),
)
JUDGE = Grammar(
    "benchhygiene judge FILE [OPTIONS]",
    """\
Score saved evidence again: nothing is run, and the same evidence gives the same bytes.

For example:

  benchhygiene judge attempt-7.evidence.json --format json
""",
    arguments=(Argument("FILE", "What benchhygiene score --evidence has saved."),),
    options=(_ATTESTATION, _SIGN_KEY, _CONFIG, _FORMAT, _OUTPUT),
)
