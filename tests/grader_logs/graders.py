"""Grade a log with the real swebench: a JSON line in for each log, a JSON line out.

Run by an interpreter that has swebench. Usage: python graders.py < LOGS > GRADES
"""

from __future__ import annotations

import json
import sys
import tempfile

from swebench.harness.grading import get_eval_report, get_logs_eval
from swebench.types import TestSpec


def _grade(asked: dict) -> dict:
    spec = TestSpec(
        instance_id="i",
        image="",
        eval_script_list=[],
        repo="r",
        version="1",
        FAIL_TO_PASS=asked["fail_to_pass"],
        PASS_TO_PASS=asked["pass_to_pass"],
        log_parser=asked["parser"],
        eval_type="pass_and_fail",
    )
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="") as log:
        log.write(asked["text"])
        log.flush()
        statuses, found = get_logs_eval(spec, log.name)
        prediction = {"instance_id": "i", "model_patch": "p", "model_name_or_path": "m"}
        report = get_eval_report(spec, prediction, log.name, True)["i"]
    return {"statuses": statuses, "found": found, "resolved": report["resolved"]}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(_grade(json.loads(line))))
