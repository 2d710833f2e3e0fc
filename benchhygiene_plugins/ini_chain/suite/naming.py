"""Say which names pytest takes for tests."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence

import attrs


@attrs.frozen
class Names:
    """Which functions and classes count as tests (``python_functions``, ``python_classes``)."""

    functions: tuple[str, ...] = ("test",)
    classes: tuple[str, ...] = ("Test",)

    def is_function(self, name: str) -> bool:
        """Return whether a function of this name is collected."""
        return _matches(name, self.functions)

    def is_class(self, name: str) -> bool:
        """Return whether a plain class of this name is collected."""
        return _matches(name, self.classes)


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(
        name.startswith(pattern)
        or (any(mark in pattern for mark in "*?[") and fnmatch.fnmatchcase(name, pattern))
        for pattern in patterns
    )
