"""What the commands of ``benchhygiene pack`` take."""

from __future__ import annotations

from benchhygiene.cli.parsing import Argument, Grammar, Option

PACK = Grammar(
    "benchhygiene pack COMMAND [OPTIONS]",
    "Build, verify, sign, publish and fetch witness packs.\n",
)
_PLACE = Argument(
    "PACK",
    "A directory, an archive, git+REPO@COMMIT:PATH, or an object of s3://, gs://, az:// or "
    "https://; #sha256=DIGEST behind it pins it.",
)
_FORMAT = Option("--format", "FORMAT", "text or json. Default: text.", ("text", "json"))
_TRUST = (
    Option(
        "--allowed-signers",
        "FILE",
        "Ask for a signature by one of these keys; the format is OpenSSH's.",
    ),
    Option("--revoked", "FILE", "Keys that no longer count: one a line, or a KRL."),
    Option(
        "--date",
        "DAY",
        "Hold the keys' validity against this day, YYYY-MM-DD, at noon in UTC. Default: now.",
    ),
)
INIT = Grammar(
    "benchhygiene pack init DIR",
    "Lay out an empty pack in a new directory.\n",
    arguments=(Argument("DIR", "A directory that is new or empty."),),
)
BUILD = Grammar(
    "benchhygiene pack build TREE [OPTIONS]",
    """\
Build a pack of the tests of a tree, with what they read and what the code promises.

For example:

  benchhygiene pack build v1.2 --git . --out /srv/packs --archive

  benchhygiene pack build --laid-out pack/ --out pack.tar
""",
    arguments=(
        Argument(
            "TREE",
            "A directory, or with --git a revision; with --laid-out a pack's directory.",
        ),
    ),
    options=(
        Option("--git", "REPO", "TREE is a revision of this repository."),
        Option(
            "--laid-out",
            "",
            "TREE is laid out as a pack: take all of it, and list it anew. Without --out the "
            "manifest in it is written anew.",
        ),
        Option("--out", "PATH", "An archive where it ends in .tar, or else a directory."),
        Option("--archive", "", "Put an archive into the directory --out, named by its digest."),
        Option("--include", "GLOB", "Take these files as well; * matches / too.", repeats=True),
        Option("--exclude", "GLOB", "Leave these files out.", repeats=True),
        Option("--ledger", "FILE", "The flake ledger of the pack. Default: an empty one."),
        Option("--waivers", "FILE", "The waivers of the pack. Default: none."),
        Option("--repository", "NAME", "What to call the repository in the manifest."),
        Option("--max-age", "DAYS", "After so many days the pack counts as stale."),
        _FORMAT,
    ),
)
VERIFY = Grammar(
    "benchhygiene pack verify PACK [OPTIONS]",
    """\
Say whether a pack is what it claims to be, or every fault that it has.

For example:

  benchhygiene pack verify pack.tar#sha256=4e2a... --allowed-signers keys
""",
    arguments=(_PLACE,),
    options=(*_TRUST, _FORMAT),
)
SHOW = Grammar(
    "benchhygiene pack show PACK [OPTIONS]",
    "Print what a pack holds, once it is verified.\n",
    arguments=(_PLACE,),
    options=(
        Option(
            "--statement", "", "Print the statement that its signatures are about, and no more."
        ),
        *_TRUST,
        _FORMAT,
    ),
)
SIGN = Grammar(
    "benchhygiene pack sign ARCHIVE [OPTIONS]",
    """\
Sign an archive; the signature is put beside it.

For example:

  benchhygiene pack sign pack.tar --key ~/.ssh/id_ed25519
""",
    arguments=(Argument("ARCHIVE", "An archive, as pack build makes it."),),
    options=(
        Option("--key", "FILE", "A private key; or for ssh a public one that an agent holds."),
        Option(
            "--style",
            "STYLE",
            "ssh for ssh-keygen -Y sign, or dsse for a DSSE envelope. Default: ssh.",
            ("ssh", "dsse"),
        ),
    ),
)
PUSH = Grammar(
    "benchhygiene pack push PACK DEST [OPTIONS]",
    """\
Put an archive and its signatures into a directory or a store, under its digest.

For example:

  benchhygiene pack push pack.tar s3://oracles/packs
""",
    arguments=(
        Argument("PACK", "An archive, once it is verified."),
        Argument("DEST", "A directory, or a place of s3://, gs:// or az://."),
    ),
    options=(*_TRUST, _FORMAT),
)
FETCH = Grammar(
    "benchhygiene pack fetch URI [OPTIONS]",
    """\
Get a pack by its digest; what is not it whole is not kept.

For example:

  benchhygiene pack fetch s3://oracles/packs/4e2a....tar#sha256=4e2a... --out pack.tar
""",
    arguments=(Argument("URI", _PLACE.meaning),),
    options=(
        Option("--out", "PATH", "The archive to write, or a directory for it."),
        Option("--unpack", "DIR", "Lay the files out in this new directory as well."),
        *_TRUST,
        _FORMAT,
    ),
)
