"""The names of one function while it is followed, and what it gives."""

from __future__ import annotations

import attrs

from benchhygiene_plugins.performance_budgets.terms import NOTHING, Known, Made, Term


@attrs.define(eq=False)
class Frame:
    """Names and what they stand for; ``returns`` and ``yields`` are what the function gives."""

    path: str
    names: dict[str, Term] = attrs.field(factory=dict[str, Term])
    returns: list[Term] = attrs.field(factory=list[Term])
    yields: list[Term] = attrs.field(factory=list[Term])
    has_returned: bool = False

    def give(self, value: Term) -> None:
        """Return from the function."""
        self.returns.append(value)
        self.has_returned = True

    def branch(self) -> Frame:
        """Return a frame for a branch that may not be taken; it shares the names."""
        return Frame(self.path, self.names, yields=self.yields)

    def join(self, branch: Frame, condition: Term) -> None:
        """Take over what a branch gave under a condition."""
        for one in branch.returns:
            if isinstance(one, Known) and isinstance(one.value, bool):
                self.returns.append(condition if one.value else Made("not", (condition,)))
            else:
                self.returns.append(one)

    def result(self) -> Term:
        """Return what the function gives."""
        if self.yields:
            return self.yields[0] if len(self.yields) == 1 else Made("either", tuple(self.yields))
        values = self.returns
        conditions = [one for one in values if isinstance(one, Made) and one.name == "not"]
        if conditions and values and values[-1] == Known(True):
            return Made("and", tuple(conditions))
        if not values:
            return NOTHING
        return values[0] if len(values) == 1 else Made("either", tuple(reversed(values)))
