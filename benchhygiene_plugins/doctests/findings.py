"""The rules of ``doctests`` and the findings it yields."""

from __future__ import annotations

import attrs

from benchhygiene import BaseFinding, Location, Rule, Severity, SymbolKind, Verdict
from benchhygiene_plugins.doctests.comparison import Altered, Fate
from benchhygiene_plugins.doctests.examples import Example

REMOVED = Rule(
    "doctest.removed",
    "An example is no longer there",
    Severity.ERROR,
    edit="deletes an example or makes it prose",
    seen="the examples of every edited docstring and text",
    unseen="strings that are put together at run time",
)
WEAKENED = Rule(
    "doctest.weakened",
    "An example lets more pass than before",
    Severity.ERROR,
    edit="writes an ellipsis, keeps the output back",
    seen="expected output and options of each example",
    unseen="`doctest_optionflags` of the configuration",
)

RULES = (REMOVED, WEAKENED)


@attrs.frozen(kw_only=True)
class ExampleAltered(BaseFinding):
    """An example of a docstring or text is gone, or checks less; ``is_run``: somebody runs it."""

    node_id: str
    fate: Fate
    is_run: bool


@attrs.frozen(kw_only=True)
class ExamplesUnseen(BaseFinding):
    """The examples of a file cannot be told any more."""


def about(found: Altered, *, is_run: bool) -> ExampleAltered:
    """Return the finding about one example; one that nothing runs is a warning."""
    old, new = found.old, found.new
    is_gone = found.fate in (Fate.GONE, Fate.REPLACED)
    first = old.source.partition("\n")[0]
    suffix = f" ({found.reason})" if found.reason else ""
    unrun = "" if is_run else "; nothing here is seen to run it"
    return ExampleAltered(
        rule=REMOVED if is_gone else WEAKENED,
        message=f"the example {first!r}: {found.fate.value}{suffix}{unrun}",
        locations=(
            Location(
                old.path if new is None else new.path,
                None if new is None else new.line,
                None,
                old.node_id,
                SymbolKind.NODE,
            ),
        ),
        severity=Severity.ERROR if is_run else Severity.WARNING,
        old_text=_text(old),
        new_text="" if new is None else _text(new),
        node_id=old.node_id,
        fate=found.fate,
        is_run=is_run,
    )


def _text(one: Example) -> str:
    options = ", ".join(f"+{name}" for name in sorted(one.options))
    return f"{one.text}  # doctest: {options}" if options else one.text


def unseen(path: str) -> ExamplesUnseen:
    """Return the finding about a file whose docstrings cannot be read any more."""
    return ExamplesUnseen(
        rule=REMOVED,
        message="its examples cannot be told: the candidate's file is no Python that can be read",
        locations=(Location(path),),
        verdict=Verdict.INCONCLUSIVE,
    )
