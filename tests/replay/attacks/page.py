"""The table of attacks in the documentation: ``python -m tests.replay.attacks.page``."""

from __future__ import annotations

from tests.docs.blocks import ROOT
from tests.replay.attacks.catalogue import ATTACKS

PAGE = ROOT / "docs" / "attacks.md"
_HEAD = """\
# What a candidate's source may try

Made of the project's tests by `python -m tests.replay.attacks.page`. Each of these sources computes
a wrong answer and tries to get past a [replay](replay.md) of the pack's tests; none passes. Where
the last column has `run.regression` alone, the attempt has no effect, and the tests fail.

| attack | what the source does | reported, at least one of |
|---|---|---|
"""


def page() -> str:
    """Return the page as the catalogue says it."""
    rows = (
        f"| {one.name} | {one.does} | {', '.join(one.reports) or 'run.regression'} |\n"
        for one in ATTACKS
    )
    return _HEAD + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
