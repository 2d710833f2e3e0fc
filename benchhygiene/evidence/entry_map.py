"""All paths of a tree, and what stands for them in a digest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from benchhygiene.evidence.entries import EntryKind, TreeEntry, entry, require_plain


class Entries(dict[str, TreeEntry]):
    """Entries by path, sorted, every path known to be plain; never changed once made.

    Those that were laid over others with the same paths know which, and where they may differ.
    """

    def __init__(
        self,
        entries: Mapping[str, TreeEntry] | Iterable[tuple[str, TreeEntry]] = (),
        over: Mapping[str, TreeEntry] | None = None,
    ) -> None:
        super().__init__(entries)
        self.base = entries if over is not None and isinstance(entries, Entries) else None
        self.over: Mapping[str, TreeEntry] = over or {}
        self.update(self.over)
        self._canonical = b""
        self._parts: dict[str, bytes] = {}

    def canonical(self) -> bytes:
        """Return the bytes that stand for the content in a digest, made once."""
        if not self._canonical and self:
            parts = self.parts() if self.base is None else {**self.base.parts()}
            parts.update((path, _part(path, found)) for path, found in self.over.items())
            self._canonical = b"".join(parts.values())
        return self._canonical

    def parts(self) -> dict[str, bytes]:
        """Return what stands for each entry, made once: much is laid over the same parent."""
        if not self._parts:
            self._parts = {path: _part(path, found) for path, found in self.items()}
        return self._parts

    def __reduce__(self) -> tuple[type[Entries], tuple[list[tuple[str, TreeEntry]]]]:
        return (Entries, (list(self.items()),))


def _part(path: str, found: TreeEntry) -> bytes:
    # No path holds a NUL, so that nothing in one can be taken for what follows it.
    return f"{path}\0{_spelled(found)}\0".encode(errors="surrogatepass")


def _spelled(found: TreeEntry) -> str:
    if found.kind is EntryKind.FILE and found.error is None:  # nearly all of them
        return f"+{found.identity}" if found.is_executable else f"-{found.identity}"
    return f"{found.kind.value},{found.identity!r},{found.is_executable},{found.error!r}"


def as_entries(value: Mapping[str, TreeEntry | bytes | str]) -> Entries:
    """Return entries for the paths; raises InputError for one that leaves the root."""
    if isinstance(value, Entries):
        return value
    entries = {
        path: content if isinstance(content, TreeEntry) else entry(content)
        for path, content in value.items()
    }
    for path in entries:
        require_plain(path)
    return Entries(sorted(entries.items()))
