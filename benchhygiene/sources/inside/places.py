"""Whose code a frame is: the source under test, the pack's tests, or anybody else's."""

from __future__ import annotations

import os
import sys
from types import FrameType, TracebackType

CANDIDATE, TESTS, OTHER = "candidate", "tests", "other"
_STANDARD = os.path.dirname(os.__file__) + os.sep
_PACKAGES = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)


class Places:
    """Tell files apart by where they lie: ``root`` is the source, ``tests`` lie in it or not."""

    def __init__(self, root: str, tests: tuple[str, ...]) -> None:
        self._root = root.rstrip(os.sep) + os.sep
        self._tests = tuple(one.rstrip(os.sep) + os.sep for one in tests)

    def of(self, filename: str) -> str:
        """Return whose file it is."""
        if filename.startswith(self._tests):
            return TESTS
        return CANDIDATE if filename.startswith(self._root) else OTHER

    def relative(self, filename: str) -> str:
        """Return the path below the source's root."""
        return filename[len(self._root) :] if filename.startswith(self._root) else filename

    def is_test(self, path: object) -> bool:
        """Return whether the path, as somebody spelled it, leads to Python source of the tests."""
        text = os.fsdecode(path) if isinstance(path, (str, bytes)) else ""
        if not text.endswith((".py", ".pyc")):
            return False
        return self.of(os.path.realpath(text)) == TESTS

    def responsible(self, frame: FrameType | None) -> str:
        """Return the file of the nearest frame that is not the standard library's."""
        while frame is not None:
            filename = frame.f_code.co_filename
            if not _is_standard(filename):
                return filename
            frame = frame.f_back
        return ""


def _is_standard(filename: str) -> bool:
    if filename.startswith("<"):
        return True
    return filename.startswith(_STANDARD) and not any(one in filename for one in _PACKAGES)


def raised_in(traceback: TracebackType | None) -> str:
    """Return the file that raised, pytest's own and the standard library's left out."""
    files: list[str] = []
    while traceback is not None:
        files.append(traceback.tb_frame.f_code.co_filename)
        traceback = traceback.tb_next
    for filename in reversed(files):
        if not _is_standard(filename) and not any(one in filename for one in _PACKAGES):
            return filename
    return ""


def package_root() -> str:
    """Return the directory that this package's own files are imported from."""
    return os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))


def forget_own_modules() -> None:
    """Take this package out of the interpreter's sight; who holds it goes on."""
    root = package_root()
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != root]
    for name in [name for name in sys.modules if name.partition(".")[0] == "benchhygiene"]:
        del sys.modules[name]
