"""Whatever pytest may ask about is in the evidence, with its bytes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from benchhygiene.evidence import PathKind, PytestInvocation
from benchhygiene.sources.search import CONFIG_NAMES

Plant = Callable[[Mapping[str, str | bytes]], Path]
Take = Callable[..., PytestInvocation]


@pytest.mark.parametrize("name", [*CONFIG_NAMES, "conftest.py", "setup.py", "__init__.py"])
def test_files_above_the_workspace_are_read(plant: Plant, take: Take, name: str) -> None:
    root = plant({name: "[pytest]\n", "repo/ws/test_a.py": ""})
    files = take(root / "repo" / "ws").files
    assert files.read(str(root / name)) == b"[pytest]\n"
    assert not files.exists(str(root / "repo" / name))


def test_the_directories_up_to_the_root_are_recorded_as_not_wholly_seen(
    plant: Plant, take: Take
) -> None:
    root = plant({"ws/a": ""})
    files = take(root / "ws").files
    for directory in (root, *root.parents):
        assert files.is_dir(str(directory))
        assert not files.is_listed(str(directory))


@pytest.mark.parametrize(
    "args",
    [
        ["-c", "../etc/ci.ini"],
        ["-c../etc/ci.ini"],
        ["-c=../etc/ci.ini"],
        ["-qvc../etc/ci.ini"],
        ["--config-file=../etc/ci.ini"],
        ["--config-file", "../etc/ci.ini"],
        ["-o", "addopts=-c '../etc/ci.ini'"],
        ["../etc/ci.ini::test_a"],
        ["missing/../../etc/ci.ini"],
    ],
)
def test_a_path_is_found_in_every_way_to_write_an_option(
    plant: Plant, take: Take, args: list[str]
) -> None:
    root = plant({"etc/ci.ini": "[pytest]\naddopts = -x\n", "etc/tox.ini": "", "ws/a": ""})
    files = take(root / "ws", args).files
    assert files.read(str(root / "etc/ci.ini")).endswith(b"-x\n")
    assert files.read(str(root / "etc/tox.ini")) == b""  # beside it, so it is in the search


def test_the_variables_name_paths_too(plant: Plant, take: Take) -> None:
    root = plant({"a/ci.ini": "", "b/rc": "", "c/mod.py": "", "ws/plug/in.py": ""})
    environ = {
        "PYTEST_ADDOPTS": f"-c '{root}/a/ci.ini' 'unbalanced",
        "COVERAGE_RCFILE": "../b/rc",
        "PYTHONPATH": str(root / "c"),
        "PYTEST_PLUGINS": "os,plug.in",
    }
    invocation = take(root / "ws", environ=environ)
    for name in ("b/rc", "ws/plug/in.py"):
        assert invocation.files.read(str(root / name)) == b""
    assert invocation.files.is_listed(str(root / "c"))
    assert invocation.files.exists(str(root / "c/mod.py"))


def test_an_unbalanced_variable_still_names_its_paths(plant: Plant, take: Take) -> None:
    root = plant({"a/ci.ini": "", "ws/a": ""})
    invocation = take(root / "ws", environ={"PYTEST_ADDOPTS": "'-x -c ../a/ci.ini"})
    assert invocation.files.exists(str(root / "a/ci.ini"))


def test_rootdir_is_expanded_from_the_given_variables(plant: Plant, take: Take) -> None:
    root = plant({"other/tox.ini": "", "ws/a": ""})
    for word in ("--rootdir=$OTHER", "--rootdir=${OTHER}"):
        invocation = take(root / "ws", [word], environ={"OTHER": f"{root}/other", "SECRET": "s"})
        assert invocation.files.exists(str(root / "other/tox.ini"))
        assert invocation.environ == (("OTHER", f"{root}/other"),)


def test_an_arguments_file_is_followed_into_the_next_one(plant: Plant, take: Take) -> None:
    root = plant(
        {
            "ws/more.txt": "-q\n@rest\n",
            "ws/rest": "@more.txt\n-c\n../etc/ci.ini\n",
            "etc/ci.ini": "[pytest]\n",
        }
    )
    files = take(root / "ws", ["@more.txt"]).files
    assert files.read(str(root / "ws/rest")).startswith(b"@more")
    assert files.exists(str(root / "etc/ci.ini"))


def test_an_endless_chain_of_arguments_files_is_followed_without_recursion(
    plant: Plant, take: Take
) -> None:
    chain: dict[str, str | bytes] = {f"ws/{i}": f"@{i + 1}\n" for i in range(1_500)}
    root = plant(chain | {"ws/1500": "target.ini\n", "ws/target.ini": "[pytest]\n"})
    files = take(root / "ws", ["@0"]).files
    assert files.read(str(root / "ws/target.ini")) == b"[pytest]\n"


@pytest.mark.parametrize(
    ("config", "text"),
    [
        ("pytest.ini", "[pytest]\naddopts = --cov-config=etc/.coveragerc other\n"),
        ("pyproject.toml", '[tool.pytest]\naddopts = ["--cov-config", "etc/.coveragerc"]\n'),
        ("setup.cfg", "[tool:pytest]\naddopts = '--cov-config=etc/.coveragerc'\n"),
        ("tox.ini", "\n[pytest]\r\naddopts:--cov-config=etc/.coveragerc\r\n"),
    ],
)
def test_paths_named_by_a_config_file_are_recorded(
    plant: Plant, take: Take, config: str, text: str
) -> None:
    root = plant({config: text, "ws/etc/.coveragerc": "[report]\n", "etc/.coveragerc": "secret"})
    files = take(root / "ws", ["nosuch"]).files
    assert files.read(str(root / "ws/etc/.coveragerc")) == b"[report]\n"
    # relative to the config's own directory it exists, but a hostile config may name a secret
    assert files.exists(str(root / "etc/.coveragerc"))
    assert not files.is_dir(str(root / "ws/nosuch"))


def test_a_config_cannot_make_us_keep_files_elsewhere(plant: Plant, take: Take) -> None:
    root = plant(
        {"home/.netrc.cfg": "password", "ws/pytest.ini": "[pytest]\nx = ../home/.netrc.cfg"}
    )
    entry = take(root / "ws").files.entries[str(root / "home/.netrc.cfg")]
    assert (entry.kind, entry.data, entry.error) == (PathKind.FILE, None, "not read")


def test_conftests_right_below_an_argument_load_at_start_up(plant: Plant, take: Take) -> None:
    root = plant({"ws/src/testing/conftest.py": "a = 1\n", "ws/src/other/conftest.py": "b = 1\n"})
    files = take(root, ["-k", "nothing", "ws/src"]).files
    assert files.read(str(root / "ws/src/testing/conftest.py")) == b"a = 1\n"


def test_arguments_are_lexical_and_the_working_directory_is_physical(
    plant: Plant, take: Take
) -> None:
    root = plant({"real/deep/ws/test_a.py": "", "side/pytest.ini": "[pytest]\n"})
    (root / "side/link").symlink_to(root / "real/deep/ws")
    (root / "entry").symlink_to(root / "real/deep/ws")
    invocation = take(root / "entry", [str(root / "side/link/test_a.py")])
    assert invocation.cwd == str(root / "real/deep/ws")
    assert invocation.files.is_file(str(root / "side/link/test_a.py"))
    assert invocation.files.read(str(root / "side/pytest.ini")) == b"[pytest]\n"


def test_a_linked_config_counts_and_a_dangling_one_does_not(plant: Plant, take: Take) -> None:
    root = plant({"etc/real.ini": "[pytest]\n", "ws/a": ""})
    (root / "ws/pytest.ini").symlink_to("../etc/real.ini")
    (root / "ws/tox.ini").symlink_to("../etc/gone.ini")
    files = take(root / "ws").files
    assert files.read(str(root / "ws/pytest.ini")) == b"[pytest]\n"
    assert not files.exists(str(root / "ws/tox.ini"))


def test_the_same_workspace_gives_the_same_evidence(plant: Plant, take: Take) -> None:
    root = plant({"ws/b/test_b.py": "", "ws/a/test_a.py": "", "ws/pytest.ini": "a b ../ws\n"})
    first, second = take(root / "ws", ["a", "b"]), take(root / "ws", ["a", "b"])
    assert first == second
    assert list(first.files.entries) == sorted(first.files.entries)


def test_a_cold_cache_is_told_from_a_warm_one(plant: Plant, take: Take) -> None:
    root = plant({"ws/.pytest_cache/v/cache/lastfailed": "{}", "other/a": ""})
    cache = ".pytest_cache/v/cache/lastfailed"
    assert take(root / "ws").files.read(str(root / "ws" / cache)) == b"{}"
    assert not take(root / "other").files.exists(str(root / "other" / cache))


def test_tokens_are_bounded_and_said_so(plant: Plant, take: Take) -> None:
    from benchhygiene.sources import Limits

    words = " ".join(f"w{i}" for i in range(50))
    root = plant(
        {"ws/pytest.ini": f"[pytest]\nx = {words}\naddopts = deep/a.ini", "ws/deep/a.ini": ""}
    )
    some = take(root / "ws", ["nosuch"], limits=Limits(tokens=20))
    assert any("stopped looking up" in what for what in some.unseen)
    assert take(root / "ws", ["nosuch"]).unseen == ()
    assert os.fspath(root / "ws/deep/a.ini") in take(root / "ws", ["nosuch"]).files.entries
