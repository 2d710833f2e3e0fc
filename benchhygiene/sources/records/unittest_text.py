"""What ``python -m unittest -v`` prints; see ``unittest/runner.py`` of Python 3.9 to 3.14.

Tests print into the same stream, so that a line may be anybody's: the traceback that unittest
prints at the end wins over a line, and its counts are held against what was found.
"""

from __future__ import annotations

import collections
import re
from collections.abc import Iterator

import attrs

from benchhygiene.evidence.suite import Failure, NodeEnd, NodeRun, SuiteRun
from benchhygiene.inventory.failure_shapes import failure_of
from benchhygiene.sources.records import node_names
from benchhygiene.sources.records.fields import printable

_TEST = r"(?P<name>\w+) \((?P<where>[\w.]+)\)(?P<part> [\[(].*[\])])?"
_HEAD = re.compile(rf"\s*{_TEST}")
_LINE = re.compile(rf"\s*{_TEST} \.\.\. (?P<rest>.*)")
_DOCUMENTED = re.compile(r".* \.\.\. (?P<rest>.*)")
_RESULT = re.compile(
    r"(?:(?P<ok>ok)|(?P<fail>FAIL)|(?P<error>ERROR)|skipped (?P<skipped>['\"].*['\"])"
    r"|(?P<xfail>expected failure)|(?P<xpass>unexpected success))(?: \([\d.]+s\))?"
)
_FAIL, _ERROR = "FAIL", "ERROR"
_BLOCK = re.compile(rf"(?P<kind>{_FAIL}|{_ERROR}|UNEXPECTED SUCCESS): {_TEST}")
_RAN = re.compile(r"Ran ([0-9]{1,9}) tests? in [0-9.]+s")
_LAST = re.compile(r"(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?")
_COUNT = re.compile(r"([a-z ]+)=([0-9]{1,9})")
_RULE = "=" * 70
_THIN_RULE = "-" * 70
_ENDS = {
    "ok": NodeEnd.PASSED,
    "fail": NodeEnd.FAILED,
    "error": NodeEnd.ERROR,
    "skipped": NodeEnd.SKIPPED,
    "xfail": NodeEnd.XFAILED,
    "xpass": NodeEnd.FAILED,  # unittest fails the run for it
}
_LOADER = "unittest.loader._FailedTest"
_FIXTURES = ("setUpClass", "tearDownClass", "setUpModule", "tearDownModule")
_LONGEST_LINE = 2_000
_UNEXPECTED = Failure("UnexpectedSuccess")


def is_unittest(text: str) -> bool:
    """Return whether the text has the lines that unittest prints with ``-v``."""
    lines = [line[:_LONGEST_LINE] for line in text.splitlines()]
    return any(_RAN.fullmatch(line) for line in lines) or any(map(_LINE.fullmatch, lines))


def parse(text: str) -> SuiteRun:
    """Return the run that the text tells; what it leaves open is a doubt."""
    printed = _Printed()
    for line in text.splitlines():
        printed.take(line[:_LONGEST_LINE])
    return printed.run()


