"""The builtins and methods that are computed for ``values.Evaluator``, all without side effects."""

from __future__ import annotations

import ast
import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, cast

from benchhygiene.inventory.comparisons import holds_unknown, is_set
from benchhygiene.inventory.values import (
    MOST_ELEMENTS,
    Evaluator,
    Opaque,
    ParameterSet,
    Unknown,
    key,
)


class _Function(Protocol):
    """Something that can be called with whatever was worked out."""

    def __call__(self, *values: object, **words: object) -> object: ...


_MOST_WIDE = 12
_LONG_NUMBER = re.compile(r"\d{4}|\*")
_METHODS = frozenset(
    (
        "capitalize",
        "casefold",
        "copy",
        "count",
        "decode",
        "difference",
        "encode",
        "endswith",
        "get",
        "index",
        "intersection",
        "isdigit",
        "items",
        "keys",
        "lower",
        "lstrip",
        "removeprefix",
        "removesuffix",
        "rsplit",
        "rstrip",
        "split",
        "splitlines",
        "startswith",
        "strip",
        "swapcase",
        "title",
        "union",
        "upper",
        "values",
    )
)


def formatted(value: object, spec: str) -> str:
    """Return ``format(value, spec)``; a width that would make a huge text is refused."""
    if _LONG_NUMBER.search(spec):
        raise Unknown("a text too large to look at")
    return format(value, spec)


def formatted_old(template: str, value: object) -> str:
    """Return ``template % value`` within the same bounds."""
    if _LONG_NUMBER.search(template) or isinstance(value, Opaque):
        raise Unknown("a text too large to look at")
    if isinstance(value, tuple) and any(
        isinstance(one, Opaque) for one in cast("tuple[object, ...]", value)
    ):
        raise Unknown("a text made of what is not known")
    return template % value


def _params(*values: object, **words: object) -> object:
    return ParameterSet(values, words.get("id"))


def _ordered(values: Iterable[object], **words: object) -> object:
    listed = list(values)
    if words.keys() - {"reverse"} or any(holds_unknown(one) for one in listed):
        raise Unknown("sorted by what is not known")
    return sorted(cast("list[str]", listed), reverse=bool(words.get("reverse", False)))


def _combined(*many: Iterable[object], repeat: int = 1) -> object:
    if len(many) * repeat > _MOST_WIDE:
        raise Unknown("too many combinations")
    pools = [list(one) for one in many] * repeat
    if math.prod(map(len, pools)) > MOST_ELEMENTS:
        raise Unknown("too many combinations")
    return list(itertools.product(*pools))


def _chosen(function: object, count: Callable[[int, int], int]) -> object:
    choose = cast("Callable[[list[object], int], Iterable[object]]", function)

    def listed(many: Iterable[object], size: int | None = None) -> object:
        pool = list(many)
        width = len(pool) if size is None else size
        if width > _MOST_WIDE or count(len(pool), width) > MOST_ELEMENTS:
            raise Unknown("too many combinations")
        return list(choose(pool, width))

    return listed


def _summed(many: Iterable[object], start: object = 0) -> object:
    parts = list(many)
    if all(isinstance(one, list) for one in (*parts, start)):
        # sum() would copy what it has got so far for each of them.
        return [one for part in (start, *parts) for one in cast("list[object]", part)]
    if not all(isinstance(one, int | float | complex) for one in (*parts, start)):
        raise Unknown("not known what is added up")
    return sum(cast("list[int]", parts), cast("int", start))


def _zipped(*many: Iterable[object], strict: bool = False) -> object:
    return list(zip(*many, strict=strict))


def _span(*bounds: int) -> object:
    # Kept as a range: its length is known before anything is made of it.
    return range(*bounds)


def _taken(function: object) -> object:
    take = cast("_Function", function)

    def listed(*arguments: object) -> object:
        found = cast("Iterable[object]", take(*arguments))
        return list(itertools.islice(found, MOST_ELEMENTS + 1))

    return listed


def _made_dict(*pairs: Iterable[tuple[object, object]], **words: object) -> object:
    made: dict[object, object] = dict(pairs[0]) if pairs else {}
    made.update(words)
    return made


def _numbered(many: Iterable[object], start: int = 0) -> object:
    return list(enumerate(many, start))


def _backwards(many: Sequence[object]) -> object:
    return list(reversed(many))


def _encoded(text: str, encoding: str) -> object:
    return text.encode(encoding)


_FUNCTIONS: Mapping[str, object] = {
    "abs": abs,
    "bool": bool,
    "bytes": _encoded,
    "chr": chr,
    "dict": _made_dict,
    "enumerate": _numbered,
    "float": float,
    "frozenset": frozenset,
    "int": int,
    "itertools.chain": _taken(itertools.chain),
    "itertools.chain.from_iterable": _taken(itertools.chain.from_iterable),
    "itertools.combinations": _chosen(itertools.combinations, math.comb),
    "itertools.islice": _taken(itertools.islice),
    "itertools.permutations": _chosen(itertools.permutations, math.perm),
    "itertools.product": _combined,
    "itertools.repeat": _taken(itertools.repeat),
    "itertools.zip_longest": _taken(itertools.zip_longest),
    "len": len,
    "list": list,
    "max": max,
    "min": min,
    "ord": ord,
    "pytest.param": _params,
    "range": _span,
    "repr": repr,
    "reversed": _backwards,
    "round": round,
    "set": frozenset,
    "sorted": _ordered,
    "str": str,
    "sum": _summed,
    "tuple": tuple,
    "zip": _zipped,
}
#: These look only at how many there are, or hand on what they are given.
_TAKE_UNKNOWN_ELEMENTS = frozenset(
    (
        "dict",
        "enumerate",
        "frozenset",
        "itertools.chain",
        "itertools.chain.from_iterable",
        "itertools.combinations",
        "itertools.islice",
        "itertools.permutations",
        "itertools.product",
        "itertools.repeat",
        "itertools.zip_longest",
        "len",
        "list",
        "pytest.param",
        "reversed",
        "set",
        "tuple",
        "zip",
    )
)


