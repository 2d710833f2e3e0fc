"""Whole commands, in this process where that is enough and in one of their own where it is not."""

from __future__ import annotations

import json as standard
import os
import pathlib
import pty
import re
import subprocess
import sys
from collections.abc import Mapping
from typing import cast

import jsonschema
import pytest

from benchhygiene import cli
from benchhygiene.formats import json

FLOOR = '[tool.pytest.ini_options]\naddopts = "--cov=harness --cov-fail-under=80"\n'
PREDICT = ("--pytest", "9.2.0", "--plugin", "pytest-cov=7.1.0")
COMMAND = (sys.executable, "-P", "-m", "benchhygiene")


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("PYTEST_", "COV_")) or name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
            monkeypatch.delenv(name)


@pytest.fixture
def leaky(tmp_path: pathlib.Path) -> pathlib.Path:
    """A workspace whose host has a coverage floor."""
    return _workspace(tmp_path, FLOOR)


@pytest.fixture
def clean(tmp_path: pathlib.Path) -> pathlib.Path:
    """A workspace whose host has nothing to inherit."""
    return _workspace(tmp_path, "[tool.pytest.ini_options]\n")


def _workspace(host: pathlib.Path, pyproject: str) -> pathlib.Path:
    workspace = host / "attempts" / "ws"
    (workspace / "tests").mkdir(parents=True)
    (workspace / "tests" / "test_a.py").write_text("def test_a():\n    pass\n")
    (host / "pyproject.toml").write_text(pyproject)
    return workspace


def run(*words: str | pathlib.Path) -> int:
    return cli.main([str(word) for word in words])


