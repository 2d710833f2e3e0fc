"""Find the rootdir and the one config file that counts, and say why each candidate won or lost.

Rules: ``locate_config`` and ``determine_setup`` in ``_pytest/config/findpaths.py``, 6.2 to 9.2.
"""

from __future__ import annotations

import enum
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import attrs

from benchhygiene.evidence import FileSnapshot, PathKind
from benchhygiene_plugins.ini_chain.configuration.files import (
    TRACEBACK,
    USAGE_ERROR,
    Absent,
    Broken,
    Found,
    Reading,
    Unread,
    Values,
    read_config,
)
from benchhygiene_plugins.ini_chain.starting.versions import Dialect


class LinkOutcome(enum.Enum):
    """What became of one candidate config file."""

    WON = "won"
    LOST = "lost"
    IGNORED = "ignored"
    BROKE = "broke"


@attrs.frozen
class ChainLink:
    """One candidate file, in the order pytest considered it."""

    path: str
    outcome: LinkOutcome
    reason: str
    line: int | None = None


@attrs.frozen
class SearchAbort(Exception):
    """Say that finding the configuration ended the run."""

    exit_status: int
    reason: str
    path: str | None = None
    line: int | None = None


@attrs.frozen(eq=False, repr=False)
class Setup:
    """The rootdir, the config file and its keys; ``unread`` names a candidate nobody could read."""

    rootdir: str
    inifile: str | None
    values: Values
    unread: str | None = None


