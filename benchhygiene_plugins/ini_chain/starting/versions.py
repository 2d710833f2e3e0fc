"""Compare pytest and Python versions, and name what changed with them."""

from __future__ import annotations

import re
from functools import lru_cache

import attrs

from benchhygiene.errors import InputError

#: A PEP 440 version, without epochs; digits are bounded.
_VERSION = re.compile(
    r"(?P<release>[0-9]{1,9}(?:\.[0-9]{1,9}){0,9})"
    r"(?:[-_.]?(?:a|b|c|rc|alpha|beta|pre|preview)[-_.]?[0-9]{0,9})?"
    r"(?:[-_.]?(?:post|rev|r)[-_.]?[0-9]{0,9}|-[0-9]{1,9})?(?:[-_.]?dev[-_.]?[0-9]{0,9})?"
    r"(?:\+[a-z0-9]{1,80}(?:[-_.][a-z0-9]{1,80}){0,9})?",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def release(version: str) -> tuple[int, int, int]:
    """Return the release part of a version as three numbers.

    Raises InputError where the text is not a version.
    """
    match = _VERSION.fullmatch(version)
    if match is None:
        shown = version if len(version) <= 80 else f"{version[:80]}..."
        raise InputError(f"{shown!r} is not a version: expected something like '8.4.2'")
    numbers = [int(part) for part in match["release"].split(".")][:3]
    major, minor, patch = numbers + [0] * (3 - len(numbers))
    return major, minor, patch


@attrs.frozen
class Dialect:
    """The versions that decide which rules hold.

    ``iniconfig`` is None where it is not known; the newest behaviour is assumed then.
    """

    pytest: tuple[int, int, int]
    python: tuple[int, int, int]
    iniconfig: tuple[int, int, int] | None = None

    @property
    def config_names(self) -> tuple[str, ...]:
        """Return the config file names in the order pytest looks for them in one directory."""
        names: tuple[str, ...] = ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
        if self.pytest >= (7, 2, 0):
            names = ("pytest.ini", ".pytest.ini", *names[1:])
        if self.pytest >= (9, 0, 0):
            names = ("pytest.toml", ".pytest.toml", *names)
        return names

    @property
    def intermixes_known(self) -> bool:
        """Return whether even the tolerant first parse lets options and paths alternate.

        pytest 9 does so where ``argparse`` is free of cpython's intermixing bug.
        """
        mended = self.python >= (3, 13, 1) or (3, 12, 8) <= self.python < (3, 13, 0)
        return self.pytest >= (9, 0, 0) and mended

    @property
    def reports_cluster_rest(self) -> bool:
        """Return whether ``-xZ`` leaves ``-Z`` as an unknown option instead of an error.

        Changed in argparse by gh-60346 (Python 3.12.4 and 3.13).
        """
        return self.python >= (3, 12, 4)

    @property
    def reads_argument_files(self) -> bool:
        """Return whether ``@file`` stands for the words in that file (pytest 8.2)."""
        return self.pytest >= (8, 2, 0)