def run_process(
    *words: str | pathlib.Path, env: Mapping[str, str] | None = None, shell: str = '"$@"'
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a shell line, where ``"$@"`` stands for it."""
    return subprocess.run(
        ["sh", "-c", shell, "sh", *COMMAND, *map(str, words)],
        env={**os.environ, **(env or {})},
        capture_output=True,
        check=False,
        timeout=60,
    )


def one_error(stderr: str) -> str:
    """Return the message of the only line of an error."""
    assert stderr.startswith("benchhygiene: error: ")
    assert stderr.endswith("\n")
    assert stderr.removesuffix("\n").isprintable()
    return stderr.removeprefix("benchhygiene: error: ").removesuffix("\n")


def test_a_leak_is_a_violation_with_a_fix(
    leaky: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("check", leaky, *PREDICT, "--", "tests") == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith(
        "VIOLATION  1 error\npython -m pytest tests\npredicted for pytest 9.2.0 on Python 3."
    )
    assert out.splitlines()[2].endswith(", with pytest-cov 7.1.0")
    assert "\nerror  ini.coverage_gate  ../../pyproject.toml:2:26\n" in out
    assert '--cov-fail-under=80"\n       |                          ^^^^^^^^^^^^^^^^^^^\n' in out
    assert "\n  Run instead:\n    python -m pytest -o addopts= tests\n" in out
    assert str(leaky.parents[1]) not in out


def test_a_clean_workspace_passes(clean: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", clean, *PREDICT, "--", "tests") == 0
    assert capsys.readouterr().out.startswith("PASS  nothing found by ini-chain\n")


def test_doubt_is_inconclusive(leaky: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = leaky / "harness"
    package.mkdir()
    (package / "__init__.py").write_text("def f():\n    return 1\n")
    (leaky / "tests" / "test_a.py").write_text("import harness\n\ndef test_a():\n    harness.f()\n")
    assert run("check", leaky, *PREDICT, "--", "tests") == 3
    assert capsys.readouterr().out.startswith("INCONCLUSIVE  1 undecided\n")


def test_the_report_as_json_is_what_the_schema_says(
    leaky: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("check", leaky, *PREDICT, "--format", "json", "--", "tests", "--", "-q") == 1
    document = standard.loads(capsys.readouterr().out)
    schema = cast("dict[str, object]", json.schema())
    jsonschema.Draft202012Validator(schema).validate(document)
    (outcome,) = [one for one in document["outcomes"] if one["analyzer"] == "ini-chain"]
    assert outcome["required"] is True
    assert outcome["exhibits"]["rootdir"] == "../.."
    assert outcome["exhibits"]["arguments"][-3:] == ["tests", "--", "-q"]
    assert str(leaky.parents[1]) not in standard.dumps(document)


def test_bundled_analyzers_of_other_questions_are_not_loaded(leaky: pathlib.Path) -> None:
    shown = run_process("check", leaky, *PREDICT, "--format", "json", env={"PYTHONVERBOSE": "1"})
    outcomes = standard.loads(shown.stdout)["outcomes"]
    assert [outcome["analyzer"] for outcome in outcomes] == ["ini-chain"]
    assert b"import 'benchhygiene_plugins.ini_chain'" in shown.stderr
    for other in (b"nodes", b"assertions", b"skip_markers"):
        assert b"import 'benchhygiene_plugins." + other not in shown.stderr


def test_the_same_workspace_elsewhere_gives_the_same_bytes(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: set[tuple[str, ...]] = set()
    for name in ("a", "b"):
        workspace = _workspace(tmp_path / name, FLOOR)
        outs: list[str] = []
        for style in ("text", "sarif"):
            run("check", workspace, *PREDICT, "--format", style, "--", "tests")
            outs.append(capsys.readouterr().out)
        seen.add(tuple(outs))
    assert len(seen) == 1


def test_the_report_goes_to_the_file_and_nothing_to_the_screen(
    leaky: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "r.sarif"
    words = ("check", leaky, *PREDICT, "--format", "sarif", "--output", target, "--", "tests")
    assert run(*words) == 1
    assert capsys.readouterr() == ("", "")
    assert standard.loads(target.read_text())["version"] == "2.1.0"


def test_a_dash_is_standard_output(
    leaky: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(leaky)
    assert run("check", ".", *PREDICT, "--output", "-", "--", "tests") == 1
    assert capsys.readouterr().out.startswith("VIOLATION  1 error\n")
    assert not pathlib.Path("-").exists()


@pytest.mark.parametrize("name", ["pytest", "python"])
def test_a_path_may_be_called_like_the_command(
    name: str, clean: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (clean / "tests").rename(clean / name)
    assert run("check", clean, *PREDICT, "--", name) == 0
    assert capsys.readouterr().err == ""


def test_text_in_a_file_has_no_colour(
    leaky: pathlib.Path,
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    run("check", leaky, *PREDICT, "--output", tmp_path / "r", "--", "tests")
    assert "\x1b" not in (tmp_path / "r").read_text()
    run("check", leaky, *PREDICT, "--", "tests")
    assert "\x1b[1;31mVIOLATION\x1b[0m" in capsys.readouterr().out


def test_configuration_lowers_and_says_so(
    leaky: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "bench.toml"
    config.write_text(
        '[severity]\n"ini.coverage_gate" = "note"\n'
        '[check]\npytest = "8.4.2"\nplugins = { pytest-cov = "7.1.0" }\n'
    )
    assert run("check", leaky, "--config", config, "--", "tests") == 0
    out = capsys.readouterr().out
    assert out.startswith("PASS  1 note\n")
    assert "\npredicted for pytest 8.4.2 on Python " in out
    assert "  configuration lowers ini.coverage_gate to note (findings changed: 1)\n" in out


def test_a_configuration_may_serve_other_commands_as_well(
    leaky: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "bench.toml"
    config.write_text('disable = ["nodes"]\n[severity]\n"assert.weakened" = "note"\n')
    assert run("check", leaky, *PREDICT, "--config", config, "--", "tests") == 1
    assert capsys.readouterr().err == ""


def test_the_command_line_wins_over_configuration(
    leaky: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "bench.toml"
    config.write_text('[check]\npytest = "8.4.2"\npython = "3.12"\n')
    run("check", leaky, "--config", config, "--pytest", "7.4.4")
    out = capsys.readouterr().out
    assert "\npredicted for pytest 7.4.4 on Python 3.12, no plugins stated (perhaps " in out
    assert run("check", leaky, "--config", config, "--python", leaky) == 2
    assert one_error(capsys.readouterr().err).startswith(f"interpreter '{leaky}': ")


def test_a_workspace_configures_nothing(
    leaky: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("benchhygiene.toml", ".benchhygiene.toml"):
        (leaky / name).write_text('disable = ["ini-chain"]\n')
    monkeypatch.chdir(leaky)
    assert run("check", ".", *PREDICT, "--", "tests") == 1
    assert capsys.readouterr().err == ""


def test_disabling_what_check_is_for_is_inconclusive(
    clean: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "bench.toml"
    config.write_text('disable = ["ini-chain"]\n')
    assert run("check", clean, *PREDICT, "--config", config) == 3
    assert "ini-chain was skipped although it is required: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("check",), "WORKSPACE is missing; usage: benchhygiene check WORKSPACE [OPTIONS] [-- P"),
        (("check", "a", "b", "c"), "unexpected argument: b c; arguments for pytest go after --"),
        (("check", ".", "-q"), "-q; arguments for pytest go after --"),
        (("check", ".", "--format", "xml"), "xml"),
        (("check", "--", "."), "WORKSPACE is missing"),
        (("chek", "."), "there is no command 'chek'; did you mean check?"),
        (("analyzers", "x"), "unexpected argument: x"),
        (("analyzers", "--", "x"), "analyzers takes nothing after --: x"),
        (("explain",), "RULE is missing; usage: benchhygiene explain RULE"),
        (("explain", "ini.coverge_gate"), "did you mean ini.coverage_gate"),
        (("explain", "coverage"), "did you mean ini.coverage_gate"),
        (("explain", "\x1b[2J"), "no rule or analyzer '\\x1b[2J'; `benchhygiene analyzers`"),
        (("check", "missing"), "workspace 'missing': no such directory"),
        (("check", "file"), "workspace 'file': not a directory"),
        (("check", "a\nb\x1b[2J"), "no such directory"),
        (("check", "", *PREDICT), "workspace ''"),
        (("check", ".", "--pytest", "new"), "pytest 'new': expected a version"),
        (("check", ".", "--python", "file"), "interpreter 'file': not a Python interpreter"),
        (("check", ".", "--plugin", "pytest-cov"), "--plugin pytest-cov: expected NAME=VERSION"),
        (("check", ".", "--plugin", "=1"), "--plugin =1: expected NAME=VERSION"),
        (("check", ".", "--plugin", "a=="), "--plugin a==: expected NAME=VERSION"),
        (("check", ".", "--plugin", "a==1"), "expected a single =, as in --plugin a=1"),
        (("check", ".", "--", "pytest", "tests"), "-- pytest: expected only the arguments"),
        (("check", ".", "--", "/x/python3.12", "-m", "pytest"), "-- /x/python3.12: expected only"),
        (("explain", "zzzz"), "`benchhygiene explain NAME`"),
        (("check", ".", "--config", "disable.toml"), "this reads like a rule, which the table"),
        (("check", ".", "--plugin", "a=1", "--plugin", "a=2"), "given as both 1 and 2"),
        (("check", ".", "--config", "missing"), "--config missing: cannot be read"),
        (("check", ".", "--config", "file"), "--config file: not TOML"),
        (("check", ".", "--config", "other.toml"), "there is no analyzer 'nope'"),
        (("check", ".", "--config", "rule.toml"), "has a rule 'ini.nope'"),
        (("check", ".", *PREDICT, "--output", "missing/r"), "--output missing/r: cannot be writ"),
        (("check", ".", *PREDICT, "--output", "."), "--output .: not a regular file"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bad_usage_and_bad_input_are_one_line_and_status_2(
    words: tuple[str, ...],
    says: str,
    clean: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(clean)
    pathlib.Path("file").write_text("not = = toml")
    pathlib.Path("other.toml").write_text('require = ["nope"]')
    pathlib.Path("disable.toml").write_text('disable = ["ini.environment"]')
    pathlib.Path("rule.toml").write_text('severity = { "ini.nope" = "note" }')
    assert run(*words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in one_error(err)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads it all")
def test_an_unreadable_workspace_is_bad_input(
    clean: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clean.chmod(0)
    try:
        assert run("check", clean, *PREDICT) == 2
    finally:
        clean.chmod(0o755)
    assert "Permission denied" in one_error(capsys.readouterr().err)


def test_the_whole_file_system_can_be_a_workspace(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "/", *PREDICT, "--", "no_such_test.py") in (0, 1, 3)
    assert capsys.readouterr().err == ""


def test_an_interrupt_is_status_130(
    monkeypatch: pytest.MonkeyPatch, clean: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(_text: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("benchhygiene.cli.output.write_stream", interrupt)
    assert run("check", clean, *PREDICT) == 130
    assert capsys.readouterr() == ("", "")


def test_analyzers_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("analyzers") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["ANALYZER", "DISTRIBUTION", "RULES", "CONSUMES"]
    (row,) = [line.split() for line in lines if line.startswith("ini-chain ")]
    assert row[1] == "benchhygiene"
    assert row[-1] == "PytestInvocation"


def test_analyzers_are_listed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("analyzers", "--format", "json") == 0
    listing = standard.loads(capsys.readouterr().out)
    (entry,) = [one for one in listing["analyzers"] if one["name"] == "ini-chain"]
    assert entry["consumes"] == "PytestInvocation"
    assert entry["error"] is None
    gate = next(rule for rule in entry["rules"] if rule["id"] == "ini.coverage_gate")
    assert gate["severity"] == "error"


def test_a_planted_plugin_is_listed_as_refused(
    clean: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    metadata = clean / "evil-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[benchhygiene.analyzers]\nevil\x1b = evil:E\n")
    (clean / "evil.py").write_text("raise SystemExit('imported')\n")
    monkeypatch.chdir(clean)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    assert run("analyzers") == 0
    assert "evil\\x1b (evil) was not loaded: lies outside" in capsys.readouterr().out
    assert run("check", ".", *PREDICT) == 0
    assert "evil\\x1b (evil) was not loaded: lies outside" in capsys.readouterr().out


def test_a_rule_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", "ini.coverage_gate") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("ini.coverage_gate  error  ini-chain, benchhygiene ")
    assert any(line.startswith("  More: https://") for line in lines)


def test_every_bundled_rule_is_explained_with_both_examples(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("analyzers", "--format", "json")
    listing = standard.loads(capsys.readouterr().out)
    (entry,) = [one for one in listing["analyzers"] if one["name"] == "ini-chain"]
    for rule in entry["rules"]:
        assert run("explain", rule["id"]) == 0
        out = capsys.readouterr().out
        assert "\nReported: " in out, rule["id"]
        assert "\nNot reported: " in out, rule["id"]


def test_an_analyzer_is_explained_rule_by_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", "ini-chain") == 0
    assert "\n  ini.coverage_gate " in capsys.readouterr().out


def test_it_runs_as_a_module(leaky: pathlib.Path) -> None:
    done = run_process("check", leaky, *PREDICT, "--", "tests")
    assert done.returncode == 1
    assert done.stdout.startswith(b"VIOLATION")
    assert done.stderr == b""


@pytest.mark.parametrize("encoding", ["ascii", "utf-8", "latin-1"])
def test_hostile_names_survive_any_encoding(tmp_path: pathlib.Path, encoding: str) -> None:
    host = tmp_path / os.fsdecode(b"h\xff\x1b[31m\n\xe2\x80\xae")
    workspace = _workspace(host, FLOOR)
    (workspace / os.fsdecode(b"test_\xfe\x1b]0;x\x07.py")).write_text("def test_a(): pass\n")
    (workspace / "tests" / "pytest.ini").write_bytes(b"[pytest]\naddopts = --no\x1b[2Jpe\xff\n")
    for style in ("text", "json", "sarif"):
        done = run_process(
            "check", workspace, *PREDICT, "--format", style, "--",
            os.fsdecode(b"test_\xfe\x1b]0;x\x07.py"),
            env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        )  # fmt: skip
        assert done.returncode in (0, 1, 3)
        assert done.stderr == b""
        shown = done.stdout.decode(encoding)
        assert shown.replace("\n", "").isprintable()


def test_a_hostile_workspace_name_in_an_error_is_one_line(tmp_path: pathlib.Path) -> None:
    done = run_process("check", os.fsdecode(b"no\xff\x1b[2J\n"), env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 2
    assert "no such directory" in one_error(done.stderr.decode("ascii"))


@pytest.mark.parametrize("style", ["text", "json"])
def test_a_reader_that_leaves_is_no_error(leaky: pathlib.Path, style: str) -> None:
    shell = '{ sleep 1; "$@"; echo status $? >&2; } | true'
    done = run_process("check", leaky, *PREDICT, "--format", style, "--", "tests", shell=shell)
    assert done.stderr == b"status 1\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_is_said(leaky: pathlib.Path) -> None:
    done = run_process("check", leaky, *PREDICT, shell='"$@" > /dev/full')
    assert done.returncode == 2
    assert "standard output: cannot be written: No space left" in one_error(done.stderr.decode())


@pytest.mark.parametrize(
    ("shell", "words", "status"),
    [
        ('"$@" >&-', ("check", "."), 2),
        ('"$@" 2>&-', ("check", "missing"), 2),
        ('"$@" <&-', ("analyzers",), 0),
    ],
)
def test_closed_streams_are_no_crash(
    clean: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    shell: str,
    words: tuple[str, ...],
    status: int,
) -> None:
    monkeypatch.chdir(clean)
    done = run_process(*words, *(PREDICT if words[0] == "check" else ()), shell=shell)
    assert done.returncode == status
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(("environ", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_gets_colour_and_wrapped_lines(
    leaky: pathlib.Path, environ: dict[str, str], coloured: bool
) -> None:
    primary, replica = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "60", **environ}
    words = [*COMMAND, "check", str(leaky), *PREDICT, "--", "tests"]
    with subprocess.Popen(words, stdout=replica, stderr=replica, env=env) as process:
        os.close(replica)
        shown = _read(primary).decode()
    os.close(primary)
    assert process.returncode == 1
    assert ("\x1b[1;31mVIOLATION\x1b[0m" in shown) is coloured
    bare = re.sub(r"\x1b\[[0-9;]*m", "", shown).replace("\r", "")
    assert bare.startswith("VIOLATION  1 error\n")
    assert bare.replace("\n", "").isprintable()
    assert all(len(line) <= 60 for line in bare.split("\n"))


def _read(descriptor: int) -> bytes:
    """Read a terminal until the process at its other end has gone."""
    chunks: list[bytes] = []
    while True:
        try:
            chunk = os.read(descriptor, 65536)
        except OSError:  # Linux says EIO where others say end of file
            break
        if not chunk:
            break
        chunks.append(chunk)
    return b"".join(chunks)
