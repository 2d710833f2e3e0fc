"""Test files are read, within bounds that are said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from benchhygiene.evidence import PathKind, PytestInvocation
from benchhygiene.sources import Limits

Plant = Callable[[Mapping[str, str | bytes]], Path]
Take = Callable[..., PytestInvocation]


def _seen(invocation: PytestInvocation, root: Path) -> set[str]:
    files = invocation.files
    read = (path for path, entry in files.entries.items() if entry.data is not None)
    return {str(Path(path).relative_to(root)) for path in read if Path(path).is_relative_to(root)}


def test_without_arguments_everything_below_is_read(plant: Plant, take: Take) -> None:
    root = plant(
        {
            "ws/a/b/test_deep.py": "x = 1\n",
            "ws/a/test_doc.txt": ">>> 1\n1\n",
            "ws/a/notes.txt": "not read",
            "ws/top.py": "",
        }
    )
    invocation = take(root / "ws")
    assert _seen(invocation, root) == {"ws/a/b/test_deep.py", "ws/a/test_doc.txt", "ws/top.py"}
    assert invocation.files.entries[str(root / "ws/a/notes.txt")].error == "not read"
    for name in ("ws", "ws/a", "ws/a/b"):
        assert invocation.files.is_listed(str(root / name))
    assert invocation.notes == ()


def test_with_an_argument_only_its_side_is_walked(plant: Plant, take: Take) -> None:
    root = plant({"ws/a/b/test_a.py": "", "ws/c/d/test_c.py": "", "ws/c/__init__.py": ""})
    invocation = take(root / "ws", ["-q", "a"])
    assert invocation.files.is_listed(str(root / "ws/a/b"))
    assert not invocation.files.is_listed(str(root / "ws/c"))
    assert invocation.files.read(str(root / "ws/c/__init__.py")) == b""  # "import c" would find it


def test_the_value_of_an_option_is_no_argument(plant: Plant, take: Take) -> None:
    root = plant({"ws/pytest.ini": "[pytest]\n", "ws/sub/dir/test_a.py": ""})
    invocation = take(root / "ws", ["-c", "pytest.ini"])
    assert invocation.files.read(str(root / "ws/sub/dir/test_a.py")) == b""


def test_modules_beside_a_test_file_and_its_package_are_read(plant: Plant, take: Take) -> None:
    root = plant(
        {
            "ws/lib/pkg/tests/__init__.py": "",
            "ws/lib/pkg/tests/test_a.py": "",
            "ws/lib/pkg/tests/near.py": "",
            "ws/lib/pkg/__init__.py": "",
            "ws/lib/beside.py": "",
            "ws/lib/other/deep/far.py": "",
        }
    )
    seen = _seen(take(root / "ws", ["lib/pkg/tests/test_a.py::test_x"]), root)
    assert {"ws/lib/pkg/tests/near.py", "ws/lib/beside.py"} <= seen
    assert "ws/lib/other/deep/far.py" not in seen


def test_modules_beside_a_conftest_above_are_recorded(plant: Plant, take: Take) -> None:
    root = plant({"host/conftest.py": "import aid", "host/aid.py": "", "host/ws/test_a.py": ""})
    assert take(root / "host/ws", ["test_a.py"]).files.exists(str(root / "host/aid.py"))


@pytest.mark.parametrize(
    "name", [".git", "node_modules", "__pycache__", "site-packages", ".tox", "build", "x.egg"]
)
def test_where_pytest_does_not_descend_neither_do_we(plant: Plant, take: Take, name: str) -> None:
    root = plant({f"ws/{name}/sub/test_a.py": "", "ws/sub/test_a.py": ""})
    invocation = take(root / "ws")
    assert invocation.files.is_dir(str(root / "ws" / name))
    assert not invocation.files.is_listed(str(root / "ws" / name))
    assert _seen(invocation, root) == {"ws/sub/test_a.py"}


def test_a_virtual_environment_is_not_walked(plant: Plant, take: Take) -> None:
    root = plant({"ws/env/pyvenv.cfg": "", "ws/env/lib/test_a.py": "", "ws/test_a.py": ""})
    assert _seen(take(root / "ws"), root) == {"ws/test_a.py"}


def test_a_link_to_a_directory_above_ends_the_walk(plant: Plant, take: Take) -> None:
    root = plant({"ws/a/test_a.py": "", "elsewhere/test_b.py": ""})
    (root / "ws/a/up").symlink_to("..")
    (root / "ws/a/out").symlink_to("../../elsewhere")
    invocation = take(root / "ws")
    assert not invocation.files.is_listed(str(root / "ws/a/up"))
    assert not invocation.files.exists(str(root / "ws/a/up/a"))
    assert invocation.files.read(str(root / "ws/a/out/test_b.py")) == b""  # pytest follows it too


@pytest.mark.parametrize(
    ("limits", "note"),
    [
        (Limits(entries=10), "sub: not all seen: more than 10 entries in all"),
        (Limits(names=10), "sub: not all seen: more than 10 entries"),
        (Limits(depth=1), "sub: not all seen: more than 1 directories deep"),
        (Limits(walked_bytes=10), "sub: not all seen: more than 10 bytes of test files"),
    ],
)
def test_what_a_bound_leaves_out_is_said(
    plant: Plant, take: Take, limits: Limits, note: str
) -> None:
    files: dict[str, str | bytes] = {f"ws/sub/test_{i:02}.py": "pass" for i in range(12)}
    root = plant(files)
    bounded, whole = take(root / "ws", limits=limits), take(root / "ws")
    assert note in bounded.notes
    assert whole.notes == ()
    assert len(_seen(bounded, root)) < len(_seen(whole, root)) == 12
    listed = bounded.files.is_listed(str(root / "ws/sub"))
    assert listed is (limits.walked_bytes == 10)  # every name is there, only bytes are missing
    assert whole.files.is_listed(str(root / "ws/sub"))


def test_the_entries_kept_are_the_first_by_name(plant: Plant, take: Take) -> None:
    root = plant({f"ws/sub/test_{i:02}.py": "" for i in range(12)})
    seen = _seen(take(root / "ws", limits=Limits(entries=5)), root)
    assert seen == {f"ws/sub/test_{i:02}.py" for i in range(4)}  # the fifth entry is sub itself


def test_a_full_working_directory_leaves_the_argument_its_own_budget(
    plant: Plant, take: Take
) -> None:
    files: dict[str, str | bytes] = {f"ws/a{i}.py": "" for i in range(30)}
    root = plant(files | {"ws/tests/unit/test_a.py": "x = 1\n"})
    invocation = take(root / "ws", ["tests"], limits=Limits(entries=20))
    assert invocation.files.read(str(root / "ws/tests/unit/test_a.py")) == b"x = 1\n"
    assert not invocation.files.is_listed(str(root / "ws"))
    assert ".: not all seen: more than 20 entries in all" in invocation.notes


def test_a_config_that_names_the_directory_above_does_not_walk_it(plant: Plant, take: Take) -> None:
    root = plant({"ws/pytest.ini": "[pytest]\ntestpaths = .. /\n", "other/sub/test_a.py": ""})
    invocation = take(root / "ws")
    assert not invocation.files.exists(str(root / "other/sub"))
    assert invocation.files.kind("/") is PathKind.DIRECTORY


@pytest.mark.parametrize(
    ("files", "args", "walked"),
    [
        ({"ws/pytest.ini": "[pytest]\naddopts = --cov=pkg --cov-fail-under=9"}, ["tests"], True),
        ({"tox.ini": "[pytest]\naddopts: '--cov'"}, ["tests"], True),
        ({}, ["tests", "--cov=."], True),
        ({"ws/pytest.ini": "[pytest]\naddopts = -x # cov"}, ["tests"], False),
    ],
)
def test_coverage_counts_files_that_nothing_imports(
    plant: Plant, take: Take, files: dict[str, str | bytes], args: list[str], walked: bool
) -> None:
    root = plant(
        files | {"ws/tests/test_a.py": "", "ws/pkg/__init__.py": "", "ws/pkg/sub/m.py": ""}
    )
    invocation = take(root / "ws", args)
    assert invocation.files.is_listed(str(root / "ws/pkg/sub")) is walked
