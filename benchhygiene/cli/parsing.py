"""Parse the words of one command with argparse, or say in one line what is wrong with them."""

from __future__ import annotations

import argparse
import functools
import itertools
import re
from collections.abc import Sequence
from typing import Literal, NoReturn, TypeAlias

import attrs

from benchhygiene.errors import InputError

Style: TypeAlias = Literal["text", "json", "sarif"]

_FLAGS = (
    ("-h", "--help", "Show this message and exit."),
    ("--version", "Show the version and exit."),
)
_HELP_COLUMN = 30  # where the meaning of an option starts at the latest
_ALIKE = 0.7  # less, and --cov of pytest would be taken for --config


@attrs.frozen(eq=False, repr=False)
class Argument:
    """A word that a command takes by its place; the last one may ``repeat``."""

    name: str
    meaning: str
    is_required: bool = True
    repeats: bool = False


@attrs.frozen(eq=False, repr=False)
class Option:
    """An option with a value, or a switch where the metavar is empty.

    ``repeats`` says that it may be given again, with another value.
    """

    name: str
    metavar: str
    meaning: str
    choices: tuple[str, ...] | None = None
    repeats: bool = False


@attrs.frozen(eq=False, repr=False)
class Grammar:
    """What one command takes; a line of ``text`` is a paragraph, or an example if indented."""

    usage: str
    text: str
    arguments: tuple[Argument, ...] = ()
    options: tuple[Option, ...] = ()
    takes_pytest_args: bool = False
    takes_command: bool = False


class Given:
    """What a command line gave, by the names of the options; the class has the defaults.

    An option that only one command knows is asked for by its name, as ``value("--key")``.
    ``pytest_args`` are the words after ``--``, be they a command instead.
    """

    arguments: tuple[str, ...] = ()
    pytest_args: tuple[str, ...] = ()
    pytest: str | None = None
    python: str | None = None
    plugin: Sequence[str] | None = None
    config: str | None = None
    format: Style = "text"
    output: str | None = None
    git: str | None = None
    patch: str | None = None
    pack: str | None = None
    date: str | None = None

    def value(self, option: str) -> str | None:
        """Return the value of an option, None where it was not given."""
        found: object = vars(self).get(_attribute(option))
        return found if isinstance(found, str) else None

    def values(self, option: str) -> tuple[str, ...]:
        """Return every value of an option that repeats, in their order."""
        found: Sequence[str] | None = vars(self).get(_attribute(option))
        return tuple(found or ())

    def has(self, switch: str) -> bool:
        """Return whether an option without a value was given."""
        return vars(self).get(_attribute(switch)) is True


def _attribute(option: str) -> str:
    return option.lstrip("-").replace("-", "_")


class _Parser(argparse.ArgumentParser):
    """Raise what argparse would print together with its usage before it exits."""

    def __init__(self, text: str = "", width: int = 80) -> None:
        super().__init__(
            prog="benchhygiene",
            usage=argparse.SUPPRESS,
            description=text,
            formatter_class=functools.partial(
                argparse.RawDescriptionHelpFormatter, max_help_position=_HELP_COLUMN, width=width
            ),
            add_help=False,
            allow_abbrev=False,
        )
        self.color = False  # since Python 3.14 it may be true, by other rules than ours

    def error(self, message: str) -> NoReturn:
        raise InputError(message.removeprefix("argument "))


class _Once(argparse.Action):
    """Take the value of an option, and refuse a second: nobody knows which of them is meant."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        if self.dest in vars(namespace):
            raise argparse.ArgumentError(self, "given more than once")
        setattr(namespace, self.dest, values)


def parse(grammar: Grammar, words: Sequence[str], pytest_args: tuple[str, ...]) -> Given:
    """Return what the words give; raises InputError where they do not fit the grammar.

    Only options are left to argparse: in ``diff PARENT --git REPO CANDIDATE`` most versions of it
    would find one argument too many, and a missing argument they tell before an unknown option.
    """
    if pytest_args and not (grammar.takes_pytest_args or grammar.takes_command):
        raise InputError(f"{_program(grammar)} takes nothing after --: {pytest_args[0]}")
    parser = _Parser()
    _add_options(parser, grammar.options)
    given, others = parser.parse_known_args(words, Given())
    _require_fitting(grammar, others)
    given.arguments, given.pytest_args = tuple(others), pytest_args
    return given


def _add_options(
    parser: _Parser, options: Sequence[Option], flags: Sequence[tuple[str, ...]] = ()
) -> None:
    group = parser.add_argument_group("Options")
    for option in options:
        if not option.metavar:
            group.add_argument(
                option.name, action="store_true", default=argparse.SUPPRESS, help=option.meaning
            )
            continue
        group.add_argument(
            option.name,
            action="append" if option.repeats else _Once,
            metavar=option.metavar,
            choices=option.choices,
            default=argparse.SUPPRESS,  # or what was never given would look like given once
            help=option.meaning,
        )
    for *names, meaning in flags:
        group.add_argument(*names, action="store_true", help=meaning)


def _require_fitting(grammar: Grammar, words: Sequence[str]) -> None:
    hint = "; arguments for pytest go after --" if grammar.takes_pytest_args else ""
    for word in words:
        if word.startswith("-") and word != "-":
            raise InputError(f"unknown option: {_corrected(word, grammar)}{hint}")
    required = [argument.name for argument in grammar.arguments if argument.is_required]
    if len(words) < len(required):
        raise InputError(f"{required[len(words)]} is missing; usage: {grammar.usage}")
    repeats = bool(grammar.arguments) and grammar.arguments[-1].repeats
    if len(words) > len(grammar.arguments) and not repeats:
        raise InputError(f"unexpected argument: {' '.join(words[len(grammar.arguments) :])}{hint}")


def _program(grammar: Grammar) -> str:
    """Return the words of the usage that are the same for every use of the command."""
    words = itertools.takewhile(re.compile("[a-z]+").fullmatch, grammar.usage.split()[1:])
    return " ".join(words) or "benchhygiene"


def _corrected(word: str, grammar: Grammar) -> str:
    import difflib  # only for a mistyped option

    name = word.partition("=")[0]
    known = [option.name for option in grammar.options]
    close = difflib.get_close_matches(name, known, 2, _ALIKE)
    return f"{name} (did you mean {' or '.join(close)}?)" if close else name


def help_of(grammar: Grammar, width: int, commands: Sequence[tuple[str, str]] = ()) -> str:
    """Return the help text of a command, or of the program with its ``commands``."""
    text = f"Usage: {grammar.usage}\n\n{grammar.text}"
    parser = _Parser("\n".join(_folded(line, width) for line in text.splitlines()), width)
    arguments = [(argument.name, argument.meaning) for argument in grammar.arguments]
    for title, rows in (("Commands", commands), ("Arguments", arguments)):
        group = parser.add_argument_group(title)
        for name, meaning in rows:
            group.add_argument(name, help=meaning)
    _add_options(parser, grammar.options, _FLAGS if commands else _FLAGS[:1])
    return parser.format_help()


def _folded(line: str, width: int) -> str:
    """Fold a paragraph; an example stays on its line, from where it can be copied."""
    import textwrap

    if line.startswith(" "):
        return line
    return textwrap.fill(line, width, break_on_hyphens=False, break_long_words=False)
