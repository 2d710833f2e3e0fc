"""The fenced blocks of a Markdown page."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator

import attrs

ROOT = pathlib.Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))

_FENCE = re.compile(r"^```(?P<language>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@attrs.frozen
class Block:
    """One fenced block: its language, its text and the line its text starts on."""

    page: pathlib.Path
    line: int
    language: str
    text: str

    @property
    def label(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(page: pathlib.Path) -> Iterator[Block]:
    """Yield the blocks of one page, in order."""
    source = page.read_text(encoding="utf-8")
    for fence in _FENCE.finditer(source):
        line = source.count("\n", 0, fence.start()) + 2
        yield Block(page, line, fence["language"].strip(), fence["text"])