def called(evaluator: Evaluator, node: ast.Call) -> object:
    """Return what a call of a function that is known here gives; raises Unknown for any other."""
    name = evaluator.resolve(node.func)
    if name in ("globals", "vars", "locals") and not node.args:
        return evaluator.lookup("globals()")
    if name in ("filter", "map") and len(node.args) == 2:
        return _applied(evaluator, name, *node.args)
    function = _FUNCTIONS.get(name)
    if function is None:
        return _method(evaluator, node)
    takes_unknown = name in _TAKE_UNKNOWN_ELEMENTS
    arguments = [_argument(evaluator, one, name, takes_unknown) for one in _spread(evaluator, node)]
    words = dict(_words(evaluator, node))
    return cast("_Function", function)(*arguments, **words)


def _words(evaluator: Evaluator, node: ast.Call) -> Iterator[tuple[str, object]]:
    for word in node.keywords:
        if word.arg is not None:
            yield word.arg, evaluator.value_or_opaque(word.value)
            continue
        given = evaluator.raw(word.value)
        if not isinstance(given, dict):
            raise Unknown("called with words that are not known")
        for name, value in cast("Mapping[object, object]", given).items():
            yield str(name), value


def _spread(evaluator: Evaluator, node: ast.Call) -> Iterable[object]:
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            yield from evaluator.elements(evaluator.raw(argument.value))
        else:
            yield evaluator.value_or_opaque(argument)


def _argument(evaluator: Evaluator, value: object, name: str, takes_unknown: bool) -> object:
    if name == "pytest.param":
        return value
    if isinstance(value, Opaque) and value.members is not None and takes_unknown:
        return list(value.members)
    if isinstance(value, Opaque) or (not takes_unknown and holds_unknown(value)):
        raise Unknown("called with what is not known")
    return evaluator.elements(value) if name != "len" and is_set(value) else value


def _applied(evaluator: Evaluator, name: str, function: ast.expr, many: ast.expr) -> object:
    """Compute ``map`` and ``filter`` with a lambda, a known function, or None."""
    items = evaluator.elements(evaluator.raw(many))
    if name == "filter" and isinstance(function, ast.Constant):
        return [one for one in items if _truth(one)]
    results = [_apply(evaluator, function, one) for one in items]
    if name == "map":
        return results
    return [one for one, kept in zip(items, results, strict=True) if _truth(kept)]


def _apply(evaluator: Evaluator, function: ast.expr, argument: object) -> object:
    if isinstance(function, ast.Lambda) and len(function.args.args) == 1:
        inner = evaluator.binding({function.args.args[0].arg: argument})
        return inner.value_or_opaque(function.body)
    known = _FUNCTIONS.get(evaluator.resolve(function))
    if known is None or holds_unknown(argument):
        return Opaque(f"{ast.dump(function)}({key(argument)})")
    return cast("_Function", known)(argument)


def _truth(value: object) -> bool:
    if isinstance(value, Opaque):
        raise Unknown("filtered by what is not known")
    return bool(value)


def _method(evaluator: Evaluator, node: ast.Call) -> object:
    if not isinstance(node.func, ast.Attribute) or node.keywords:
        raise Unknown("a call")
    name = node.func.attr
    if name not in _METHODS | {"join", "replace", "format"}:
        raise Unknown(f"a call of .{name}")
    on = evaluator.raw(node.func.value)
    arguments = [evaluator.raw(one) for one in node.args]
    if isinstance(on, Opaque) or any(holds_unknown(one) for one in arguments):
        raise Unknown("called on what is not known")
    if name in ("join", "replace", "format"):
        return _text_method(on, name, arguments)
    if name in ("items", "keys", "values"):
        return list(cast("Iterable[object]", getattr(on, name)()))
    return cast("_Function", getattr(on, name))(*arguments)


def _text_method(on: object, name: str, arguments: Sequence[object]) -> object:
    if not isinstance(on, str):
        raise Unknown(f"a call of .{name}")
    texts = [one for one in arguments if isinstance(one, str)]
    if name == "replace" and len(texts) == 2:
        if (len(on) + 1) * (len(texts[1]) + 1) > MOST_ELEMENTS:
            raise Unknown("a text too large to look at")
        return on.replace(texts[0], texts[1])
    if name == "format" and not _LONG_NUMBER.search(on) and ":{" not in on:
        return on.format(*arguments)
    if name == "join":
        parts = cast("list[str]", list(cast("Iterable[object]", arguments[0])))
        return on.join(parts) if len(on) * len(parts) < MOST_ELEMENTS else _too_large()
    raise Unknown(f"a call of .{name}")


def _too_large() -> object:
    raise Unknown("a text too large to look at")
