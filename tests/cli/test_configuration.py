from __future__ import annotations

import os
import pathlib

import pytest

from benchhygiene import ConfigurationError, Severity
from benchhygiene.cli.configuration import CheckOptions, Configuration, read_configuration

FULL = """
require = ["ini-chain"]
disable = ["other"]
[severity]
"ini.coverage_gate" = "note"
[check]
pytest = "8.4.2"
python = "venvs/8/bin/python"
plugins = { pytest-cov = "7.1.0" }
"""


def read(tmp_path: pathlib.Path, text: str | bytes) -> Configuration:
    path = tmp_path / "bench.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_configuration(str(path))


def test_every_key_is_read(tmp_path: pathlib.Path) -> None:
    assert read(tmp_path, FULL) == Configuration(
        {"ini.coverage_gate": Severity.NOTE},
        CheckOptions("8.4.2", str(tmp_path / "venvs/8/bin/python"), {"pytest-cov": "7.1.0"}),
        ("ini-chain",),
        ("other",),
    )


def test_an_empty_file_configures_nothing(tmp_path: pathlib.Path) -> None:
    assert read(tmp_path, "") == Configuration()


def test_a_bare_python_version_is_no_path(tmp_path: pathlib.Path) -> None:
    assert read(tmp_path, '[check]\npython = "3.12"').check.python == "3.12"


def test_a_path_beside_a_nameless_directory_stays_relative(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pathlib.Path("bench.toml").write_text('[check]\npython = "./venv"')
    assert read_configuration("bench.toml").check.python == "./venv"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("typo = 1", "unknown key 'typo' @ $"),
        ("[check]\ntypo = 1", "unknown key 'typo' @ $.check"),
        ("[check]\npytest = 8", "expected text, not 8 @ $.check.pytest"),
        ("[check]\npytest = true", "expected text, not True @ $.check.pytest"),
        ("[check.plugins]\ncov = 7", "expected text, not 7 @ $.check.plugins['cov']"),
        ("check = 3", "expected a table @ $.check"),
        ("severity = 3", "expected a mapping @ $.severity"),
        ('[severity]\n"a.b" = "off"', "not 'off' @ $.severity['a.b']"),
        ('[severity]\na.b = "note"', "put it in quotes @ $.severity['a']"),
        ('[severity]\n"a.b" = ["note"]', "not ['note'] @ $.severity['a.b']"),
        ('require = "ini-chain"', "expected a list of names, not 'ini-chain' @ $.require"),
        ("disable = [1]", "expected text, not 1 @ $.disable"),
        ('require = ["a"]\ndisable = ["a"]', "'a' is both required and disabled"),
        ("x = ", "not TOML"),
        ("x = 1\nx = 2", "not TOML"),
        (b"\xff", "not TOML"),
        ("x = " + "[" * 10_000, "not TOML"),
    ],
)
def test_what_is_wrong_is_named_with_file_and_key(
    tmp_path: pathlib.Path, text: str | bytes, says: str
) -> None:
    with pytest.raises(ConfigurationError) as raised:
        read(tmp_path, text)
    assert str(raised.value).startswith(f"--config {tmp_path / 'bench.toml'}: ")
    assert says in str(raised.value)


def test_several_mistakes_are_told_at_once(tmp_path: pathlib.Path) -> None:
    with pytest.raises(ConfigurationError, match=r"not 8 @ \$\.check\.pytest; .*'typo' @ \$"):
        read(tmp_path, "typo = 1\n[check]\npytest = 8")


@pytest.mark.parametrize("name", ["missing.toml", ".", os.devnull + "/x"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: pathlib.Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_configuration(str(tmp_path / name))
