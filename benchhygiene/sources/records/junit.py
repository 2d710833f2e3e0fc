"""JUnit XML: pytest's xunit1 and xunit2, unittest-xml-reporting's, and what resembles them.

The form has no word for an unexpected pass, and none for a node that pytest-rerunfailures has run
again: both are written as passed. Surefire's elements for repeated runs are read.
"""

from __future__ import annotations

import collections
import datetime
import re
from collections.abc import Iterator

import attrs

from benchhygiene.errors import InputError
from benchhygiene.evidence.suite import Failure, NodeEnd, NodeRun, SuiteRun
from benchhygiene.inventory.failure_shapes import failure_of
from benchhygiene.sources.records import node_names
from benchhygiene.sources.records.fields import printable
from benchhygiene.sources.records.xml_elements import Element, read_elements

_ROOTS = ("testsuites", "testsuite")
_ENDS = {"failure": NodeEnd.FAILED, "error": NodeEnd.ERROR, "skipped": NodeEnd.SKIPPED}
_REPEATED = {  # surefire: runs that came before the last one
    "flakyFailure": NodeEnd.FAILED,
    "flakyError": NodeEnd.ERROR,
    "rerunFailure": NodeEnd.FAILED,
    "rerunError": NodeEnd.ERROR,
}
_COUNTED = ("failures", "errors", "skipped")
_XFAILS = ("pytest.xfail", "XFAIL")
_UNEXPECTED = "UnexpectedSuccess"  # unittest-xml-reporting writes it as an error
_LOADERS = ("unittest.loader._FailedTest", "unittest.loader.ModuleSkipped")
_FIXTURE = re.compile(r"(?:setUp|tearDown)(?:Class|Module) \(([\w.]+)\)")
_PHASE = re.compile(r'failed on (?:setup|teardown) with "(.*)"', re.DOTALL)
_ID_IS_LOST = ("collection failure", "collection skipped")


def parse(data: bytes, name: str) -> SuiteRun:
    """Return the run that the file tells; raises InputError that names the line."""
    reading = _Reading(name)
    read_elements(data, name, _is_kept, reading.take)
    return reading.run()


def _is_kept(name: str) -> bool:
    return name in _ENDS or name in _REPEATED


@attrs.define
class _Reading:
    """What has been read so far."""

    name: str
    depth: int = 0
    nodes: list[NodeRun] = attrs.field(factory=list[NodeRun])
    collectors: list[str] = attrs.field(factory=list[str])
    stated: collections.Counter[str] = attrs.field(factory=collections.Counter[str])
    found: collections.Counter[str] = attrs.field(factory=collections.Counter[str])
    ended: datetime.datetime | None = None

    def take(self, element: Element, begins: bool) -> None:
        if begins:
            if not self.depth and element.name not in _ROOTS:
                raise InputError(
                    f"{self.name}: line {element.line}: expected testsuites or testsuite, "
                    f"not {element.name[:60]}"
                )
            self.depth += 1
            if element.name == "testsuite":
                self._suite(element)
            return
        self.depth -= 1
        if element.name == "testcase":
            self._case(element)

    def _suite(self, suite: Element) -> None:
        for word in _COUNTED:
            value = suite.attributes.get(word, "0")
            self.stated[word] += int(value) if re.fullmatch(r"[0-9]{1,9}", value) else 0
        ended = _ended(suite)
        self.ended = max(self.ended or ended, ended) if ended else self.ended

    def _case(self, case: Element) -> None:
        told = case.attributes.get("name")
        if told is None:
            raise InputError(f"{self.name}: line {case.line}: testcase has no name")
        for child in case.children:
            self.found[_plural(child.name)] += 1
        lost = _lost_collector(case, told)
        if lost is None:
            self.nodes.extend(_runs(case, told))
        elif any(child.name in ("failure", "error") for child in case.children):
            self.collectors.append(lost)
        else:
            self.nodes.append(NodeRun(node_id=lost, end=NodeEnd.SKIPPED, id_is_guessed=True))

    def run(self) -> SuiteRun:
        return SuiteRun(
            origin="junit",
            nodes=self.nodes,
            ended=self.ended,
            failed_collectors=self.collectors,
            doubts=(*self._counts(), *self._repeated()),
        )

    def _counts(self) -> Iterator[str]:
        for word in _COUNTED:
            if self.stated[word] > self.found[word]:
                yield (
                    f"the suites count {self.stated[word]} {word}, and {self.found[word]} are "
                    "told of"
                )

    def _repeated(self) -> Iterator[str]:
        times = collections.Counter(each.node_id for each in self.nodes)
        failed = {each.node_id for each in self.nodes if each.end.is_failure}
        for node_id, count in sorted(times.items()):
            if count > 1 and node_id not in failed:
                yield (
                    f"{node_id} stands {count} times and never fails: a node that was run again is "
                    "written as passed, whatever its earlier runs did"
                )


