"""What the reporter said, as far as it was the reporter who said it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import cast

import attrs

from benchhygiene.evidence.replay import Deed, DeedKind
from benchhygiene.evidence.suite import Failure, NodeEnd, NodeRun
from benchhygiene.sources.inside.channel import MAC, SIZE, sealed, successor

_ENDS = {end.value: end for end in NodeEnd}
_KINDS = {kind.value: kind for kind in DeedKind}


@attrs.frozen(kw_only=True)
class Transcript:
    """One run as it was reported; ``exit_status`` is what pytest returned, by the last word."""

    collected: tuple[str, ...] = ()
    uncollected: tuple[str, ...] = ()
    runs: tuple[NodeRun, ...] = ()
    exhausted: frozenset[str] = frozenset()
    deeds: tuple[Deed, ...] = ()
    loaded: tuple[str, ...] = ()
    lines: Mapping[str, tuple[int, ...]] | None = None
    is_closed: bool = False
    exit_status: int | None = None
    pytest: str = ""
    forged: int = 0


def read(channel: bytes, key: bytes) -> Transcript:
    """Return what the channel holds; messages under a wrong key are counted, and nothing else."""
    forged = 0
    messages: list[Mapping[str, object]] = []
    for payload in _frames(channel):
        if payload is None or payload[:MAC] != sealed(key, payload[MAC:]):
            forged += 1
            continue
        key = successor(key)
        messages.append(cast("Mapping[str, object]", json.loads(payload[MAC:])))
    return _assembled(messages, forged)


def _frames(channel: bytes) -> Iterator[bytes | None]:
    """Yield each frame; None for a rest that is none: everything after it is lost."""
    at = 0
    while at < len(channel):
        length = int.from_bytes(channel[at : at + SIZE], "big")
        end = at + SIZE + MAC + length
        if end > len(channel):
            yield None
            return
        yield channel[at + SIZE : end]
        at = end


def _assembled(messages: list[Mapping[str, object]], forged: int) -> Transcript:
    said = _Said()
    for message in messages:
        said.take(message)
    return said.transcript(forged)


class _Said:
    """Messages, put together in their order."""

    def __init__(self) -> None:
        self._collected: list[str] = []
        self._uncollected: list[str] = []
        self._runs: list[NodeRun] = []
        self._begun: dict[str, None] = {}
        self._exhausted: set[str] = set()
        self._lines: dict[str, tuple[int, ...]] | None = None
        self._last: Mapping[str, object] = {}

    def take(self, message: Mapping[str, object]) -> None:
        """Take in one message."""
        kind = message.get("t")
        if kind == "collected":
            self._collected += _texts(message.get("ids"))
        elif kind == "uncollected":
            self._uncollected += _texts(message.get("ids"))
        elif kind == "begin":
            self._begun[str(message.get("id"))] = None
        elif kind == "run":
            self._take_run(message)
        elif kind == "reach":
            lines = cast("Mapping[str, list[int]]", message.get("lines"))
            self._lines = {path: tuple(numbers) for path, numbers in sorted(lines.items())}
        elif kind == "closed":
            self._last = message

    def _take_run(self, message: Mapping[str, object]) -> None:
        run = _run(message)
        self._begun.pop(run.node_id, None)
        self._runs.append(run)
        if message.get("done"):
            self._exhausted.add(run.node_id)

    def transcript(self, forged: int) -> Transcript:
        """Return it all; a node that began and never ended is unfinished."""
        cut = [NodeRun(node_id=node_id, end=NodeEnd.UNFINISHED) for node_id in self._begun]
        status = self._last.get("exit")
        return Transcript(
            collected=tuple(self._collected),
            uncollected=tuple(self._uncollected),
            runs=(*self._runs, *cut),
            exhausted=frozenset(self._exhausted),
            deeds=tuple(sorted(_deeds(self._last.get("deeds")))),
            loaded=tuple(_texts(self._last.get("loaded"))),
            lines=self._lines,
            is_closed=bool(self._last) and self._last.get("count") == len(self._runs),
            exit_status=status if isinstance(status, int) else None,
            pytest=str(self._last.get("pytest", "")),
            forged=forged,
        )


def _run(message: Mapping[str, object]) -> NodeRun:
    exception = message.get("exception")
    seconds, examples, samples = (message.get(key) for key in ("seconds", "examples", "samples"))
    reason = message.get("reason")
    end = _ENDS.get(str(message.get("end")), NodeEnd.UNKNOWN)
    failure = Failure(str(exception), str(message.get("message", "")))
    return NodeRun(
        node_id=str(message.get("id")),
        end=end,
        failure=failure if isinstance(exception, str) and end is not NodeEnd.PASSED else None,
        duration=seconds if isinstance(seconds, float) else None,
        reason=reason if isinstance(reason, str) else None,
        examples=examples if isinstance(examples, int) else None,
        samples=samples if isinstance(samples, int) else None,
    )


def _deeds(value: object) -> Iterator[Deed]:
    for one in cast("list[list[str]]", value) if isinstance(value, list) else ():
        kind, path, what = one
        if kind in _KINDS:
            yield Deed(_KINDS[kind], path, what)


def _texts(value: object) -> list[str]:
    return [str(one) for one in cast("list[object]", value)] if isinstance(value, list) else []
