"""What a replay costs beside plain pytest: ``python -m benchmarks.replay [TESTS [ROUNDS]]``.

The same suite is run by pytest itself, isolated in the same way but in no sandbox, and by a replay
without a parent, reach, campaign and reruns. An almost empty suite gives the fixed part.
"""

from __future__ import annotations

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from benchhygiene import NodeEnd, sources

_FILES = 20
_MEMORY = "/dev/shm"
_TEST = """
def test_{number}(tmp_path):
    rows = [shop.total(range(n)) for n in range(60)]
    assert rows[3] == 3 and len(rows) == 60
    assert sorted(rows) == rows
"""


def _write(root: pathlib.Path, tests: int) -> tuple[pathlib.Path, pathlib.Path]:
    pack, candidate = root / "pack", root / "candidate"
    (pack / "tests").mkdir(parents=True)
    candidate.mkdir()
    (candidate / "shop.py").write_text("def total(prices):\n    return sum(prices)\n")
    for file in range(_FILES):
        mine = range(file, tests, _FILES)
        text = "import shop\n" + "".join(_TEST.format(number=number) for number in mine)
        (pack / "tests" / f"test_{file:03}.py").write_text(text)
    return pack, candidate


def _plain(pack: pathlib.Path, candidate: pathlib.Path) -> None:
    words = ["-c", "/dev/null", f"--rootdir={pack}", "-q", "-p", "no:cacheprovider", str(pack)]
    basetemp = f"--basetemp={_MEMORY}/benchhygiene-benchmark"  # a replay's is in memory, too
    done = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", basetemp, *words],
        env={"PYTHONPATH": str(candidate), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done


def _replayed(pack: pathlib.Path, candidate: pathlib.Path, tests: int) -> None:
    found = sources.replay(sources.pack(pack, require_manifest=False), candidate)
    assert len(found.suite.nodes) == tests
    assert all(run.end is NodeEnd.PASSED for run in found.suite.nodes)


def _seconds(rounds: int, *runs: Callable[[], None]) -> list[float]:
    """Return the median seconds of each, run by turns: the machine's mood is the same for all."""
    taken: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds):
        for each, run in zip(taken, runs, strict=True):
            began = time.perf_counter()
            run()
            each.append(time.perf_counter() - began)
    return [statistics.median(each) for each in taken]


def measure(tests: int, rounds: int) -> tuple[float, float]:
    """Return the median seconds of plain pytest and of a replay."""
    with tempfile.TemporaryDirectory() as scratch:
        pack, candidate = _write(pathlib.Path(scratch), tests)
        plain, replayed = _seconds(
            rounds,
            lambda: _plain(pack, candidate),
            lambda: _replayed(pack, candidate, tests),
        )
    return plain, replayed


def main(words: list[str]) -> None:
    """Print both, for the suite and for one of hardly any tests."""
    tests, rounds = (int(word) for word in (*words, *("1000", "5")[len(words) :]))
    small, large = measure(_FILES, rounds), measure(tests, rounds)
    fixed = small[1] - small[0]
    print(f"{_FILES} tests: pytest {small[0]:.2f} s, replay {small[1]:.2f} s, fixed {fixed:.2f} s")
    ratio = (large[1] - fixed) / large[0]
    print(f"{tests} tests: pytest {large[0]:.2f} s, replay {large[1]:.2f} s, {ratio:.2f} x + fixed")


if __name__ == "__main__":
    main(sys.argv[1:])
