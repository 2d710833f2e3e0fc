"""The readings are the real grader's: swebench 5.0.2 on thousands of made logs.

SWEBENCH_PYTHON names an interpreter that has it; without one only the rules as they were measured
are held, in ``test_readings.py``.
"""

from __future__ import annotations

import json
import os
import pathlib
import random
import subprocess

import pytest

from benchhygiene import GraderLog, GraderParser
from benchhygiene_plugins.grader_logs import grade, is_resolved

PYTHON = os.environ.get("SWEBENCH_PYTHON")
PARSERS = {
    "parse_log_pytest": GraderParser.SWEBENCH_PYTEST,
    "parse_log_pytest_options": GraderParser.SWEBENCH_PYTEST_OPTIONS,
    "parse_log_pytest_v2": GraderParser.SWEBENCH_PYTEST_V2,
}
NAMES = (
    *("t.py::a", "t.py::b", "t.py::q[c d]", "t.py::q[c e]", "t.py::p[/x/y]", "t.py::p[//x]"),
    *("t.py::p[a - b]", "t.py::p[x*/y]", "t.py::p[[1]]", "[1]", "[100%]", "t.py::q[c"),
)
STATUSES = ("PASSED", "FAILED", "SKIPPED", "ERROR", "XFAIL", "XPASS", "FAILED:", "PASSEDx", "PASS")
NOISE = (
    *(
        "",
        "collected 2 items",
        "5 passing",
        "\x1b[31mFAILED\x1b[0m t.py::a - no",
        "PASSED",
        "FAILED",
    ),
    *(
        "ok\rPASSED t.py::a",
        "x\x0bPASSED t.py::b",
        "+ : '>>>>> End Test Output'",
        ">>>>> Tests Errored",
    ),
    *(
        ">>>>> Test Exit Code: 0",
        ">>>>> Start Test Output",
        "SKIPPED [1] t.py:3: why",
        "\x85FAILED x",
    ),
)


def made(seed: int) -> dict[str, object]:
    chance = random.Random(seed)
    lines = [_line(chance) for _ in range(chance.randint(0, 8))]
    text = "\n".join(("+ : '>>>>> Start Test Output'", *lines))
    if chance.random() < 0.95:
        text += (
            f"\n+ : '>>>>> End Test Output'\n>>>>> Test Exit Code: {chance.choice([0, 0, 1, 5])}\n"
        )
    return {
        "text": text.replace("\n", "\r\n") if chance.random() < 0.1 else text,
        "parser": chance.choice(list(PARSERS)),
        "fail_to_pass": chance.sample(NAMES, chance.randint(1, 2)),
        "pass_to_pass": chance.sample(NAMES, chance.randint(0, 2)),
    }


def _line(chance: random.Random) -> str:
    if chance.random() < 0.25:
        return chance.choice(NOISE)
    status, name = (
        chance.choice(("PASSED",) * 6 + STATUSES),
        chance.choice(NAMES),
    )
    if chance.random() < 0.1:
        return f"{name} {status}"
    return f"{status} {name}" + chance.choice(["", "", " - assert 0", " - a - b"])


@pytest.mark.full
@pytest.mark.skipif(PYTHON is None, reason="SWEBENCH_PYTHON names no interpreter with swebench")
def test_the_readings_are_the_real_graders() -> None:
    asked = [made(seed) for seed in range(4000)]
    script = pathlib.Path(__file__).with_name("graders.py")
    done = subprocess.run(
        [str(PYTHON), str(script)],
        input="\n".join(map(json.dumps, asked)) + "\n",
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) == len(asked)
    for one, real in zip(asked, told, strict=True):
        assert ours(one) == (real["statuses"], real["found"], real["resolved"]), one


def ours(one: dict[str, object]) -> tuple[dict[str, str], bool, bool]:
    log = GraderLog(**{**one, "parser": PARSERS[str(one["parser"])]})  # type: ignore[arg-type]
    found = grade(log)
    statuses = {name: lines[-1].status for name, lines in found.lines.items()}
    is_read = (
        found.refusal is None and not found.gated and (bool(statuses) or "passing" in log.text)
    )
    return (statuses if is_read else {}), is_read, is_resolved(log, found)
