"""The one directory that a client's paths may lead into."""

from __future__ import annotations

import contextlib
import os
import posixpath
import re
from collections.abc import Generator, Iterable, Iterator

import attrs

from benchhygiene.core.trust import is_inside
from benchhygiene.errors import InputError
from benchhygiene.evidence.files import FileSnapshot

_LONGEST = 4_096
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|git\+")
_HOLD = getattr(os, "O_PATH", os.O_RDONLY | os.O_NONBLOCK) | os.O_NOFOLLOW | os.O_CLOEXEC


@attrs.frozen
class Root:
    """A directory by its real path; relative paths of a client start from it."""

    path: str

    @classmethod
    def of(cls, path: str) -> Root:
        """Return the root at a path; raises InputError where that is no directory."""
        if not os.path.isdir(path):
            raise InputError(f"--root {path}: expected an existing directory")
        return cls(os.path.realpath(path))

    def resolved(self, path: str) -> str:
        """Return the real path; raises InputError, whatever is there, where it leaves the root."""
        if not path or "\0" in path or len(path) > _LONGEST or _SCHEME.match(path):
            raise InputError(f"{path[:80]!r}: expected the path of a file or directory")
        try:
            real = os.path.realpath(os.path.join(self.path, path))
        except (OSError, ValueError) as error:
            raise InputError(f"{path!r}: cannot be resolved") from error
        if not is_inside(real, (self.path,)):
            raise InputError(f"{path!r}: leads outside the root of this server")
        return real

    @contextlib.contextmanager
    def held(self, path: str) -> Generator[str]:
        """Hand out the real path, and raise InputError if it led elsewhere by the end.

        Every directory on the way is opened without following links, and what is there stays open:
        nothing that is swapped in meanwhile can be taken for it.
        """
        real = self.resolved(path)
        with contextlib.ExitStack() as stack:
            descriptor = self._descend(real, path, stack)
            before = os.fstat(descriptor)
            yield real
            if self.resolved(path) != real or not _is_same(real, before):
                raise InputError(f"{path!r}: was moved while it was read")

    def _descend(self, real: str, path: str, stack: contextlib.ExitStack) -> int:
        descriptor: int | None = None
        below = os.path.relpath(real, self.path)
        parts = () if below == os.curdir else below.split(os.sep)
        try:
            for part in (self.path, *parts):
                descriptor = os.open(part, _HOLD, dir_fd=descriptor)
                stack.callback(os.close, descriptor)
        except OSError as error:
            raise InputError(f"{path!r}: cannot be read: {error.strerror}") from error
        assert descriptor is not None
        return descriptor

    def require_words(self, words: Iterable[str], cwd: str) -> None:
        """Raise InputError for an argument of pytest that names a place outside the root."""
        for word in words:
            for place in _places(word):
                if not is_inside(os.path.realpath(os.path.join(cwd, place)), (self.path,)):
                    raise InputError(f"{word!r}: leads outside the root of this server")

    def require_files(self, files: FileSnapshot, cwd: str) -> None:
        """Raise InputError where evidence came from elsewhere than the root and above.

        Above the workspace only the directories on the way up are looked at, as pytest does; a
        link or a setting in the workspace must not lead to other files of the machine.
        """
        above = set(_above(cwd))
        for path, entry in files.entries.items():
            inside = is_inside(path, (self.path,))
            if not inside and path not in above and posixpath.dirname(path) not in above:
                raise InputError(f"{path}: lies outside the root of this server")
            if entry.real is not None and inside and not is_inside(entry.real, (self.path,)):
                name = posixpath.relpath(path, self.path)
                raise InputError(f"{name}: is a link that leads outside the root of this server")


def _is_same(path: str, before: os.stat_result) -> bool:
    try:
        now = os.stat(path, follow_symlinks=False)
    except OSError:
        return False
    return (now.st_dev, now.st_ino) == (before.st_dev, before.st_ino)


def _places(word: str) -> Iterator[str]:
    """Yield what may be a path in a word: all of it, and what follows @, a letter or an =."""
    texts = [word, word[1:], word[2:]]
    texts += [word[at + 1 :] for at, letter in enumerate(word) if letter in "=,:"]
    for text in texts:
        path = text.partition("::")[0].strip()
        if (path.startswith(("/", "~")) or ".." in path) and "\0" not in path:
            yield os.path.expanduser(path)


def _above(path: str) -> Iterator[str]:
    while True:
        yield path
        parent = posixpath.dirname(path)
        if parent == path:
            return
        path = parent
