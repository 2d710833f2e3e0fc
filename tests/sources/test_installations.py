"""Versions and distributions come from what was stated or from metadata, never from running it."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import sys
import venv
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from benchhygiene import sources
from benchhygiene.errors import InputError
from benchhygiene.evidence import Distribution, PytestInvocation, PytestPlugin

Plant = Callable[[Mapping[str, str | bytes]], Path]

MINOR = f"{sys.version_info.major}.{sys.version_info.minor}"
PACKAGES = f"lib/python{MINOR}/site-packages"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX layout of environments")


def _metadata(name: str, version: str, **files: str) -> dict[str, str | bytes]:
    """Return the files of one installed distribution, below its site directory."""
    folder = f"{name.replace('-', '_')}-{version}.dist-info"
    headers = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nName: body\n"
    texts = {"METADATA": headers} | {key.replace("__", "."): text for key, text in files.items()}
    return {f"{folder}/{key}": text for key, text in texts.items()}


def _below(directory: str, files: Mapping[str, str | bytes]) -> dict[str, str | bytes]:
    return {f"{directory}/{name}": content for name, content in files.items()}


def _take(workspace: Path, **stated: object) -> PytestInvocation:
    take: Callable[..., PytestInvocation] = sources.invocation
    return take(workspace, **({"environ": {}} | stated))


@pytest.fixture
def environment(plant: Plant) -> Path:
    """Make a real virtual environment whose interpreter is never to be run, with pytest in it."""
    root = plant({"ws/test_a.py": ""})
    venv.create(root / "env", with_pip=False)
    plant(_below(f"env/{PACKAGES}", _metadata("pytest", "8.4.2", top_level__txt="_pytest\npytest")))
    return root / "env"


def test_by_default_the_interpreter_that_runs_us_is_meant(plant: Plant) -> None:
    invocation = _take(plant({"x": ""}))
    assert invocation.python == platform.python_version()
    assert invocation.pytest == importlib.metadata.version("pytest")
    assert invocation.complete
    installed = {each.name: each for each in invocation.distributions}
    for name in ("pytest", "attrs", "pytest-cov"):
        assert installed[name].version == importlib.metadata.version(name)
    assert PytestPlugin("pytest_cov", "pytest_cov.plugin") in (
        installed["pytest-cov"].plugins or ()
    )
    assert "pytest_cov" in (installed["pytest-cov"].modules or ())
    assert installed["attrs"].plugins == ()


def test_what_is_installed_agrees_with_the_standard_library(plant: Plant) -> None:
    invocation = _take(plant({"x": ""}), environ=dict(os.environ))
    ours = {(each.name, each.version) for each in invocation.distributions}
    found = importlib.metadata.distributions()
    theirs = {(each.metadata["Name"], each.version) for each in found}
    assert ours <= theirs  # sys.path of a running test may hold more than an interpreter's own
    entry_points = importlib.metadata.entry_points(group="pytest11")
    plugins = {p.name for each in invocation.distributions for p in each.plugins or ()}
    assert plugins <= set(entry_points.names)
    assert {"pytest_cov"} <= plugins


def test_a_stated_pytest_leaves_the_rest_a_guess(plant: Plant) -> None:
    invocation = _take(plant({"x": ""}), pytest="7.0.1")
    assert invocation.pytest == "7.0.1"
    assert not invocation.complete
    names = {each.name for each in invocation.distributions}
    assert "pytest-cov" in names
    assert "pytest" not in names  # the one here has another version


def test_stated_plugins_are_all_there_is(plant: Plant) -> None:
    plugins = {"pytest_cov": "7.1.0", "iniconfig": "2.3.1"}
    invocation = _take(plant({"x": ""}), pytest="8.4", plugins=plugins)
    assert invocation.distributions == (
        Distribution("iniconfig", "2.3.1"),
        Distribution("pytest_cov", "7.1.0"),
    )
    assert invocation.complete


@pytest.mark.parametrize(
    "stated",
    [
        {"pytest": "eight"},
        {"pytest": ""},
        {"pytest": "8"},
        {"pytest": "8.4.2; rm"},
        {"pytest": "8.4.2\n"},
        {"pytest": ">=8.4"},
        {"pytest": 9.2},
        {"plugins": {"x": None}},
        {"plugins": {1: "1.0"}},
        {"python": 3.12},
        {"plugins": {"pytest cov": "1.0"}},
        {"plugins": {"pytest-cov": "new"}},
        {"plugins": {"": "1.0"}},
        {"python": "/nonexistent/python"},
        {"python": ""},
        {"python": "no-such-command-anywhere"},
        {"python": "3"},
    ],
)
def test_what_is_no_version_or_interpreter_is_one_clear_error(
    plant: Plant, stated: dict[str, object]
) -> None:
    with pytest.raises(InputError, match="expected a") as caught:
        _take(plant({"x": ""}), **({"pytest": "8.4.2"} | stated))
    assert str(caught.value).isprintable()


def test_files_that_are_no_interpreter_are_refused(plant: Plant) -> None:
    root = plant({"python": "text", "bin/python3": "#!/bin/sh\n", "notes.txt": "", "dir/x": ""})
    (root / "bin/python3").chmod(0o755)
    (root / "dangling").symlink_to("gone/bin/python3")
    os.mkfifo(root / "python3.12")
    names = ["python", "bin/python3", "notes.txt", "dir", "dangling", "python3.12"]
    for path in [*(root / name for name in names), shutil.which("ls")]:
        with pytest.raises(InputError, match=r"expected a Python interpreter such as"):
            _take(root, python=path, pytest="8.4.2")


@pytest.mark.parametrize("name", ["", "bin/python", f"bin/python{MINOR}"])
def test_a_virtual_environment_is_read_from_its_metadata(environment: Path, name: str) -> None:
    invocation = _take(environment.parent / "ws", python=environment / name)
    assert invocation.pytest == "8.4.2"
    assert invocation.python == platform.python_version()
    assert invocation.complete
    assert [each.name for each in invocation.distributions] == ["pytest"]
    assert invocation.distributions[0].modules == ("_pytest", "pytest")
    assert invocation.notes == ()


def test_an_interpreter_in_the_workspace_is_read_and_noted(environment: Path) -> None:
    trap = environment / "bin" / "python"
    trap.unlink()
    trap.write_text(f"#!/bin/sh\ntouch {environment}/was-run\n")
    trap.chmod(0o755)
    invocation = _take(environment.parent, python=trap)
    assert invocation.notes == ("'env/bin/python' lies in the workspace and was not run",)
    assert not (environment / "was-run").exists()
    assert invocation.pytest == "8.4.2"


def test_plugins_are_read_from_entry_points(environment: Path, plant: Plant) -> None:
    entry_points = """
        [console_scripts]
        not = a.plugin
        # [pytest11]
        [pytest11]
        ; c = d
        one = pkg.plugin
        two=other.sub:Class [extra]

        [pytest12]
        three = pkg
    """
    record = (
        "../../../bin/x,,\npkg/__init__.py,sha256=a,1\npkg/__pycache__/a.pyc,,\n"
        "single.py,,\nfast.cpython-311-x86_64-linux-gnu.so,,\nacme_plug-1.0.dist-info/METADATA,,\n"
        "__pycache__/single.cpython-311.pyc,,\n"
    )
    files = _metadata("acme-plug", "1.0", entry_points__txt=entry_points, RECORD=record)
    plant(_below(f"env/{PACKAGES}", files))
    acme, _ = _take(environment.parent / "ws", python=environment).distributions
    assert acme == Distribution(
        "acme-plug",
        "1.0",
        plugins=(PytestPlugin("one", "pkg.plugin"), PytestPlugin("two", "other.sub")),
        modules=("fast", "pkg", "single"),
    )


def test_every_form_of_metadata_is_read_and_rubbish_is_survived(
    environment: Path, plant: Plant
) -> None:
    headers = "Metadata-Version: 1.0\r\nName: {}\r\nVersion: 2\r\n"
    files: dict[str, str | bytes] = {
        "old.egg-info/PKG-INFO": headers.format("old"),
        "older-1.egg-info": headers.format("older"),
        "bare_name-3.1.dist-info/x": "",
        "binary-1.dist-info/METADATA": bytes(range(256)),
        "binary-1.dist-info/entry_points.txt": b"[pytest11]\n\xff = \xfe\n=\n",
        "~ytest-9.9.dist-info/METADATA": headers.format("pytest"),
        "links.pth": "# comment\nimport os; os.abort()\n../../../extra\n../../../Old.egg\n/gone\n",
        ".hidden.pth": "../../../never\n",
    }
    plant(_below(f"env/{PACKAGES}", files))
    plant(_below("env/extra", _metadata("linked", "4.0")))
    plant(_below("env/never", _metadata("never", "4.0")))
    plant({"env/Old.egg/EGG-INFO/PKG-INFO": headers.format("egg")})
    found = _take(environment.parent / "ws", python=environment).distributions
    assert [(each.name, each.version) for each in found] == [
        ("bare_name", "3.1"),
        ("binary", "1"),
        ("egg", "2"),
        ("linked", "4.0"),
        ("old", "2"),
        ("older", "2"),
        ("pytest", "8.4.2"),
    ]


def test_what_the_working_directory_and_pythonpath_hold_is_installed_too(
    environment: Path, plant: Plant
) -> None:
    root = plant(_below("ws", _metadata("planted", "1.0", entry_points__txt="[pytest11]\na = b")))
    plant(_below("ws/src", _metadata("onpath", "1.0")))
    plant(_below("ws/src", _metadata("pytest", "0.1")))

    def names(**environ: str) -> list[str]:
        found = _take(root / "ws", python=environment, environ=environ).distributions
        return [f"{each.name} {each.version}" for each in found]

    assert names() == ["planted 1.0", "pytest 8.4.2"]
    assert names(PYTHONSAFEPATH="1") == ["pytest 8.4.2"]
    assert names(PYTHONPATH="src") == ["onpath 1.0", "planted 1.0", "pytest 0.1", "pytest 8.4.2"]


def test_plugins_in_a_list_are_refused(plant: Plant) -> None:
    with pytest.raises(InputError, match=r"plugins \['pytest-cov'\]: expected versions by name"):
        _take(plant({"x": ""}), pytest="8.4.2", plugins=["pytest-cov"])


def test_no_pytest_anywhere_asks_for_its_environment(plant: Plant) -> None:
    root = plant({"ws/x": ""})
    venv.create(root / "env", with_pip=False)
    with pytest.raises(InputError, match=r"expected --python PATH, .* else --pytest VERSION with"):
        _take(root / "ws", python=root / "env")
    invocation = _take(root / "ws", python=root / "env", pytest="8.4.2")
    assert not invocation.complete  # pytest is to be installed there, and who knows what else


def test_system_packages_count_where_the_environment_sees_them(plant: Plant) -> None:
    root = plant(
        _below(f"base/{PACKAGES}", _metadata("pytest", "7.4.4"))
        | _below(f"home/.local/{PACKAGES}", _metadata("personal", "1"))
        | _below(f"env/{PACKAGES}", _metadata("own", "1"))
    )

    def names(*lines: str, **environ: str) -> list[str]:
        text = "\n".join(["home = ../base/bin", "VERSION_INFO = 3.11.4.final.0", *lines])
        plant({"env/pyvenv.cfg": text.replace("3.11.4", f"{MINOR}.4")})
        stated = {"pytest": "9.0.0", "environ": {"HOME": f"{root}/home"} | environ}
        invocation = _take(root / "env", python=root / "env", **stated)
        assert invocation.python == f"{MINOR}.4"
        return [each.name for each in invocation.distributions]

    assert names() == ["own"]
    assert names("include-system-site-packages = TRUE") == ["own", "personal"]
    assert names("include-system-site-packages=true", PYTHONNOUSERSITE="1") == ["own"]


@pytest.mark.parametrize(
    ("files", "version"),
    [
        ({"include/python3.12/patchlevel.h": '#define PY_VERSION   "3.12.9+"\n'}, "3.12.9"),
        ({"conda-meta/python-3.12.7-h1_0.json": "{}", "conda-meta/python-2.json": ""}, "3.12.7"),
        ({}, "3.12"),
    ],
)
def test_a_python_outside_any_environment_tells_its_version(
    plant: Plant, files: dict[str, str | bytes], version: str
) -> None:
    packages = _below("opt/lib/python3.12/site-packages", _metadata("pytest", "8.1.0"))
    root = plant(_below("opt", files) | packages | {"opt/bin/python3.12": "", "ws/x": ""})
    (root / "opt/bin/python3.12").chmod(0o755)
    (root / "opt/bin/python3").symlink_to("python3.12")
    (root / "link").symlink_to("opt/bin/python3")
    for path in ("opt", "opt/bin/python3", "opt/bin/python3.12", "link"):
        invocation = _take(root / "ws", python=root / path)
        assert (invocation.python, invocation.pytest) == (version, "8.1.0")
        noted = ("of Python 3.12 only the minor version is known",)
        assert invocation.notes == (noted if version == "3.12" else ())


def test_two_pythons_in_one_prefix_need_a_name(plant: Plant) -> None:
    root = plant(
        _below("opt/lib/python3.12/site-packages", _metadata("pytest", "8.1.0"))
        | _below("opt/lib/python3.13/site-packages", _metadata("pytest", "8.2.0"))
        | {"opt/bin/python3.13": "", "ws/x": ""}
    )
    (root / "opt/bin/python3.13").chmod(0o755)
    assert _take(root / "ws", python=root / "opt/bin/python3.13").pytest == "8.2.0"
    with pytest.raises(InputError, match="expected a Python interpreter"):
        _take(root / "ws", python=root / "opt")


def test_debian_keeps_its_packages_elsewhere(plant: Plant) -> None:
    root = plant(
        _below("usr/lib/python3/dist-packages", _metadata("pytest", "7.2.1"))
        | _below("usr/local/lib/python3.11/dist-packages", _metadata("pytest", "8.0.0"))
        | {"usr/bin/python3.11": "", "usr/lib/python3.11/os.py": "", "ws/x": ""}
    )
    (root / "usr/bin/python3.11").chmod(0o755)
    assert _take(root / "ws", python=root / "usr/bin/python3.11").pytest == "8.0.0"


def test_a_bare_version_is_taken_at_its_word(plant: Plant) -> None:
    invocation = _take(plant({"x": ""}), pytest="8.4.2", python="3.9")
    assert invocation.python == "3.9"
    assert not invocation.complete
    assert invocation.notes == ("of Python 3.9 only the minor version is known",)
    ours = _take(plant({"x": ""}), python=platform.python_version())
    assert ours.complete


def test_a_command_is_looked_up_on_the_path(
    environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(environment / "bin"))
    assert _take(environment.parent / "ws", python="python3").pytest == "8.4.2"
