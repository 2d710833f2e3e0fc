"""Put what became of nodes and their parameters into findings."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from benchhygiene import BaseFinding, Location, SymbolKind, Verdict
from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence.tree import Change, SourceTree
from benchhygiene.inventory.collection import Doctest, Node
from benchhygiene.inventory.parameters import Axis, Row
from benchhygiene.inventory.python import FunctionNode, PythonFile, parse
from benchhygiene_plugins.nodes import findings
from benchhygiene_plugins.nodes.doubts import Doubt
from benchhygiene_plugins.nodes.fates import Definition, Deleted, Doubtful, Fate, Hidden, Renamed
from benchhygiene_plugins.nodes.findings import (
    Cause,
    NodeHidden,
    NodeLost,
    NodeUnseen,
    ParametersChanged,
)
from benchhygiene_plugins.nodes.permits import Permits
from benchhygiene_plugins.nodes.rows import Difference

_MOST_NAMED = 5
_SHADOWING = frozenset((Cause.SHADOWED, Cause.REWRITTEN))


@attrs.frozen(eq=False)
class Reporter:
    """Words findings about one change."""

    change: Change
    permits: Permits
    differing: frozenset[str] = attrs.field(
        default=attrs.Factory(lambda self: frozenset(self.change.differing()), takes_self=True),
        init=False,
    )

    def fate(self, fate: Fate) -> Iterator[BaseFinding]:
        """Yield the finding about one node, none where the ledger allows what happened."""
        node_id = fate.node.node_id
        if self.permits.deletes(node_id):
            return
        match fate:
            case Renamed(node, new) if not self.permits.renames(node_id, new.node_id):
                yield self._renamed(node, new)
            case Hidden():
                yield self._hidden(fate)
            case Deleted(node):
                yield NodeLost(
                    rule=findings.DELETED,
                    message=f"{node_id} is gone, and nothing in the candidate has its body",
                    locations=(self._at(node),),
                    node_id=node_id,
                    old_text=self._old_text(node),
                )
            case Doubtful(node, reason):
                yield unseen(Location(node.path), reason)
            case _:
                pass

    def _renamed(self, node: Node, new: Node) -> NodeLost:
        where = Location(new.path, new.line, None, new.node_id, SymbolKind.NODE)
        verb = "moved to" if node.path != new.path else "renamed to"
        return NodeLost(
            rule=findings.RENAMED,
            message=f"{node.node_id} was {verb} {new.node_id}",
            locations=(self._at(node), where),
            node_id=node.node_id,
            became=new.node_id,
            old_text=self._old_text(node),
            new_text=_text(self.change.candidate, new.definition_path, new.definition),
        )

    def _hidden(self, fate: Hidden) -> NodeHidden:
        node, at = fate.node, fate.at
        shadows = fate.cause in _SHADOWING
        place = self._place(node)
        line = fate.line if at is not None and at.path == place else None
        return NodeHidden(
            rule=findings.SHADOWED if shadows else findings.UNCOLLECTED,
            message=f"{node.node_id} {_what(fate.cause)}: {fate.cause.value}",
            locations=(self._at(node, line), *_elsewhere(place, at)),
            node_id=node.node_id,
            cause=fate.cause,
            old_text=self._old_text(node),
            new_text=""
            if at is None
            else _text(self.change.candidate, at.path, at.definition, fate.line),
        )

    def _at(self, node: Node, line: int | None = None) -> Location:
        return Location(self._place(node), line, None, node.node_id, SymbolKind.NODE)

    def _place(self, node: Node) -> str:
        """Return the file the edit is in: of an inherited test that of its base class."""
        path = node.definition_path
        return path if path != node.path and path in self.differing else node.path

    def _old_text(self, node: Node) -> str:
        return _text(self.change.parent, node.definition_path, node.definition)

    def doctest(self, lost: Doctest) -> Iterator[BaseFinding]:
        """Yield the finding about a doctest item that is gone."""
        if not self.permits.deletes(lost.node_id):
            yield NodeLost(
                rule=findings.DELETED,
                message=f"{lost.node_id} is gone: none of its {lost.examples} examples is left",
                locations=(Location(lost.path, None, None, lost.node_id, SymbolKind.NODE),),
                node_id=lost.node_id,
            )

    def doubt(self, doubt: Doubt) -> Iterator[BaseFinding]:
        """Yield what a side hides; a write that can only hide tests is a finding about each."""
        for node in doubt.hidden:
            yield NodeHidden(
                rule=findings.SHADOWED,
                message=f"{node.node_id} is no longer what runs: {doubt.unseen.reason}",
                locations=(self._at(node, doubt.unseen.line),),
                node_id=node.node_id,
                cause=Cause.REWRITTEN,
                old_text=self._old_text(node),
            )
        if not doubt.hidden:
            line = None if doubt.is_parents else doubt.unseen.line
            side = "in the parent " if doubt.is_parents else ""
            yield unseen(Location(doubt.unseen.path, line), f"{side}{doubt.unseen.reason}")

    def parameters(self, old: Node, new: Node, found: Difference) -> Iterator[BaseFinding]:
        """Yield what became of a node's parameter sets."""
        axis = found.new or found.old
        if axis is None:
            return
        location = self._axis_location(new, axis)
        if found.reason is not None:
            yield unseen(location, f"{new.node_id}: {found.reason}")
            return
        lost = [one for one in found.lost if not self._may_go(old, one)]
        if found.is_shrunk and (lost or not found.lost):
            yield self._changed(old, new, found, location, tuple(map(_name, lost)))
        elif found.gained and not found.lost:
            yield self._changed(old, new, found, location, ())

    def _may_go(self, node: Node, row: Row) -> bool:
        return row.id is not None and self.permits.deletes(f"{node.node_id}[{row.id}]")

    def _axis_location(self, node: Node, axis: Axis) -> Location:
        shared = axis.path != node.path and axis.path in self.differing
        if axis.kind == "fixture" and shared:
            return Location(axis.path, axis.line)
        path = axis.path if axis.path in self.differing else node.path
        line = axis.line if axis.path == path else None
        return Location(path, line, None, node.node_id, SymbolKind.NODE)

    def _changed(
        self,
        old: Node,
        new: Node,
        found: Difference,
        location: Location,
        lost: tuple[str, ...],
    ) -> ParametersChanged:
        before, after = _size(found.old), _size(found.new)
        counts = "" if before is None or after is None else f": {before} before, {after} now"
        named = f" ({_listed(lost)} gone)" if lost else ""
        subject = new.node_id if location.symbol else f"a fixture of {location.path}"
        less = "fewer" if found.is_shrunk else "more"
        return ParametersChanged(
            rule=findings.SHRUNK if found.is_shrunk else findings.EXPANDED,
            message=f"{subject} has {less} parameter sets than it had{counts}{named}",
            locations=(location,),
            node_id=location.node_id,
            old_count=before,
            new_count=after,
            lost=lost,
            gained=tuple(map(_name, found.gained)),
            old_text=_axis_text(self.change.parent, found.old),
            new_text=_axis_text(self.change.candidate, found.new),
        )


