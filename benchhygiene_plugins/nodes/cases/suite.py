"""The suite the cases edit."""

from __future__ import annotations

from collections.abc import Mapping

from benchhygiene.evidence import Change

PATH = "tests/test_slugs.py"
SLUGS = """import pytest

from slugs import slugify


def test_lower():
    slug = slugify("Hello")
    assert slug == "hello"


def test_spaces():
    assert slugify("a b") == "a-b"


@pytest.mark.parametrize("text", ["", " ", "-", "--"])
def test_blank(text):
    assert slugify(text) == ""


class TestLength:
    def test_cut(self):
        assert len(slugify("x" * 99)) == 40
"""
LOWER = """def test_lower():
    slug = slugify("Hello")
    assert slug == "hello"
"""
SPACES = """def test_spaces():
    assert slugify("a b") == "a-b"
"""
CUT = """    def test_cut(self):
        assert len(slugify("x" * 99)) == 40
"""


def edit(*replaced: tuple[str, str], **others: str) -> Change:
    """Return the change that replaces text of the suite; others add files, by name."""
    text = SLUGS
    for old, new in replaced:
        assert old in text, old
        text = text.replace(old, new)
    return change(text, {f"tests/{name}.py": body for name, body in others.items()})


def change(text: str | None, others: Mapping[str, str] | None = None) -> Change:
    """Return the change that leaves the suite's file with this text, or without it."""
    own = {} if text is None else {PATH: text}
    return Change({PATH: SLUGS}, {**own, **(others or {})})
