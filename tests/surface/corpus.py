"""Read the pairs: edits of small projects, each with what it must and must not be called.

A file under ``pairs/`` reads like a patch without line numbers. ``## NAME`` starts a pair, then

    project NAME [REGRESSION]     the tree that is edited, and the fault its edit must hide
    finds RULE[|RULE...] NODE     what must be found there; ``::test_x`` is in the main test file
    finds RULE[|RULE...] * at PATH    what must be found in a file, whatever node it names
    innocent RULE                 the kind that this is the innocent twin of
    ledger NODE ACTION [NEW] [expired]    an entry of the trusted ledger
    why TEXT
    @@ PATH                       a hunk: ``-`` and blank lines are there once, ``+`` replace them
    @@ PATH -> PATH               a file that moves
    @@ PATH deleted               a file that goes

A hunk of ``+`` lines alone is put at the end of its file, which it creates where there is none.
Projects hold whole files after ``@@ PATH``, and then regressions in the form of pairs.
"""

from __future__ import annotations

import functools
import pathlib
import re
from collections.abc import Iterator, Mapping

import attrs

PAIRS = pathlib.Path(__file__).parent / "pairs"
Tree = dict[str, str]


class Malformed(Exception):
    """A pair that cannot be read or does not fit its project."""


@attrs.frozen
class Expected:
    """One finding a violating pair must have: any of the rules, at the path, on the node.

    ``node`` is None where any node will do.
    """

    rules: tuple[str, ...]
    path: str
    node: str | None


@attrs.frozen
class Entry:
    """One entry of the trusted ledger."""

    node: str
    action: str
    renamed_to: str | None
    is_expired: bool


@attrs.frozen
class Section:
    """What stands between two ``##`` lines."""

    name: str
    header: tuple[tuple[str, str], ...]
    hunks: tuple[tuple[str, tuple[str, ...]], ...]

    def values(self, key: str) -> tuple[str, ...]:
        return tuple(value for name, value in self.header if name == key)


@attrs.frozen
class Project:
    """A tree whose tests pass, and the faults that can be put into its source."""

    name: str
    files: Mapping[str, str]
    regressions: Mapping[str, Section]

    @property
    def main(self) -> str:
        return next(path for path in self.files if path.startswith("tests/test_"))

    def regressed(self, name: str | None, tree: Tree) -> Tree:
        return dict(tree) if name is None else edited(tree, self.regressions[name])


@attrs.frozen
class Pair:
    """A parent and a candidate, with the truth about them."""

    family: str
    name: str
    project: Project
    regression: str | None
    expected: tuple[Expected, ...]
    innocent_of: str | None
    ledger: tuple[Entry, ...]
    why: str
    hunks: Section

    @property
    def id(self) -> str:
        return f"{self.family}/{self.name}"

    @property
    def is_violating(self) -> bool:
        return self.innocent_of is None

    @property
    def kind(self) -> str:
        return self.innocent_of or self.expected[0].rules[0]

    @property
    def parent(self) -> Tree:
        return dict(self.project.files)

    @property
    def edited(self) -> Tree:
        """Return the candidate's tests over the source as it was."""
        return edited(self.parent, self.hunks)

    @property
    def candidate(self) -> Tree:
        """Return what is judged: a violating pair hides its fault, an innocent one has none."""
        return self.regressed_edit if self.is_violating else self.edited

    @property
    def regressed_parent(self) -> Tree:
        return self.project.regressed(self.regression, self.parent)

    @property
    def regressed_edit(self) -> Tree:
        return self.project.regressed(self.regression, self.edited)


def edited(tree: Mapping[str, str], section: Section) -> Tree:
    """Return the tree with every hunk applied; raises Malformed where one does not fit."""
    after = dict(tree)
    for target, lines in section.hunks:
        _apply(after, target, lines, section.name)
    return after


def _apply(tree: Tree, target: str, lines: tuple[str, ...], name: str) -> None:
    path, _, rest = target.partition(" ")
    if rest == "deleted":
        del tree[path]
        return
    if rest.startswith("-> "):
        moved = rest.removeprefix("-> ")
        tree[moved] = tree.pop(path)
        path = moved
    if lines:
        tree[path] = _patched(tree.get(path, ""), lines, f"{name}: {path}")


