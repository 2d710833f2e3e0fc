"""Build, install and run a plugin of somebody else's, and plant one that must not run."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
import zipfile

import pytest

import benchhygiene
from tests.core.environments import LIBRARY, Environment, plant

pytestmark = pytest.mark.install
EXAMPLE = LIBRARY / "examples" / "plugin"

RUN = """
from benchhygiene import Orchestrator, PytestInvocation
report = Orchestrator(require={"acme-fixed-basetemp"}).run(
    PytestInvocation("/ws", ("--basetemp=scratch",))
)
for found in report.of(__import__("acme_fixed_basetemp").BasetempFixed):
    print(found.rule.id, found.directory)
for plugin in report.provenance.plugins:
    print(plugin.name, plugin.distribution, plugin.version)
for refused in report.provenance.refused:
    print("refused", refused.name)
"""


def pip(*arguments: str | pathlib.Path) -> None:
    """Run pip without an index: everything needed is here."""
    command = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", *arguments)
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pathlib.Path]:
    built = tmp_path_factory.mktemp("wheels")
    pip("wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", built, LIBRARY, EXAMPLE)
    return {wheel.name.partition("-")[0]: wheel for wheel in built.iterdir()}


@pytest.fixture(scope="module")
def environment(
    wheels: dict[str, pathlib.Path], tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    made = Environment.create(tmp_path_factory.mktemp("installed") / "venv")
    pip("--python", made.python, "install", "--no-index", "--no-deps", *wheels.values())
    return made


def ask(environment: Environment, cwd: pathlib.Path, program: str) -> str:
    run = subprocess.run(
        (environment.python, "-c", program), cwd=cwd, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_wheels_hold_both_packages_typed(wheels: dict[str, pathlib.Path]) -> None:
    names = zipfile.ZipFile(wheels["benchhygiene"]).namelist()
    assert {"benchhygiene/py.typed", "benchhygiene_plugins/py.typed"} <= set(names)
    assert not [name for name in names if name.startswith(("tests", "examples", "docs"))]
    assert set(wheels) == {"benchhygiene", "acme_fixed_basetemp"}
    assert wheels["benchhygiene"].name.split("-")[1] == benchhygiene.__version__


def test_an_installed_plugin_finds_something_and_a_planted_one_is_not_loaded(
    environment: Environment, tmp_path: pathlib.Path
) -> None:
    plant(tmp_path, tmp_path / "imported")
    lines = ask(environment, tmp_path, RUN).splitlines()
    assert "acme.fixed_basetemp scratch" in lines
    assert "acme-fixed-basetemp acme-fixed-basetemp 1.0.0" in lines
    assert any(line.startswith("ini-chain benchhygiene ") for line in lines)
    assert "refused planted" in lines
    assert not (tmp_path / "imported").exists()


def test_the_plugins_own_tests_pass(environment: Environment, tmp_path: pathlib.Path) -> None:
    shutil.copytree(EXAMPLE / "tests", tmp_path / "tests")
    program = "import pytest, sys; sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider']))"
    assert "2 passed" in ask(environment, tmp_path, program)


def test_an_editable_install_is_discovered_too(
    wheels: dict[str, pathlib.Path], tmp_path: pathlib.Path
) -> None:
    pytest.importorskip("editables", reason="hatchling needs it for an editable install")
    environment = Environment.create(tmp_path / "venv")
    shutil.copytree(EXAMPLE, tmp_path / "plugin")
    install = ("--python", environment.python, "install", "--no-index", "--no-deps")
    pip(*install, wheels["benchhygiene"])
    pip(*install, "--no-build-isolation", "-e", tmp_path / "plugin")
    assert "acme.fixed_basetemp scratch" in ask(environment, tmp_path, RUN)
    assert "acme.fixed_basetemp scratch" in ask(environment, tmp_path / "plugin" / "src", RUN)
