"""``os.environ`` as hooks see it."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import attrs

from benchhygiene.inventory.values import Unknown
from benchhygiene_plugins.configuration.session.options import Cause
from benchhygiene_plugins.configuration.session.things import (
    UNKNOWN,
    Arguments,
    Keywords,
    Native,
    Thing,
)


@attrs.define(eq=False, repr=False)
class Environment(Thing):
    """``os.environ``: nothing is known of it but what the tree writes to it."""

    cause: Callable[[], Cause]
    causes: dict[str, Cause] = attrs.field(factory=dict[str, Cause])

    def __contains__(self, name: object) -> bool:
        if name in self.attributes:
            return True
        raise Unknown(str(name))

    def store_item(self, index: object, value: object) -> None:
        """Set a variable."""
        self.attributes[str(index)] = value
        self.causes[str(index)] = self.cause()

    def item(self, index: object) -> object:
        """Return a variable that the tree has set. Raises Unknown."""
        if str(index) in self.attributes:
            return self.attributes[str(index)]
        raise Unknown(str(index))

    def member(self, name: str) -> object:
        """Return a method. Raises Unknown."""
        if name in ("get", "pop", "__getitem__"):
            return Native(name, lambda arguments, words: self.item(arguments[0]))
        if name in ("setdefault", "__setitem__", "putenv"):
            return Native(name, self.put)
        if name == "update":
            return Native(name, self._update)
        raise Unknown(name)

    def put(self, arguments: Arguments, words: Keywords) -> object:
        """Set a variable by a call."""
        self.store_item(arguments[0], arguments[1] if len(arguments) > 1 else UNKNOWN)
        return None

    def _update(self, arguments: Arguments, words: Keywords) -> object:
        for one in (*arguments, dict(words)):
            if isinstance(one, dict):
                for name, value in cast("dict[object, object]", one).items():
                    self.store_item(name, value)
        return None
