"""Judge a directory of cases and print the findings by case: ``corpus_findings.py DIR``.

A case is a directory with ``parent/``, ``patch/`` and sometimes ``pack/``. Printed is a JSON object
from the case's name to ``[{"kind", "path", "node_id", "severity"}]``, severity one of error, warn
and info. It runs from the root of a checkout: ``python tests/surface/corpus_findings.py DIR``.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))

from benchhygiene import sources
from benchhygiene.core.report import Report
from tests.surface import judging


def contents(directory: pathlib.Path) -> dict[str, bytes]:
    """Return the bytes of every file below a directory by its path there."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }


def judged(case: pathlib.Path) -> Report:
    """Return the report on one case, with the parts of its pack where it has one."""
    before, after = (contents(case / side) for side in ("parent", "patch"))
    pack = case / "pack"
    parts = sources.pack(pack, require_manifest=False).parts if pack.is_dir() else ()
    return judging.report(before, after, *parts)


def rows(report: Report) -> list[dict[str, str | None]]:
    """Return the findings in the form that a score is made of."""
    return [
        {"kind": each.rule, "path": each.path, "node_id": each.node, "severity": each.severity}
        for each in judging.found(report.findings)
    ]


def main() -> None:
    """Print the findings on every case below the directory."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("directory", type=pathlib.Path)
    given = parser.parse_args()
    cases = sorted(path.parent for path in given.directory.glob("*/parent"))
    found = {}
    for case in cases:
        report = judged(case)
        report.raise_for_crashes()
        found[case.name] = rows(report)
    json.dump(found, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
