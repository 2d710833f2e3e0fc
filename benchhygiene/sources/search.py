"""Record every config file, conftest and argument path that one pytest command could read."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from benchhygiene.evidence.files import PathKind
from benchhygiene.sources.recorder import PathRecorder
from benchhygiene.sources.words import candidates, expand, tokens

CONFIG_NAMES = (
    "pytest.toml",
    ".pytest.toml",
    "pytest.ini",
    ".pytest.ini",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
    ".coveragerc",
    ".coveragerc.toml",
)
_READ_NAMES = (
    *CONFIG_NAMES,
    "conftest.py",
    "__init__.py",
    "setup.py",  # --doctest-modules leaves it out where it mentions setuptools
    ".pytest_cache/v/cache/lastfailed",  # decides what --lf hides
    ".pytest_cache/v/cache/stepwise",
)
_PYTEST_SUFFIXES = (".ini", ".cfg", ".toml")  # what -c takes
_CONFIG_SUFFIXES = (*_PYTEST_SUFFIXES, ".coveragerc", ".py")


def parent_of(recorder: PathRecorder, path: str) -> str:
    """Return the path itself where it is a directory, otherwise the directory it lies in."""
    return path if recorder.look(path) is PathKind.DIRECTORY else os.path.dirname(path)


def is_below(path: str, directory: str) -> bool:
    """Return whether a lexical path is the directory or lies in it."""
    return path == directory or path.startswith(directory.rstrip(os.sep) + os.sep)


class ConfigSearch:
    """Follow words to paths, paths to the directories above them, and configs to more words."""

    def __init__(self, recorder: PathRecorder, cwd: str, environ: Mapping[str, str]) -> None:
        self.mentioned: dict[str, None] = {}  # existing paths named by config files, in order
        self.climbed: dict[str, None] = {}  # directories that config files were looked for in
        self.measures_coverage = False  # whether anything may pass --cov
        self._recorder = recorder
        self._cwd = cwd
        self._environ = environ
        self._entered: set[str] = set()
        self._words: deque[str] = deque()
        self._configs: deque[str] = deque()
        self._scanned: set[str] = set()
        self._looked_up: set[tuple[str, str]] = set()
        self._tokens_left = recorder.limits.tokens

    def run(self, words: Iterable[str]) -> None:
        """Record all that the words, and the config files they lead to, can make pytest read."""
        self._enter(self._cwd)
        self._words.extend(words)
        while self._words or self._configs:
            if self._words:
                self._follow(self._words.popleft())
            else:
                self._scan(self._configs.popleft())

    def _follow(self, word: str) -> None:
        """Record every existing path that a word of the command line may name."""
        self.measures_coverage |= word.startswith("--cov")
        for path in self._existing(word, self._cwd):
            self._recorder.read(path)
            if word.startswith("@"):
                self._queue_lines(path)
            if path.endswith(_PYTEST_SUFFIXES):
                self._configs.append(path)
            self._enter(parent_of(self._recorder, path))

    def _queue_lines(self, path: str) -> None:
        """Queue the words in a file of arguments: one a line, pytest 8.4 and later."""
        lines = self._text(path).splitlines()
        self._words.extend(line for line in lines if self._may_look_up(line, self._cwd))

    def _scan(self, config: str) -> None:
        """Record everything that a config file names and that exists."""
        bases = dict.fromkeys((self._cwd, os.path.dirname(config)))
        for token in dict.fromkeys(tokens(self._text(config))):
            self.measures_coverage |= token.startswith("--cov")
            for base in bases:
                if self._may_look_up(token, base):
                    self._mention(token, base)

    def _mention(self, token: str, base: str) -> None:
        for path in self._existing(token, base):
            self.mentioned[path] = None
            # A hostile config must not make us keep what lies elsewhere: it may be a secret.
            if is_below(path, self._cwd):
                self._read_mentioned(token, path)
            self._enter(parent_of(self._recorder, path))

    def _read_mentioned(self, token: str, path: str) -> None:
        if token.startswith("@"):
            self._queue_lines(path)
        elif path.endswith(_CONFIG_SUFFIXES):
            self._recorder.read(path)

    def _text(self, path: str) -> str:
        """Return a file's text the first time it is asked for, nothing after that."""
        if path in self._scanned:
            return ""
        self._scanned.add(path)
        return (self._recorder.read(path) or b"").decode(errors="surrogateescape")

    def _may_look_up(self, token: str, base: str) -> bool:
        """Say whether the token is a new one, within the bounds."""
        if (token, base) in self._looked_up or len(token) > self._recorder.limits.path_length:
            return False
        if self._tokens_left <= 0:
            self._recorder.note("stopped looking up the words of config files as paths")
            return False
        self._tokens_left -= 1
        self._looked_up.add((token, base))
        return True

    def _existing(self, word: str, base: str) -> Iterator[str]:
        texts = dict.fromkeys((word, expand(word, self._environ)) if "$" in word else (word,))
        for text in texts:
            for candidate in candidates(text):
                if not self._recorder.may_hold(base, candidate):
                    continue
                path = os.path.normpath(os.path.join(base, candidate))
                if self._recorder.look(path) is not None:
                    yield path

    def _enter(self, directory: str) -> None:
        """Record the directories above, and the conftests pytest looks for right below."""
        if directory in self._entered:
            return
        self._entered.add(directory)
        self._climb(directory)
        for child in self._test_directories(directory):
            self._climb(child)

    def _climb(self, directory: str) -> None:
        while directory not in self.climbed:
            self.climbed[directory] = None
            self._recorder.add(directory, PathKind.DIRECTORY)
            for path in self._recorder.look_inside(directory, _READ_NAMES):
                self._recorder.read(path)
                if os.path.basename(path) in CONFIG_NAMES:
                    self._configs.append(path)
            directory = os.path.dirname(directory)

    def _test_directories(self, directory: str) -> list[str]:
        """Return the ``test*`` directories right below, whose conftests load at start-up."""
        try:
            with os.scandir(directory) as found:
                some = islice(found, self._recorder.limits.names)
                names = [entry.name for entry in some if entry.name.startswith("test")]
        except OSError:
            return []
        paths = [os.path.join(directory, name) for name in sorted(names)]
        return [path for path in paths if self._recorder.look(path) is PathKind.DIRECTORY]
