"""What became of the code that supplies the tests of a change with data."""

from __future__ import annotations

import ast
import functools
import posixpath
from collections.abc import Iterator, Mapping

import attrs

from benchhygiene.evidence import Change
from benchhygiene.inventory.importers import changed_names, users_among
from benchhygiene.inventory.outline import EVERYTHING
from benchhygiene.inventory.python import dumped
from benchhygiene.inventory.touched import rules_of
from benchhygiene_plugins.oracles.differences import (
    Compared,
    Difference,
    compared,
    compared_values,
)
from benchhygiene_plugins.oracles.expressions import Expressions
from benchhygiene_plugins.oracles.moves import Moves
from benchhygiene_plugins.oracles.sides import Side, asked_for
from benchhygiene_plugins.oracles.steps import Step, Unfollowed, of_step
from benchhygiene_plugins.oracles.suppliers import Role, Supplier
from benchhygiene_plugins.oracles.territory import Standing

#: Fixtures of pytest and its best-known plugins, which a fixture of the same name replaces.
_BUILTIN = """
cache capfd capfdbinary caplog capsys capsysbinary doctest_namespace monkeypatch pytestconfig
record_property recwarn tmp_path tmp_path_factory tmpdir tmpdir_factory
benchmark mocker snapshot db requests_mock respx_mock httpx_mock freezer
"""
BUILTIN = frozenset(_BUILTIN.split())
_FOLLOWED = 3  # fixtures that ask for fixtures


@attrs.frozen
class Supplied:
    """One supplier that is not what it was; ``texts`` are its definitions, or what differs in them.

    ``unseen`` says why that is not known.
    """

    supplier: Supplier
    what: str
    is_certain: bool = True
    texts: tuple[str, str] = ("", "")
    unseen: str | None = None


