"""Methods of the plain values that hooks handle: lists are changed in place."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, cast

from benchhygiene.inventory.values import MOST_ELEMENTS, Opaque, Unknown
from benchhygiene_plugins.configuration.session.things import Arguments, Keywords

_TEXT_NAMES = """
capitalize casefold count endswith find index isalnum isalpha isdigit isidentifier islower isupper
join lower lstrip partition removeprefix removesuffix replace rfind rpartition rsplit rstrip split
splitlines startswith strip swapcase title upper format
"""
_TEXT = frozenset(_TEXT_NAMES.split())
_SETS_NAMES = """
union difference intersection symmetric_difference issubset issuperset isdisjoint copy __contains__
"""
_SETS = frozenset(_SETS_NAMES.split())


class _Function(Protocol):
    """A method of a plain value."""

    def __call__(self, *values: object) -> object: ...


def text_method(text: str, name: str, arguments: Arguments, words: Keywords) -> object:
    """Return what a method of a text gives. Raises Unknown."""
    if name == "__contains__":
        return str(arguments[0]) in text
    if name not in _TEXT or any(isinstance(one, Opaque) for one in (*arguments, *words.values())):
        raise Unknown(name)
    if name == "format" and (":" in text or words):
        raise Unknown(name)
    if name == "replace" and (len(text) + 1) * (len(str(arguments[1])) + 1) > MOST_ELEMENTS:
        raise Unknown("a text too large to look at")
    if name == "join":
        parts = [str(one) for one in cast("Iterable[object]", arguments[0])]
        if sum(map(len, parts)) + len(text) * len(parts) > MOST_ELEMENTS:
            raise Unknown("a text too large to look at")
        return text.join(parts)
    return cast("_Function", getattr(text, name))(*arguments)


def set_method(found: frozenset[object], name: str, arguments: Arguments) -> object:
    """Return what a method of a set gives; sets are frozen here. Raises Unknown."""
    if name not in _SETS or any(isinstance(one, Opaque) for one in arguments):
        raise Unknown(name)
    return cast("_Function", getattr(found, name))(*arguments)


def grown(found: frozenset[object], name: str, arguments: Arguments) -> frozenset[object]:
    """Return the set that a method which changes one leaves. Raises Unknown."""
    if any(isinstance(one, Opaque) for one in arguments):
        raise Unknown(name)
    match name:
        case "add":
            return found | {arguments[0]}
        case "update" | "__ior__":
            return found.union(*cast("Sequence[Iterable[object]]", arguments))
        case "discard" | "remove":
            return found - {arguments[0]}
        case "difference_update":
            return found.difference(*cast("Sequence[Iterable[object]]", arguments))
        case "clear":
            return frozenset()
        case _:
            raise Unknown(name)


def dict_method(
    found: dict[object, object], name: str, arguments: Arguments, words: Keywords
) -> object:
    """Return what a method of a dict gives. Raises Unknown."""
    if any(isinstance(one, Opaque) for one in arguments[:1]):
        raise Unknown(name)
    match name:
        case "get":
            return found.get(arguments[0], arguments[1] if len(arguments) > 1 else None)
        case "setdefault":
            return found.setdefault(arguments[0], arguments[1] if len(arguments) > 1 else None)
        case "pop":
            return found.pop(arguments[0], arguments[1] if len(arguments) > 1 else None)
        case "keys" | "values" | "items":
            return list(cast("Iterable[object]", getattr(found, name)()))
        case "update":
            for one in (*arguments, dict(words)):
                if isinstance(one, dict):
                    found.update(cast("dict[object, object]", one))
            return None
        case "copy":
            return dict(found)
        case "clear":
            found.clear()
            return None
        case _:
            raise Unknown(name)


def list_method(
    found: list[object],
    name: str,
    arguments: Arguments,
    elements: Callable[[object], list[object]],
) -> object:
    """Return what a method of a list gives, which may change it. Raises Unknown."""
    change = _LIST_CHANGES.get(name)
    if change is not None:
        return change(found, [elements(one) for one in arguments])
    match name:
        case "append":
            found.append(arguments[0])
            return None
        case "insert":
            found.insert(_index(arguments[0]), arguments[1])
            return None
        case "remove":
            if arguments[0] in found:
                found.remove(arguments[0])
            return None
        case "pop" | "__delitem__":
            return _popped(found, arguments)
        case "copy":
            return list(found)
        case "index" | "count" | "__contains__":
            return cast("_Function", getattr(found, name))(arguments[0])
        case "sort":  # the order does not matter here
            return None
        case "__setitem__":
            return store_item(found, arguments[0], arguments[1], elements)
        case "__imul__" | "__mul__":
            if arguments[0] == 0:
                found.clear()
            return found
        case "__len__":
            return len(found)
        case _:
            raise Unknown(name)


def _popped(found: list[object], arguments: Arguments) -> object:
    index = arguments[0] if arguments else -1
    if isinstance(index, slice):
        del found[index]
        return None
    return found.pop(_index(index)) if found else None


def _index(value: object) -> int:
    if not isinstance(value, int):
        raise Unknown("not known at which place")
    return value


def _extended(found: list[object], more: list[list[object]]) -> object:
    found.extend(one for part in more for one in part)
    return found


def _cleared(found: list[object], more: list[list[object]]) -> object:
    found[:] = more[0] if more else []
    return None


def _reversed(found: list[object], more: list[list[object]]) -> object:
    found.reverse()
    return None


_LIST_CHANGES: Mapping[str, Callable[[list[object], list[list[object]]], object]] = {
    "extend": _extended,
    "__iadd__": _extended,
    "clear": _cleared,
    "__init__": _cleared,
    "reverse": _reversed,
}


def store_item(
    found: object, index: object, value: object, elements: Callable[[object], list[object]]
) -> object:
    """Put a value into a container. Raises Unknown."""
    if isinstance(found, list):
        listed = cast("list[object]", found)
        if isinstance(index, slice):
            listed[index] = elements(value)
        else:
            listed[_index(index)] = value
    elif not isinstance(found, dict):
        _store_other(found, index, value)
    elif not isinstance(index, Opaque):
        cast("dict[object, object]", found)[index] = value
    return None


def _store_other(found: object, index: object, value: object) -> None:
    store = getattr(found, "store_item", None)
    if store is None:
        raise Unknown("not known where it is stored")
    store(index, value)


def glob_match(name: object, pattern: object) -> bool:
    """Match as ``fnmatch`` does."""
    if isinstance(name, Opaque) or isinstance(pattern, Opaque):
        raise Unknown("not known what is matched")
    return fnmatch.fnmatchcase(str(name), str(pattern))