@attrs.define(eq=False, repr=False)
class Search:
    """Walk the candidates as pytest does and write down every step."""

    files: FileSnapshot
    dialect: Dialect
    cwd: str
    chain: list[ChainLink] = attrs.field(factory=list[ChainLink])
    unread: str | None = None

    def setup(self, paths: Sequence[str], inifile: str | None, rootdir: str | None) -> Setup:
        """Decide the setup from path words, ``-c`` and ``--rootdir``.

        Raises SearchAbort where pytest ends the run instead.
        """
        directories = [self._directory(path) for path in self._existing(paths)]
        found = self._named(inifile, directories) if inifile else self._located(directories)
        if rootdir:
            found = attrs.evolve(found, rootdir=self._given_rootdir(rootdir))
        elif not inifile and not found.rootdir:
            found = self._fallback(directories)
        return attrs.evolve(found, unread=self.unread)

    def _given_rootdir(self, rootdir: str) -> str:
        given = lexical(self.cwd, rootdir)
        if not self.files.is_dir(given):
            raise SearchAbort(USAGE_ERROR, f"--rootdir: directory {rootdir!r} not found")
        return given

    def _existing(self, paths: Iterable[str]) -> Iterator[str]:
        for word in paths:
            path = lexical(self.cwd, word.split("::", 1)[0])
            if "\0" not in word and self.files.exists(path):
                yield path

    def _directory(self, path: str) -> str:
        return path if self.files.is_dir(path) else posixpath.dirname(path)

    def _located(self, directories: Sequence[str]) -> Setup:
        """Search upwards from the common ancestor; an empty rootdir says nothing was found."""
        ancestor = common_ancestor(self.files, self.cwd, directories)
        return self._locate([ancestor]) or Setup("", None, {})

    def _fallback(self, directories: Sequence[str]) -> Setup:
        ancestor = common_ancestor(self.files, self.cwd, directories)
        for directory in upwards(ancestor):
            if self.files.is_file(posixpath.join(directory, "setup.py")):
                return Setup(directory, None, {})
        if list(directories) != [ancestor]:
            found = self._locate(directories or [self.cwd])
            if found is not None:
                return found
        shared = common_ancestor(self.files, self.cwd, [self.cwd, ancestor])
        return Setup(ancestor if shared == "/" else shared, None, {})

    def _locate(self, starts: Sequence[str]) -> Setup | None:
        nearest_pyproject: str | None = None
        for start in starts:
            for directory in upwards(start):
                names = self.dialect.config_names
                prefix = posixpath.join(directory, "")
                for index, name in enumerate(names):
                    path = prefix + name
                    if path not in self.files.entries or not self._is_candidate(path):
                        continue
                    if name == "pyproject.toml" and nearest_pyproject is None:
                        nearest_pyproject = path
                    reading = self._read(path)
                    if isinstance(reading, Found):
                        self._add(path, LinkOutcome.WON, _won(reading))
                        self._load_losers(directory, names[index + 1 :])
                        return Setup(directory, path, reading.values)
        if nearest_pyproject is not None and self.dialect.pytest >= (8, 1, 0):
            reason = "nothing else was found, so the nearest pyproject.toml roots the run"
            self._add(nearest_pyproject, LinkOutcome.WON, reason)
            return Setup(posixpath.dirname(nearest_pyproject), nearest_pyproject, {})
        return None

    def _is_candidate(self, path: str) -> bool:
        kind = self.files.kind(path)
        if kind is not None and kind is not PathKind.FILE:
            self._add(path, LinkOutcome.IGNORED, f"not a regular file ({kind.value})")
        return kind is PathKind.FILE

    def _read(self, path: str, *, named: bool = False) -> Reading:
        reading = read_config(self.files, path, self.dialect, named=named)
        if isinstance(reading, Broken) and self.files.real(path) != path:
            # A link may lead to a secret: what stands there must not be repeated.
            reading = attrs.evolve(reading, reason="it is no valid configuration")
        if isinstance(reading, Broken):
            self._add(path, LinkOutcome.BROKE, reading.reason, reading.line)
            raise SearchAbort(reading.exit_status, reading.reason, path, reading.line)
        if isinstance(reading, Absent):
            self._add(path, LinkOutcome.LOST, reading.reason)
        if isinstance(reading, Unread):
            self.unread = self.unread or reading.reason
            self._add(path, LinkOutcome.IGNORED, reading.reason)
        return reading

    def _load_losers(self, directory: str, names: Sequence[str]) -> None:
        """Pytest 9 parses the lower-priority files beside the winner, only to warn about them."""
        for name in names:
            path = posixpath.join(directory, name)
            if not self.files.is_file(path):
                continue
            if self.dialect.pytest < (9, 0, 0):
                self._add(path, LinkOutcome.IGNORED, "another file in this directory won")
            elif isinstance(self._read(path), Found):
                reason = "another file in this directory won; pytest parses this one all the same"
                self._add(path, LinkOutcome.IGNORED, reason)

    def _add(self, path: str, outcome: LinkOutcome, reason: str, line: int | None = None) -> None:
        self.chain.append(ChainLink(path, outcome, reason, line))

    def _named(self, inifile: str, directories: Sequence[str]) -> Setup:
        """Take the file that ``-c`` names; nothing is searched for."""
        path = lexical(self.cwd, inifile)
        modern = self.dialect.pytest >= (9, 2, 0)
        if not self.files.is_file(path):
            self._refuse_named(path, inifile, modern=modern)
        elif modern and posixpath.splitext(path)[1] not in (".ini", ".cfg", ".toml"):
            raise SearchAbort(USAGE_ERROR, f"-c {inifile}: unsupported format", path)
        values: Values = {}
        if self.files.is_file(path):
            reading = self._read(path, named=True)
            if isinstance(reading, Found):
                self._add(path, LinkOutcome.WON, f"named with -c; {_won(reading)}")
                values = reading.values
        return Setup(self._named_rootdir(path, directories), path, values)

    def _refuse_named(self, path: str, inifile: str, *, modern: bool) -> None:
        kind = self.files.kind(path)
        readable = posixpath.splitext(path)[1] in (".ini", ".cfg", ".toml")
        if modern and kind in (None, PathKind.DIRECTORY):
            what = "not found" if kind is None else "is a directory"
            raise SearchAbort(USAGE_ERROR, f"-c {inifile}: config file {what}", path)
        if not modern and readable:
            raise SearchAbort(TRACEBACK, f"-c {inifile}: cannot be opened", path)
        self._add(path, LinkOutcome.IGNORED, "named with -c, holds no configuration")

    def _named_rootdir(self, path: str, directories: Sequence[str]) -> str:
        ancestor = common_ancestor(self.files, self.cwd, directories)
        if self.dialect.pytest < (7, 0, 0):
            return ancestor
        if self.dialect.pytest >= (9, 2, 0) and not self.files.is_file(path):
            return self.cwd if ancestor == "/" else ancestor
        return posixpath.dirname(path)


def _won(reading: Found) -> str:
    return f"has [{reading.section}]" if reading.section else "always counts, even empty"


@lru_cache(maxsize=4096)
def lexical(base: str, path: str) -> str:
    """Return the absolute path as text alone gives it: ``link/../x`` loses the link."""
    joined = posixpath.normpath(posixpath.join(base, path))
    # POSIX keeps exactly two leading slashes; a real path of the run never has them.
    return joined[1:] if joined.startswith("//") else joined


@lru_cache(maxsize=4096)
def upwards(directory: str) -> tuple[str, ...]:
    """Return the directory and every parent up to the root."""
    found = [directory]
    while directory != posixpath.dirname(directory):
        directory = posixpath.dirname(directory)
        found.append(directory)
    return tuple(found)


def common_ancestor(files: FileSnapshot, cwd: str, paths: Iterable[str]) -> str:
    """Return the deepest directory that holds every path, the cwd where there is none."""
    shared: str | None = None
    for path in paths:
        if not files.exists(path):
            continue
        shared = path if shared is None else posixpath.commonpath([shared, path])
    if shared is None:
        return cwd
    return posixpath.dirname(shared) if files.is_file(shared) else shared
