"""What the command line accepts and how it says what it does not: no command is carried out."""

from __future__ import annotations

import os
import pathlib
import pty
import re
import subprocess
import sys

import attrs
import pytest

from benchhygiene import cli
from benchhygiene.cli import catalogue, checking, diffing, inventories
from benchhygiene.cli.parsing import Argument, Grammar, Option, parse
from benchhygiene.errors import InputError

COMMAND = (sys.executable, "-P", "-m", "benchhygiene")
COMMANDS = (
    "check",
    "diff",
    "inventory",
    "score",
    "judge",
    "ledger",
    "mcp",
    "pack",
    "serve",
    "analyzers",
    "explain",
)
GROUPS = {
    "ledger": ("check", "add", "prune", "propose"),
    "mcp": ("lint", "lock", "tools"),
    "pack": ("init", "build", "verify", "show", "sign", "push", "fetch"),
}
WHOLE = (
    *(name for name in COMMANDS if name not in GROUPS),
    *(f"{group} {name}" for group, names in GROUPS.items() for name in names),
)
LISTED = f"{', '.join(COMMANDS[:-1])} or {COMMANDS[-1]}"
CHECK_USAGE = "benchhygiene check WORKSPACE [OPTIONS] [-- PYTEST-ARGS]"
HINT = "; arguments for pytest go after --"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What the commands were asked for, instead of doing it."""
    calls: list[object] = []

    def record(*request: object) -> int:
        calls.append(request[0] if len(request) == 1 else request)
        return 0

    for module in (checking, diffing, inventories):
        monkeypatch.setattr(module, "run", record)
    monkeypatch.setattr(catalogue, "list_analyzers", record)
    monkeypatch.setattr(catalogue, "explain", record)
    return calls


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


def request(*words: str, asked: list[object]) -> object:
    """Return what the words ask for."""
    assert cli.main(words) == 0
    return asked[-1]


def as_dict(found: object) -> dict[str, object]:
    """Return the fields of a request that differ from those of the smallest one."""
    assert isinstance(found, checking.Request | diffing.Request)
    least = type(found)(".")
    return {
        name: value for name, value in attrs.asdict(found).items() if value != getattr(least, name)
    }


def error(*words: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the one line that the words are refused with."""
    assert cli.main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("benchhygiene: error: ")
    assert err.endswith("\n")
    assert err[:-1].isprintable()
    return err.removeprefix("benchhygiene: error: ").removesuffix("\n")


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        (("ws",), {"workspace": "ws"}),
        (("ws", "--pytest", "8"), {"workspace": "ws", "pytest": "8"}),
        (("ws", "--pytest=8"), {"workspace": "ws", "pytest": "8"}),
        (("--pytest", "8", "ws"), {"workspace": "ws", "pytest": "8"}),
        (("--pytest=8", "ws", "--python", "p"), {"workspace": "ws", "pytest": "8", "python": "p"}),
        (
            ("ws", "--config", "c", "--output", "o"),
            {"workspace": "ws", "config": "c", "output": "o"},
        ),
        (("ws", "--format", "sarif"), {"workspace": "ws", "style": "sarif"}),
        (
            ("--plugin", "a=1", "ws", "--plugin=b=2", "--plugin", "a=1"),
            {"workspace": "ws", "plugins": ("a=1", "b=2", "a=1")},
        ),
        (("ws", "--output", "-"), {"workspace": "ws", "output": "-"}),
        (("ws", "--output=-"), {"workspace": "ws", "output": "-"}),
        (("--output", "-", "ws"), {"workspace": "ws", "output": "-"}),
        (("",), {"workspace": ""}),
        (("ws", "--pytest", ""), {"workspace": "ws", "pytest": ""}),
        (("ws", "--pytest="), {"workspace": "ws", "pytest": ""}),
        (("ws", "--plugin="), {"workspace": "ws", "plugins": ("",)}),
        (("ws", "--output=-x"), {"workspace": "ws", "output": "-x"}),
        (("ws", "--output=--config"), {"workspace": "ws", "output": "--config"}),
        (("ws", "--output=a=b"), {"workspace": "ws", "output": "a=b"}),
        (("a b\n", "--pytest", " 8 "), {"workspace": "a b\n", "pytest": " 8 "}),
        (("@file",), {"workspace": "@file"}),
        (("-",), {"workspace": "-"}),
        (("\udcff",), {"workspace": "\udcff"}),
        (("ws", "--"), {"workspace": "ws"}),
        (("ws", "--", "-q"), {"workspace": "ws", "pytest_args": ("-q",)}),
        (
            ("ws", "--format", "json", "--", "--format", "--", "--help", "-h", "--version"),
            {
                "workspace": "ws",
                "style": "json",
                "pytest_args": ("--format", "--", "--help", "-h", "--version"),
            },
        ),
    ],
)
def test_check_takes(
    words: tuple[str, ...], fields: dict[str, object], asked: list[object]
) -> None:
    assert as_dict(request("check", *words, asked=asked)) == fields


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        (("a", "b"), {"parent": "a", "candidate": "b"}),
        (("a", "--git", "r", "b"), {"parent": "a", "git": "r", "candidate": "b"}),
        (("--git", "r", "a", "b"), {"parent": "a", "git": "r", "candidate": "b"}),
        (("a", "b", "--git=r"), {"parent": "a", "git": "r", "candidate": "b"}),
        (("a", "--patch", "-"), {"parent": "a", "patch": "-"}),
        (("--patch=-", "a"), {"parent": "a", "patch": "-"}),
        (("a", ""), {"parent": "a", "candidate": ""}),
        (
            ("a", "--pack", "p", "--date", "d", "--config", "c", "--format", "json"),
            {"parent": "a", "pack": "p", "date": "d", "config": "c", "style": "json"},
        ),
        (("a", "--output", "o"), {"parent": "a", "output": "o"}),
    ],
)
def test_diff_takes(words: tuple[str, ...], fields: dict[str, object], asked: list[object]) -> None:
    assert as_dict(request("diff", *words, asked=asked)) == fields


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("inventory", "t"), ("t", None, "text")),
        (("inventory", "--git", "r", "t", "--format=json"), ("t", "r", "json")),
        (("analyzers",), "text"),
        (("analyzers", "--format", "json"), "json"),
        (("analyzers", "--"), "text"),
        (("explain", "r"), "r"),
    ],
)
def test_the_other_commands_take(words: tuple[str, ...], what: object, asked: list[object]) -> None:
    assert request(*words, asked=asked) == what


