"""Where a pack is kept, as one word: a path, a commit of a repository or an object of a store."""

from __future__ import annotations

import os
import re
import urllib.parse

import attrs

from benchhygiene.errors import InputError

STORES = ("s3", "gs", "az", "http", "https")
_SCHEME = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://")
_PIN = re.compile(r"sha256=(?P<digest>[0-9a-f]{64})")
_BY_DIGEST = re.compile(r"(?P<digest>[0-9a-f]{64})\.tar")
_GIT = re.compile(
    r"git\+(?P<repository>[^\0]+)@(?P<commit>[0-9a-f]{40}(?:[0-9a-f]{24})?)(?::(?P<path>[^\0]*))?"
)


@attrs.frozen
class Uri:
    """One place. ``location`` has neither the scheme's ``git+`` nor the digest.

    ``sha256`` is the digest that the archive must have: as the fragment says, or the file's own
    name. ``commit`` and ``path`` are of a place in a repository, which ``location`` names.
    """

    scheme: str
    location: str
    sha256: str | None = None
    commit: str | None = None
    path: str = ""

    @property
    def is_local(self) -> bool:
        """Return whether it is a path of this machine."""
        return not self.scheme

    @property
    def is_directory(self) -> bool:
        """Return whether it is a directory of this machine."""
        return self.is_local and os.path.isdir(self.location)

    def __str__(self) -> str:
        """Return the place as messages show it: without a query, which may hold a secret."""
        if self.scheme == "git":
            return f"git+{self.location}@{self.commit}:{self.path}"
        return self.location.partition("?")[0] if self.scheme else self.location


def parse(text: str) -> Uri:
    """Return the place that a word names.

    Raises InputError for a scheme that is not known, a digest that is none, a commit that is not
    given by its full id, and credentials, which belong into the environment.
    """
    place, mark, fragment = text.rpartition("#")
    pin = None
    if mark and _looks_pinned(fragment):
        found = _PIN.fullmatch(fragment)
        if found is None:
            raise InputError(f"#{fragment}: expected #sha256= and 64 hexadecimal digits")
        pin, text = found["digest"], place
    if text.startswith("git+"):
        return _of_git(text, pin)
    scheme = _SCHEME.match(text)
    if scheme is None:
        return Uri("", text, _pinned(text, pin))
    return _of_store(text, scheme["scheme"].lower(), pin)


def _looks_pinned(fragment: str) -> bool:
    return fragment.lower().startswith("sha256")


def _pinned(path: str, pin: str | None) -> str | None:
    """Return the digest that an archive must have: a name that is a digest promises as much."""
    named = _BY_DIGEST.fullmatch(path.rstrip("/").rpartition("/")[2])
    if named is None:
        return pin
    if pin is not None and pin != named["digest"]:
        raise InputError(f"{path}: is named by another digest than the one asked for, {pin}")
    return named["digest"]


def _of_git(text: str, pin: str | None) -> Uri:
    found = _GIT.fullmatch(text)
    if found is None:
        raise InputError(
            f"{text}: expected git+REPOSITORY@COMMIT:PATH, the commit by its full id, as branches "
            "and tags move"
        )
    path = (found["path"] or "").strip("/")
    return Uri("git", found["repository"], _pinned(path, pin), found["commit"], path)


def _of_store(text: str, scheme: str, pin: str | None) -> Uri:
    if scheme not in STORES:
        known = ", ".join(f"{one}://" for one in STORES)
        raise InputError(
            f"{scheme}://: not a place that packs are kept; expected a path, git+ or one of {known}"
        )
    parts = urllib.parse.urlsplit(text)
    if "@" in parts.netloc and scheme in ("http", "https", "s3", "gs"):
        raise InputError(
            f"{scheme}://: has credentials in it, which end up in logs; give them in the "
            "environment"
        )
    if not parts.netloc:
        raise InputError(f"{text}: expected a bucket or a host behind {scheme}://")
    return Uri(scheme, text, _pinned(parts.path, pin))
