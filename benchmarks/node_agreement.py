"""Compare the node ids read off the sources with those a real pytest collects.

``python benchmarks/node_agreement.py SUITE... [--python PYTHON] [--path DIR] [--args ARGS]``
collects a copy of each SUITE with the interpreter PYTHON, which must have all that the suite
imports, and reads the sources of the same directory. ``--path`` adds a directory to what imports
search, relative to the suite; ``ARGS`` go to pytest. ``--slice PATH``, given several times, has
each of these paths collected by a process of its own. ``--save DIR`` keeps what was collected and
uses it again: a large suite takes minutes.

Printed are the rate of agreement, and every disagreement by its kind with how many the inventory
itself is in doubt about. Files that pytest fails or refuses to import count on neither side.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
import time
from collections.abc import Iterable, Iterator, Sequence

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from benchhygiene import sources  # noqa: E402
from benchhygiene.evidence import CollectedNodes, CollectionEnd  # noqa: E402
from benchhygiene.inventory.collection import CollectionRules, collect  # noqa: E402
from benchmarks.disagreements import Disagreements, Kind  # noqa: E402
from tests.inventory.agreement import Agreement, agreement  # noqa: E402

_SHOWN = 5


def collected(suite: pathlib.Path, given: argparse.Namespace) -> CollectedNodes:
    """Return what pytest says, from an earlier run where that was kept."""
    kept: pathlib.Path | None = given.save and given.save / f"{suite.name}.json"
    if kept is not None and kept.exists():
        return CollectedNodes(**json.loads(kept.read_bytes()) | {"end": CollectionEnd.REPORTED})
    said = joined([_collect(suite, given, part) for part in given.slice or [None]])
    if kept is not None and said.end is CollectionEnd.REPORTED:
        kept.parent.mkdir(parents=True, exist_ok=True)
        names = ("node_ids", "failed", "exit_status", "pytest")
        kept.write_text(json.dumps({name: getattr(said, name) for name in names}))
    return said


def _collect(suite: pathlib.Path, given: argparse.Namespace, part: str | None) -> CollectedNodes:
    began = time.perf_counter()
    said = sources.collect(
        suite,
        [*given.args, *([part] if part else [])],
        python=given.python,
        seconds=given.seconds,
        pythonpath=given.path,
        allow_network=True,
    )
    took = time.perf_counter() - began
    print(
        f"  {suite.name} {part or ''}: {len(said.node_ids)} items, {said.end.value}, {took:.0f} s",
        file=sys.stderr,
        flush=True,
    )
    return said


def joined(parts: Sequence[CollectedNodes]) -> CollectedNodes:
    """Return what several collections say; one that says nothing leaves nothing to say."""
    silent = next((one for one in parts if one.end is not CollectionEnd.REPORTED), None)
    if silent is not None:
        return CollectedNodes(end=silent.end)
    return CollectedNodes(
        tuple(dict.fromkeys(node_id for one in parts for node_id in one.node_ids)),
        tuple(dict.fromkeys(path for one in parts for path in one.failed)),
        CollectionEnd.REPORTED,
        max((one.exit_status or 0 for one in parts), default=0),
        parts[0].pytest,
    )


def lines(found: Agreement) -> Iterator[str]:
    """Yield the figures of one suite."""
    static, real = found.both + len(found.only_static), found.both + len(found.only_real)
    total = static + len(found.only_real)
    yield f"  nodes in the sources {static}, collected {real}, on both sides {found.both}"
    yield f"  agreement {found.rate:.2%} of {total}"
    counted = found.counts_known - len(found.counts_differ)
    yield (
        f"  parameter counts: {counted} of {found.counts_known} known ones agree,"
        f" {found.counts_unknown} unknown"
    )
    same = found.ids_known - len(found.ids_differ)
    yield f"  parameter ids: {same} of {found.ids_known} known lists agree"
    differing = [f"{one} ({own}, really {real})" for one, own, real in found.counts_differ]
    for name, ids in (("counts", differing), ("ids", found.ids_differ)):
        yield from [f"    {name} differ: {one}" for one in ids[:_SHOWN]]


def told(title: str, kinds: Iterable[Kind]) -> Iterator[str]:
    """Yield the kinds of disagreement on one side, each with an example."""
    for number, kind in enumerate(kinds):
        if not number:
            yield f"  {title}"
        yield f"    {len(kind.nodes)} ({kind.told} in doubt): {kind.reason}"
        yield f"      such as {kind.nodes[len(kind.nodes) // 2]}"


def report(suite: pathlib.Path, said: CollectedNodes) -> Iterator[str]:
    """Yield all that is to be said of one suite."""
    tree = sources.tree(suite)
    rules = CollectionRules.of(tree)
    static = collect(tree, rules)
    found = agreement(tree, said, static)
    yield from lines(found)
    sorting = Disagreements.of(tree, rules, static)
    yield from told("only collected", sorting.only_collected(found.only_real))
    yield from told("only in the sources", sorting.only_in_sources(found.only_static))
    yield f"  left out, not collected: {len({one.partition('::')[0] for one in said.failed})} files"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the agreement of every suite; return 1 where a collection said nothing."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("suites", nargs="+", type=pathlib.Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--path", action="append", default=[])
    parser.add_argument("--slice", action="append", default=[])
    parser.add_argument("--save", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=600, help="for each collection")
    parser.add_argument("--args", nargs="*", default=[])
    given = parser.parse_args(arguments)
    status = 0
    for suite in given.suites:
        said = collected(suite, given)
        count = len(said.node_ids)
        print(f"{suite.name}: pytest {said.pytest} {said.end.value}, {count} items", flush=True)
        if said.node_ids:
            print("\n".join(report(suite, said)), flush=True)
        else:
            status = 1
    return status


if __name__ == "__main__":
    raise SystemExit(main())
