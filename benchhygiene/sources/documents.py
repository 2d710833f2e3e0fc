"""Read JSON and TOML that must be exactly what their schema says, or say in one line why not."""

from __future__ import annotations

import difflib
import json
import math
import re
import tomllib
import types
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NoReturn, TypeVar, cast, get_args, get_origin

import attrs

from benchhygiene.errors import InputError

if TYPE_CHECKING:
    from cattrs import Converter

T = TypeVar("T")
_BOM = b"\xef\xbb\xbf"
_MOST_PROBLEMS = 3
_MOST_MEMBERS = 20_000  # of one list, or tables of one document: each wrong one costs an exception
_MOST_SHOWN = 60  # characters of a wrong value that a message repeats
# tomllib's work grows with the square of a dotted key's parts; nothing else has so many dots.
_MOST_DOTS = 64


def json_of(data: bytes, name: str) -> object:
    """Return the JSON document's values.

    Raises InputError that names the file: not UTF-8, a byte-order mark, no JSON, a key that stands
    twice in one object, NaN or infinity, nested too deeply.
    """
    text = _text_of(data, name)
    try:
        return cast(
            object,
            json.loads(
                text,
                object_pairs_hook=_once_each,
                parse_constant=_refuse_constant,
                parse_float=_finite,
            ),
        )
    except RecursionError as error:
        raise InputError(f"{name}: nested too deeply") from error
    except ValueError as error:
        raise InputError(f"{name}: not JSON: {error}") from error


def toml_of(data: bytes, name: str) -> dict[str, object]:
    """Return the TOML document's tables; raises InputError that names the file."""
    text = _text_of(data, name)
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > _MOST_DOTS:
            raise InputError(f"{name}: line {number} has more than {_MOST_DOTS} dots")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise InputError(f"{name}: nested too deeply") from error
    except ValueError as error:
        raise InputError(f"{name}: not TOML: {error}") from error


def _text_of(data: bytes, name: str) -> str:
    if data.startswith(_BOM):
        raise InputError(f"{name}: begins with a byte-order mark; save it as UTF-8 without one")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8: byte {error.start} cannot be decoded") from error


def _once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {shown(key)} stands twice in one object")
        found[key] = value
    return found


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:_MOST_SHOWN]} is too large for a number")
    return value


class Unexpected(ValueError):
    """A value of the wrong kind, said in the words of the file rather than of Python."""


def structured(
    raw: object, kind: type[T], name: str, hooks: dict[type, Callable[[object], object]]
) -> T:
    """Return the values as an instance of an attrs class, or a dict of such.

    ``hooks`` turn a value into one of a leaf type, or raise Unexpected; text, numbers and truth
    values are known. Raises InputError with the file and each wrong key's path in it.
    """
    from cattrs import BaseValidationError, Converter, transform_error

    if isinstance(raw, dict) and len(cast("dict[str, object]", raw)) > _MOST_MEMBERS:
        raise InputError(f"{name}: has more than {_MOST_MEMBERS} keys")
    converter = Converter(forbid_extra_keys=True)
    for leaf, hook in (_LEAVES | hooks).items():
        converter.register_structure_hook(leaf, _ignoring_type(hook))
    _be_strict(converter)
    try:
        return converter.structure(raw, kind)
    except BaseValidationError as error:
        problems = transform_error(error, format_exception=_explain)
    except Unexpected as error:
        problems = [f"{error} @ $"]
    rest = len(problems) - _MOST_PROBLEMS
    more = f"; and {rest} more" if rest > 0 else ""
    raise InputError(f"{name}: {'; '.join(problems[:_MOST_PROBLEMS])}{more}")


def shown(value: object) -> str:
    """Return a wrong value as a message repeats it: short, and containers by their kind alone."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Unexpected(f"expected text, not {shown(value)}")
    if not re.search(r"\S", value):
        raise Unexpected("expected text, not an empty one")
    if not _is_encodable(value):
        raise Unexpected(f"expected valid Unicode, not {shown(value)}")
    return value


def _is_encodable(text: str) -> bool:
    """Return whether the text has no half of a surrogate pair, which JSON can spell."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def _whole_number(value: object) -> int:
    if type(value) is not int:
        raise Unexpected(f"expected a whole number, not {shown(value)}")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Unexpected(f"expected a number, not {shown(value)}")
    return value


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise Unexpected(f"expected true or false, not {shown(value)}")
    return value


# cattrs would turn "7" into 7, 5 into "5" and 1 into True.
_LEAVES: dict[type, Callable[[object], object]] = {
    str: _text,
    int: _whole_number,
    float: _number,
    bool: _truth,
}


def _ignoring_type(hook: Callable[[object], object]) -> Callable[[object, object], object]:
    return lambda value, _: hook(value)


def _be_strict(converter: Converter) -> None:
    """Refuse to take a text or an object for a list, or anything but an object for a class."""
    from cattrs.gen import make_dict_structure_fn

    def of_class(kind: type[T]) -> Callable[[object, object], T]:
        structure = make_dict_structure_fn(kind, converter)

        def hook(value: object, _: object) -> T:
            if not isinstance(value, dict):
                raise Unexpected(f"expected an object, not {shown(value)}")
            return structure(cast("dict[str, object]", value), kind)

        return hook

    def of_tuple(value: object, kind: type[object]) -> tuple[object, ...]:
        if not isinstance(value, list):
            raise Unexpected(f"expected a list, not {shown(value)}")
        if len(cast("list[object]", value)) > _MOST_MEMBERS:
            raise Unexpected(f"has more than {_MOST_MEMBERS} members")
        # As a list cattrs says which member is wrong.
        members = types.GenericAlias(list, get_args(kind)[:1])
        return tuple(converter.structure(value, cast("type[list[object]]", members)))

    converter.register_structure_hook_factory(attrs.has, of_class)
    converter.register_structure_hook_func(_is_tuple, of_tuple)


def _is_tuple(kind: object) -> bool:
    return get_origin(kind) is tuple


def _explain(error: BaseException, expected: type | None) -> str:
    from cattrs import ForbiddenExtraKeysError
    from cattrs.v import format_exception

    if isinstance(error, ForbiddenExtraKeysError):
        return _unknown_keys(error.extra_fields, error.cl)
    if isinstance(error, Unexpected | InputError):
        return str(error)
    if isinstance(error, KeyError):
        return "this key is missing"
    return format_exception(error, expected)


def _unknown_keys(keys: Iterable[str], kind: type) -> str:
    first, *others = sorted(keys)
    known = [field.name for field in attrs.fields(kind)]
    close = difflib.get_close_matches(first, known, 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    more = f" and {len(others)} more" if others else ""
    return f"unknown key {shown(first)}{more}{hint}"
