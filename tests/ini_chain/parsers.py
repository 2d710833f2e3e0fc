"""Real ``argparse`` parsers that know the same options as a table, called as pytest calls them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import NoReturn

import attrs

from benchhygiene_plugins.ini_chain.tables import Option

PATHS = "file_or_dir"


class Refused(Exception):
    """Say that argparse ended the parse."""


@attrs.frozen
class Parsed:
    """What argparse made of the words: (name, value) in its order, paths, and what is left."""

    given: tuple[tuple[str, str | None], ...]
    paths: tuple[str, ...]
    unknown: tuple[str, ...]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Refused(message)


class _Record(argparse.Action):
    """Write down every use of an option, whatever its real action does with the value."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        del parser
        value = values if isinstance(values, str) else None
        namespace.given.append((option_string, value))


def parser_of(options: Iterable[Option]) -> argparse.ArgumentParser:
    """Return a parser with pytest's settings, whose option values are kept as they are."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    for option in options:
        parser.add_argument(*option.names, action=_Record, dest=option.dest, nargs=option.nargs)
    parser.add_argument(PATHS, nargs="*")
    return parser


def parse_known(
    parser: argparse.ArgumentParser, words: Sequence[str], pytest: tuple[int, int, int]
) -> Parsed:
    """Parse as ``Parser.parse_known_and_unknown_args`` of that pytest does on this Python."""
    if pytest >= (9, 0, 0) and _mended():
        return _parsed(*parser.parse_known_intermixed_args(words, _namespace()))
    return _sorted_out(*parser.parse_known_args(words, _namespace()))


def parse_final(
    parser: argparse.ArgumentParser, words: Sequence[str], pytest: tuple[int, int, int]
) -> Parsed:
    """Parse as the last, strict parse does; what it would refuse as unknown is listed."""
    if pytest >= (9, 0, 0):
        return _parsed(*parser.parse_known_intermixed_args(words, _namespace()))
    return _sorted_out(*parser.parse_known_args(words, _namespace()))


def _mended() -> bool:
    version = sys.version_info[:3]
    return not (version < (3, 12, 8) or (3, 13, 0) <= version < (3, 13, 1))


def _namespace() -> argparse.Namespace:
    return argparse.Namespace(given=[])


def _parsed(namespace: argparse.Namespace, unknown: Sequence[str]) -> Parsed:
    return Parsed(tuple(namespace.given), tuple(getattr(namespace, PATHS) or ()), tuple(unknown))


def _sorted_out(namespace: argparse.Namespace, unknown: Sequence[str]) -> Parsed:
    paths = [*getattr(namespace, PATHS), *(word for word in unknown if word[:1] != "-")]
    flags = [word for word in unknown if word[:1] == "-"]
    return Parsed(tuple(namespace.given), tuple(paths), tuple(flags))
