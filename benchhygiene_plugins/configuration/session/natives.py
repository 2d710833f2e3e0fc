"""Functions from outside the tree that hooks use, by their dotted names."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from benchhygiene.inventory.values import Opaque, Unknown
from benchhygiene_plugins.configuration.session.items import ClassOf, FunctionOf, Item
from benchhygiene_plugins.configuration.session.methods import glob_match
from benchhygiene_plugins.configuration.session.things import (
    Arguments,
    Instance,
    Keywords,
    PathText,
)

_LONGEST_PATTERN = 200
_LONGEST_SUBJECT = 1_000
# A repetition of something that repeats, or of alternatives, may take exponential time.
_COSTLY = re.compile(r"[*+}]\)?[*+{]|\([^)]*[*+|{][^)]*\)[*+{]|\\[1-9]")


def _texts(arguments: Arguments) -> list[str]:
    if any(isinstance(one, Opaque) for one in arguments):
        raise Unknown("not known what it is called with")
    return [str(one) for one in arguments]


def _searched(how: str) -> Callable[[Arguments, Keywords], object]:
    def search(arguments: Arguments, words: Keywords) -> object:
        pattern, subject = arguments[0], arguments[1]
        if not isinstance(pattern, str) or isinstance(subject, Opaque) or len(arguments) > 2:
            raise Unknown("not known what is searched for")
        return _found(how, pattern, str(subject))

    return search


def _found(how: str, pattern: str, subject: str) -> object:
    if len(pattern) > _LONGEST_PATTERN or len(subject) > _LONGEST_SUBJECT:
        raise Unknown("too long to be searched")
    if _COSTLY.search(pattern) or pattern.count("*") + pattern.count("+") > 3:
        raise Unknown("too costly to be searched")
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise Unknown("no pattern") from error
    return bool(cast("Callable[[str], object]", getattr(compiled, how))(subject)) or None


def compiled_method(pattern: str, how: str, arguments: Arguments, words: Keywords) -> object:
    """Return what a method of ``re.compile(pattern)`` gives. Raises Unknown."""
    if how not in ("search", "match", "fullmatch") or isinstance(arguments[0], Opaque):
        raise Unknown(how)
    return _found(how, pattern, str(arguments[0]))


def _first(arguments: Arguments, words: Keywords) -> object:
    return arguments[0]


def _sampled(arguments: Arguments, words: Keywords) -> object:
    """Return as many as are asked for: which ones makes no difference to how many are lost."""
    population = arguments[0]
    count = arguments[1] if len(arguments) > 1 else words.get("k")
    if not isinstance(population, list | tuple) or not isinstance(count, int):
        raise Unknown("not known how many")
    return list(cast("Sequence[object]", population)[:count])


def _nothing(arguments: Arguments, words: Keywords) -> object:
    return None


def _path(arguments: Arguments, words: Keywords) -> object:
    return PathText(posixpath.join(*_texts(arguments)) if arguments else ".")


def _joined(arguments: Arguments, words: Keywords) -> object:
    return posixpath.normpath(posixpath.join(*_texts(arguments)))


def _of_path(function: Callable[[str], object]) -> Callable[[Arguments, Keywords], object]:
    def call(arguments: Arguments, words: Keywords) -> object:
        return function(_texts(arguments)[0])

    return call


def _is_instance(arguments: Arguments, words: Keywords) -> object:
    value = arguments[0]
    asked = arguments[1]
    kinds = cast("tuple[object, ...]", asked) if isinstance(asked, tuple) else (asked,)
    names = [one.text.rpartition(".")[2] if isinstance(one, Opaque) else "?" for one in kinds]
    if isinstance(value, Item):
        return _is_item(value, names)
    plain = {"str": str, "list": list, "dict": dict, "tuple": tuple, "int": int, "bool": bool}
    if isinstance(value, Opaque | Instance) or not all(name in plain for name in names):
        raise Unknown("not known what it is an instance of")
    return isinstance(value, tuple(plain[name] for name in names))


def _is_item(item: Item, names: Sequence[str]) -> bool:
    yes = {"Function", "Item", "Node", "PyobjMixin"} | (
        {"TestCaseFunction"} if item.node.is_unittest else set[str]()
    )
    no = {"TestCaseFunction", "DoctestItem", "Class", "Module", "Package", "Collector", "File"}
    if yes & {*names}:
        return True
    if {*names} <= no:
        return False
    raise Unknown("not known what it is an instance of")


class Grouped(dict[object, object]):
    """A ``defaultdict`` of lists, dicts, sets or numbers."""

    def __init__(self, factory: object) -> None:
        super().__init__()
        self._factory = factory.text if isinstance(factory, Opaque) else "?"

    def __missing__(self, name: object) -> object:
        made: dict[str, object] = {"list": [], "dict": {}, "int": 0, "set": frozenset[object]()}
        if self._factory not in made:
            raise Unknown("not known what is made")
        self[name] = made[self._factory]
        return self[name]


def _is_subclass(arguments: Arguments, words: Keywords) -> object:
    kind, base = arguments[0], arguments[1]
    is_case = isinstance(base, Opaque) and base.text.rpartition(".")[2].endswith("TestCase")
    if isinstance(kind, ClassOf) and is_case:
        return kind.is_unittest
    raise Unknown("not known what it is a subclass of")


def _is_coroutine(arguments: Arguments, words: Keywords) -> object:
    if isinstance(arguments[0], FunctionOf):
        return isinstance(arguments[0].node.definition, ast.AsyncFunctionDef)
    raise Unknown("not known whether it is a coroutine")


NATIVES: Mapping[str, Callable[[Arguments, Keywords], object]] = {
    "fnmatch.fnmatch": lambda arguments, words: glob_match(*arguments[:2]),
    "fnmatch.fnmatchcase": lambda arguments, words: glob_match(*arguments[:2]),
    "fnmatch.filter": lambda arguments, words: [
        one for one in cast("Sequence[object]", arguments[0]) if glob_match(one, arguments[1])
    ],
    "re.search": _searched("search"),
    "re.match": _searched("match"),
    "re.fullmatch": _searched("fullmatch"),
    "random.shuffle": _nothing,
    "random.sample": _sampled,
    "random.choices": _sampled,
    "random.seed": _nothing,
    "print": _nothing,
    "copy.copy": lambda arguments, words: (
        list(cast("list[object]", arguments[0])) if isinstance(arguments[0], list) else arguments[0]
    ),
    "typing.cast": lambda arguments, words: arguments[1],
    "iter": _first,
    "os.fspath": lambda arguments, words: str(arguments[0]),
    "os.path.basename": _of_path(posixpath.basename),
    "os.path.dirname": _of_path(posixpath.dirname),
    "os.path.abspath": _of_path(lambda text: text),
    "os.path.realpath": _of_path(lambda text: text),
    "os.path.normpath": _of_path(posixpath.normpath),
    "os.path.splitext": _of_path(lambda text: posixpath.splitext(text)),
    "os.path.join": _joined,
    "pathlib.Path": _path,
    "pathlib.PurePath": _path,
    "pathlib.PurePosixPath": _path,
    "py.path.local": _path,
    "collections.defaultdict": lambda arguments, words: Grouped(arguments[0]),
    "dict.fromkeys": lambda arguments, words: dict.fromkeys(
        cast("Sequence[object]", arguments[0]), arguments[1] if len(arguments) > 1 else None
    ),
    "isinstance": _is_instance,
    "issubclass": _is_subclass,
    "slice": lambda arguments, words: slice(*arguments),
    "inspect.iscoroutinefunction": _is_coroutine,
    "asyncio.iscoroutinefunction": _is_coroutine,
    "callable": lambda arguments, words: True,
    "operator.delitem": lambda arguments, words: _delete(*arguments[:2]),
}


def _delete(found: object, index: object) -> object:
    if not isinstance(found, list) or not isinstance(index, int | slice):
        raise Unknown("not known what is deleted")
    del cast("list[object]", found)[index]
    return None
