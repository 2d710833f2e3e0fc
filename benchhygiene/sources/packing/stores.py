"""Objects of S3, Google Cloud Storage, Azure and HTTP, by obstore (extra ``store``)."""

from __future__ import annotations

import hashlib
import mmap
import os
import posixpath
import re
import urllib.parse
from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from benchhygiene.errors import InputError, MissingExtra
from benchhygiene.sources.packing.uris import Uri

if TYPE_CHECKING:
    from obstore.store import ObjectStore

_LARGEST = 5_000_000_000  # bytes of one object that is put in one step, by S3's rules
_PIECE = 4 << 20
_QUERY = re.compile(r"\?\S*")
_CREDENTIALS = ("AWS_", "AZURE_", "GOOGLE_", "GCP_")
_OPEN = re.compile("REGION|ENDPOINT|ACCOUNT_NAME|ALLOW_HTTP|BUCKET")
_SHORTEST, _LONGEST = 4, 300  # characters of a value that is looked for, and of a message


@attrs.frozen(eq=False)
class Bucket:
    """The part of a store that holds the objects of one place; ``name`` is the object's own."""

    uri: Uri
    store: ObjectStore
    name: str

    @classmethod
    def of(cls, uri: Uri, name: str | None = None) -> Bucket:
        """Return where the object of the place is kept, or one of another name below it.

        Credentials and endpoints come from the environment, by the names that each provider's own
        programs use. Raises MissingExtra without obstore, InputError for a place that is none.
        """
        try:
            from obstore import store
            from obstore.exceptions import BaseError
        except ImportError as error:
            raise MissingExtra("store", f"a pack at {uri.scheme}://") from error
        parts = urllib.parse.urlsplit(uri.location)
        folder, own = posixpath.split(parts.path)
        base = parts._replace(path=folder if name is None else parts.path.rstrip("/"), query="")
        try:
            found = (
                store.HTTPStore.from_url(base.geturl(), client_options={"allow_http": True})
                if uri.scheme in ("http", "https")
                else store.from_url(base.geturl())
            )
        except (BaseError, ValueError) as error:
            raise InputError(f"{uri}: {_reason(error)}") from error
        query = f"?{parts.query}" if parts.query and name is None else ""
        return cls(uri, found, (own + query) if name is None else name)

    def chunks(self, limit: int) -> Iterator[bytes]:
        """Yield the object's bytes, at most ``limit`` of them; raises InputError without any."""
        from obstore import get
        from obstore.exceptions import BaseError

        try:
            for chunk in get(self.store, self.name).stream(_PIECE):
                data = bytes(chunk)
                limit -= len(data)
                if limit < 0:
                    raise InputError(f"{self.uri}: holds more bytes than a pack may have")
                yield data
        except FileNotFoundError as error:
            raise InputError(f"{self.uri}: there is no such object") from error
        except (BaseError, OSError) as error:
            raise InputError(f"{self.uri}: cannot be read: {_reason(error)}") from error

    def create(self, path: str, sha256: str) -> bool:
        """Put the file at the object's name, and return whether it was not there before.

        The store refuses to write over an object. Raises InputError where one of other bytes has
        the name, or the store cannot promise as much.
        """
        from obstore.exceptions import AlreadyExistsError, BaseError, PreconditionError

        try:
            self._put(path)
        except (AlreadyExistsError, FileExistsError, PreconditionError) as error:
            if self._sha256() != sha256:
                raise InputError(
                    f"{self.uri}: {self.name} is there already and holds something else; nothing "
                    "was written"
                ) from error
            return False
        except (BaseError, OSError) as error:
            raise InputError(f"{self.uri}: cannot be written: {_reason(error)}") from error
        return True

    def replace(self, data: bytes) -> None:
        """Put the bytes at the object's name, be there others or not."""
        from obstore import put
        from obstore.exceptions import BaseError

        try:
            put(self.store, self.name, data)
        except (BaseError, OSError) as error:
            raise InputError(f"{self.uri}: cannot be written: {_reason(error)}") from error

    def _put(self, path: str) -> None:
        from obstore import put

        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > _LARGEST:
                raise InputError(
                    f"{path}: {size} bytes; a store takes {_LARGEST} in the one step that never "
                    "writes over another object"
                )
            # Mapped, so that the archive need not fit into memory of our own.
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
                put(self.store, self.name, mapped, mode="create")

    def _sha256(self) -> str:
        whole = hashlib.sha256()
        for chunk in self.chunks(_LARGEST):
            whole.update(chunk)
        return whole.hexdigest()


def _reason(error: Exception) -> str:
    """Return an error's first line without what may be secret: queries, and values of ours."""
    text = _QUERY.sub("?...", str(error).strip().partition("\n")[0])
    for name, value in os.environ.items():
        if name.startswith(_CREDENTIALS) and not _OPEN.search(name) and len(value) >= _SHORTEST:
            text = text.replace(value, "...")
    return f"{type(error).__name__}: {text[:_LONGEST]}"