@attrs.frozen(eq=False, slots=False)
class Code:
    """Compares the suppliers of a change."""

    change: Change
    old: Side
    new: Side

    @classmethod
    def of(cls, change: Change) -> Code:
        """Return what compares the suppliers of a change."""
        rules = rules_of(change)
        old, new = Side.of(change.parent, rules), Side.of(change.candidate, rules)
        new.reading.moved = change.surveyed(Moves).origins()
        new.reading.renamed = renamed_classes(change, old, new)
        return cls(change, old, new)

    def supplied(self) -> Iterator[Supplied]:
        """Yield, by path and line, every supplier that supplies less or something else."""
        territory = self.old.reading.territory
        for path in self.change.differing():
            if path.endswith(".py") and territory.standing(path) is Standing.CODE:
                found = [*self._of_file(path)]
                told = " ".join(text for one in found for text in one.texts)
                for one in sorted(found, key=lambda each: each.supplier.line):
                    is_told = (
                        one.supplier.role is Role.CONSTANT
                        and one.supplier.name in told.replace(one.texts[0], "", 1)
                    )
                    if not is_told:
                        yield one

    def _may_differ(self, path: str, name: str) -> bool:
        """Return whether a name at the top of a differing file may not mean what it did.

        Who uses the others' names is only asked of what reads the same.
        """
        for known in (self._changed.get(path, ()), self._used.get(path, ())):
            if EVERYTHING in known or name in known:
                return True
        return False

    @functools.cached_property
    def _changed(self) -> dict[str, frozenset[str]]:
        """Return the names of each differing file that do not read as they did."""
        trees = (self.change.parent, self.change.candidate)
        standing = self.old.reading.territory.standing
        paths = [p for p in self.change.differing() if p.endswith(".py")]
        paths = [p for p in paths if standing(p) is Standing.CODE]
        return {path: changed_names(*trees, path) for path in paths}

    @functools.cached_property
    def _used(self) -> Mapping[str, frozenset[str]]:
        """Return the names of differing files that rest on those of others, or lead back."""
        changed = {path: names for path, names in self._changed.items() if names}
        return users_among(self.change.parent, self._changed, changed)

    def _of_file(self, path: str) -> Iterator[Supplied]:
        broken = self._broken(path)
        if broken is not None:
            yield broken
            return
        before, after = self.old.suppliers(path), self.new.suppliers(path)
        spare = {name: one for name, one in after.items() if name not in before}
        for name, one in before.items():
            other = after.get(name)
            if other is not None and (other.role is one.role or one.role is Role.HELPER):
                if self._may_differ(path, name.partition(".")[0]):
                    yield from self._compared(one, other)
            else:
                yield from self._gone(one, spare)
        for one in spare.values():
            if one.role is Role.FIXTURE:
                yield from self._overriding(one)

    def _broken(self, path: str) -> Supplied | None:
        """Return the doubt about a file that has suppliers and cannot be read any more."""
        if not self.change.candidate.is_file(path) or not self.change.parent.is_file(path):
            return None
        for side, other in ((self.new, self.old), (self.old, self.new)):
            module = side.fixtures.modules.at(path)
            if module is not None and module.file.error is None:
                continue
            known = [*other.suppliers(path).values()]
            if known:
                reason = module.file.error if module is not None else "its bytes cannot be had"
                return Supplied(known[0], "cannot be read", unseen=reason)
        return None

    def _compared(self, one: Supplier, other: Supplier, why: str = "") -> Iterator[Supplied]:
        found = self._difference(one, other)
        if found is None:
            doubt = "it is too large or too deeply nested to be followed"
            if self.old.text(one) != self.new.text(other):
                yield Supplied(other, "may supply something else", unseen=doubt)
            return
        is_less = found.difference is Difference.LESS
        if found.difference in (Difference.NONE, Difference.MORE):
            if one.is_autouse and not other.is_autouse and one.path == other.path:
                texts = (self.old.text(one), self.new.text(other))
                yield Supplied(one, "is not used by every test any more", texts=texts)
            return
        is_certain = is_less or one.role in (Role.FIXTURE, Role.SETUP, Role.FACTORY)
        what = why or f"supplies {found.difference.value}"
        yield Supplied(
            other if why else attrs.evolve(one, line=other.line),
            what,
            is_certain,
            self._texts(one, other, found),
        )

    def _difference(self, one: Supplier, other: Supplier) -> Compared | None:
        self.old.reading.begin()
        self.new.reading.begin()
        try:
            if one.value is not None and other.value is not None:
                before = Expressions(self.old.reading, one.path).spell(one.value)
                after = Expressions(self.new.reading, other.path).spell(other.value)
                return compared_values(before, after)
            if one.definition is None or other.definition is None:
                return None
            if type(one.definition) is not type(other.definition) and one.role is not Role.FIXTURE:
                return Compared(Difference.OTHER)
            found = compared(self.old.form(one, other), self.new.form(other, one))
            if found.difference in (Difference.OTHER, Difference.LESS) and _asks_fixtures(
                one, other
            ):
                forms = (self.old.form(one, other, _FOLLOWED), self.new.form(other, one, _FOLLOWED))
                deeper = compared(*forms)
                return deeper if deeper.difference is Difference.NONE else found
            return found
        except (Unfollowed, RecursionError):
            return None

    def _texts(self, one: Supplier, other: Supplier, found: Compared) -> tuple[str, str]:
        """Return both definitions; where these are the same, the values in them that are not."""
        texts = (self.old.text(one), self.new.text(other))
        if texts[0] != texts[1] or found.old is None or found.new is None:
            return texts
        values = [" ".join(sorted(_values(step))) for step in (found.old, found.new)]
        return (f"{texts[0]}\n# {values[0]}", f"{texts[1]}\n# {values[1]}")

    def _gone(self, one: Supplier, spare: dict[str, Supplier]) -> Iterator[Supplied]:
        if one.role is Role.FIXTURE:
            yield from self._fixture_gone(one, spare)
        elif one.role is Role.SETUP and one.path in self.change.candidate.entries:
            owner = one.qualname.rpartition(".")[0]
            others = [each for each in spare.values() if each.qualname.rpartition(".")[0] == owner]
            if any(self._is_same(one, each) for each in others) or not self._class_stays(one):
                return
            if self._does_anything(one):
                yield Supplied(one, "is gone", texts=(self.old.text(one), ""))

    def _class_stays(self, one: Supplier) -> bool:
        owner = one.qualname.rpartition(".")[0]
        return not owner or bool(self.new.classes(one.path, one.qualname))

    def _does_anything(self, one: Supplier) -> bool:
        """Return whether it does more than to set attributes, which tests would miss at once."""
        try:
            steps = self.old.form(one, one).steps
        except (Unfollowed, RecursionError):
            return True
        done = (each.what for each in steps if each.kind == "do")
        return any("super" not in {one.value for one in what.walked()} for what in done)

    def _fixture_gone(self, one: Supplier, spare: dict[str, Supplier]) -> Iterator[Supplied]:
        where = one.path if one.path in self.change.candidate.entries else _conftest_of(one.path)
        if where is None:
            return
        resolved = self.new.resolved(one.name, where, one.qualname)
        if resolved is not None:
            yield from self._compared(one, attrs.evolve(resolved, is_autouse=one.is_autouse))
            return
        if any(self._is_same(one, each) for each in (*spare.values(), *self._moved(one))):
            return
        if one.is_autouse and self._class_stays(one):
            yield Supplied(one, "is gone", texts=(self.old.text(one), ""))

    def _moved(self, one: Supplier) -> Iterator[Supplier]:
        for path in self.change.differing():
            if path.endswith(".py") and self.new.reading.territory.standing(path) is Standing.CODE:
                yield from (s for s in self.new.suppliers(path).values() if s.name == one.name)

    def _is_same(self, one: Supplier, other: Supplier) -> bool:
        found = self._difference(one, other)
        return found is not None and found.difference in (Difference.NONE, Difference.MORE)

    def _overriding(self, one: Supplier) -> Iterator[Supplied]:
        """Yield what a new fixture takes the place of, where tests got another one by its name."""
        parent = one.path if one.path in self.change.parent.entries else _conftest_of(one.path)
        if parent is None:
            return
        replaced = self.old.resolved(one.name, parent, one.qualname)
        if replaced is not None and replaced.path != one.path:
            why = f"takes the place of the one in {replaced.path} and supplies something else"
            if one.definition is not None and replaced.name not in asked_for(one):
                yield from self._compared(replaced, one, why)
            return
        # One that is made of another fixture of pytest's, such as tmp_path_factory, is as real.
        builds_on = frozenset(asked_for(one)) & frozenset(BUILTIN)
        is_new = replaced is None and one.name in BUILTIN and not builds_on
        if is_new and not self._is_moved(one):
            yield Supplied(one, "takes the place of pytest's own", texts=("", self.new.text(one)))

    def _is_moved(self, one: Supplier) -> bool:
        return any(
            each.name == one.name and each.role is Role.FIXTURE and self._is_same(each, one)
            for path in self.change.differing()
            if path.endswith(".py") and path in self.change.parent.entries
            for each in self.old.suppliers(path).values()
        )


