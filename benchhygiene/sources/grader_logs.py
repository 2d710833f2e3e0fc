"""A grader's log, the tests that decide, and the grader's report, each from its file."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence

from benchhygiene.errors import InputError
from benchhygiene.evidence.grader_log import GraderLog, GraderParser, GraderVerdict
from benchhygiene.sources.documents import json_of, shown
from benchhygiene.sources.reading import read_regular, reason_of
from benchhygiene.sources.records.fields import Fields

_LOG_BYTES = 64 << 20
_JSON_BYTES = 64 << 20
_PYTEST = "astroid flask marshmallow pvlib pyvista sqlfluff xarray pytest"
_OPTIONS = "pydicom requests pylint pytest_options"
_V2 = "astropy scikit sphinx pytest_v2"
# swebench's own names for its parsers, as a row of its data set has them.
_SWEBENCH = {
    f"parse_log_{name}": parser
    for names, parser in (
        (_PYTEST, GraderParser.SWEBENCH_PYTEST),
        (_OPTIONS, GraderParser.SWEBENCH_PYTEST_OPTIONS),
        (_V2, GraderParser.SWEBENCH_PYTEST_V2),
    )
    for name in names.split()
}


def grader_log(
    path: str | os.PathLike[str],
    *,
    parser: str | None = None,
    instance: str | os.PathLike[str] | None = None,
    report: str | os.PathLike[str] | None = None,
    fail_to_pass: Sequence[str] = (),
    pass_to_pass: Sequence[str] = (),
) -> GraderLog:
    """Return a grader's log with what it is graded by.

    ``parser`` is swebench-pytest, swebench-pytest-options, swebench-pytest-v2, terminal-bench or
    pytest, or swebench's own name for one of its parsers of pytest. ``instance`` is a JSON file
    with a row of SWE-bench's data set: its FAIL_TO_PASS, PASS_TO_PASS and log_parser are taken.
    ``report`` is swebench's ``report.json``. Raises InputError for a file that cannot be read or is
    malformed, and for a parser that is not known.
    """
    name = os.fspath(path)
    data = _read(name, _LOG_BYTES)
    row = None if instance is None else _row(os.fspath(instance))
    chosen = parser or (row.optional_text("log_parser") if row is not None else None)
    return GraderLog(
        text=data.decode("utf-8", "backslashreplace"),
        parser=_parser(chosen, name),
        fail_to_pass=fail_to_pass or (() if row is None else _names(row, "FAIL_TO_PASS")),
        pass_to_pass=pass_to_pass or (() if row is None else _names(row, "PASS_TO_PASS")),
        verdict=None if report is None else _verdict(os.fspath(report)),
        name=os.path.basename(name),
    )


def _read(name: str, limit: int) -> bytes:
    try:
        return read_regular(name, limit)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "not a path"
        raise InputError(f"{name}: cannot be read: {reason}") from error


def _parser(name: str | None, path: str) -> GraderParser:
    known = {parser.value: parser for parser in GraderParser}
    found = known.get(name or "") or _SWEBENCH.get(name or "")
    if found is None:
        told = "no parser is given" if name is None else f"parser {shown(name)} is not known"
        raise InputError(f"{path}: {told}; expected one of {', '.join(known)}")
    return found


def _row(name: str) -> Fields:
    return Fields.of(json_of(_read(name, _JSON_BYTES), name), name)


def _names(row: Fields, key: str) -> tuple[str, ...]:
    """Return a list of tests; the data set has it as JSON within a text."""
    value = row.members.get(key)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{row.place}.{key}: not a list in JSON") from error
    names = Fields(row.place, {key: value}).items(key)
    wrong = next((each for each in names if not isinstance(each, str)), None)
    if wrong is not None:
        raise InputError(f"{row.place}.{key}: expected texts, not {shown(wrong)}")
    return tuple(each for each in names if isinstance(each, str))


def _verdict(name: str) -> GraderVerdict:
    """Return the verdict of a report that is about one instance, whose id is its only key."""
    told = _row(name)
    if "resolved" not in told.members:
        if len(told.members) != 1:
            raise InputError(f"{name}: expected a report of one instance")
        told = told.fields(next(iter(told.members)))
    status = told.optional_fields("tests_status")
    groups = ("FAIL_TO_PASS", "PASS_TO_PASS")
    found = [status.fields(group) for group in groups] if status is not None else []
    return GraderVerdict(
        resolved=_truth(told, "resolved"),
        patch_applied=_truth(told, "patch_successfully_applied"),
        succeeded=[name for group in found for name in _names(group, "success")],
        failed=[name for group in found for name in _names(group, "failure")],
    )


def _truth(told: Fields, key: str) -> bool | None:
    value = told.members.get(key)
    if value is not None and not isinstance(value, bool):
        raise InputError(f"{told.place}.{key}: expected true or false, not {shown(value)}")
    return value
