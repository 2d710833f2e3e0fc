"""Calls that hand on what they are given."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from benchhygiene_plugins.oracles.signs import Sign, of_value, text_of


def passed_on(called: Sign, arguments: Sequence[Sign]) -> Sign | None:
    """Return what a call that only says what its argument is, or how it is laid out, gives."""
    if called.value in ("typing.cast", "cast") and len(arguments) == 2:
        return arguments[1]
    if called.value in ("textwrap.dedent", "dedent") and len(arguments) == 1:
        text = text_of(arguments[0])
        return None if text is None else of_value(textwrap.dedent(text))
    return None
