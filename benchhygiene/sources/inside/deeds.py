"""What the source under test does in the tests' process that a product has no use for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import cast

from benchhygiene.sources.inside.places import CANDIDATE, OTHER, Places

_MOST = 200  # deeds that are kept
_WALKS = ("gc.get_objects", "gc.get_referents", "gc.get_referrers", "sys._current_frames")
_FRAMES = ("sys._getframe", "sys._getframemodulename")
_TRACES = ("sys.addaudithook", "sys.setprofile", "sys.settrace", "sys.monitoring.register_callback")
_SIGNALS = ("os.kill", "os.killpg")
_NETWORK = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")
_EVENTS = frozenset(("open", *_WALKS, *_FRAMES, *_TRACES, *_SIGNALS, *_NETWORK))
_LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0", "::")


class Deeds:
    """Deeds as they are seen, each once: ``(kind, file, what)``."""

    def __init__(self, places: Places, channel: int) -> None:
        self.places = places
        self.seen: dict[tuple[str, str, str], None] = {}
        self._channel = channel

    def add(self, kind: str, filename: str, what: str) -> None:
        """Keep one."""
        if len(self.seen) < _MOST:
            self.seen[(kind, self.places.relative(filename), what[:500])] = None

    def listen(self) -> None:
        """Hear of them from the interpreter itself: what is added here cannot be taken away.

        https://docs.python.org/3/library/audit_events.html
        """
        sys.addaudithook(_hook(self))

    def judge(self, event: str, args: tuple[object, ...], near: str, filename: str) -> None:
        """Keep an event if it is a deed of the source under test; the network is anybody's."""
        if event in _NETWORK:
            self._judge_network(event, args, filename)
        elif self.places.of(filename) != CANDIDATE:
            return
        elif event == "open":
            self._judge_open(args, filename)
        elif event in _FRAMES:
            if near == filename or near.endswith((f"{os.sep}inspect.py", f"{os.sep}traceback.py")):
                self.add("frames", filename, event)
        elif event in _SIGNALS:
            if args and args[0] in (0, -1, 1, os.getpid(), os.getppid()):
                self.add("signalled", filename, event)
        else:
            self.add("walked" if event in _WALKS else "traced", filename, event)

    def _judge_open(self, args: tuple[object, ...], filename: str) -> None:
        path = args[0] if args else None
        is_process = isinstance(path, str) and path.startswith("/proc/")
        if path == self._channel or (is_process and ("/mem" in str(path) or "/fd/" in str(path))):
            self.add("walked", filename, str(path))
        elif self.places.is_test(path):
            self.add("read tests", filename, self.places.relative(os.path.realpath(str(path))))

    def _judge_network(self, event: str, args: tuple[object, ...], filename: str) -> None:
        address = args[-1] if event in ("socket.connect", "socket.sendto") else args[0]
        host: object = address
        if isinstance(address, tuple):
            host = next(iter(cast("tuple[object, ...]", address)), None)
        is_far = isinstance(host, str) and not host.startswith((*_LOOPBACK, "/"))
        if is_far and self.places.of(filename) != OTHER:
            self.add("connected", filename, str(host))


def _hook(deeds: Deeds) -> Callable[[str, tuple[object, ...]], None]:
    frame_of = sys._getframe  # pyright: ignore[reportPrivateUsage]
    events, busy = _EVENTS, [False]
    judge, responsible = deeds.judge, deeds.places.responsible

    def hook(event: str, args: tuple[object, ...]) -> None:
        if event not in events or busy[0]:
            return
        busy[0] = True
        try:
            frame = frame_of(1)
            judge(event, args, frame.f_code.co_filename, responsible(frame))
        finally:
            busy[0] = False

    return hook