def _elsewhere(place: str, at: Definition | None) -> Iterator[Location]:
    if at is not None and at.path != place:
        yield Location(at.path, at.definition.lineno)


def _what(cause: Cause) -> str:
    if cause in _SHADOWING or cause in (Cause.REPLACED, Cause.GUARDED):
        return "is no longer what runs"
    return "is no longer collected"


def unseen(location: Location, reason: str) -> NodeUnseen:
    """Return the finding that something could not be seen."""
    return NodeUnseen(
        rule=findings.UNSEEN,
        message=f"not known whether every test is still there: {reason}",
        locations=(location,),
        verdict=Verdict.INCONCLUSIVE,
        reason=reason,
    )


def _size(axis: Axis | None) -> int | None:
    if axis is None:
        return 1
    return None if axis.rows is None else len(axis.rows)


def _name(row: Row) -> str:
    return row.id if row.id is not None else ", ".join(row.cells)


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(name if len(name) < 80 else f"{name[:77]}..." for name in names[:_MOST_NAMED])
    more = len(names) - _MOST_NAMED
    return f"{shown} and {more} more" if more > 0 else shown


def _axis_text(tree: SourceTree, axis: Axis | None) -> str:
    if axis is None or axis.expression is None:
        return ""
    file = _file(tree, axis.path)
    return "" if file is None else file.segment(axis.expression)


def _text(tree: SourceTree, path: str, definition: FunctionNode, line: int | None = None) -> str:
    """Return a function's source, and the other statement that is to blame where there is one."""
    file = _file(tree, path)
    if file is None:
        return ""
    text = file.definition_text(definition)
    first = min([definition.lineno, *(one.lineno for one in definition.decorator_list)])
    if line is None or first <= line <= (definition.end_lineno or line):
        return text
    return f"{text}\n\n{_statement(file, line)}"


def _statement(file: PythonFile, line: int) -> str:
    """Return the innermost statement that begins on a line."""
    found: ast.stmt | None = None
    pending: list[ast.stmt] = list(file.body)
    while pending:
        one = pending.pop()
        if one.lineno <= line <= (one.end_lineno or one.lineno):
            found = one
            pending = [inner for inner in ast.iter_child_nodes(one) if isinstance(inner, ast.stmt)]
    return "" if found is None else file.segment(found)


def _file(tree: SourceTree, path: str) -> PythonFile | None:
    try:
        return tree.derived(path, parse)
    except EvidenceUnavailable:
        return None
