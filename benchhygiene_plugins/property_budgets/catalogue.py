"""The strategies of hypothesis: what their arguments are called, and which way each one narrows.

Signatures: ``hypothesis/strategies/__init__.py``, 6.100 to 6.170.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping

import attrs


class Role(enum.Enum):
    """What an argument does to the values a strategy gives."""

    LOW = "no value is below it"
    HIGH = "no value is above it"
    PART = "a strategy for what the values are made of"
    SWITCH = "fewer values where it is true"
    ALLOW = "fewer values where it is false"
    VALUES = "a collection of what is given"
    EXCEPT = "a collection of what is not given"
    LETTERS = "the characters of a text"
    SAME = "another value gives others"
    FREE = "without effect on the values"


@attrs.frozen
class Signature:
    """The arguments of a strategy in their order, each with its role; ``rest`` is that of more.

    ``floor`` is the lowest number that ``LOW`` can mean where it is not given.
    """

    roles: Mapping[str, Role]
    rest: Role | None = None
    floor: int | None = None


_BOUNDS = {"min_value": Role.LOW, "max_value": Role.HIGH}
_SIZES = {"min_size": Role.LOW, "max_size": Role.HIGH}
_FINITE = {"allow_nan": Role.ALLOW, "allow_infinity": Role.ALLOW, "allow_subnormal": Role.ALLOW}
_UNIQUE = {"unique_by": Role.SAME, "unique": Role.SWITCH}
_CHARACTERS = {
    "codec": Role.SAME,
    "min_codepoint": Role.LOW,
    "max_codepoint": Role.HIGH,
    "categories": Role.VALUES,
    "whitelist_categories": Role.VALUES,
    "exclude_categories": Role.EXCEPT,
    "blacklist_categories": Role.EXCEPT,
    "exclude_characters": Role.EXCEPT,
    "blacklist_characters": Role.EXCEPT,
    "include_characters": Role.FREE,
    "whitelist_characters": Role.FREE,
}
_ELEMENTS = {"elements": Role.PART, **_SIZES}

SIGNATURES: Mapping[str, Signature] = {
    "integers": Signature(_BOUNDS),
    "floats": Signature(
        {
            **_BOUNDS,
            **_FINITE,
            "width": Role.LOW,
            "exclude_min": Role.SWITCH,
            "exclude_max": Role.SWITCH,
        }
    ),
    "decimals": Signature({**_BOUNDS, **_FINITE, "places": Role.SAME}),
    "fractions": Signature({**_BOUNDS, "max_denominator": Role.HIGH}),
    "complex_numbers": Signature(
        {"min_magnitude": Role.LOW, "max_magnitude": Role.HIGH, **_FINITE, "width": Role.FREE},
        floor=0,
    ),
    "dates": Signature(_BOUNDS),
    "datetimes": Signature({**_BOUNDS, "timezones": Role.PART, "allow_imaginary": Role.ALLOW}),
    "times": Signature({**_BOUNDS, "timezones": Role.PART}),
    "timedeltas": Signature(_BOUNDS),
    "text": Signature({"alphabet": Role.LETTERS, **_SIZES}, floor=0),
    "characters": Signature(_CHARACTERS, floor=0),
    "binary": Signature(_SIZES, floor=0),
    "lists": Signature({**_ELEMENTS, **_UNIQUE}, floor=0),
    "iterables": Signature({**_ELEMENTS, **_UNIQUE}, floor=0),
    "sets": Signature(_ELEMENTS, floor=0),
    "frozensets": Signature(_ELEMENTS, floor=0),
    "dictionaries": Signature(
        {"keys": Role.PART, "values": Role.PART, "dict_class": Role.FREE, **_SIZES}, floor=0
    ),
    "tuples": Signature({}, Role.PART),
    "one_of": Signature({}, Role.PART),
    "fixed_dictionaries": Signature({"mapping": Role.PART, "optional": Role.PART}),
    "sampled_from": Signature({"elements": Role.VALUES}),
    "permutations": Signature({"values": Role.VALUES}),
    "just": Signature({"value": Role.SAME}),
    "builds": Signature({"target": Role.SAME}, Role.PART),
    "from_regex": Signature(
        {"regex": Role.SAME, "fullmatch": Role.SWITCH, "alphabet": Role.LETTERS}
    ),
    "from_type": Signature({"thing": Role.SAME}),
    "recursive": Signature(
        {
            "base": Role.PART,
            "extend": Role.SAME,
            "min_leaves": Role.LOW,
            "max_leaves": Role.HIGH,
        },
        floor=0,
    ),
    "shared": Signature({"base": Role.PART, "key": Role.FREE}),
    "slices": Signature({"size": Role.HIGH}, floor=0),
    "uuids": Signature({"version": Role.SAME, "allow_nil": Role.FREE}),
    "emails": Signature({"domains": Role.PART}),
    "deferred": Signature({"definition": Role.SAME}),
    "functions": Signature({"like": Role.SAME, "returns": Role.PART, "pure": Role.FREE}),
    "ip_addresses": Signature({"v": Role.SAME, "network": Role.SAME}),
}

#: Strategies of few values: what takes their place may be counted.
FEW = frozenset(("just", "sampled_from", "none", "booleans", "nothing", "permutations"))
#: What gives a part of the values of another: (the part, the whole).
PARTS_OF = frozenset(
    (
        ("integers", "floats"),
        ("integers", "complex_numbers"),
        ("integers", "fractions"),
        ("integers", "decimals"),
        ("floats", "complex_numbers"),
        ("booleans", "integers"),
        ("from_regex", "text"),
        ("characters", "text"),
        ("emails", "text"),
        ("dates", "datetimes"),
    )
)
METHODS = frozenset(("filter", "map", "flatmap"))
