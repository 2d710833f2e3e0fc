"""Fields of the tests' own named tuples and data classes, where the source gives their values."""

from __future__ import annotations

import ast

from benchhygiene.inventory.python import FunctionNode
from benchhygiene.inventory.spelling import dotted
from benchhygiene_plugins.assertions.modules import Project, resolve
from benchhygiene_plugins.assertions.terms import Term

_ENUMERATIONS = frozenset(("Enum", "IntEnum", "StrEnum"))
_NAMED = frozenset(("NamedTuple", "namedtuple"))
_PLAIN = frozenset(("dataclass", "define", "frozen", "attrs", "s"))


def field(made: Term, name: str) -> Term | None:
    """Return what a field of a record holds, None where the source does not say."""
    names = _fields(made.children[0])
    if name not in names:
        return None
    given = [one for one in made.children[1:] if one.kind != "keyword"]
    if any(one.kind == "starred" for one in given):
        return None
    position = names.index(name)
    if position < len(given):
        return given[position]
    keywords = (one for one in made.children[1:] if one.kind == "keyword" and one.value == name)
    return next((one.children[0] for one in keywords), None)


def _fields(maker: Term) -> tuple[str, ...]:
    """Return the fields of a class of records, none for any other class."""
    if maker.kind == "class" and isinstance(maker.node, ast.ClassDef):
        return fields_of(maker.node)
    if maker.kind != "call" or maker.children[0].value.rpartition(".")[2] not in _NAMED:
        return ()
    if len(maker.children) < 3:
        return ()
    listed = maker.children[2]
    if isinstance(listed.node, str):
        return tuple(listed.node.replace(",", " ").split())
    parts = [one.children[0] if one.kind == "tuple" else one for one in listed.children]
    return tuple(str(one.node) for one in parts)


def fields_of(definition: ast.ClassDef) -> tuple[str, ...]:
    """Return the fields that a class of records is made with, in order.

    None where it makes, compares or looks up anything by itself, or derives from other records.
    """
    if not _is_record(definition):
        return ()
    for member in definition.body:
        if isinstance(member, FunctionNode) and member.name.startswith("__"):
            if member.name != "__post_init__" or "set" in ast.dump(member).lower():
                return ()
            if any(isinstance(getattr(n, "ctx", None), ast.Store) for n in ast.walk(member)):
                return ()
    members = [one for one in definition.body if isinstance(one, ast.AnnAssign)]
    names = [one.target.id for one in members if isinstance(one.target, ast.Name)]
    special = any("field" in ast.dump(one.value) for one in members if one.value is not None)
    return () if special else tuple(names)


def _is_record(definition: ast.ClassDef) -> bool:
    if len(definition.bases) == 1 and not definition.decorator_list:
        return dotted(definition.bases[0]).rpartition(".")[2] == "NamedTuple"
    if definition.bases or len(definition.decorator_list) != 1:
        return False
    decorator = definition.decorator_list[0]
    if isinstance(decorator, ast.Call):
        if any(k.arg in ("eq", "init", "kw_only", "cmp") for k in decorator.keywords):
            return False
        decorator = decorator.func
    return dotted(decorator).rpartition(".")[2] in _PLAIN


def enumerated(project: Project, named: Term, importer: str) -> tuple[str, ...]:
    """Return the members of an enumeration of the tree, in order, none for anything else."""
    definition = named.node
    if named.kind == "ref" and project.is_own(str(named.node)):
        found = resolve(project, str(named.node), importer)
        definition = found[0].classes.get(found[1]) if found is not None else None
    if not isinstance(definition, ast.ClassDef) or not _is_enumeration(definition):
        return ()
    members = [one for one in definition.body if isinstance(one, ast.Assign)]
    names = [one.targets[0].id for one in members if isinstance(one.targets[0], ast.Name)]
    values = [ast.dump(one.value) for one in members]
    is_plain = len({*values}) == len(values) or all("auto" in one for one in values)
    return tuple(one for one in names if not one.startswith("_")) if is_plain else ()


def _is_enumeration(definition: ast.ClassDef) -> bool:
    bases = {dotted(one).rpartition(".")[2] for one in definition.bases}
    return bool(bases & _ENUMERATIONS)
