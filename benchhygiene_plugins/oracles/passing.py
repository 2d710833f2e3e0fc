"""Calls that hand on what they are given."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from benchhygiene_plugins.oracles.signs import Sign, of_value, sign, text_of

_BACKPORTS = (("mock.", "unittest.mock."), ("six.moves.queue.", "queue."))
_SOURCES = frozenset(("src", "lib", "python"))
_TWINS = {"mock": "unittest.mock", "super": "super", "io.open": "open"}


def imported_as(path: str) -> str:
    """Return a module's path without the folder of sources that it may be moved into or out of."""
    first, _, rest = path.partition("/")
    return rest if first in _SOURCES and rest else path


def named_alike(name: str) -> str:
    """Return the name that a thing has in the standard library, of one that is a backport."""
    for prefix, standard in _BACKPORTS:
        if name.startswith(prefix):
            return standard + name.removeprefix(prefix)
    return _TWINS.get(name, name)


def passed_on(called: Sign, arguments: Sequence[Sign]) -> Sign | None:
    """Return what a call that only says what its argument is, or how it is laid out, gives."""
    if called.value in ("typing.cast", "cast") and len(arguments) == 2:
        return arguments[1]
    if called.value in ("textwrap.dedent", "dedent") and len(arguments) == 1:
        text = text_of(arguments[0])
        return None if text is None else of_value(textwrap.dedent(text))
    if called.value == "super" and len(arguments) == 2 and arguments[1].value in ("#0", "self"):
        return sign("call", called)
    if called.value == "collections.namedtuple" and len(arguments) == 2:
        name = text_of(arguments[0])  # as a class of the tests, that has no more than its name
        return None if name is None else sign("name", value=name)
    if called.value == "pytest.importorskip" and arguments:
        name = text_of(arguments[0])
        return None if name is None else sign("name", value=name)
    return None
