"""Whole processes: their CPU and wall seconds, and the most memory they held."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import cast

import attrs

#: A process begins with the memory of the one that starts it, and that counts for its peak. So a
#: small one starts it, and waits for it. Arguments: where to write, and the command.
_LAUNCHER = """\
import json, os, sys, time
began = time.perf_counter()
process = os.fork()
if not process:
    os.execv(sys.argv[2], sys.argv[2:])
_, status, used = os.wait4(process, 0)
wall = time.perf_counter() - began
unit = 1 if sys.platform == "darwin" else 1024
with open(sys.argv[1], "w") as file:
    json.dump([used.ru_utime + used.ru_stime, wall, used.ru_maxrss * unit], file)
sys.exit(os.waitstatus_to_exitcode(status) & 255)
"""


@attrs.frozen
class Took:
    """What a process took: CPU seconds (those of its children included), wall seconds, bytes."""

    cpu: float
    wall: float
    peak: int

    @property
    def memory(self) -> str:
        """Return the most memory it held."""
        return f"peak {self.peak / 2**20:.0f} MB"


def run(
    command: Sequence[str],
    scratch: Path,
    *,
    expected: Iterable[int] = (0,),
    pass_fds: Sequence[int] = (),
) -> tuple[Took, bytes]:
    """Run a process to its end; return what it took and what it printed."""
    report = scratch / "took.json"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _LAUNCHER, str(report), *command],
        stdout=subprocess.PIPE,
        pass_fds=pass_fds,
        check=False,
    )
    if done.returncode not in expected:
        said_last = done.stdout.decode(errors="replace")[-2000:]
        raise SystemExit(f"{said_last}\n{' '.join(command)} exited {done.returncode}")
    said = cast("list[float]", json.loads(report.read_bytes()))
    return Took(said[0], said[1], int(said[2])), done.stdout


def middle(runs: Sequence[Took]) -> Took:
    """Return the medians of several runs, and the highest peak."""
    return Took(
        statistics.median(one.cpu for one in runs),
        statistics.median(one.wall for one in runs),
        max(one.peak for one in runs),
    )
