"""The command ``inventory``: the tests of one tree, what they check and what exempts them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import attrs

from benchhygiene import sources
from benchhygiene.cli.output import has_colour, text_width, write_stream
from benchhygiene.cli.surroundings import DEFAULT, Entry, Section, surroundings
from benchhygiene.core.json import JSON, to_json
from benchhygiene.evidence.tree import Memo, SourceTree
from benchhygiene.formats.layout import Line, Span, coloured, line, plain, wrap
from benchhygiene.inventory.collection import Collection, CollectionRules, Node, collect
from benchhygiene_plugins.assertions.following import Follower
from benchhygiene_plugins.assertions.modules import Project
from benchhygiene_plugins.skip_markers.inventory import Reader

SCHEMA = "benchhygiene.inventory/1"
_REMEMBERED = 256  # syntax trees kept at a time: those of a large suite do not fit all

_MOST_SHOWN = 200  # facts of one section in text: a large tree has tens of thousands


@attrs.frozen
class Fact:
    """A check or an exemption: where it stands, its text, and what is to be known of it."""

    path: str
    line: int
    text: str
    note: str = ""


@attrs.frozen
class NodeFacts:
    """One test; ``parameter_sets`` is None where nobody can tell how many there are."""

    node_id: str
    path: str
    line: int
    parameter_sets: int | None
    checks: tuple[Fact, ...]
    exemptions: tuple[Fact, ...]
    is_complete: bool


@attrs.frozen
class Facts:
    """All the facts of one tree, or of one file of it."""

    nodes: tuple[NodeFacts, ...] = ()
    doctests: tuple[Fact, ...] = ()
    passed_over: tuple[Fact, ...] = ()
    unseen: tuple[Fact, ...] = ()


def run(path: str, git: str | None, style: str) -> int:
    """Write the inventory of a directory, or of a revision where a repository is named."""
    tree = sources.tree(path) if git is None else sources.tree(git, revision=path)
    facts, sections = take(tree), surroundings(attrs.evolve(tree, memo=Memo(_REMEMBERED)))
    if style == "json":
        from benchhygiene.formats.json import dump

        write_stream(dump(_document(facts, sections)))
        return 0
    paint = coloured if has_colour(sys.stdout, os.environ) else plain
    write_stream(paint(_lines(facts, sections, text_width(sys.stdout, os.environ))))
    return 0


def take(tree: SourceTree) -> Facts:
    """Return the facts of a tree by its own collection rules, file by file."""
    lean = attrs.evolve(tree, memo=Memo(_REMEMBERED))
    rules = CollectionRules.of(lean)
    parts = [_of_file(lean, collect(lean, rules, (path,))) for path in lean.entries]
    unseen = tuple(Fact("", 0, reason) for reason in (*tree.unseen, *rules.unseen))
    return Facts(
        tuple(node for part in parts for node in part.nodes),
        tuple(one for part in parts for one in part.doctests),
        tuple(one for part in parts for one in part.passed_over),
        (*unseen, *(one for part in parts for one in part.unseen)),
    )


def _of_file(tree: SourceTree, collection: Collection) -> Facts:
    follower, reader = Follower(Project(tree)), Reader.of(tree)
    return Facts(
        tuple(_node(node, follower, reader) for node in collection.nodes),
        tuple(Fact(one.path, one.line, one.node_id) for one in collection.doctests),
        tuple(
            Fact(one.path, one.line, one.node_id, one.reason.value)
            for one in collection.passed_over
        ),
        tuple(Fact(one.path, one.line or 0, one.reason) for one in collection.unseen),
    )


def _node(node: Node, follower: Follower, reader: Reader) -> NodeFacts:
    followed = follower.follow(node)
    checks = () if followed is None else followed.checks
    return NodeFacts(
        node.node_id,
        node.definition_path,
        node.line,
        node.parameters.count,
        tuple(
            dict.fromkeys(
                Fact(
                    one.place.path,
                    one.place.line,
                    one.place.text,
                    one.void or one.flow.swallowed or one.flow.dead or "",
                )
                for one in checks
            )
        ),
        tuple(
            Fact(one.place.path, one.place.line, one.place.text, one.rule)
            for one in reader.read(node)
        ),
        is_complete=followed is not None and not followed.overflowed,
    )


def _document(facts: Facts, sections: tuple[Section, ...]) -> dict[str, JSON]:
    parts: dict[str, JSON] = {
        field.name: to_json(getattr(facts, field.name)) for field in attrs.fields(Facts)
    }
    return {"schema": SCHEMA, **parts, **{one.key: one.document() for one in sections}}


def _lines(facts: Facts, sections: tuple[Section, ...], width: int | None) -> Iterator[Line]:
    checks = sum(len(node.checks) for node in facts.nodes)
    exempted = sum(bool(node.exemptions) for node in facts.nodes)
    yield line(
        Span(_count(len(facts.nodes), "test"), "strong"),
        f", {_count(checks, 'check')}, {_count(exempted, 'test')} exempted",
        f", {_count(len(facts.doctests), 'doctest')}",
    )
    path = ""
    for node in facts.nodes:
        if node.node_id.partition("::")[0] != path:
            path = node.node_id.partition("::")[0]
            yield line()
            yield line(Span(path, "strong"))
        yield from _node_lines(node, width)
    yield from _listed("Doctests", facts.doctests, width)
    for section in sections:
        yield from _section_lines(section, width)
    yield from _listed("Not collected", facts.passed_over, width)
    yield from _listed("Not seen", facts.unseen, width)


def _section_lines(section: Section, width: int | None) -> Iterator[Line]:
    """Yield the heading of a section and its facts, those of one owner together."""
    written = [entry for entry in section.entries if entry.text != DEFAULT]
    if not written:
        return
    hidden = len(written) - _MOST_SHOWN
    yield line()
    yield line(Span(section.heading, "strong"), Span(f"  {len(written)}", "faint"))
    previous = ""
    for entry in written[:_MOST_SHOWN]:
        head = entry.owner or entry.path
        if head != previous:
            previous = head
            yield from wrap(head, width, "    ", line("  "))
        yield from wrap(_entry_text(entry), width, "        ", line("    "))
    if hidden > 0:
        yield line(Span(f"    and {hidden} more, all of them with --format json", "faint"))


def _entry_text(entry: Entry) -> str:
    place = entry.path if entry.line is None else f"{entry.path}:{entry.line}"
    note = f" ({_first(entry.text)})" if entry.text and entry.value is not None else ""
    return f"{_first(str(entry))}{note}  {place}"


def _node_lines(node: NodeFacts, width: int | None) -> Iterator[Line]:
    name = node.node_id.partition("::")[2]
    count = len(node.checks)
    style = "" if count or not node.is_complete else "warning"
    checks = f"{_count(count, 'check')}{'' if node.is_complete else ' or more'}"
    yield line(f"  {name}  ", Span(checks, style), Span(_sets(node), "faint"))
    for one in node.checks:
        if one.note:
            yield from wrap(f"line {one.line}: `{_first(one.text)}` cannot fail", width, "      ")
    for one in node.exemptions:
        text = f"{one.note} at {one.path}:{one.line}: {_first(one.text)}"
        yield from wrap(text, width, "      ", line("    ! "))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _sets(node: NodeFacts) -> str:
    if node.parameter_sets is None:
        return "  with parameters nobody can count"
    return f"  with {node.parameter_sets} parameter sets" if node.parameter_sets else ""


def _first(text: str) -> str:
    head, newline, _ = text.partition("\n")
    return f"{head} ..." if newline else head


def _listed(heading: str, facts: tuple[Fact, ...], width: int | None) -> Iterator[Line]:
    if facts:
        yield line()
        yield line(Span(heading, "strong"))
    for one in facts:
        place = f"{one.path}:{one.line}" if one.line else one.path
        text = ": ".join(filter(None, (place, one.text, one.note)))
        yield from wrap(text, width, "    ", line("  "))
