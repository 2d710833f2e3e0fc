"""Build the sandbox, run the command in it, and say how it ended.

It is given three descriptors: the specification as JSON, a pipe on which the first process of the
sandbox says how things ended, and a pipe that is closed when the outside is gone.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
from collections.abc import Sequence
from typing import cast

from benchhygiene.sources.launcher.kernel import (
    PR_SET_CHILD_SUBREAPER,
    PR_SET_PDEATHSIG,
    Refused,
    control,
    write,
)
from benchhygiene.sources.launcher.namespaces import enter_namespaces, raise_loopback
from benchhygiene.sources.launcher.root import build_root
from benchhygiene.sources.launcher.spec import Spec
from benchhygiene.sources.launcher.watching import let_go, reaped, run


def first_process(spec: Spec, user: int, lifeline: int) -> dict[str, object]:
    """Be process 1 of the sandbox: when it ends, so does everything in there."""
    control(PR_SET_PDEATHSIG, signal.SIGKILL)
    build_root(spec, user)
    raise_loopback()
    socket.sethostname("sandbox")
    with contextlib.suppress(OSError):  # nobody in there builds a sandbox of his own
        write("/proc/sys/user/max_user_namespaces", "0")
    return run(spec, user, lifeline)


def _run_unisolated(spec: Spec, lifeline: int) -> dict[str, object]:
    """Run the command where it can see everything, with limits alone; then end what it left."""
    control(PR_SET_CHILD_SUBREAPER, 1)
    said = run(spec, None, lifeline)
    for _ in range(1000):
        for orphan in _children():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(orphan, signal.SIGKILL)
        if not any(True for _ in reaped()) and not _children():
            break
    return said


def _children() -> list[int]:
    own = os.getpid()
    with open(f"/proc/{own}/task/{own}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def _say(status: int, said: dict[str, object]) -> None:
    os.write(status, json.dumps(said).encode())


def _read_all(descriptor: int) -> bytes:
    chunks = list(iter(lambda: os.read(descriptor, 1 << 16), b""))
    os.close(descriptor)
    return b"".join(chunks)


def _isolate(spec: Spec, status: int, lifeline: int) -> None:
    user = enter_namespaces()
    first = os.fork()
    if first == 0:
        try:
            _say(status, first_process(spec, user, lifeline))
        except (OSError, Refused, shutil.Error) as error:
            _say(status, {"ended": "refused", "why": str(error)})
        os._exit(0)
    os.close(status)
    let_go(spec)
    os.waitpid(first, 0)


def main(words: Sequence[str]) -> int:
    """Build the sandbox, run the command in it, and say how it ended."""
    given, status, lifeline = map(int, words)
    spec = cast("Spec", json.loads(_read_all(given)))
    try:
        if spec["isolated"]:
            _isolate(spec, status, lifeline)
        else:
            _say(status, _run_unisolated(spec, lifeline))
    except (OSError, Refused) as error:
        _say(status, {"ended": "refused", "why": str(error)})
        return 1
    return 0
