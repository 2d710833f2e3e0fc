"""The pytest plugin that says, node by node, what happened."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Protocol, cast

import pytest

from benchhygiene.sources.inside.campaign import Budgets, Count, collecting, prepare, samples
from benchhygiene.sources.inside.census import Census
from benchhygiene.sources.inside.deeds import Deeds
from benchhygiene.sources.inside.liars import liars
from benchhygiene.sources.inside.places import CANDIDATE, TESTS, raised_in
from benchhygiene.sources.inside.surroundings import foreign_hooks, foreign_items, loaded_files

_MOST_TEXT = 4_000  # characters of a message that are kept
_CHUNK = 500  # node ids in one message
Send = Callable[[Mapping[str, object]], None]


class Result(Protocol):
    """What pluggy hands an old-style hook wrapper."""

    def get_result(self) -> pytest.TestReport:
        """Return the report that the other hooks have made."""
        ...


class Node:
    """What is known of the node that is running."""

    def __init__(self, node_id: str) -> None:
        self.node_id = node_id
        self.end = ""
        self.duration = 0.0
        self.said: dict[str, object] = {}
        self.count: Count | None = None

    def take(self, report: pytest.TestReport) -> None:
        """Let one phase decide, unless an earlier one has: a failure stays one."""
        self.duration += report.duration
        end = _end(report)
        if not self.end or self.end == "passed" or (end == "error" and self.end != "failed"):
            self.end = end

    def message(self) -> dict[str, object]:
        """Return what is reported."""
        count = self.count
        counted = {} if count is None else {"examples": count.examples, "done": count.is_exhausted}
        return {
            "t": "run",
            "id": self.node_id,
            "end": self.end or "unfinished",
            "seconds": round(self.duration, 6),
            **self.said,
            **counted,
        }


def _end(report: pytest.TestReport) -> str:
    is_expected = hasattr(report, "wasxfail")
    if report.failed:
        return "failed" if report.when == "call" else "error"
    if report.skipped:
        return "xfailed" if is_expected else "skipped"
    return "xpassed" if is_expected and report.when == "call" else "passed"


class Reporter:
    """Hear of everything, and keep nothing that has been said."""

    def __init__(
        self, send: Send, census: Census, deeds: Deeds, budgets: Budgets, seed: int
    ) -> None:
        self._send, self._census, self._deeds = send, census, deeds
        self._budgets, self._seed = budgets, seed
        self._nodes: dict[str, Node] = {}
        self._failed: list[str] = []
        self._ended = 0
        self._file = ""
        self._session: pytest.Session | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Keep the session: it knows the plugins; none of the source has been imported yet."""
        self._session = session
        if not loaded_files(self._deeds.places):
            self._census.renew()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep what could not be collected."""
        if report.failed:
            self._failed.append(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Say what was collected, and whether anything of it is not the pack's."""
        ids = [item.nodeid for item in session.items]
        for start in range(0, len(ids), _CHUNK):
            self._send({"t": "collected", "ids": ids[start : start + _CHUNK]})
        self._send({"t": "uncollected", "ids": self._failed})
        for filename, what in foreign_items(session.items, self._deeds.places):
            self._deeds.add("replaced", filename, what)
        self._look(fully=True)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Say that a node begins: whoever does not say how it ended has been cut off."""
        self._send({"t": "begin", "id": nodeid})
        self._nodes[nodeid] = Node(nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Give a property test the pack's budget."""
        node = self._nodes.get(item.nodeid)
        if node is not None:
            node.count = prepare(item, self._budgets, self._seed)

    @pytest.hookimpl(hookwrapper=True, trylast=True)  # within Hypothesis's own listening
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        """Listen to a property test's statistics."""
        node = self._nodes.get(item.nodeid)
        count = None if node is None else node.count
        with contextlib.nullcontext() if count is None else collecting(count):
            yield

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, object, None]:
        """Hold the report against what happened: an exception that passes is somebody's doing."""
        first = call.excinfo
        result = yield
        raised = first or call.excinfo  # pytest's part for unittest puts it there late
        report = cast("Result", result).get_result()
        node = self._nodes.get(item.nodeid)
        if node is None:
            return
        if call.when == "teardown" and node.said.get("samples") is None:
            measured = samples(item)
            if measured is not None:
                node.said["samples"] = measured
        if raised is None:
            return
        if report.passed:
            self._deeds.add("hooked", "", f"{item.nodeid} raised and was reported as passed")
        where = raised_in(raised.tb)
        if report.skipped and self._deeds.places.of(where) == CANDIDATE:
            self._deeds.add("skipped", where, item.nodeid)
        by_mark = report.skipped and call.when == "setup" and self._deeds.places.of(where) != TESTS
        node.said.update(_told(raised, report.skipped, by_mark=by_mark))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take in one phase of a node."""
        node = self._nodes.get(report.nodeid)
        if node is not None:
            node.take(report)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Say how a node ended, once all its phases have."""
        node = self._nodes.pop(nodeid, None)
        if node is not None:
            for filename in sorted(node.count.rejecting if node.count else ()):
                if self._deeds.places.of(filename) == CANDIDATE:
                    self._deeds.add("skipped", filename, f"{nodeid}, example by example")
            self._send(node.message())
            self._ended += 1
        file = nodeid.partition("::")[0]
        self._look(fully=file != self._file)
        self._file = file

    def close(self, status: int) -> None:
        """Say the last word."""
        self._look(fully=True)
        for filename, what in liars(self._deeds.places):
            self._deeds.add("lied", filename, what)
        self._send(
            {
                "t": "closed",
                "exit": status,
                "count": self._ended,
                "pytest": pytest.__version__,
                "deeds": [list(one) for one in self._deeds.seen],
                "loaded": loaded_files(self._deeds.places),
            }
        )

    def _look(self, *, fully: bool) -> None:
        for name in self._census.changed(fully=fully):
            self._deeds.add("replaced", "", name)
        if fully and self._session is not None:
            for filename, what in foreign_hooks(self._session.config, self._deeds.places):
                self._deeds.add("hooked", filename, what)


def _told(
    raised: pytest.ExceptionInfo[BaseException], skipped: bool, *, by_mark: bool
) -> dict[str, object]:
    """Return what an exception says of itself; it is the source's, and may raise when asked."""
    text = ""
    with contextlib.suppress(Exception):
        text = str(raised.value)[:_MOST_TEXT]
    if skipped:
        return {"reason": text, "mark": by_mark}
    return {"exception": raised.type.__name__, "message": text}


def arguments(config: Mapping[str, object], paths: Sequence[str]) -> list[str]:
    """Return pytest's own command line."""
    words = ["-c", str(config["ini"]), f"--rootdir={config['root']}", "-p", "no:cacheprovider"]
    words += [f"--confcutdir={config['confcutdir']}", f"--basetemp={_scratch()}", "-q"]
    words += ["--continue-on-collection-errors"]
    for name in cast("list[str]", config["plugins"]):
        words += ["-p", name]
    return [*words, *cast("list[str]", config["options"]), *paths]


def _scratch() -> str:
    return os.path.join(os.environ.get("TMPDIR", "/tmp"), "pytest")
