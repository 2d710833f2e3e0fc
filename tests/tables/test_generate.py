"""The tables are what the plan asks for and what the real pytest answers."""

from __future__ import annotations

import importlib.util
import json
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).parent
RUNNING = f"{sys.version_info[0]}.{sys.version_info[1]}"


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tables_generate", HERE / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def questions(generate: ModuleType, file: str) -> set[tuple[str, str]]:
    plan = tomllib.loads((HERE / "plan.toml").read_text("utf-8"))
    if file == "core.jsonl":
        asked = generate.core_questions(plan["pytest"])
    else:
        asked = generate.plugin_questions(plan["plugins"])
    return {(each.distribution, each.version) for each in asked}


@pytest.mark.parametrize("file", ["core.jsonl", "plugins.jsonl"])
def test_every_question_of_the_plan_has_its_row_and_no_other(
    generate: ModuleType, file: str
) -> None:
    rows = map(json.loads, (generate.TABLES / file).read_text("utf-8").splitlines())
    answered = {(row.get("distribution", "pytest"), row["version"]) for row in rows}

    assert answered == questions(generate, file)


@pytest.mark.parametrize("file", ["core.jsonl", "plugins.jsonl"])
def test_writing_what_was_read_changes_no_byte(
    generate: ModuleType, file: str, tmp_path: Path
) -> None:
    rows = generate.read(generate.TABLES / file)
    generate.write(tmp_path / file, reversed(list(rows.values())))

    assert (tmp_path / file).read_bytes() == (generate.TABLES / file).read_bytes()


def test_rows_survive_a_question_without_an_answer(
    generate: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {"version": "7.0.1", "options": []}
    generate.write(tmp_path / "core.jsonl", [row])
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    asked = generate.Asked("pytest", "7.0.1", "7.0.1", python="2.0")

    failed = list(generate.regenerate(tmp_path / "core.jsonl", [asked], keep=False))

    assert failed == ["pytest 7.0.1: no Python 2.0 found"]
    assert list(generate.read(tmp_path / "core.jsonl").values()) == [row]


def test_a_name_outside_the_plan_is_refused(
    generate: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert generate.main(["pytest-nosuch"]) == 2
    assert capsys.readouterr().out == "not in plan.toml: pytest-nosuch\n"


@pytest.mark.full
@pytest.mark.parametrize("version", ["7.4.4", "8.4.2", "9.2.0"])
def test_core_row_is_what_the_real_pytest_says(generate: ModuleType, version: str) -> None:
    recorded = generate.read(generate.TABLES / "core.jsonl")
    asked = generate.Asked("pytest", version, version, python=RUNNING)

    answer = generate.compact(generate.ask(asked))

    assert answer == recorded[generate.key(answer)]


@pytest.mark.full
@pytest.mark.parametrize(("name", "version"), [("pytest-cov", "7.1.0"), ("pytest-xdist", "3.8.0")])
def test_plugin_row_is_what_the_real_plugin_says(
    generate: ModuleType, name: str, version: str
) -> None:
    recorded = generate.read(generate.TABLES / "plugins.jsonl")
    asked = generate.Asked(name, version, "8.4.2", python=RUNNING)

    answer = generate.compact(generate.ask(asked))

    assert answer == recorded[generate.key(answer)]
