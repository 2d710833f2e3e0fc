"""How fast a large archive is verified, against ``sha256sum``, and in how much memory.

    python -m benchmarks.packs [MEGABYTES] [FILES]

Verifying hashes every byte twice, once for the archive and once for its file, in two threads: where
two processors are free it keeps pace with sha256sum, which hashes once; where one is, it takes
twice as long.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

import attrs

from benchhygiene.sources.packing.building import archive
from benchhygiene.sources.packing.contents import Content, sealed
from benchhygiene.sources.packing.verifying import verify

_MEGABYTE = 1 << 20
_ROUNDS = 3
_KILOBYTES = 1024  # ru_maxrss is in kilobytes on Linux


@attrs.frozen
class Noise:
    """So many megabytes, each of the same random bytes."""

    megabytes: int
    piece: bytes = attrs.field(repr=False)
    is_executable: bool = False

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes, a megabyte at a time."""
        for _ in range(self.megabytes):
            yield self.piece


def _seconds(work: Callable[[], object]) -> float:
    """Return the shortest of a few rounds."""
    taken: list[float] = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def main(megabytes: int = 2048, files: int = 8) -> None:
    """Print seconds, their ratio, and how much memory verifying took at most."""
    piece = os.urandom(_MEGABYTE)
    contents: dict[str, Content] = {
        f"fixtures/{number}.bin": Noise(megabytes // files, piece) for number in range(files)
    }
    with tempfile.TemporaryDirectory() as folder:
        found = archive(sealed(contents, None), folder)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        ours = _seconds(lambda: verify(found.path, sha256=found.sha256))
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        theirs = _seconds(
            lambda: subprocess.run(["sha256sum", found.path], check=True, capture_output=True)
        )
    print(f"{found.size / _MEGABYTE:.0f} MB in {files} files, the best of {_ROUNDS} rounds")
    print(f"verify     {ours:6.2f} s")
    print(f"sha256sum  {theirs:6.2f} s   ratio {ours / theirs:.2f}")
    print(
        f"memory     {after / _KILOBYTES:6.0f} MB at most, {(after - before) / _KILOBYTES:.0f} new"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
