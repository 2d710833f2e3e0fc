"""The command itself, and the process that watches it and never runs a line of its code."""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
import select
import signal
from collections.abc import Iterator
from typing import NoReturn

from benchhygiene.sources.launcher.kernel import (
    PR_CAPBSET_DROP,
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    Refused,
    checked,
    control,
)
from benchhygiene.sources.launcher.spec import Spec

_TICK = 100  # milliseconds between two looks at how much memory is in use
_PAGE = os.sysconf("SC_PAGE_SIZE")
_CHILD_FAILED = 125
_MOVED, _KEPT, _LAST = 512, 600, 4096  # descriptors: on their way, for the error, to be closed


def run(spec: Spec, user: int | None, lifeline: int) -> dict[str, object]:
    """Start the command and see it to its end."""
    failure, failed = os.pipe()
    child = os.fork()
    if child == 0:
        _start(spec, user, fcntl.fcntl(failed, fcntl.F_DUPFD_CLOEXEC, _KEPT))
    os.close(failed)
    control(PR_SET_DUMPABLE, 0)  # neither traced nor looked into from in there
    let_go(spec)
    said = os.read(failure, 4096)
    return {"ended": "refused", "why": said.decode()} if said else watch(spec, child, lifeline)


def _start(spec: Spec, user: int | None, failed: int) -> NoReturn:
    try:
        become(spec, user)
    except (OSError, Refused, ValueError) as error:
        os.write(failed, f"{spec['argv'][0]}: {error}".encode()[:4096])
    os._exit(_CHILD_FAILED)


def let_go(spec: Spec) -> None:
    """Hold none of the command's pipes, so that their end is seen when it closes them."""
    for held, _ in spec["descriptors"]:
        os.close(held)
    null = os.open("/dev/null", os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)


def _limit(spec: Spec) -> None:
    seconds = spec["cpu_seconds"]
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))  # SIGXCPU, then SIGKILL
    for kind, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, spec["memory_bytes"]),
        (resource.RLIMIT_NPROC, spec["processes"]),
        (resource.RLIMIT_FSIZE, spec["file_bytes"]),
        (resource.RLIMIT_NOFILE, spec["open_files"]),
    ):
        resource.setrlimit(kind, (most, most))


def drop_rights(user: int | None) -> None:
    """Keep no capability and gain none; where root may, become the given user."""
    for capability in range(64):
        control(PR_CAPBSET_DROP, capability)
    if user is not None and os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    checked(control(PR_SET_NO_NEW_PRIVS, 1), "prctl")


def become(spec: Spec, user: int | None) -> NoReturn:
    """Turn into the command, with the descriptors it was promised and no others."""
    os.setsid()
    moved = [
        (fcntl.fcntl(held, fcntl.F_DUPFD, _MOVED), wanted) for held, wanted in spec["descriptors"]
    ]
    for held, wanted in moved:
        os.dup2(held, wanted, inheritable=True)
    os.closerange(max([2, *(wanted for _, wanted in moved)]) + 1, _KEPT)
    os.closerange(_KEPT + 1, _LAST)
    os.umask(0o022)
    _limit(spec)
    drop_rights(user)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    os.chdir(spec["cwd"])
    os.execve(spec["argv"][0], spec["argv"], spec["environ"])


def _memory_used() -> int:
    """Return the bytes that everything in the sandbox holds, without what it shares."""
    pages = 0
    for name in os.listdir("/proc"):
        if name.isdecimal() and name != "1":
            with contextlib.suppress(OSError, ValueError, IndexError):
                with open(f"/proc/{name}/statm", encoding="ascii") as file:
                    words = file.read().split()
                pages += int(words[1]) - int(words[2])
    return pages * _PAGE


def watch(spec: Spec, child: int, lifeline: int) -> dict[str, object]:
    """Reap what ends until the command has; return how it did, or what it used up."""
    poll = select.poll()
    poll.register(os.pidfd_open(child), select.POLLIN)
    poll.register(lifeline, select.POLLHUP)
    while True:
        if lifeline in dict(poll.poll(_TICK)):
            return {"ended": "abandoned"}
        for process, status in reaped():
            if process == child:
                return {"ended": "finished", "status": status}
        if spec["isolated"] and _memory_used() > spec["total_memory_bytes"]:
            return {"ended": "memory"}


def reaped() -> Iterator[tuple[int, int]]:
    """Yield every process that has ended, with its status."""
    with contextlib.suppress(ChildProcessError):
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process == 0:
                return
            yield process, status
