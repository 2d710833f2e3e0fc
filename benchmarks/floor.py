"""The floor a figure stands on: ``ast.parse`` of the same files, in turns with what is measured.

The parsing happens in a process of its own, which holds nothing else: its garbage collector has no
syntax trees of ours to go through, and its CPU seconds and memory are not counted as ours. It works
only while it is asked, so the load of the machine is the same for both.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import attrs

from benchhygiene.evidence.tree import BatchReader, SourceTree, TreeEntry

#: Where a file's bytes are in the file of all of them: offset and length.
Span: TypeAlias = tuple[int, int]
_PARSER = """\
import ast, sys, time, warnings
warnings.simplefilter("ignore")
with open(sys.argv[1], "rb") as file:
    data = file.read()
for line in sys.stdin:
    began = time.process_time()
    for span in line.split():
        at, length = map(int, span.split(":"))
        try:
            ast.parse(data[at : at + length])
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
    print(time.process_time() - began, flush=True)
"""


@attrs.define(eq=False)
class Floor:
    """Asks the parsing process; ``seconds`` and ``bytes`` are what it was asked for so far."""

    asking: int
    answers: int
    seconds: float = attrs.field(default=0.0, init=False)
    bytes: int = attrs.field(default=0, init=False)

    def parse(self, spans: Sequence[Span]) -> float:
        """Return the CPU seconds of parsing these files."""
        if not spans:
            return 0.0
        line = " ".join(f"{at}:{length}" for at, length in spans)
        pending = memoryview(line.encode() + b"\n")
        while pending:
            pending = pending[os.write(self.asking, pending) :]
        answer = b""
        while not answer.endswith(b"\n"):
            answer += os.read(self.answers, 100)
        took = float(answer)
        self.seconds += took
        self.bytes += sum(length for _, length in spans)
        return took


@contextlib.contextmanager
def started(corpus: Path) -> Iterator[Floor]:
    """Start the parsing process on the file of all bytes, and end it."""
    command = [sys.executable, "-I", "-c", _PARSER, str(corpus)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Floor(process.stdin.fileno(), process.stdout.fileno())


@attrs.define(eq=False)
class InTurns:
    """A reader that has every file parsed for the floor when its bytes are first asked for."""

    reader: BatchReader
    floor: Floor
    spans: dict[str, list[Span]]
    total: int = attrs.field(init=False)
    asked: int = attrs.field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        """Remember how many files there are."""
        self.total = sum(len(spans) for spans in self.spans.values())

    def read(self, path: str, entry: TreeEntry) -> bytes:
        """Return the bytes of the wrapped reader."""
        self._turn(entry)
        return self.reader.read(path, entry)

    def read_all(self, entries: Sequence[TreeEntry]) -> Sequence[bytes | None]:
        """Return the bytes of the wrapped reader."""
        for entry in entries:
            self._turn(entry)
        return self.reader.read_all(entries)

    def finish(self) -> None:
        """Parse the files that nobody has asked for: the floor is that of all files."""
        for spans in self.spans.values():
            self.floor.parse(spans)
        self.spans.clear()

    def _turn(self, entry: TreeEntry) -> None:
        spans = self.spans.get(entry.identity)
        if spans:
            self.floor.parse([spans.pop()])
            self.asked += 1
            if self.asked % 200 == 0:
                say(f"{self.asked} of {self.total} files read")


def in_turns(tree: SourceTree, floor: Floor, spans: Mapping[str, Sequence[Span]]) -> InTurns:
    """Return the reader to put into the tree in place of its own."""
    assert isinstance(tree.reader, BatchReader)
    return InTurns(tree.reader, floor, {name: [*places] for name, places in spans.items()})


def say(text: str) -> None:
    """Show how far the work has got, on stderr."""
    print(f"  {text}", file=sys.stderr, flush=True)
