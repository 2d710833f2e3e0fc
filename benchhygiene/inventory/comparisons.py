"""Compare values of which parts may be unknown, ``sys.version_info`` among them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import cast

import attrs

from benchhygiene.inventory.values import Opaque, ParameterSet, Unknown

#: ``__name__`` of a test module: never ``"__main__"``, and beyond that nobody knows.
MODULE_NAME = Opaque("__name__")


def is_set(value: object) -> bool:
    """Return whether a value is a set; sets are frozen here."""
    return isinstance(value, frozenset)


def is_row(value: object) -> bool:
    """Return whether a value is a list or tuple."""
    return isinstance(value, list | tuple)


def is_asked_for_main(left: object, right: object) -> bool:
    """Return whether a module asks if it is run as a program."""
    return (left, right) in ((MODULE_NAME, "__main__"), ("__main__", MODULE_NAME))


def compares(left: object, right: object, compare: Callable[[object, object], object]) -> bool:
    """Return whether two values compare; what is made of unknown parts is not compared."""
    if isinstance(left, VersionInfo) or isinstance(right, VersionInfo):
        return _compares_version(left, right, compare)
    if holds_unknown(left) or holds_unknown(right):
        raise Unknown("compared with what is not known")
    return bool(compare(left, right))


def _compares_version(
    left: object, right: object, compare: Callable[[object, object], object]
) -> bool:
    """Return what holds for every interpreter; Unknown where it holds for some of them only."""
    given = right if isinstance(left, VersionInfo) else left
    version = left if isinstance(left, VersionInfo) else right
    if not isinstance(version, VersionInfo) or not isinstance(given, tuple):
        raise Unknown("a version compared with something else")
    mirrored = version is not left
    between = cast("tuple[int, ...]", given)
    inside = [between] if version.oldest <= between <= version.newest else []
    tried = (version.oldest, *inside, version.newest)
    answers = {bool(compare(between, one) if mirrored else compare(one, between)) for one in tried}
    if len(answers) > 1:
        raise Unknown("true for some interpreters only")
    return answers.pop()


def holds_unknown(value: object) -> bool:
    """Return whether part of a value is not known."""
    if isinstance(value, list | tuple | frozenset):
        return any(holds_unknown(one) for one in cast("Iterable[object]", value))
    if isinstance(value, dict):
        pairs = cast("Mapping[object, object]", value).items()
        return any(holds_unknown(one) for pair in pairs for one in pair)
    return isinstance(value, Opaque | ParameterSet | VersionInfo)


@attrs.frozen(eq=False)
class VersionInfo:
    """``sys.version_info`` of an interpreter that nobody has named."""

    oldest: tuple[int, ...] = (3, 10, 0)
    newest: tuple[int, ...] = (3, 15, 99)
