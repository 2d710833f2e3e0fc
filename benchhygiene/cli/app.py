"""The command line's commands: find the one that is asked for, and do it or show its help."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import attrs

from benchhygiene import __version__
from benchhygiene.cli import grammars
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


def run(words: tuple[str, ...], pytest_args: tuple[str, ...]) -> int:
    """Do what the words before ``--`` ask for and return the exit status.

    Help is given wherever it is asked for, be the rest of the command still wrong.
    """
    asked = [word for word in words if word not in (*_HELP, _VERSION)]
    needs_help = any(word in _HELP for word in words)
    if _VERSION in words and not needs_help:
        write_stream(f"benchhygiene {__version__}\n")
        return 0
    if asked:
        command = _command(asked[0])
        if not needs_help:
            return command.run(parse(command.grammar, asked[1:], pytest_args))
        write_stream(help_of(command.grammar, _width()))
    elif pytest_args and not needs_help:
        raise InputError(f"expected a command before --: {_listed()}")
    else:
        rows = [(name, command.summary) for name, command in COMMANDS.items()]
        write_stream(help_of(grammars.PROGRAM, _width(), rows))
    return 0


def _width() -> int:
    return min(text_width(sys.stdout, os.environ) or 80, _WIDEST)


def _command(name: str) -> Command:
    if name in COMMANDS:
        return COMMANDS[name]
    if name.startswith("-"):
        raise InputError(f"expected a command before {name}: {_listed()}")
    import difflib  # only for a mistyped command

    close = difflib.get_close_matches(name, COMMANDS, 1)
    hint = f"did you mean {close[0]}?" if close else f"expected {_listed()}"
    raise InputError(f"there is no command '{name}'; {hint}")


def _listed() -> str:
    *first, last = COMMANDS
    return f"{', '.join(first)} or {last}"


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


def _analyzers(given: Given) -> int:
    from benchhygiene.cli import catalogue

    return catalogue.list_analyzers(given.format)


def _explain(given: Given) -> int:
    from benchhygiene.cli import catalogue

    (rule,) = given.arguments
    return catalogue.explain(rule)


COMMANDS = {
    "check": Command(grammars.CHECK, _check),
    "diff": Command(grammars.DIFF, _diff),
    "inventory": Command(grammars.INVENTORY, _inventory),
    "analyzers": Command(grammars.ANALYZERS, _analyzers),
    "explain": Command(grammars.EXPLAIN, _explain),
}
