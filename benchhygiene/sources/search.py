"""Record every config file, conftest and argument path that one pytest command could read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

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
_READ_NAMES = (*CONFIG_NAMES, "conftest.py", "__init__.py")
_NAMES = (*_READ_NAMES, "setup.py")  # of setup.py only the existence counts
_CONFIG_SUFFIXES = (".ini", ".cfg", ".toml", ".rc", ".conf", ".py", "rc")


def parent_of(recorder: PathRecorder, path: str) -> str:
    """Return the path itself where it is a directory, otherwise the directory it lies in."""
    return path if recorder.look(path) is PathKind.DIRECTORY else os.path.dirname(path)


class ConfigSearch:
    """Follow words to paths, paths to the directories above them, and configs to more words."""

    def __init__(self, recorder: PathRecorder, cwd: str, environ: Mapping[str, str]) -> None:
        self.mentioned: list[str] = []  # existing paths named by config files, in order
        self._recorder = recorder
        self._cwd = cwd
        self._environ = environ
        self._climbed: set[str] = set()
        self._configs: list[str] = []
        self._scanned: set[str] = set()
        self._looked_up: set[tuple[str, str]] = set()
        self._tokens_left = recorder.limits.tokens

    def run(self, words: Iterable[str]) -> None:
        """Record all that the words, and the config files they lead to, can make pytest read."""
        self._enter(self._cwd)
        for word in words:
            self.follow(word)
        while self._configs:
            self._scan(self._configs.pop(0))

    def follow(self, word: str) -> None:
        """Record every existing path that a word of the command line may name."""
        for path in self._existing(word, self._cwd):
            if self._recorder.look(path) is PathKind.FILE:
                self._recorder.read(path)
                if word.startswith("@"):
                    self._follow_lines(path)
                self._configs.append(path)
            self._enter(parent_of(self._recorder, path))

    def _follow_lines(self, path: str) -> None:
        """Follow the words in a file of arguments: one a line, pytest 8.4 and later."""
        if path in self._scanned:
            return
        self._scanned.add(path)
        data = self._recorder.read(path) or b""
        for line in data.decode(errors="surrogateescape").splitlines():
            self.follow(line)

    def _scan(self, config: str) -> None:
        """Follow everything in a config file that is the name of an existing path."""
        data = self._recorder.read(config)
        if config in self._scanned or data is None:
            return
        self._scanned.add(config)
        bases = dict.fromkeys((self._cwd, os.path.dirname(config)))
        for token in dict.fromkeys(tokens(data.decode(errors="surrogateescape"))):
            if self._tokens_left <= 0:
                self._recorder.notes.add("stopped looking up the words of config files as paths")
                return
            self._tokens_left -= 1
            for base in bases:
                self._follow_token(token, base)

    def _follow_token(self, token: str, base: str) -> None:
        if (token, base) in self._looked_up:
            return
        self._looked_up.add((token, base))
        for path in self._existing(token, base):
            self.mentioned.append(path)
            if self._recorder.look(path) is PathKind.FILE and path.endswith(_CONFIG_SUFFIXES):
                self._recorder.read(path)
            if token.startswith("@"):
                self._follow_lines(path)
            self._enter(parent_of(self._recorder, path))

    def _existing(self, word: str, base: str) -> Iterator[str]:
        texts = dict.fromkeys((word, expand(word, self._environ)) if "$" in word else (word,))
        for text in texts:
            for candidate in candidates(text):
                path = os.path.normpath(os.path.join(base, candidate))
                if candidate and self._recorder.look(path) is not None:
                    yield path

    def _enter(self, directory: str) -> None:
        """Record the directories above, and the conftests pytest looks for right below."""
        self._climb(directory)
        for child in self._test_directories(directory):
            self._climb(child)

    def _climb(self, directory: str) -> None:
        while directory not in self._climbed:
            self._climbed.add(directory)
            self._recorder.add(directory, PathKind.DIRECTORY)
            for path in self._recorder.look_inside(directory, _NAMES):
                self._take(path)
            directory = os.path.dirname(directory)

    def _take(self, path: str) -> None:
        name = os.path.basename(path)
        if name in _READ_NAMES:
            self._recorder.read(path)
        if name in CONFIG_NAMES:
            self._configs.append(path)

    def _test_directories(self, directory: str) -> list[str]:
        """Return the ``test*`` directories right below, whose conftests load at start-up."""
        try:
            with os.scandir(directory) as found:
                names = [entry.name for entry in found if entry.name.startswith("test")]
        except OSError:
            return []
        paths = [os.path.join(directory, name) for name in sorted(names)]
        return [path for path in paths if self._recorder.look(path) is PathKind.DIRECTORY]