def _plural(name: str) -> str:
    return name if name == "skipped" else f"{name}s"


def _ended(suite: Element) -> datetime.datetime | None:
    """Return when the suite ended, where its time has a zone; pytest has one since 8.3."""
    try:
        began = datetime.datetime.fromisoformat(suite.attributes.get("timestamp", ""))
        took = datetime.timedelta(seconds=_seconds(suite) or 0.0)
        return None if began.tzinfo is None else (began + took).astimezone(datetime.UTC)
    except (OverflowError, ValueError):
        return None


def _seconds(element: Element) -> float | None:
    value = element.attributes.get("time", "")
    return float(value) if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", value) else None


def _lost_collector(case: Element, name: str) -> str | None:
    """Return the node id of what could not be collected or set up, None for a test."""
    classname, path = case.attributes.get("classname", ""), case.attributes.get("file")
    fixture = _FIXTURE.fullmatch(name)
    if fixture is not None:
        dotted = node_names.named(fixture[1], "").node_id
        return dotted.removesuffix("::")
    if classname in _LOADERS:
        return node_names.collector(name)
    messages = {child.attributes.get("message") for child in case.children}
    if not classname and messages & set(_ID_IS_LOST):
        return node_names.collector(name, path)
    return None


def _runs(case: Element, told: str) -> Iterator[NodeRun]:
    name = node_names.named(
        printable(case.attributes.get("classname", "")),
        node_names.without_subtest(printable(told)) if _is_unittest(case) else printable(told),
        case.attributes.get("file"),
    )
    ends = [(_end(child), child) for child in case.children]
    if not any(child.name in _ENDS for child in case.children):
        ends.append((NodeEnd.PASSED, case))
    for end, child in ends:
        yield NodeRun(
            node_id=name.node_id,
            end=end,
            failure=_failure(child) if end.is_failure else None,
            duration=_seconds(case),
            reason=None if child is case or end.is_failure else child.attributes.get("message"),
            id_is_guessed=name.is_guessed,
        )


def _is_unittest(case: Element) -> bool:
    """Return whether unittest-xml-reporting wrote it: pytest has no time of day for each test."""
    return "timestamp" in case.attributes


def _end(child: Element) -> NodeEnd:
    if child.name in _REPEATED:
        return _REPEATED[child.name]
    kind = child.attributes.get("type")
    if child.name == "skipped" and kind in _XFAILS:
        return NodeEnd.XFAILED
    return NodeEnd.FAILED if kind == _UNEXPECTED else _ENDS[child.name]


def _failure(child: Element) -> Failure | None:
    """Return the failure: the message is the exception as pytest prints it, or its own text."""
    message = printable(child.attributes.get("message", ""))
    kind = child.attributes.get("type")
    if kind:
        return Failure(printable(kind), message)
    phase = _PHASE.fullmatch(message)
    text = phase[1] if phase else message or printable(child.text).strip().partition("\n")[0]
    return failure_of(text) if text else None
