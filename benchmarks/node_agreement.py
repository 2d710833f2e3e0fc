"""Compare the node ids read off the sources with those a real pytest collects.

``python benchmarks/node_agreement.py SUITE... [--python PYTHON] [--path DIR] [--args ARGS]``
collects a
copy of each SUITE with the interpreter PYTHON, which must have all that the suite imports, and
reads the sources of the same directory. ``--path`` adds a directory of the suite to what imports
search, ``ARGS`` go to pytest. Printed are the rate of agreement, what only one side has, and why
the sources cannot show it. Files that pytest fails to import count on neither side.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
from collections.abc import Iterator, Sequence

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from benchhygiene import sources  # noqa: E402
from benchhygiene.inventory.collection import CollectionRules, collect  # noqa: E402
from tests.inventory.agreement import Agreement, agreement, kinds  # noqa: E402

_SHOWN = 5


def lines(found: Agreement) -> Iterator[str]:
    """Yield the figures of one suite."""
    total = found.both + len(found.only_real) + len(found.only_static)
    yield f"  {found.both} of {total} node ids on both sides ({found.rate:.2%})"
    counted = found.counts_known - len(found.counts_differ)
    yield (
        f"  parameter counts: {counted} of {found.counts_known} known ones agree,"
        f" {found.counts_unknown} unknown"
    )
    same = found.ids_known - len(found.ids_differ)
    yield f"  parameter ids: {same} of {found.ids_known} known lists agree"
    for name, ids in (("collected", found.only_real), ("in the sources", found.only_static)):
        yield f"  only {name}: {len(ids)} {', '.join(ids[:_SHOWN])}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the agreement of every suite; return 1 where a collection said nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="+", type=pathlib.Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--path", action="append", default=[])
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--args", nargs="*", default=[])
    given = parser.parse_args(arguments)
    status = 0
    for suite in given.suites:
        said = sources.collect(
            suite,
            given.args,
            python=given.python,
            seconds=given.seconds,
            pythonpath=given.path,
            allow_network=True,
        )
        print(f"{suite.name}: pytest {said.pytest} {said.end.value}, {len(said.node_ids)} items")
        if not said.node_ids:
            status = 1
            continue
        tree = sources.tree(suite)
        found = agreement(tree, said)
        print("\n".join(lines(found)))
        reasons = kinds(collect(tree, CollectionRules.of(tree)), found.only_real)
        for reason, count in reasons.most_common():
            print(f"    {count}: {reason}")
    return status


if __name__ == "__main__":
    raise SystemExit(main())
