"""Which warnings a list of filters turns into errors."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Sequence

import attrs

_CATEGORIES = (
    "UserWarning",
    "DeprecationWarning",
    "PendingDeprecationWarning",
    "RuntimeWarning",
    "ResourceWarning",
    "FutureWarning",
    "SyntaxWarning",
    "ImportWarning",
    "UnicodeWarning",
    "BytesWarning",
    "EncodingWarning",
)
_PYTEST = "pytest.PytestUnraisableExceptionWarning"


@attrs.frozen
class Filter:
    """One filter: what it does, and to which warnings."""

    action: str
    message: str = ""
    category: str = "Warning"
    module: str = ""

    @property
    def is_broad(self) -> bool:
        """Return whether it is for every warning of its category, whoever warns."""
        return not self.message and not self.module

    def fits(self, category: str) -> bool:
        """Return whether it is for all warnings of a category."""
        return self.is_broad and _is_a(category, self.category)


def read_filter(text: str) -> Filter:
    """Return the filter that a line of ``filterwarnings``, or a ``-W``, means."""
    parts = [part.strip() for part in text.split(":")]
    # A message may hold escaped colons; what follows it is found from the right where it fits.
    action, message, category, module = (*parts, "", "", "", "")[:4]
    return Filter(action.lower(), message, category.removeprefix("builtins.") or "Warning", module)


def errors(filters: Sequence[Filter], categories: Iterable[str]) -> frozenset[str]:
    """Return the categories whose warnings fail a test: the last filter that fits decides."""
    found: set[str] = set()
    for category in categories:
        action = next((one.action for one in reversed(filters) if one.fits(category)), "")
        if action == "error":
            found.add(category)
    return frozenset(found)


def categories(*several: Sequence[Filter]) -> tuple[str, ...]:
    """Return the categories to ask about: Python's own, and those that filters name."""
    named = (one.category for filters in several for one in filters)
    return tuple(dict.fromkeys((*_CATEGORIES, _PYTEST, *named)))


def _is_a(name: str, base: str) -> bool:
    if name == base or base == "Warning":
        return True
    one, other = (getattr(builtins, part, None) for part in (name, base))
    return isinstance(one, type) and isinstance(other, type) and issubclass(one, other)
