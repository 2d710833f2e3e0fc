"""What is known of builtins without running them."""

from __future__ import annotations

COPIES = frozenset(
    ("list", "tuple", "dict", "copy", "deepcopy", "copy.copy", "copy.deepcopy", "identity")
)
NEVER_FALSE_CALLS = frozenset(("repr", "type", "id", "object", "vars", "dir", "globals", "locals"))
NOT_NONE = frozenset(
    (
        "len",
        "sum",
        "list",
        "dict",
        "set",
        "tuple",
        "str",
        "repr",
        "int",
        "float",
        "bool",
        "sorted",
        "type",
        "id",
        "abs",
        "round",
        "isinstance",
        "hasattr",
        "callable",
        "any",
        "all",
        "hash",
        "map",
        "filter",
        "zip",
        "enumerate",
        "range",
        "frozenset",
        "bytes",
        "dir",
        "iter",
        "format",
        "reversed",
    )
)
RESULT_TYPES = {
    "len": "int",
    "str": "str",
    "repr": "str",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "list": "list",
    "tuple": "tuple",
    "set": "set",
    "dict": "dict",
    "sorted": "list",
    "hash": "int",
    "id": "int",
    "isinstance": "bool",
    "any": "bool",
    "all": "bool",
    "callable": "bool",
    "hasattr": "bool",
}
FILLED = frozenset(("tuple", "list", "set", "dict"))
EVERY_OBJECT = frozenset(
    (
        "__class__",
        "__doc__",
        "__eq__",
        "__hash__",
        "__str__",
        "__repr__",
        "__init__",
        "__ne__",
        "__dir__",
        "__new__",
        "__reduce__",
        "__sizeof__",
        "__setattr__",
        "__getattribute__",
    )
)
MEMBERS = frozenset(("set", "sorted", "list", "tuple", "frozenset", "iter", "reversed"))