def renamed_classes(change: Change, old: Side, new: Side) -> dict[str, str]:
    """Return the classes of the candidate's tests that are the parent's under another name."""
    paths = [path for path in change.differing() if path.endswith(".py")]
    paths = [path for path in paths if old.reading.territory.standing(path) is Standing.CODE]
    before, after = (
        {n: d for path in paths for n, d in _classes(side, path)} for side in (old, new)
    )
    gone = {digest: name for name, digest in before.items() if name not in after}
    return {name: gone[d] for name, d in after.items() if name not in before and d in gone}


def _classes(side: Side, path: str) -> Iterator[tuple[str, str]]:
    module = side.fixtures.modules.at(path) if side.tree.is_file(path) else None
    for node in module.file.body if module is not None else ():
        if isinstance(node, ast.ClassDef):
            yield node.name, "\n".join([*map(dumped, node.bases), *map(dumped, node.body)])


def _asks_fixtures(one: Supplier, other: Supplier) -> bool:
    return one.role is Role.FIXTURE and bool(asked_for(one) | asked_for(other))


def _conftest_of(path: str) -> str | None:
    """Return where whoever saw the fixtures of a conftest that is not there looks for them now."""
    return path if posixpath.basename(path) == "conftest.py" else None


def _values(step: Step) -> Iterator[str]:
    yield from (one.value for one in of_step(step).walked() if one.kind in ("constant", "path"))