@attrs.define
class _Printed:
    """What has been read so far: first a line for each test, then a block for each failure."""

    ends: list[tuple[str, NodeEnd, str | None]] = attrs.field(
        factory=list[tuple[str, NodeEnd, str | None]]
    )
    failures: list[tuple[str, str, list[str]]] = attrs.field(
        factory=list[tuple[str, str, list[str]]]
    )
    started: list[str] = attrs.field(factory=list[str])
    head: str | None = None  # a test whose docstring is on the next line
    open: str | None = None  # a test whose end has not been printed
    in_block: bool = False
    after_rule: bool = False
    ran: int | None = None
    counts: dict[str, int] | None = None

    def take(self, line: str) -> None:
        after_rule, self.after_rule = self.after_rule, line == _RULE
        block = _BLOCK.fullmatch(line) if after_rule else None
        ran = _RAN.fullmatch(line)
        if block is not None:
            self._block(block)
        elif ran is not None:
            self.ran, self.in_block = int(ran[1]), False
        elif self.ran is not None and (last := _LAST.fullmatch(line)):
            found = _COUNT.findall(last[1] or "")
            self.counts = {word.strip(): int(count) for word, count in found}
        elif self.in_block:
            self.failures[-1][2].append(line)
        else:
            self._line(line)

    def _block(self, found: re.Match[str]) -> None:
        self.failures.append((_node_id(found), found["kind"], []))
        self.in_block = True

    def _line(self, line: str) -> None:
        found = _LINE.fullmatch(line)
        documented = _DOCUMENTED.fullmatch(line) if self.head is not None else None
        head = _HEAD.fullmatch(line)
        if found is not None:
            self._begin(_node_id(found), found["rest"], is_part=found["part"] is not None)
        elif documented is not None and self.head is not None:
            self._begin(self.head, documented["rest"])
        elif head is not None:
            self.head = _node_id(head)
            return
        else:
            self._end(line)
        self.head = None

    def _begin(self, node_id: str, rest: str, *, is_part: bool = False) -> None:
        if not is_part:
            self.started.append(node_id)
        self.open = node_id
        nested = _LINE.fullmatch(rest)  # before Python 3.11 a failed subtest leaves its line open
        if nested is not None:
            self._begin(_node_id(nested), nested["rest"])
        else:
            self._end(rest)

    def _end(self, text: str) -> None:
        found = _RESULT.fullmatch(text)
        if found is not None and self.open is not None:
            kind = found.lastgroup or ""
            self.ends.append((self.open, _ENDS[kind], found["skipped"]))
            self.open = None

    def run(self) -> SuiteRun:
        lost = sorted({node_id for node_id, _, _ in self.failures if _is_collector(node_id)})
        return SuiteRun(
            origin="unittest",
            nodes=tuple(self._nodes()),
            failed_collectors=[_collector(node_id) for node_id in lost],
            doubts=tuple(self._doubts()),
        )

    def _nodes(self) -> Iterator[NodeRun]:
        failed = {node_id for node_id, _, _ in self.failures}
        told = {node_id for node_id, _, _ in self.ends}
        for node_id, end, reason in self.ends:
            if node_id not in failed and not _is_collector(node_id):
                failure = _UNEXPECTED if end is NodeEnd.FAILED else None
                yield _run(node_id, end, failure, reason and reason[1:-1])
        for node_id, kind, lines in self.failures:
            if not _is_collector(node_id):
                end = NodeEnd.ERROR if kind == _ERROR else NodeEnd.FAILED
                yield _run(node_id, end, _failure(kind, lines))
        for node_id in dict.fromkeys(self.started):
            if node_id not in failed | told:
                yield _run(node_id, NodeEnd.UNFINISHED)

    def _doubts(self) -> Iterator[str]:
        if self.ran is None or self.counts is None:
            yield "the text has no count of the tests at its end"
        tests = [node_id for node_id in self.started if not node_id.startswith(_FIXTURES)]
        if self.ran is not None and self.ran != len(tests):
            yield f"unittest ran {self.ran} tests, and {len(tests)} are told of"
        for node_id, count in sorted(collections.Counter(self.started).items()):
            if count > 1:
                yield f"{node_id} stands {count} times: a test may have printed such a line"
        yield from self._miscounts()

    def _miscounts(self) -> Iterator[str]:
        found = {
            "failures": sum(kind == _FAIL for _, kind, _ in self.failures),
            "errors": sum(kind == _ERROR for _, kind, _ in self.failures),
            "skipped": sum(end is NodeEnd.SKIPPED for _, end, _ in self.ends),
        }
        for word, count in found.items():
            stated = (self.counts or {}).get(word, 0)
            if self.counts is not None and stated != count:
                yield f"unittest counts {stated} {word}, and {count} are told of"


def _node_id(found: re.Match[str]) -> str:
    """Return a guess: ``m.K`` or ``m.K.test_a`` in brackets are class, or class and name."""
    name, where = found["name"], found["where"]
    if where.removesuffix(f".{name}") == _LOADER:
        return f"{_LOADER}::{name}"
    if name in _FIXTURES:
        return f"{name}::{where}"
    dotted, _, last = where.rpartition(".")
    return node_names.named(dotted if last == name else where, name).node_id


def _is_collector(node_id: str) -> bool:
    return node_id.partition("::")[0] in (_LOADER, *_FIXTURES)


def _collector(node_id: str) -> str:
    kind, _, name = node_id.partition("::")
    if kind == _LOADER:
        return node_names.collector(name)
    return node_names.named(name, "").node_id.removesuffix("::")


def _run(
    node_id: str, end: NodeEnd, failure: Failure | None = None, reason: str | None = None
) -> NodeRun:
    return NodeRun(node_id=node_id, end=end, failure=failure, reason=reason, id_is_guessed=True)


def _failure(kind: str, lines: list[str]) -> Failure | None:
    """Return the exception below the traceback: the first line that is not indented."""
    if kind not in (_FAIL, _ERROR):
        return _UNEXPECTED
    trace = [at for at, line in enumerate(lines) if line.startswith("Traceback (most recent")]
    after = lines[trace[-1] + 1 :] if trace else lines
    told = next((line for line in after if line[:1].strip() and line != _THIN_RULE), None)
    return None if told is None else failure_of(printable(told))