@pytest.mark.parametrize(
    ("words", "says"),
    [
        # Options that are not there, shortened ones among them.
        (("check", "ws", "-q"), f"unknown option: -q{HINT}"),
        (("check", "-q", "ws"), f"unknown option: -q{HINT}"),
        (("check", "--foo"), f"unknown option: --foo{HINT}"),
        (("check", "ws", "--foo=3"), f"unknown option: --foo{HINT}"),
        (("check", "ws", "--foo", "3"), f"unknown option: --foo{HINT}"),
        (("check", "ws", "--cov=x"), f"unknown option: --cov{HINT}"),
        (("check", "-1"), f"unknown option: -1{HINT}"),
        (("check", "-x y"), f"unknown option: -x y{HINT}"),
        (("check", "ws", "--help=1"), f"unknown option: --help{HINT}"),
        (("check", "ws", "-hx"), f"unknown option: -hx{HINT}"),
        (("check", "ws", "--conf", "c"), f"unknown option: --conf (did you mean --config?){HINT}"),
        (
            ("check", "ws", "--pyt=8"),
            f"unknown option: --pyt (did you mean --python or --pytest?){HINT}",
        ),
        (("check", "ws", "-pytest"), f"unknown option: -pytest (did you mean --pytest?){HINT}"),
        (
            ("diff", "a", "b", "--pac", "p"),
            "unknown option: --pac (did you mean --pack or --patch?)",
        ),
        (("explain", "r", "--format", "json"), "unknown option: --format"),
        (("analyzers", "-x"), "unknown option: -x"),
        # Values.
        (("check", "ws", "--pytest"), "--pytest: expected one argument"),
        (("check", "ws", "--pytest", "--python", "x"), "--pytest: expected one argument"),
        (("check", "ws", "--output", "-x"), "--output: expected one argument"),
        (("check", "ws", "--plugin", "--", "x"), "--plugin: expected one argument"),
        (("check", "ws", "--pytest", "8", "--pytest", "8"), "--pytest: given more than once"),
        (("check", "ws", "--format", "text", "--format=text"), "--format: given more than once"),
        (("check", "ws", "--config=", "--config="), "--config: given more than once"),
        # Arguments.
        (("check",), f"WORKSPACE is missing; usage: {CHECK_USAGE}"),
        (("check", "--pytest", "8"), f"WORKSPACE is missing; usage: {CHECK_USAGE}"),
        (("check", "a", "b", "--pytest", "8", "c"), f"unexpected argument: b c{HINT}"),
        (("check", "a", "--plugin", "b=1", "c=2"), f"unexpected argument: c=2{HINT}"),
        (("diff",), "PARENT is missing; usage: benchhygiene diff PARENT [CANDIDATE] [OPTIONS]"),
        (("diff", "a", "b", "c"), "unexpected argument: c"),
        (("inventory",), "TREE is missing; usage: benchhygiene inventory TREE [OPTIONS]"),
        (("explain",), "RULE is missing; usage: benchhygiene explain RULE"),
        (("analyzers", "x"), "unexpected argument: x"),
        *(
            ((command, "a", "--", "x"), f"{command} takes nothing after --: x")
            for command in COMMANDS[1:]
            if command not in GROUPS
        ),
        # Commands.
        (("chek", "ws"), "there is no command 'chek'; did you mean check?"),
        (("foo",), f"there is no command 'foo'; expected {LISTED}"),
        (("foo", "--help"), f"there is no command 'foo'; expected {LISTED}"),
        (("--help", "foo"), f"there is no command 'foo'; expected {LISTED}"),
        (("",), f"there is no command ''; expected {LISTED}"),
        (("--pytest", "8", "check", "ws"), f"expected a command before --pytest: {LISTED}"),
        (("--", "check", "ws"), f"expected a command before --: {LISTED}"),
        (("mcp", "lnt"), "there is no command 'lnt'; did you mean lint?"),
        (("mcp", "zzz", "lint"), "there is no command 'zzz'; expected lint, lock or tools"),
        # What a terminal would act on, and what is no text.
        (("check", "w", "--f\x1bo"), f"unknown option: --f\\x1bo{HINT}"),
        (("check", "w", "x\x1b\n\udcff"), f"unexpected argument: x\\x1b\\n\\xff{HINT}"),
        (("ch\x1b\udcff\n",), f"there is no command 'ch\\x1b\\xff\\n'; expected {LISTED}"),
        (("-\x1b",), f"expected a command before -\\x1b: {LISTED}"),
        (("diff", "a", "--", "\x1b\n"), "diff takes nothing after --: \\x1b\\n"),
        (("check", "w", "--format", "\x1b\n\udcff"), "--format: invalid choice: '\\x1b\\n\\..."),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(
    words: tuple[str, ...], says: str, asked: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    said = error(*words, capsys=capsys)
    if says.endswith("..."):
        assert said.startswith(says.removesuffix("..."))
    else:
        assert said == says
    assert asked == []


@pytest.mark.parametrize(
    ("command", "choices"),
    [
        (("check", "ws"), ["text", "json", "sarif"]),
        (("diff", "a", "b"), ["text", "json", "sarif"]),
        (("inventory", "t"), ["text", "json"]),
        (("analyzers",), ["text", "json"]),
    ],
)
@pytest.mark.parametrize("value", ["xml", "TEXT", "", "json=2"])
def test_a_wrong_choice_is_told_the_right_ones(
    command: tuple[str, ...],
    choices: list[str],
    value: str,
    asked: list[object],
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = error(*command, f"--format={value}", capsys=capsys)
    begin, _, rest = said.partition("(choose from ")
    assert begin == f"--format: invalid choice: {value!r} "
    assert re.findall(r"\w+", rest) == choices  # with quotes before Python 3.12.8
    assert asked == []


def test_a_wrong_word_of_no_encoding_is_spelled_out() -> None:
    done = subprocess.run(
        [*COMMAND, "check", "ws", os.fsdecode(b"--n\xff\x1b[2J\n")],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr == rb"benchhygiene: error: unknown option: --n\xff\x1b[2J\n" + (
        f"{HINT}\n".encode()
    )


def test_the_program_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for words in ((), ("--help",), ("-h",), ("--version", "--help"), ("--",), ("-h", "--", "x")):
        assert cli.main(words) == 0
        shown.append(capsys.readouterr())
    assert all(one == shown[0] for one in shown)
    out, err = shown[0]
    assert err == ""
    assert out == (
        "Usage: benchhygiene COMMAND\n"
        "\n"
        "Find what makes a coding benchmark's grade untrue.\n"
        "\n"
        "Exit status: 0 nothing wrong, 1 violation, 2 bad usage or input, 3 inconclusive.\n"
        "\n"
        "benchhygiene COMMAND --help shows a command's options and examples.\n"
        "\n"
        "In a directory you do not trust, start it as benchhygiene, or as\n"
        "\n"
        "  python -P -m benchhygiene\n"
        "\n"
        "Without -P, python -m imports modules from the current directory first.\n"
        "\n"
        "Commands:\n"
        "  check       Say what python -m pytest would inherit when run in a workspace.\n"
        "  diff        Say how a patch has made the tests of a tree say less.\n"
        "  inventory   List the tests of a tree with what they check, and what exempts\n"
        "              them.\n"
        "  score       Score a candidate by a witness pack that it cannot write: verify,\n"
        "              inventory, replay.\n"
        "  judge       Score saved evidence again: nothing is run, and the same evidence\n"
        "              gives the same bytes.\n"
        "  ledger      Judge and edit the flake ledger of a witness pack, or propose its\n"
        "              entries.\n"
        "  mcp         Judge what MCP servers declare about their tools.\n"
        "  pack        Build, verify, sign, publish and fetch witness packs.\n"
        "  serve       Offer the analyzers as tools of an MCP server, over standard input\n"
        "              and output or HTTP.\n"
        "  analyzers   List the installed analyzers, and the plugins that were refused.\n"
        "  explain     Explain a rule, with an example that breaks it and one that does\n"
        "              not.\n"
        "\n"
        "Options:\n"
        "  -h, --help  Show this message and exit.\n"
        "  --version   Show the version and exit.\n"
    )


@pytest.mark.parametrize(
    "words",
    [
        ("check", "--help"),
        ("check", "-h"),
        ("--help", "check"),
        ("check", "--foo", "--help"),
        ("check", "--format", "xml", "--help"),
        ("check", "a", "b", "--pytest", "-h"),
        ("check", "--version", "-h", "--", "x"),
    ],
)
def test_help_is_given_wherever_it_is_asked_for(
    words: tuple[str, ...], asked: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(words) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert asked == []
    assert out == (
        f"Usage: {CHECK_USAGE}\n"
        "\n"
        "Say what python -m pytest would inherit when run in a workspace.\n"
        "\n"
        "Nothing of the workspace is run. What follows the first -- are the arguments of\n"
        "pytest.\n"
        "\n"
        "For example:\n"
        "\n"
        "  benchhygiene check attempts/7/workspace -- tests/ -q\n"
        "\n"
        "  benchhygiene check ws --pytest 8.4.2 --plugin pytest-cov=7.1.0 -- tests/\n"
        "\n"
        "  benchhygiene check ws --python .venv --format sarif --output ws.sarif\n"
        "\n"
        "Arguments:\n"
        "  WORKSPACE              The directory in which the tests are going to be run.\n"
        "\n"
        "Options:\n"
        "  --pytest VERSION       Predict for this version of pytest. Default: the one\n"
        "                         that --python has installed.\n"
        "  --python PATH          Predict for this interpreter or environment directory,\n"
        "                         which is read and never run; a version such as 3.12\n"
        "                         will do. Default: the one that runs benchhygiene.\n"
        "  --plugin NAME=VERSION  A distribution installed where the tests run; repeat it\n"
        "                         for each. Once one is given, nothing else counts as\n"
        "                         installed.\n"
        "  --config FILE          Configuration in TOML, kept where the workspace cannot\n"
        "                         reach it. Nothing else configures benchhygiene.\n"
        "  --format CHOICE        What to write: text, json or sarif. Default: text.\n"
        "  --output FILE          Write to this file, whole or not at all, instead of to\n"
        "                         standard output; - is that.\n"
        "  -h, --help             Show this message and exit.\n"
    )


@pytest.mark.parametrize("command", WHOLE)
def test_every_documented_option_is_in_the_help_and_the_other_way_round(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (pathlib.Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    section = page.split(f"\n## `benchhygiene {command}")[1].split("\n## ")[0]
    head, _, body = section.partition("\n")
    documented = set(re.findall(r"--[a-z]+", head + "".join(re.findall("(?m)^`--.*", body))))
    cli.main((*command.split(), "--help"))
    out = capsys.readouterr().out
    assert out.startswith(f"Usage: benchhygiene {command}")
    assert set(re.findall(r"(?m)^  (--[a-z]+)", out)) == documented


@pytest.mark.parametrize(
    "words", [("--version",), ("check", "ws", "--version"), ("--version", "x")]
)
def test_the_version_is_named(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(words) == 0
    assert re.fullmatch(r"benchhygiene \d+\.\d+\.\d+\n", capsys.readouterr().out)


@pytest.mark.parametrize("columns", [40, 60, 80, 250])
def test_help_keeps_to_the_terminal_and_has_no_colour(columns: int) -> None:
    for command in ((), *((name,) for name in COMMANDS)):
        shown = in_terminal(*command, "--help", columns=columns)
        assert "\x1b" not in shown
        prose = [line for line in shown.splitlines() if not line.startswith("  benchhygiene ")]
        assert max(map(len, prose)) <= min(columns, 100)


def in_terminal(*words: str, columns: int) -> str:
    """Return what the command writes to a terminal of so many columns."""
    primary, replica = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns)}
    with subprocess.Popen([*COMMAND, *words], stdout=replica, stderr=replica, env=env) as process:
        os.close(replica)
        shown = b""
        try:
            while chunk := os.read(primary, 65536):
                shown += chunk
        except OSError:  # Linux says EIO where others say end of file
            pass
    os.close(primary)
    assert process.returncode == 0
    return shown.decode().replace("\r\n", "\n")


def test_help_goes_to_a_reader_that_leaves_and_not_to_a_full_disk() -> None:
    line = '"$@" --help 2>&1 >&-; echo $?; { sleep 1; "$@" --help 2>&1; echo $? >&2; } | true'
    done = subprocess.run(
        ["sh", "-c", line, "sh", *COMMAND], capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1] == "2"
    assert "standard output: closed" in done.stdout
    assert done.stderr == "0\n"


def test_an_option_of_one_command_is_asked_for_by_its_name() -> None:
    options = (
        Option("--sign-key", "FILE", "A key."),
        Option("--node", "ID", "A node.", repeats=True),
        Option("--dry", "", "Do nothing."),
    )
    grammar = Grammar("benchhygiene x", "X.\n", (Argument("RUN", "A run.", repeats=True),), options)
    given = parse(grammar, ("a", "--sign-key", "k", "b", "--node", "1", "--node", "2", "--dry"), ())
    assert given.arguments == ("a", "b")
    assert given.value("--sign-key") == "k"
    assert given.values("--node") == ("1", "2")
    assert given.has("--dry")
    bare = parse(grammar, ("a",), ())
    assert bare.value("--sign-key") is None
    assert bare.values("--node") == ()
    assert not bare.has("--dry")
    with pytest.raises(InputError, match="given more than once"):
        parse(grammar, ("a", "--sign-key", "k", "--sign-key", "l"), ())
