"""Measure benchhygiene against bare Python and against importing pytest, in one run.

Absolute times depend on the machine; the ratios travel. Commands are interleaved, so a slow moment
hits all of them, and the median of the repeats is reported.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

import pytest

from benchhygiene import sources
from benchhygiene_plugins.ini_chain import resolve

ROOT = pathlib.Path(__file__).parents[1]
WORKSPACE = ROOT / "examples" / "leaky_workspace" / "attempts" / "7" / "workspace"

BARE, PYTEST, LIBRARY, CHECK, CHECK_THIS = (
    'python -c "pass"',
    'python -c "import pytest"',
    'python -c "import benchhygiene"',
    "benchhygiene check --pytest 9.2.0",
    "benchhygiene check (this interpreter)",
)


def commands() -> dict[str, list[str]]:
    """Return the processes to time, by the name they have in the table."""
    script = str(pathlib.Path(sys.executable).with_name("benchhygiene"))
    stated = ["--pytest", pytest.__version__, "--plugin", "pytest-cov=7.1.0"]
    target = ["--", "tests/test_slugs.py"]
    return {
        BARE: [sys.executable, "-c", "pass"],
        PYTEST: [sys.executable, "-c", "import pytest"],
        LIBRARY: [sys.executable, "-c", "import benchhygiene"],
        CHECK: [script, "check", str(WORKSPACE), *stated, *target],
        CHECK_THIS: [script, "check", str(WORKSPACE), *target],
    }


def seconds(command: Sequence[str]) -> float:
    """Run one process to its end and return how long it took."""
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=False)
    took = time.perf_counter() - began
    if done.returncode not in (0, 1):
        raise SystemExit(f"{command} exited {done.returncode}: {done.stderr.decode()}")
    return took


def medians(repeat: int) -> dict[str, float]:
    """Time every command ``repeat`` times, in turns, after one turn that fills the caches."""
    wanted = commands()
    turns = [{name: seconds(argv) for name, argv in wanted.items()} for _ in range(repeat + 1)]
    return {name: statistics.median(turn[name] for turn in turns[1:]) for name in wanted}


def resolutions_per_second(budget: float) -> float:
    """Resolve one piece of evidence in memory, again and again, for ``budget`` seconds."""
    invocation = sources.invocation(
        WORKSPACE, ["tests/test_slugs.py"], environ={}, pytest="9.2.0", plugins={"pytest-cov": "7"}
    )
    resolve(invocation)
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < budget:
        resolve(invocation)
        count += 1
    return count / (time.perf_counter() - began)


def table(times: Mapping[str, float], rate: float) -> str:
    """Return the figures as lines to read."""
    head = f"{'process':40} {'median':>9} {'over bare':>10} {'of import pytest':>17}"
    rows = [
        f"{name:40} {took * 1e3:6.0f} ms {(took - times[BARE]) * 1e3:+7.0f} ms "
        f"{took / times[PYTEST]:16.2f}x"
        for name, took in times.items()
    ]
    return "\n".join([head, *rows, f"{'resolve(), evidence in memory':40} {rate:6.0f} per second"])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=15, help="turns per process")
    parser.add_argument("--budget", type=float, default=3.0, help="seconds spent in resolve()")
    chosen = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, pytest {pytest.__version__}")
    print(table(medians(chosen.repeat), resolutions_per_second(chosen.budget)))


if __name__ == "__main__":
    main()
