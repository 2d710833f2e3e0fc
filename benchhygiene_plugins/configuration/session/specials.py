"""Functions from outside the tree that need the machine itself: they call back, or look around."""

from __future__ import annotations

import ast
import functools
import posixpath
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias, cast

from benchhygiene.inventory.python import parse
from benchhygiene.inventory.values import Opaque, Unknown
from benchhygiene_plugins.configuration.session.items import Item
from benchhygiene_plugins.configuration.session.natives import compiled_method
from benchhygiene_plugins.configuration.session.options import Options
from benchhygiene_plugins.configuration.session.texts import OpenFile, file_text, globbed, parsed
from benchhygiene_plugins.configuration.session.things import (
    ROOT,
    UNKNOWN,
    Arguments,
    External,
    Frame,
    Keywords,
    Native,
    Thing,
)

if TYPE_CHECKING:
    from benchhygiene_plugins.configuration.session.machine import Machine

Special: TypeAlias = "Callable[[Machine, Frame, Arguments, Keywords], object]"
_LONGEST = 10_000


def _getattr(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    if not isinstance(arguments[1], str):
        raise Unknown("an attribute of any name")
    if len(arguments) > 2 and isinstance(arguments[0], Item) and arguments[0].lacks(arguments[1]):
        return arguments[2]
    try:
        return machine.member(arguments[0], arguments[1])
    except Unknown:
        if len(arguments) > 2 and isinstance(arguments[0], Thing):
            return arguments[2]
        raise


def _hasattr(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    if not isinstance(arguments[1], str):
        raise Unknown("an attribute of any name")
    if isinstance(arguments[0], Item) and arguments[0].lacks(arguments[1]):
        return False
    machine.member(arguments[0], arguments[1])
    return True


def _setattr(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    store = getattr(arguments[0], "store", None)
    if store is None or not isinstance(arguments[1], str):
        raise Unknown("not known what is set")
    store(arguments[1], arguments[2])
    return None


def _any(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    return _either(machine.elements(arguments[0]), decides=True)


def _all(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    return _either(machine.elements(arguments[0]), decides=False)


def _either(values: list[object], *, decides: bool) -> object:
    known = [one for one in values if not isinstance(one, Opaque)]
    if any(bool(one) is decides for one in known):
        return decides
    if len(known) < len(values):
        raise Unknown("not known of one of them")
    return not decides


def _filter(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    return _filtered(machine, frame, arguments, keeps=True)


def _filterfalse(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    return _filtered(machine, frame, arguments, keeps=False)


def _filtered(machine: Machine, frame: Frame, arguments: Arguments, *, keeps: bool) -> object:
    kept: list[object] = []
    for one in machine.elements(arguments[1]):
        asked = one if arguments[0] is None else _called(machine, frame, arguments[0], one)
        holds = machine.decisions.take("filter") if isinstance(asked, Opaque) else bool(asked)
        kept += [one] if holds is keeps else []
    return kept


def _called(machine: Machine, frame: Frame, function: object, *arguments: object) -> object:
    try:
        return machine.call(function, arguments, {}, frame)
    except Unknown:
        return UNKNOWN


def _map(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    items = machine.elements(arguments[1])
    return [_called(machine, frame, arguments[0], one) for one in items]


def _sorted(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    found = machine.elements(arguments[0])
    if all(isinstance(one, str) for one in found) and "key" not in words:
        return sorted(cast("list[str]", found), reverse=bool(words.get("reverse")))
    return found  # the order does not matter here


def _next(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    found = machine.elements(arguments[0])
    if not found and len(arguments) < 2:
        raise Unknown("nothing comes next")
    return found[0] if found else arguments[1]


def _vars(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    if not arguments:
        return frame.names
    found = arguments[0]
    if isinstance(found, Options):
        return found
    if isinstance(found, Thing):
        return found.attributes
    raise Unknown("not known what it holds")


def _globals(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    return frame.module.names


def _import(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    if not isinstance(arguments[0], str):
        raise Unknown("a module of any name")
    return machine.meant(machine.modules.target(arguments[0], frame.path))


def _exec(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    source = arguments[0]
    file = parse(source.encode()) if isinstance(source, str) and len(source) < _LONGEST else None
    if file is None or file.module is None:
        machine.doubts[machine.cause] = None
        raise Unknown("not known what is run")
    machine.execute(machine, file.body, frame)
    return None


def _eval(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    source = arguments[0]
    file = parse(source.encode()) if isinstance(source, str) and len(source) < _LONGEST else None
    only = file.body[0] if file is not None and len(file.body) == 1 else None
    if not isinstance(only, ast.Expr):
        raise Unknown("not known what is run")
    return machine.value(only.value, frame)


def _first(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    return arguments[0]


def _partial(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    function, *given = arguments

    def call(more: Arguments, further: Keywords) -> object:
        return machine.call(function, [*given, *more], {**words, **further}, frame)

    return Native("partial", call)


def _open(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    path = str(arguments[0])
    return OpenFile(file_text(machine.modules.tree, posixpath.normpath(path)))


def _loads(kind: str) -> Special:
    def loads(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
        given = arguments[0]
        text = given.text if isinstance(given, OpenFile) else given
        if not isinstance(text, str):
            raise Unknown("not known what is parsed")
        return parsed(kind, text)

    return loads


def _compiled(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    pattern = arguments[0]
    if not isinstance(pattern, str) or len(arguments) > 1:
        raise Unknown("not known what is searched for")
    compiled = Thing()
    for how in ("search", "match", "fullmatch"):
        compiled.attributes[how] = Native(how, functools.partial(compiled_method, pattern, how))
    return compiled


def _listed(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    """Return what ``os.listdir`` gives of a directory of the tree."""
    path = str(arguments[0]) if arguments else ROOT
    base = posixpath.normpath(posixpath.relpath(path, ROOT) if path.startswith(ROOT) else path)
    prefix = "" if base == "." else f"{base}/"
    names = {
        one.removeprefix(prefix).partition("/")[0]
        for one in machine.modules.tree.entries
        if one.startswith(prefix)
    }
    return sorted(names)


def _globbed(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    pattern = str(arguments[0])
    is_absolute = pattern.startswith(f"{ROOT}/")
    base = ROOT if is_absolute or "root_dir" not in words else str(words["root_dir"])
    found = globbed(machine.modules.tree, base, pattern.removeprefix(f"{ROOT}/"))
    return [f"{ROOT}/{path}" if is_absolute else path for path in found]


def _marked(machine: Machine, frame: Frame, arguments: Arguments, words: Keywords) -> object:
    if isinstance(arguments[0], str):
        return External(f"pytest.mark.{arguments[0]}")
    raise Unknown("a mark of any name")


SPECIALS: Mapping[str, Special] = {
    "getattr": _getattr,
    "hasattr": _hasattr,
    "setattr": _setattr,
    "any": _any,
    "all": _all,
    "filter": _filter,
    "map": _map,
    "sorted": _sorted,
    "next": _next,
    "vars": _vars,
    "locals": _vars,
    "globals": _globals,
    "exec": _exec,
    "eval": _eval,
    "compile": _first,
    "open": _open,
    "__import__": _import,
    "importlib.import_module": _import,
    "itertools.filterfalse": _filterfalse,
    "functools.partial": _partial,
    "json.loads": _loads("json"),
    "json.load": _loads("json"),
    "tomllib.loads": _loads("toml"),
    "tomllib.load": _loads("toml"),
    "re.compile": _compiled,
    "os.listdir": _listed,
    "glob.glob": _globbed,
    "glob.iglob": _globbed,
    "pytest.mark.__getattr__": _marked,
    "builtins.setattr": _setattr,
    "builtins.getattr": _getattr,
    "builtins.exec": _exec,
}
