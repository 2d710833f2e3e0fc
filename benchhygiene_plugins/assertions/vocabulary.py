"""What the calls that check mean: unittest's, mock's, numpy's and pandas' as plain predicates."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence

import attrs

from benchhygiene_plugins.assertions.expressions import negated, relation
from benchhygiene_plugins.assertions.terms import Term, constant, term

_MESSAGES = frozenset(("msg", "err_msg", "verbose", "message", "reason", "obj"))
_MOCK_CALL = term("ref", value="unittest.mock.call", node="unittest.mock.call")


@attrs.define(eq=False)
class Arguments:
    """A call's arguments as terms; a message is none of them.

    Never changed once it is made: it is not frozen because that takes longer to make.
    """

    positional: tuple[Term, ...]
    named: Mapping[str, Term] = attrs.field(factory=dict[str, Term])

    def get(self, position: int, *names: str) -> Term | None:
        """Return an argument given by position or by one of its names."""
        if position < len(self.positional):
            return self.positional[position]
        return next((self.named[name] for name in names if name in self.named), None)

    @property
    def keywords(self) -> tuple[Term, ...]:
        """Return the named arguments as terms, sorted, messages left out."""
        kept = sorted(item for item in self.named.items() if item[0] not in _MESSAGES)
        return tuple(term("keyword", one, value=name) for name, one in kept)


def approximately(left: Term, right: Term, relative: Term, absolute: Term) -> Term:
    """Return the predicate that two values are close."""
    first, second = sorted((left, right), key=lambda one: one.digest)
    return term("approx", first, second, relative, absolute)


ZERO = constant(0)
PLACES_DEFAULT = constant(5e-8)


def _places(places: Term | None, scale: float) -> Term:
    if places is None:
        return PLACES_DEFAULT
    if isinstance(places.node, int) and -30 < places.node < 30:
        return constant(scale * 10.0**-places.node)
    return term("places", places)


def _almost(given: Arguments) -> Term | None:
    left, right = given.get(0, "first"), given.get(1, "second")
    if left is None or right is None:
        return None
    delta = given.get(4, "delta")
    absolute = delta if delta is not None and delta.node is not None else None
    if delta is not None and delta.kind != "const":
        absolute = delta
    return approximately(left, right, ZERO, absolute or _places(given.get(2, "places"), 0.5))


def _relation(name: str, *, negate: bool = False) -> Callable[[Arguments], Term | None]:
    def predicate(given: Arguments) -> Term | None:
        left = given.get(0, "first", "expr1", "member", "a", "list1", "tuple1", "set1", "d1")
        right = given.get(1, "second", "expr2", "container", "b", "list2", "tuple2", "set2", "d2")
        if left is None or right is None:
            return None
        made = relation(name, left, right)
        return negated(made) if negate else made

    return predicate


def _truth(given: Arguments) -> Term | None:
    return given.get(0, "expr", "obj")


def _false(given: Arguments) -> Term | None:
    one = _truth(given)
    return None if one is None else negated(one)


def _none(kind: str) -> Callable[[Arguments], Term | None]:
    def predicate(given: Arguments) -> Term | None:
        one = given.get(0, "obj")
        return None if one is None else relation(kind, one, constant(None))

    return predicate


def _builtin(
    name: str, *, negate: bool = False, swap: bool = False
) -> Callable[[Arguments], Term | None]:
    def predicate(given: Arguments) -> Term | None:
        if len(given.positional) < 2:
            return None
        left, right = given.positional[:2]
        sides = (right, left) if swap else (left, right)
        made = term("call", term("builtin", value=name), *sides)
        return negated(made) if negate else made

    return predicate


def _named(kind: str, *, negate: bool = False) -> Callable[[Arguments], Term | None]:
    def predicate(given: Arguments) -> Term | None:
        if len(given.positional) + len(given.named) < 2:
            return None
        made = term(kind, *given.positional[:2], *given.keywords)
        return negated(made) if negate else made

    return predicate


UNITTEST: Mapping[str, Callable[[Arguments], Term | None]] = {
    **dict.fromkeys(
        (
            "assertEqual",
            "assertEquals",
            "failUnlessEqual",
            "assertListEqual",
            "assertTupleEqual",
            "assertSetEqual",
            "assertDictEqual",
            "assertSequenceEqual",
            "assertMultiLineEqual",
        ),
        _relation("eq"),
    ),
    **dict.fromkeys(("assertNotEqual", "assertNotEquals"), _relation("ne")),
    **dict.fromkeys(("assertTrue", "assert_", "failUnless"), _truth),
    **dict.fromkeys(("assertFalse", "failIf"), _false),
    "assertIs": _relation("is"),
    "assertIsNot": _relation("isnot"),
    "assertIsNone": _none("is"),
    "assertIsNotNone": _none("isnot"),
    "assertIn": _relation("in"),
    "assertNotIn": _relation("notin"),
    "assertGreater": _relation("gt"),
    "assertGreaterEqual": _relation("ge"),
    "assertLess": _relation("lt"),
    "assertLessEqual": _relation("le"),
    "assertIsInstance": _builtin("isinstance"),
    "assertNotIsInstance": _builtin("isinstance", negate=True),
    "assertIsSubclass": _builtin("issubclass"),
    "assertHasAttr": _builtin("hasattr"),
    "assertAlmostEqual": _almost,
    "assertAlmostEquals": _almost,
    "assertNotAlmostEqual": lambda given: None if (one := _almost(given)) is None else negated(one),
    **dict.fromkeys(("assertCountEqual", "assertItemsEqual"), _named("same_elements")),
    **dict.fromkeys(("assertRegex", "assertRegexpMatches"), _named("search")),
    **dict.fromkeys(("assertNotRegex", "assertNotRegexpMatches"), _named("search", negate=True)),
}


def _attribute(mock: Term, name: str) -> Term:
    return term("attr", mock, value=name)


def _call(given: Arguments) -> Term:
    return term("call", _MOCK_CALL, *given.positional, *_sorted_keywords(given))


def _sorted_keywords(given: Arguments) -> tuple[Term, ...]:
    return tuple(term("keyword", one, value=name) for name, one in sorted(given.named.items()))


def _called_once_with(mock: Term, given: Arguments) -> Term:
    return relation("eq", _attribute(mock, "call_args_list"), term("list", _call(given)))


def _called_with(mock: Term, given: Arguments) -> Term:
    return relation("eq", _attribute(mock, "call_args"), _call(given))


def _any_call(mock: Term, given: Arguments) -> Term:
    return relation("in", _call(given), _attribute(mock, "mock_calls"))


def _has_calls(mock: Term, given: Arguments) -> Term:
    return term("has_calls", mock, *given.positional, *_sorted_keywords(given))


_AWAITS = {"await": "call", "awaited": "called"}
MOCK: Mapping[str, Callable[[Term, Arguments], Term]] = {
    "assert_called_once_with": _called_once_with,
    "assert_called_with": _called_with,
    "assert_any_call": _any_call,
    "assert_has_calls": _has_calls,
    "assert_called": lambda mock, _: _attribute(mock, "called"),
    "assert_called_once": lambda mock, _: relation(
        "eq", _attribute(mock, "call_count"), constant(1)
    ),
    "assert_not_called": lambda mock, _: negated(_attribute(mock, "called")),
    "assert_awaited_once_with": lambda mock, given: relation(
        "eq", _attribute(mock, "await_args_list"), term("list", _call(given))
    ),
    "assert_awaited_with": lambda mock, given: relation(
        "eq", _attribute(mock, "await_args"), _call(given)
    ),
    "assert_any_await": lambda mock, given: relation(
        "in", _call(given), _attribute(mock, "await_args_list")
    ),
    "assert_has_awaits": lambda mock, given: term("has_awaits", mock, *given.positional),
    "assert_awaited": lambda mock, _: relation("lt", ZERO, _attribute(mock, "await_count")),
    "assert_awaited_once": lambda mock, _: relation(
        "eq", _attribute(mock, "await_count"), constant(1)
    ),
    "assert_not_awaited": lambda mock, _: relation("eq", _attribute(mock, "await_count"), ZERO),
}
#: What looks like a mock's assertion and is only an attribute: true whatever was called.
MISSPELT = frozenset(
    (
        "called_once",
        "called_with",
        "called_once_with",
        "has_calls",
        "not_called",
        "any_call",
        "asert_called",
        "assert_called_one_with",
        "assret_called_once_with",
    )
)


def _close(relative: float, absolute: float, *names: str) -> Callable[[Arguments], Term | None]:
    """Return the predicate of a closeness function with these defaults, names: rel, then abs."""

    def predicate(given: Arguments) -> Term | None:
        if len(given.positional) < 2:
            return None
        rel = given.get(2, names[0])
        ab = given.get(3, names[1])
        left, right = given.positional[:2]
        return approximately(left, right, rel or constant(relative), ab or constant(absolute))

    return predicate


def _decimals(default: int) -> Callable[[Arguments], Term | None]:
    def predicate(given: Arguments) -> Term | None:
        if len(given.positional) < 2:
            return None
        places = given.get(2, "decimal", "significant") or constant(default)
        left, right = given.positional[:2]
        return approximately(left, right, ZERO, _places(places, 1.5))

    return predicate


def _same(given: Arguments) -> Term | None:
    if len(given.positional) < 2:
        return None
    return term("same", *sorted(given.positional[:2], key=lambda t: t.digest), *given.keywords)


_NUMPY: Mapping[str, Callable[[Arguments], Term | None]] = {
    "assert_allclose": _close(1e-7, 0, "rtol", "atol"),
    "assert_almost_equal": _decimals(7),
    "assert_array_almost_equal": _decimals(6),
    "assert_approx_equal": _decimals(7),
    "assert_equal": _same,
    "assert_array_equal": _same,
    "assert_string_equal": _same,
    "assert_array_less": _relation("lt"),
    "assert_": _truth,
}
_PANDAS = ("assert_frame_equal", "assert_series_equal", "assert_index_equal", "assert_equal")
_NUMPY_MODULES = ("numpy.testing", "numpy.ma.testutils", "scipy._lib._array_api", "np.testing")
CLOSENESS: Mapping[str, Callable[[Arguments], Term | None]] = {
    "math.isclose": _close(1e-9, 0, "rel_tol", "abs_tol"),
    "cmath.isclose": _close(1e-9, 0, "rel_tol", "abs_tol"),
    "numpy.isclose": _close(1e-5, 1e-8, "rtol", "atol"),
    "numpy.allclose": _close(1e-5, 1e-8, "rtol", "atol"),
}


def foreign(dotted: str, given: Arguments) -> Term | None:
    """Return the predicate of a checking function of a known library, None for any other."""
    module, _, name = dotted.rpartition(".")
    if name in _NUMPY and (module in _NUMPY_MODULES or module.endswith("testing")):
        return _NUMPY[name](given)
    if name.startswith("assert_") and name.endswith("equal") and "pandas" in module:
        return _same(given)
    if name in _PANDAS and module.endswith(("testing", "tm")):
        return _same(given)
    return None


@functools.lru_cache(maxsize=4096)
def is_spoken(dotted: str, short: str) -> bool:
    """Return whether a call of this name may say what it demands: any other says nothing."""
    module, _, name = dotted.rpartition(".")
    return (
        short in UNITTEST
        or short in MOCK
        or (name in _NUMPY and (module in _NUMPY_MODULES or module.endswith("testing")))
        or (name.startswith("assert_") and name.endswith("equal"))
        or name in _PANDAS
        or sounds_like_check(short)
    )


_VERBS = ("assert", "check", "verify", "expect", "ensure", "should", "validate", "require")


def sounds_like_check(name: str) -> bool:
    """Return whether a function nobody here can read is named for what it demands."""
    bare = name.rpartition(".")[2].lstrip("_").lower()
    return bare.startswith(_VERBS[:1]) or any(
        bare == verb or bare.startswith((f"{verb}_",)) for verb in _VERBS
    )


def opaque(function: Term, given: Sequence[Term]) -> Term:
    """Return the predicate of a checking function nobody here can read."""
    return term("demand", function, *given)
