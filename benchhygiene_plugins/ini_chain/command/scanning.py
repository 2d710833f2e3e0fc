"""Read a command line as pytest's parser would, keeping every word's origin.

The grammar is ``argparse`` with abbreviations off (``_pytest/config/argparsing.py``); which words
are options depends on the table handed in, because pytest parses several times while plugins load.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import attrs

from benchhygiene_plugins.ini_chain.command.words import Word
from benchhygiene_plugins.ini_chain.starting.versions import Dialect
from benchhygiene_plugins.ini_chain.tables import Option

_NEGATIVE_NUMBER = re.compile(r"^-\d+$|^-\d*\.\d+$")


class ScanError(ValueError):
    """Say which word pytest's parser refuses, and why."""

    def __init__(self, word: Word, reason: str, exit_status: int = 4) -> None:
        super().__init__(reason)
        self.word = word
        self.reason = reason
        self.exit_status = exit_status


@attrs.frozen(eq=False, repr=False)
class Given:
    """One option as given: its definition, the name used, its value and the word it came from.

    ``value_word`` is the following word where the value stood apart.
    """

    option: Option
    name: str
    value: str | None
    word: Word
    value_word: Word | None = None


@attrs.frozen(eq=False, repr=False)
class Scan:
    """What one parse saw: options in order, paths in order, and unknown options.

    ``leading`` is the first run of paths: all that older versions know of while plugins load.
    """

    given: tuple[Given, ...]
    paths: tuple[Word, ...]
    unknown: tuple[Word, ...]
    leading: tuple[Word, ...] = ()


@attrs.frozen(eq=False, repr=False)
class _Match:
    """One word read as an option; ``option`` is None where no such option is known."""

    option: Option | None
    name: str = ""
    value: str | None = None
    separated: bool = False


Check = Callable[[Given], str | None]


