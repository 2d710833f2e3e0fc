"""The forms that a record of a run can have, told apart by what a file holds."""

from __future__ import annotations

import os

import attrs

from benchhygiene.errors import InputError
from benchhygiene.evidence.suite import SuiteRun
from benchhygiene.sources.documents import json_of
from benchhygiene.sources.reading import read_regular, reason_of
from benchhygiene.sources.records import ctrf, json_report, junit, reportlog, unittest_text
from benchhygiene.sources.records.fields import Fields

FORMATS = ("reportlog", "junit", "json-report", "ctrf", "unittest")
_BLANKS = b"\xef\xbb\xbf \t\r\n"
_EXPECTED = (
    "expected pytest-reportlog, JUnit XML, pytest-json-report, CTRF or what python -m unittest -v "
    "prints"
)


@attrs.frozen
class RecordLimits:
    """How much one record may hold, in bytes and in runs of nodes."""

    file_bytes: int = 128 << 20
    nodes: int = 500_000


def outcomes(
    path: str | os.PathLike[str], format: str | None = None, *, limits: RecordLimits | None = None
) -> SuiteRun:
    """Return what the record of a run says, whoever made it.

    ``format`` is reportlog, junit, json-report, ctrf or unittest; without one the file's content
    tells. Raises InputError that names the file and the place in it for what cannot be read, is cut
    off, or is of another form, and for one that tells of nothing at all. What a record that can be
    read leaves open is among the run's ``doubts``.
    """
    name, most = os.fspath(path), limits or RecordLimits()
    if format not in (None, *FORMATS):
        raise InputError(f"format {format}: expected one of {', '.join(FORMATS)}")
    try:
        data = read_regular(name, most.file_bytes)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "not a path"
        raise InputError(f"{name}: cannot be read: {reason}") from error
    run = outcomes_of(data, name, format)
    if len(run.nodes) > most.nodes:
        raise InputError(f"{name}: tells of {len(run.nodes)} runs, more than {most.nodes}")
    return run


def outcomes_of(data: bytes, name: str, format: str | None = None) -> SuiteRun:
    """Return what the bytes of a record say; raises InputError as ``outcomes`` does."""
    if not data.strip(_BLANKS):
        raise InputError(f"{name}: is empty; {_EXPECTED}")
    run = _parsed(data, name, format or _format(data, name))
    if not (run.nodes or run.failed_collectors or run.exit_status is not None or run.doubts):
        raise InputError(f"{name}: tells of no test, and not how the run ended")
    return run


def _parsed(data: bytes, name: str, format: str) -> SuiteRun:
    if format == "reportlog":
        return reportlog.parse(data, name)
    if format == "junit":
        return junit.parse(data, name)
    if format == "unittest":
        return unittest_text.parse(_text(data, name))
    fields = Fields.of(json_of(data, name), name)
    return json_report.parse(fields) if format == "json-report" else ctrf.parse(fields)


def _format(data: bytes, name: str) -> str:
    start = data.lstrip(_BLANKS)[:1]
    if start == b"<" or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "junit"
    if start == b"{":
        return _json_format(data, name)
    if unittest_text.is_unittest(_text(data, name)):
        return "unittest"
    raise InputError(f"{name}: is no record of a run that is known; {_EXPECTED}")


def _json_format(data: bytes, name: str) -> str:
    first, _, rest = data.strip().partition(b"\n")
    if rest or b"$report_type" in first[:4096]:
        try:
            if reportlog.is_reportlog(json_of(first, name)):
                return "reportlog"
        except InputError:
            pass  # a document of several lines
    members = Fields.of(json_of(data, name), name).members
    if reportlog.is_reportlog(members):
        return "reportlog"
    if ctrf.is_ctrf(members):
        return "ctrf"
    if json_report.is_json_report(members):
        return "json-report"
    raise InputError(f"{name}: is JSON of another kind; {_EXPECTED}")


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{name}: line {line}: not UTF-8: byte {error.start} cannot be decoded"
        ) from error
