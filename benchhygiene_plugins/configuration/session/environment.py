"""``os.environ`` as hooks see it."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import attrs

from benchhygiene.inventory.values import Opaque, Unknown
from benchhygiene_plugins.configuration.session.options import Cause
from benchhygiene_plugins.configuration.session.things import (
    UNKNOWN,
    Arguments,
    Keywords,
    Native,
    Thing,
    Variable,
)


@attrs.define(eq=False, repr=False)
class Environment(Thing):
    """``os.environ``: whether a variable is set is taken both ways."""

    cause: Callable[[], Cause]
    take: Callable[[str], bool]
    causes: dict[str, Cause] = attrs.field(factory=dict[str, Cause])

    def __contains__(self, name: object) -> bool:
        return name in self.attributes or self.take(f"environ {name}")

    def store_item(self, index: object, value: object) -> None:
        """Set a variable."""
        self.attributes[str(index)] = value
        self.causes[str(index)] = self.cause()

    def item(self, index: object) -> object:
        """Return a variable that the tree has set. Raises Unknown."""
        if str(index) in self.attributes:
            return self.attributes[str(index)]
        if self.take(f"environ {index}"):
            return Variable(f"environ {index}")
        raise Unknown(str(index))

    def get(self, arguments: Arguments, words: Keywords) -> object:
        """Return a variable, or the default where it is not set; both may be so."""
        if isinstance(arguments[0], Opaque):
            raise Unknown("a variable of any name")
        name = str(arguments[0])
        if name in self.attributes or self.take(f"environ {name}"):
            return self.attributes.get(name, Variable(f"environ {name}"))
        return arguments[1] if len(arguments) > 1 else words.get("default")

    def member(self, name: str) -> object:
        """Return a method. Raises Unknown."""
        if name in ("get", "pop"):
            return Native(name, self.get)
        if name == "__getitem__":
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
