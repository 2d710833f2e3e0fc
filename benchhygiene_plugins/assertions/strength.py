"""How much a fact says, and which of its sides is the code under test."""

from __future__ import annotations

import enum

from benchhygiene_plugins.assertions.terms import LENT, Term


class Strength(enum.IntEnum):
    """The order in which facts say less and less."""

    EXACT = 6
    APPROXIMATE = 5
    STRUCTURE = 4
    MEMBERSHIP = 3
    TYPE = 2
    TRUTH = 1
    NOTHING = 0


_BY_KIND = {
    "eq": Strength.EXACT,
    "is": Strength.EXACT,
    "same": Strength.EXACT,
    "demand": Strength.EXACT,
    "source": Strength.EXACT,
    "has_calls": Strength.EXACT,
    "raises": Strength.EXACT,
    "warns": Strength.EXACT,
    "approx": Strength.APPROXIMATE,
    "same_elements": Strength.STRUCTURE,
    "in": Strength.MEMBERSHIP,
    "search": Strength.MEMBERSHIP,
    "lt": Strength.MEMBERSHIP,
    "le": Strength.MEMBERSHIP,
    "or": Strength.MEMBERSHIP,
}
_TYPE_CALLS = frozenset(("isinstance", "issubclass", "hasattr", "callable"))
_PARTIAL_CALLS = frozenset(("any", "startswith", "endswith", "issubset", "issuperset", "all"))
#: What keeps only part of a value, so that two values may look the same through it.
LOSSY = frozenset(
    (
        "set",
        "frozenset",
        "sorted",
        "len",
        "int",
        "str",
        "bool",
        "type",
        "repr",
        "abs",
        "hash",
        "min",
        "max",
        "any",
        "all",
        "sum",
        "list",
        "tuple",
        "dict",
        "keys",
        "values",
        "lower",
        "upper",
        "casefold",
        "strip",
        "lstrip",
        "rstrip",
        "split",
        "splitlines",
        "replace",
        "title",
        "count",
        "startswith",
        "endswith",
        "isinstance",
        "collections.Counter",
        "Counter",
        "math.floor",
        "math.ceil",
        "math.trunc",
        "os.path.basename",
        "id",
        "float",
        "format",
        "get",
        "next",
        "iter",
    )
)
_DEEPEST = 200  # how deeply a literal may be nested
_SMALL_CLASSES = frozenset(
    (
        "datetime.date",
        "datetime.datetime",
        "datetime.time",
        "datetime.timedelta",
        "datetime.timezone",
        "collections.deque",
        "array.array",
    )
)
ANYTHING = frozenset(("unittest.mock.ANY", "mock.ANY", "ANY"))
CALL_RECORDS = frozenset(
    (
        "call_args_list",
        "call_args",
        "call_count",
        "called",
        "mock_calls",
        "method_calls",
        "await_args_list",
        "await_args",
        "await_count",
        "assert_called",
    )
)
ROUNDING = frozenset(("round", "numpy.round", "numpy.around", "__round__", "quantize", "around"))
_RELATIONS = frozenset(("eq", "ne", "is", "isnot", "same", "approx", "same_elements"))
_ORDERED = frozenset(("lt", "le", "in", "notin", "search"))


def strength(fact: Term) -> Strength:
    """Return how much a fact says."""
    if fact.kind in ("eq", "same") and any(map(_is_projection, fact.children[:2])):
        return Strength.STRUCTURE
    found = _BY_KIND.get(fact.kind)
    if found is not None:
        return found
    if fact.kind == "call":
        name = fact.children[0].value
        if name in _TYPE_CALLS:
            return Strength.TYPE
        return Strength.MEMBERSHIP if name in _PARTIAL_CALLS else Strength.TRUTH
    return Strength.TRUTH


def _is_projection(one: Term) -> bool:
    if one.kind == "attr":
        return one.value in ("call_count", "await_count", "called")
    return one.kind == "call" and one.children[0].value.rpartition(".")[2] in LOSSY


def subject(fact: Term) -> Term:
    """Return the side of a fact that the code under test has a hand in."""
    return sides(fact)[0]


def sides(fact: Term) -> tuple[Term, Term | None]:
    """Return what a fact is about, and what it is held against where there is such a side."""
    if fact.kind in _RELATIONS or fact.kind in ("lt", "le"):
        left, right = fact.children[:2]
        return (left, right) if _weight(left) >= _weight(right) else (right, left)
    if fact.kind == "in":
        left, right = fact.children
        return (right, left) if _weight(right) > _weight(left) else (left, right)
    first, *rest = fact.children or (fact,)
    if fact.kind in ("notin", "search", "call") and rest:
        return (rest[0], None) if fact.kind == "call" else (first, None)
    if fact.kind == "not":
        return subject(first), None
    return fact, None


def _weight(one: Term) -> tuple[int, int, bytes]:
    """Rank how likely a term is what is tested: a literal is not, the outcome of a call is."""
    if is_literal(one):
        return (0, one.depth, one.digest)
    called = any(map(_is_asked, one.subterms(120)))
    return (3 if called else 2 if is_derived(one) else 1, one.depth, one.digest)


def _is_asked(part: Term) -> bool:
    """Return whether a term is what a function of the code under test, not a class, returned."""
    if part.kind != "call" or is_constructor(part):
        return False
    function = part.children[0]
    return function.kind == "ref" and function.has_product


def is_literal(one: Term) -> bool:
    """Return whether a term is spelt out: constants, displays and constructors of them."""
    if one.node == LENT or one.depth > _DEEPEST:
        return False
    if one.is_constant or one.kind in ("const", "builtin", "class"):
        return True
    if one.kind in (
        "tuple",
        "list",
        "set",
        "dict",
        "pair",
        "keyword",
        "unary",
        "binary",
        "starred",
    ):
        return all(map(is_literal, one.children))
    if one.kind == "ref":
        return one.value in ANYTHING
    expected_call = one.kind == "call" and one.children[0].value == "unittest.mock.call"
    return (expected_call or is_constructor(one)) and all(map(is_literal, one.children[1:]))


def is_constructor(one: Term) -> bool:
    """Return whether a term is the call of something named like a class."""
    if one.kind != "call" or one.children[0].kind not in ("ref", "class", "attr", "builtin"):
        return False
    if one.children[0].value in _SMALL_CLASSES:
        return True
    name = one.children[0].value.rpartition(".")[2].lstrip("_")
    return name[:1].isupper() or one.children[0].kind == "builtin"


def is_derived(one: Term) -> bool:
    """Return whether the code under test had a hand in a value, beyond a plain constructor."""
    return any(_is_outcome(part) for part in one.subterms(120))


def _is_outcome(part: Term) -> bool:
    if part.kind == "call":
        function = part.children[0]
        if function.kind == "attr":
            return function.children[0].has_product or function.children[0].kind == "fixture"
        return function.has_product and not is_constructor(part)
    if part.kind in ("attr", "item"):
        return part.children[0].has_product and part.children[0].kind == "call"
    return part.kind == "excinfo"
