"""The grader of ``examples/`` refuses what is untrue, and grades what is sound."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

import attrs
import pytest

ROOT = pathlib.Path(__file__).parents[2]
GRADER = ROOT / "examples" / "custom_grader.py"
LEAKY = ROOT / "examples" / "leaky_workspace"
WRONG = "def slugify(title):\n    return title\n"
MARKS_THAT_IT_RAN = "\n\ndef test_that_leaves_a_mark():\n    open('ran', 'w').close()\n"


@attrs.frozen
class Graded:
    status: int
    lines: list[str]

    @property
    def first_words(self) -> list[str]:
        return [line.partition(": ")[0] for line in self.lines]


def grade(*words: str | pathlib.Path, autoload: bool = False, addopts: str = "") -> Graded:
    """Run the grader; without autoload no plugin installed here has a say."""
    inherited = {name: v for name, v in os.environ.items() if not name.startswith("PYTEST_")}
    without = {} if autoload else {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ran = subprocess.run(
        (sys.executable, GRADER, *words),
        env={**inherited, **without, "PYTEST_ADDOPTS": addopts},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in ran.stderr
    return Graded(ran.returncode, ran.stdout.splitlines())


@pytest.fixture
def leaky(tmp_path: pathlib.Path) -> pathlib.Path:
    """Return a workspace whose host wants coverage, and whose tests leave a file ``ran``."""
    host = shutil.copytree(LEAKY, tmp_path / "host")
    return _marked(host / "attempts" / "7" / "workspace")


@pytest.fixture
def clean(tmp_path: pathlib.Path) -> pathlib.Path:
    """Return the same workspace without that host, rooted so that nothing above it counts."""
    workspace = shutil.copytree(LEAKY / "attempts" / "7" / "workspace", tmp_path / "workspace")
    (workspace / "pytest.ini").write_text("[pytest]\n")
    return _marked(workspace)


def _marked(workspace: pathlib.Path) -> pathlib.Path:
    with open(workspace / "tests" / "test_slugs.py", "a") as tests:
        tests.write(MARKS_THAT_IT_RAN)
    return workspace


def has_run(workspace: pathlib.Path) -> bool:
    return (workspace / "ran").exists()


def test_the_bundled_example_is_refused_by_name() -> None:
    workspace = LEAKY / "attempts" / "7" / "workspace"
    graded = grade(workspace, "--", "tests/test_slugs.py", autoload=True)
    assert graded.status == 1
    assert graded.lines[0] == "refused: violation"
    assert "ini.coverage_gate" in graded.first_words
    assert graded.lines[-1] == "run instead: python -m pytest -o addopts= tests/test_slugs.py"


def test_what_is_refused_is_not_run(leaky: pathlib.Path) -> None:
    assert grade(leaky, "--", "tests").status == 1
    assert not has_run(leaky)


def test_a_run_that_would_be_aborted_is_refused_with_its_exit_status(leaky: pathlib.Path) -> None:
    graded = grade(leaky, "--", "tests")
    (named,) = (line for line in graded.lines if line.startswith("ini.unknown_option: "))
    assert "no test would run, and the exit status be 4" in named


@pytest.mark.parametrize(("answer", "expected"), [(None, "passed"), (WRONG, "failed")])
def test_the_corrected_command_grades_right_and_wrong_answers(
    leaky: pathlib.Path, answer: str | None, expected: str
) -> None:
    if answer is not None:
        (leaky / "slugs.py").write_text(answer)
    graded = grade("--corrected", leaky, "--", "tests")
    assert graded == Graded(0, [expected])
    assert has_run(leaky)


@pytest.mark.parametrize(("answer", "expected"), [(None, "passed"), (WRONG, "failed")])
def test_a_clean_workspace_is_graded_as_it_stands(
    clean: pathlib.Path, answer: str | None, expected: str
) -> None:
    if answer is not None:
        (clean / "slugs.py").write_text(answer)
    graded = grade(clean, "--", "tests")
    assert graded == Graded(0, [expected])
    assert has_run(clean)


def test_a_variable_that_spoils_a_run_is_unset_in_the_corrected_one(clean: pathlib.Path) -> None:
    refused = grade(clean, "--", "tests", addopts="--collect-only")
    assert refused.status == 1
    assert refused.lines[-1].startswith("run instead: env ")
    assert not has_run(clean)
    graded = grade("--corrected", clean, "--", "tests", addopts="--collect-only")
    assert graded == Graded(0, ["passed"])
    assert has_run(clean)


def test_what_cannot_be_known_is_refused_as_uncertain(clean: pathlib.Path) -> None:
    (clean / "conftest.py").write_text("import os\nexec(os.environ.get('ANYTHING', ''))\n")
    graded = grade(clean, "--", "tests")
    assert graded.status == 3
    assert graded.lines[0] == "refused: inconclusive"
    assert "ini.conftest" in graded.first_words
    assert not has_run(clean)


def test_a_run_without_an_answer_is_no_grade(clean: pathlib.Path) -> None:
    (clean / "tests" / "test_slugs.py").write_text("import os\n\ndef test():\n    os._exit(7)\n")
    assert grade(clean, "--", "tests") == Graded(3, ["refused: pytest exited with 7"])


def test_what_tests_print_is_no_grade(clean: pathlib.Path) -> None:
    tests = "def test():\n    print('passed')\n    assert False\n"
    (clean / "tests" / "test_slugs.py").write_text(tests)
    assert grade(clean, "--", "-s", "tests") == Graded(0, ["failed"])


def test_bad_input_is_neither_a_grade_nor_a_refusal(tmp_path: pathlib.Path) -> None:
    assert grade(tmp_path / "missing", "--", "tests") == Graded(2, [])
    assert grade(tmp_path, "tests") == Graded(2, [])


def test_escape_sequences_of_the_candidate_are_spelled_out(clean: pathlib.Path) -> None:
    (clean / "pytest.ini").write_text("[pytest]\naddopts = --\x1b[31mevil\x9b\u202e\n")
    graded = grade(clean, "--", "tests")
    assert graded.status == 1
    assert any("\\x1b[31mevil" in line for line in graded.lines)
    assert all(line.isprintable() for line in graded.lines)
