"""What a demand to raise lets through, against what it let through before."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

import attrs

from benchhygiene.inventory.spelling import dotted
from benchhygiene_plugins.assertions.checks import Check
from benchhygiene_plugins.assertions.edits import Edit, Kind
from benchhygiene_plugins.assertions.module import Module
from benchhygiene_plugins.assertions.modules import Project, resolve
from benchhygiene_plugins.assertions.sameness import is_open_pattern
from benchhygiene_plugins.assertions.terms import Term

_HOPS = 12
_SPECIAL = frozenset("|?*+{}[]()")


@attrs.frozen(eq=False)
class Hierarchy:
    """Which exception is a kind of which, as far as the tree and Python say."""

    project: Project

    def is_kind_of(self, one: Term, other: Term, importer: str) -> bool:
        """Return whether every exception of one clause is caught by the other."""
        mine, wider = _alternatives(one), _alternatives(other)
        return bool(mine) and all(any(self._is_a(m, w, importer) for w in wider) for m in mine)

    def _is_a(self, one: Term, other: Term, importer: str) -> bool:
        if one == other or _short(other) == "BaseException":
            return True
        names = set(self._ancestors(one, importer))
        if _short(other) in names:
            return True
        # An exception that nobody here defines is at least an Exception.
        return _short(other) == "Exception" and not names & {"BaseException"}

    def _ancestors(self, one: Term, importer: str) -> Iterator[str]:
        if one.kind == "builtin":
            yield from _builtin(one.value)
            return
        found = self._definition(one, importer)
        queue = [found] if found is not None else []
        for definition, module in queue:
            for base in definition.bases:
                name = dotted(base)
                yield name.rpartition(".")[2]
                yield from _builtin(name)
                inner = self._resolved(name, module)
                if inner is not None and len(queue) < _HOPS:
                    queue.append(inner)

    def _definition(self, one: Term, importer: str) -> tuple[ast.ClassDef, Module] | None:
        module = self.project.module(importer)
        if isinstance(one.node, ast.ClassDef) and module is not None:
            return one.node, module
        found = resolve(self.project, str(one.node), importer) if one.kind == "ref" else None
        if found is None or found[1] not in found[0].classes:
            return None
        return found[0].classes[found[1]], found[0]

    def _resolved(self, name: str, module: Module) -> tuple[ast.ClassDef, Module] | None:
        if name in module.classes:
            return module.classes[name], module
        first, _, rest = name.partition(".")
        full = module.source.aliases.get(first, first) + (f".{rest}" if rest else "")
        found = resolve(self.project, full, module.path)
        if found is None or found[1] not in found[0].classes:
            return None
        return found[0].classes[found[1]], found[0]


def _alternatives(one: Term) -> tuple[Term, ...]:
    return one.children if one.kind in ("tuple", "list") else (one,)


def _short(one: Term) -> str:
    return one.value.rpartition(".")[2]


def _builtin(name: str) -> Iterator[str]:
    known = getattr(builtins, name, None)
    if isinstance(known, type) and issubclass(known, BaseException):
        yield from (kind.__name__ for kind in known.__mro__[:-1])


def compare(old: Check, new: Check, hierarchy: Hierarchy) -> Iterator[Edit]:
    """Yield what a demand to raise has lost."""
    kind, match, *body = old.fact.children
    new_kind, new_match, *new_body = new.fact.children
    if body != new_body:
        yield from _body(old, new, body, new_body)
    if kind != new_kind and not hierarchy.is_kind_of(new_kind, kind, new.place.path):
        yield Edit(Kind.RAISES_BROADENED, old, new, "it accepts other exceptions")
    if match != new_match and not _is_narrower(match, new_match):
        yield Edit(Kind.RAISES_BROADENED, old, new, "it accepts other messages")


def _body(old: Check, new: Check, before: list[Term], after: list[Term]) -> Iterator[Edit]:
    added = [one for one in after if one not in before]
    gone = [one for one in before if one not in after]
    if any(one.kind == "raise" for one in added):
        yield Edit(Kind.SELF_RAISED, old, new, "the block raises by itself")
    elif added and all(any(one.contains(g) and one != g for one in added) for g in gone):
        yield Edit(Kind.SELF_RAISED, old, new, "another statement in the block may raise")
    elif not after or (gone and not _tested(gone) & _tested(added)):
        if _tested(gone):
            yield Edit(Kind.SELF_RAISED, old, new, "what raises is not the code under test")
        else:
            yield Edit(Kind.INPUT_CHANGED, old, new, "another statement is to raise")
    else:
        yield Edit(Kind.INPUT_CHANGED, old, new, "the code under test is called differently")


def _tested(body: list[Term]) -> set[Term]:
    """Return the functions of the code under test in a block, constructors left out."""
    return {
        part
        for one in body
        for part in one.subterms()
        if part.kind == "ref"
        and part.has_product
        and not part.value.rpartition(".")[2][:1].isupper()
    }


def _is_narrower(old: Term, new: Term) -> bool:
    if old.kind == "const" and old.node is None:
        return True
    before, after = _pattern(old), _pattern(new)
    if before is None or after is None or is_open_pattern(after):
        return before is not None and is_open_pattern(before)
    plain, longer = before.replace("\\", ""), after.replace("\\", "")
    added = longer.replace(plain, "", 1)
    return bool(plain) and plain in longer and not set(added) & _SPECIAL


def _pattern(one: Term) -> str | None:
    if one.kind == "call" and one.children[0].value == "re.escape" and len(one.children) == 2:
        one = one.children[1]
    return one.node if isinstance(one.node, str) else None
