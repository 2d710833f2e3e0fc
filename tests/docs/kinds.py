"""The table of kinds in the documentation, made of the rules: ``python -m tests.docs.kinds``."""

from __future__ import annotations

from collections.abc import Iterator

from benchhygiene import Registry
from benchhygiene.core.findings import Rule
from tests.docs.blocks import ROOT

PAGE = ROOT / "docs" / "kinds.md"
_HEAD = """\
# What an agent does, and what is seen of it

Made of the rules by `python -m tests.docs.kinds`. `benchhygiene explain RULE` shows the same of one
rule, with an edit that it reports. A cell that is empty has nothing to name.

| kind | what an agent does | what we see | what we cannot see |
|---|---|---|---|
"""


def rules() -> Iterator[Rule]:
    """Yield every bundled rule that says what an agent does, by its id."""
    bundled = [one.load() for one in Registry.discover() if one.distribution == "benchhygiene"]
    every = {rule.id: rule for analyzer in bundled for rule in analyzer.rules}
    yield from (rule for _, rule in sorted(every.items()) if rule.edit)


def page() -> str:
    """Return the page as the rules say it."""
    return _HEAD + "".join(_row(rule) for rule in rules())


def _row(rule: Rule) -> str:
    name = f"[{rule.id}](rules/{rule.family}.md)"
    cells = (name, *(each.replace("|", "\\|") for each in (rule.edit, rule.seen, rule.unseen)))
    return f"| {' | '.join(cells)} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
