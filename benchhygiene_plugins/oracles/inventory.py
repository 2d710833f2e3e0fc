"""The files that a tree's tests are held against."""

from __future__ import annotations

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import EntryKind, SourceTree
from benchhygiene_plugins.oracles.contents import ContentReader, suffix_of
from benchhygiene_plugins.oracles.contracts import kind_of, may_be_contract
from benchhygiene_plugins.oracles.documents import reader_of
from benchhygiene_plugins.oracles.naming import named, python_of_tests
from benchhygiene_plugins.oracles.territory import Standing, Territory, is_paperwork


@attrs.frozen
class FixtureFile:
    """One file that tests are held against: its SHA-256, its bytes and records, and who names it.

    ``rows`` is None where no records can be told apart, ``contract`` what a contract is written in.
    ``error`` says why the bytes cannot be had.
    """

    path: str
    digest: str | None
    size: int | None
    rows: int | None = None
    named_by: tuple[str, ...] = ()
    contract: str | None = None
    error: str | None = None


def inventory(tree: SourceTree) -> tuple[FixtureFile, ...]:
    """Return, by path, the fixture files of a tree: those among the tests, or named by them."""
    territory = tree.surveyed(Territory.of)
    names = named(tree, [*tree.surveyed(python_of_tests)])
    found: list[FixtureFile] = []
    for path, entry in tree.entries.items():
        standing = territory.standing(path)
        if entry.kind is not EntryKind.FILE or standing in (Standing.CODE, Standing.IGNORED):
            continue
        if standing is Standing.OUTSIDE and (path.endswith(".py") or is_paperwork(path)):
            continue
        by = names.by(path)
        if by or standing is Standing.FIXTURE or may_be_contract(tree, path):
            found.append(_file(tree, path, by))
    return tuple(found)


def _file(tree: SourceTree, path: str, by: tuple[str, ...]) -> FixtureFile:
    try:
        content = tree.derived(path, ContentReader(suffix_of(path)))
    except EvidenceUnavailable as error:
        return FixtureFile(path, None, tree.entries[path].size, named_by=by, error=str(error))
    kind = None
    if may_be_contract(tree, path):
        kind = kind_of(tree.derived(path, reader_of(path)).value, path)
    contract = kind.value if kind is not None else None
    return FixtureFile(path, content.digest, content.size, content.rows, by, contract)
