"""Values that are the same, or equal, or beyond doubt, by how they are made."""

from __future__ import annotations

import ast

from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.assertions.certainties import COPIES, MEMBERS
from benchhygiene_plugins.assertions.strength import ANYTHING
from benchhygiene_plugins.assertions.terms import Term, is_call_of


def members(one: Term) -> Term:
    """Return what a set or sorted list has its members from."""
    one = core(one)
    for _ in range(4):
        if one.kind == "call" and len(one.children) == 2 and one.children[0].value in MEMBERS:
            one = core(one.children[1])
    return one


def core(one: Term) -> Term:
    """Return what a copy is a copy of."""
    for _ in range(8):
        first, *rest = one.children or (one,)
        if one.kind == "call" and len(rest) == 1 and first.value in COPIES:
            one = rest[0]
        elif one.kind == "each" and one.value == "list" and len(rest) == 1:
            if first.kind != "element" or first.children[0] != rest[0]:
                return one
            one = rest[0]
        elif one.kind in ("list", "tuple") and not rest and first.kind == "starred":
            one = first.children[0]
        elif one.kind == "call" and first.value == "eval" and rest and is_call_of(rest[0], "repr"):
            one = rest[0].children[1]
        elif one.kind == "call" and not rest and first.kind == "attr":
            if first.value not in ("copy", "__copy__"):
                return one
            one = first.children[0]
        elif one.kind == "item" and _is_whole(rest[0]):
            one = first
        else:
            return one
    return one


def _is_whole(index: Term) -> bool:
    return index.kind == "slice" and all(part.node is None for part in index.children)


def is_anything(one: Term) -> bool:
    """Return whether a value says that it equals every other."""
    if one.kind == "ref":
        return one.value in ANYTHING
    made = one.children[0] if one.kind == "call" else one
    definition = made.node
    return made.kind == "class" and isinstance(definition, ast.ClassDef) and _says_yes(definition)


def _says_yes(definition: ast.ClassDef) -> bool:
    """Return whether the class's ``__eq__`` returns True and nothing else."""
    for member in definition.body:
        if isinstance(member, FunctionNode) and member.name == "__eq__":
            own = member.args.args[0].arg if member.args.args else ""
            returned = [n.value for n in ast.walk(member) if isinstance(n, ast.Return)]
            says_no = [v for v in returned if isinstance(v, ast.Constant) and not v.value]
            looks = [n for n in ast.walk(member) if isinstance(n, ast.Name) and n.id == own]
            return bool(returned) and not says_no and not looks
    return False


def is_fresh(one: Term) -> bool:
    """Return whether a value was made for the comparison and equals nothing else."""
    return one.kind == "call" and one.children[0].value == "object" and len(one.children) == 1


def is_never_negative(one: Term) -> bool:
    """Return whether a number is surely not below zero."""
    if one.kind == "binary" and one.value == "Pow":
        power = one.children[1].node
        return isinstance(power, int) and power % 2 == 0
    named = one.children[0] if one.kind == "call" else one
    return (named.kind == "builtin" and named.value in ("len", "abs", "id")) or (
        named.kind == "attr" and named.value in ("count", "call_count", "__len__")
    )


def is_infinite(one: Term) -> bool:
    """Return whether a number is above every other."""
    if one.kind == "ref":
        return one.value in ("math.inf", "numpy.inf")
    if one.kind == "call" and one.children[0].value == "float" and len(one.children) == 2:
        return str(one.children[1].node).strip("+").lower() in ("inf", "infinity")
    return False


def is_open_pattern(pattern: str) -> bool:
    """Return whether a regular expression is found in every text."""
    bare = pattern.strip("^$()") if not pattern.startswith("(?") else pattern[4:].strip("^$()")
    return bare in ("", ".*", ".*?", "|", ".{0,}", "[\\s\\S]*", "[\\S\\s]*", "(?:)", "\\s*", ".?")