def _patched(text: str, lines: tuple[str, ...], where: str) -> str:
    old = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "+")
    new = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "-")
    if not old:
        return text + new
    found = [at for at in _line_starts(text) if text.startswith(old, at)]
    if len(found) != 1:
        raise Malformed(f"{where}: {len(found)} places hold\n{old}")
    return text[: found[0]] + new + text[found[0] + len(old) :]


def _line_starts(text: str) -> Iterator[int]:
    yield 0
    yield from (found.end() for found in re.finditer("\n", text))


def _sections(text: str) -> Iterator[Section]:
    for part in re.split(r"(?m)^## ", text)[1:]:
        name, _, rest = part.partition("\n")
        head, *hunks = re.split(r"(?m)^@@ ", rest)
        header = tuple(_split(line) for line in head.splitlines() if line.strip())
        yield Section(name.strip(), header, tuple(_hunk(hunk) for hunk in hunks))


def _split(line: str) -> tuple[str, str]:
    key, _, value = line.partition(" ")
    if key not in ("project", "finds", "innocent", "ledger", "why"):
        raise Malformed(f"unknown line {line!r}")
    return key, value.strip()


def _hunk(text: str) -> tuple[str, tuple[str, ...]]:
    target, _, body = text.partition("\n")
    lines = tuple(body.rstrip("\n").split("\n")) if body.strip("\n") else ()
    for line in lines:
        if line[:1] not in ("", " ", "+", "-"):
            raise Malformed(f"{target}: a hunk's line starts with {line[:1]!r}: {line!r}")
    return target.strip(), lines


@functools.cache
def projects() -> Mapping[str, Project]:
    """Return every project by its name."""
    paths = sorted((PAIRS / "projects").glob("*.pairs"))
    return {path.stem: _project(path.stem, path.read_text(encoding="utf-8")) for path in paths}


def _project(name: str, text: str) -> Project:
    whole, *_ = re.split(r"(?m)^## ", text, maxsplit=1)
    parts = (part.partition("\n") for part in re.split(r"(?m)^@@ ", whole)[1:])
    files = {path.strip(): body for path, _, body in parts}
    return Project(name, files, {each.name: each for each in _sections(text)})


@functools.cache
def pairs() -> tuple[Pair, ...]:
    """Return every pair, those of one file together; raises Malformed for two of one name."""
    found = tuple(
        _pair(path.stem, section)
        for path in sorted(PAIRS.glob("*.pairs"))
        for section in _sections(path.read_text(encoding="utf-8"))
    )
    names = [pair.id for pair in found]
    if len(set(names)) != len(names):
        raise Malformed(f"twice: {sorted({name for name in names if names.count(name) > 1})}")
    return found


def _pair(family: str, section: Section) -> Pair:
    project, _, regression = section.values("project")[0].partition(" ")
    home = projects()[project]
    finds = tuple(_expected(value, home.main) for value in section.values("finds"))
    innocent = next(iter(section.values("innocent")), None)
    if bool(finds) == bool(innocent):
        raise Malformed(f"{family}/{section.name}: either finds or innocent")
    entries = tuple(_entry(value, home.main) for value in section.values("ledger"))
    why = " ".join(section.values("why"))
    return Pair(
        family, section.name, home, regression or None, finds, innocent, entries, why, section
    )


def _expected(value: str, main: str) -> Expected:
    words = value.split()
    rules, node = tuple(words[0].split("|")), _node(words[1], main)
    path = words[3] if words[2:3] == ["at"] else node.partition("::")[0]
    return Expected(rules, path, None if node == "*" else node)


def _node(text: str, main: str) -> str:
    return f"{main}{text}" if text.startswith("::") else text


def _entry(value: str, main: str) -> Entry:
    node, action, *rest = value.split()
    renamed = next((_node(word, main) for word in rest if word != "expired"), None)
    return Entry(_node(node, main), action, renamed, "expired" in rest)