@attrs.define(eq=False, repr=False)
class _Pass:
    """One run over the words, as argparse makes it: options and paths alternate."""

    words: Sequence[Word]
    options: Mapping[str, Option]
    dialect: Dialect
    takes_paths: bool
    check: Check
    given: list[Given] = attrs.field(factory=list[Given])
    paths: list[Word] = attrs.field(factory=list[Word])
    extras: list[Word] = attrs.field(factory=list[Word])
    open: bool = True
    mended: bool = False
    dashes: int = 0

    def run(self) -> None:
        end = self.dashes = self._first_dashes()
        matches = {
            index: match
            for index, word in enumerate(self.words[:end])
            if (match := self._classify(word)) is not None
        }
        at = 0
        for index in sorted(matches):
            if index < at:
                continue
            at = self._leave_paths(at, index)
            at = self._take_option(index, matches)
        self._leave_paths(at, len(self.words), last=True)

    def _first_dashes(self) -> int:
        texts = [word.text for word in self.words]
        return texts.index("--") if "--" in texts else len(texts)

    def _classify(self, word: Word) -> _Match | None:
        """Return how argparse reads the word, None for a path or a value."""
        text = word.text
        if len(text) < 2 or text[0] != "-":
            return None
        if text in self.options:
            return _Match(self.options[text], text)
        name, sign, value = text.partition("=")
        if sign and name in self.options:
            return _Match(self.options[name], name, value, separated=True)
        if text[1] != "-" and text[:2] in self.options:
            return _Match(self.options[text[:2]], text[:2], text[2:])
        if _NEGATIVE_NUMBER.match(text) or " " in text:
            return None
        return _Match(None)

    def _leave_paths(self, start: int, stop: int, *, last: bool = False) -> int:
        """Hand the run of words to the path argument once; later runs are extras."""
        run = list(self.words[start:stop])
        if self.mended:
            # argparse hands every word that is no option to the paths at the very end.
            self.paths.extend(word for at, word in enumerate(run, start) if at != self.dashes)
            return stop
        if not run and not last:
            return stop
        if self.open and (run or last):
            self.open = False
            run = self._consume(run)
        self.extras.extend(run)
        return stop

    def _consume(self, run: list[Word]) -> list[Word]:
        dashes = [word for word in run if word.text == "--"][:1]
        if self.takes_paths:
            self.paths.extend(word for word in run if not any(word is dash for dash in dashes))
            return []
        # A switched-off path argument still swallows a "--" that begins the run.
        return run[1:] if run and run[0].text == "--" else run

    def _take_option(self, index: int, matches: Mapping[int, _Match]) -> int:
        match = matches[index]
        word = self.words[index]
        if match.option is None:
            self.extras.append(word)
            return index + 1
        if match.value is not None:
            return self._take_attached(index, match)
        return self._take_following(index, match.option, match.name, matches)

    def _take_attached(self, index: int, match: _Match) -> int:
        """Take ``--name=value``, ``-nvalue`` or a cluster of short flags such as ``-xvs``."""
        word = self.words[index]
        option, name, value, separated = match.option, match.name, match.value, match.separated
        while option is not None and value is not None:
            if option.nargs != 0:
                self._record(Given(option, name, value, word))
                return index + 1
            refused = value == "" or value.startswith("-") or (separated and self._is_strict)
            if name.startswith("--") or refused:
                raise ScanError(word, f"{name} takes no value, got {value!r}")
            flag = Given(option, name, None, word)
            following = f"-{value[0]}"
            if following not in self.options:
                if not self._is_strict:
                    raise ScanError(word, f"{name} takes no value, got {value!r}")
                self._record(flag)
                self.extras.append(attrs.evolve(word, text=f"-{value}"))
                return index + 1
            self._record(flag)
            option, name = self.options[following], following
            rest = value[1:]
            separated = self._is_strict and rest.startswith("=")
            value = rest[1:] if separated else rest or None
        if option is None:
            return index + 1
        return self._take_following(index, option, name, {})

    @property
    def _is_strict(self) -> bool:
        return self.dialect.reports_cluster_rest

    def _take_following(
        self, index: int, option: Option, name: str, matches: Mapping[int, _Match]
    ) -> int:
        """Take the words behind an option that its ``nargs`` asks for."""
        word = self.words[index]
        if option.nargs == 0:
            self._record(Given(option, name, None, word))
            return index + 1
        following = index + 1
        free = (
            following < len(self.words)
            and self.words[following].text != "--"
            and (following not in matches and self._classify(self.words[following]) is None)
        )
        if free:
            value = self.words[following]
            self._record(Given(option, name, value.text, word, value))
            return following + 1
        if option.nargs is None or isinstance(option.nargs, int):
            raise ScanError(word, f"{name} expects a value")
        self._record(Given(option, name, None, word))
        return following

    def _record(self, given: Given) -> None:
        problem = self.check(given)
        if problem is not None:
            raise ScanError(given.word, problem)
        self.given.append(given)


def _accept(given: Given) -> str | None:
    del given
    return None


def scan_known(
    words: Sequence[Word],
    options: Mapping[str, Option],
    dialect: Dialect,
    check: Check = _accept,
) -> Scan:
    """Parse tolerantly: unknown options are collected, not refused.

    ``check`` returns what is wrong with an option's value, None where it is fine. Raises ScanError
    where pytest exits with a usage error.
    """
    if dialect.intermixes_known:
        return _intermixed(words, options, dialect, check)
    first = _Pass(words, options, dialect, True, check)
    first.run()
    flags = tuple(word for word in first.extras if word.text.startswith("-"))
    paths = (*first.paths, *(word for word in first.extras if not word.text.startswith("-")))
    return Scan(tuple(first.given), tuple(paths), flags, tuple(first.paths))


def scan_final(
    words: Sequence[Word],
    options: Mapping[str, Option],
    dialect: Dialect,
    check: Check = _accept,
) -> Scan:
    """Parse as the last, strict parse does; what is left in ``unknown`` ends the run.

    Raises ScanError where pytest exits with a usage error.
    """
    if dialect.pytest >= (9, 0, 0):
        return _intermixed(words, options, dialect, check)
    return scan_known(words, options, dialect, check)


def _intermixed(
    words: Sequence[Word], options: Mapping[str, Option], dialect: Dialect, check: Check
) -> Scan:
    first = _Pass(words, options, dialect, False, check, mended=dialect.intermixes_known)
    first.run()
    if first.mended:
        return Scan(tuple(first.given), tuple(first.paths), tuple(first.extras))
    second = _Pass(first.extras, options, dialect, True, check)
    second.run()
    given = (*first.given, *second.given)
    return Scan(given, tuple(second.paths), tuple(second.extras))
