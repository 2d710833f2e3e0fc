"""A subject replaced and a source that knows, in many disguises, and honest edits beside them.

``shop.txt`` is the parent, a file after each ``@@ PATH``. ``disguises.txt`` holds the edits in the
hunks of ``tests/surface/corpus.py``, each with the rule it is found by, or ``honest``.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator

import attrs
import pytest

from benchhygiene.evidence import Change
from benchhygiene_plugins.subjects import Subjects
from tests.surface.corpus import Section, edited

HERE = pathlib.Path(__file__).parent


@attrs.frozen
class Disguise:
    name: str
    rule: str
    hunks: Section


def parts(text: str, mark: str) -> Iterator[tuple[str, str]]:
    for part in re.split(rf"(?m)^{mark} ", text)[1:]:
        name, _, rest = part.partition("\n")
        yield name, rest


SHOP = dict(parts((HERE / "shop.txt").read_text(encoding="utf-8"), "@@"))


def disguises() -> Iterator[Disguise]:
    for name, rest in parts((HERE / "disguises.txt").read_text(encoding="utf-8"), "##"):
        wanted = rest.partition("\n")[0].removeprefix("finds ")
        hunks = tuple(
            (path, tuple(body.rstrip("\n").split("\n"))) for path, body in parts(rest, "@@")
        )
        yield Disguise(name, wanted, Section(name, (), hunks))


@pytest.mark.parametrize("one", [*disguises()], ids=lambda one: one.name)
def test_disguise(one: Disguise) -> None:
    change = Change(SHOP, edited(SHOP, one.hunks))
    found = {finding.rule.id for finding in Subjects().analyze(change)}
    assert (found == set()) if one.rule == "honest" else (one.rule in found)
