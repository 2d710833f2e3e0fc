"""The command line's commands: find the one that is asked for, and do it or show its help."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence

import attrs

from benchhygiene import __version__
from benchhygiene.cli import (
    grammars,
    ledger_grammars,
    mcp_grammars,
    pack_grammars,
    score_grammars,
    serve_grammars,
)
from benchhygiene.cli.output import text_width, write_stream
from benchhygiene.cli.parsing import Given, Grammar, help_of, parse
from benchhygiene.errors import InputError

_HELP = ("-h", "--help")
_VERSION = "--version"
_WIDEST = 100  # longer lines are hard to read, however wide the terminal


@attrs.frozen(eq=False, repr=False)
class Command:
    """One command: its grammar, and the function that does it."""

    grammar: Grammar
    run: Callable[[Given], int]

    @property
    def summary(self) -> str:
        """Return the first line of its help."""
        return self.grammar.text.partition("\n")[0]


@attrs.frozen(eq=False, repr=False)
class Group:
    """Several commands under one word: ``home`` is the module that has its COMMANDS."""

    grammar: Grammar
    home: str

    @property
    def summary(self) -> str:
        """Return the first line of its help."""
        return self.grammar.text.partition("\n")[0]

    @property
    def commands(self) -> Mapping[str, Command | Group]:
        """Return its commands by their names; they are imported when they are asked for."""
        found: Mapping[str, Command | Group] = importlib.import_module(self.home).COMMANDS
        return found


def run(words: tuple[str, ...], pytest_args: tuple[str, ...]) -> int:
    """Do what the words before ``--`` ask for and return the exit status.

    Help is given wherever it is asked for, be the rest of the command still wrong.
    """
    asked = [word for word in words if word not in (*_HELP, _VERSION)]
    needs_help = any(word in _HELP for word in words)
    if _VERSION in words and not needs_help:
        write_stream(f"benchhygiene {__version__}\n")
        return 0
    if not asked and pytest_args and not needs_help:
        raise InputError(f"expected a command before --: {_listed(COMMANDS)}")
    command, rest = _chosen(asked)
    if isinstance(command, Group):
        write_stream(_commands_help(command.grammar, command.commands))
    elif not needs_help:
        return command.run(parse(command.grammar, rest, pytest_args))
    else:
        write_stream(help_of(command.grammar, _width()))
    return 0


def _chosen(words: Sequence[str]) -> tuple[Command | Group, Sequence[str]]:
    """Return the command that the first words name, and the words that are left for it.

    The program itself is the group of all commands, and no word but its own leads into it.
    """
    command: Command | Group = PROGRAM
    while isinstance(command, Group) and words:
        command = _command(words[0], command.commands)
        words = words[1:]
    return command, words


def _commands_help(grammar: Grammar, commands: Mapping[str, Command | Group]) -> str:
    rows = [(name, command.summary) for name, command in commands.items()]
    return help_of(grammar, _width(), rows)


def _width() -> int:
    return min(text_width(sys.stdout, os.environ) or 80, _WIDEST)


def _command(name: str, commands: Mapping[str, Command | Group]) -> Command | Group:
    if name in commands:
        return commands[name]
    if name.startswith("-"):
        raise InputError(f"expected a command before {name}: {_listed(commands)}")
    import difflib  # only for a mistyped command

    close = difflib.get_close_matches(name, commands, 1)
    hint = f"did you mean {close[0]}?" if close else f"expected {_listed(commands)}"
    raise InputError(f"there is no command '{name}'; {hint}")


def _listed(commands: Mapping[str, Command | Group]) -> str:
    *first, last = commands
    return f"{', '.join(first)} or {last}" if first else last


def _check(given: Given) -> int:
    from benchhygiene.cli import checking

    (workspace,) = given.arguments
    request = checking.Request(
        workspace,
        given.pytest_args,
        given.pytest,
        given.python,
        tuple(given.plugin or ()),
        given.config,
        given.format,
        given.output,
    )
    return checking.run(request)


def _diff(given: Given) -> int:
    from benchhygiene.cli import diffing

    parent, *others = given.arguments
    request = diffing.Request(
        parent,
        others[0] if others else None,
        given.git,
        given.patch,
        given.pack,
        given.date,
        given.config,
        given.format,
        given.output,
    )
    return diffing.run(request)


def _inventory(given: Given) -> int:
    from benchhygiene.cli import inventories

    (tree,) = given.arguments
    return inventories.run(tree, given.git, given.format)


def _serve(given: Given) -> int:
    from benchhygiene.cli import serving

    return serving.run(given)


def _score(given: Given) -> int:
    from benchhygiene.cli import scoring

    return scoring.score(given)


def _judge(given: Given) -> int:
    from benchhygiene.cli import scoring

    return scoring.judge(given)


def _analyzers(given: Given) -> int:
    from benchhygiene.cli import catalogue

    return catalogue.list_analyzers(given.format)


def _explain(given: Given) -> int:
    from benchhygiene.cli import catalogue

    (rule,) = given.arguments
    return catalogue.explain(rule)


COMMANDS: Mapping[str, Command | Group] = {
    "check": Command(grammars.CHECK, _check),
    "diff": Command(grammars.DIFF, _diff),
    "inventory": Command(grammars.INVENTORY, _inventory),
    "score": Command(score_grammars.SCORE, _score),
    "judge": Command(score_grammars.JUDGE, _judge),
    "ledger": Group(ledger_grammars.LEDGER, "benchhygiene.cli.ledgers"),
    "mcp": Group(mcp_grammars.MCP, "benchhygiene.cli.mcp"),
    "pack": Group(pack_grammars.PACK, "benchhygiene.cli.packing"),
    "serve": Command(serve_grammars.SERVE, _serve),
    "analyzers": Command(grammars.ANALYZERS, _analyzers),
    "explain": Command(grammars.EXPLAIN, _explain),
}
PROGRAM = Group(grammars.PROGRAM, __name__)
