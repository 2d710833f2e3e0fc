from __future__ import annotations

import os
import pathlib
import pickle
import shutil
import subprocess

import attrs
import pytest

from benchhygiene import ContractBreach, InputError, Plugin, Registry, RegistryError
from benchhygiene.core import trust
from benchhygiene.core.discovery import entry_points
from benchhygiene.core.registry import conforming
from tests.core.environments import LIBRARY, Environment, plant, write_module
from tests.core.samples import SHOUTED, LimitedShouting, Shouting, Text

BOTH = Registry().including(Shouting()).including(LimitedShouting())


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    environment = Environment.create(tmp_path_factory.mktemp("environments") / "venv")
    environment.put_on_path("library", LIBRARY)
    return environment


@pytest.fixture
def environment(pristine: Environment, tmp_path: pathlib.Path) -> Environment:
    """Give each test its own copy: links to the interpreter and a .pth file."""
    shutil.copytree(pristine.root, tmp_path / "venv", symlinks=True)
    return Environment(tmp_path / "venv")


@pytest.fixture
def mark(tmp_path: pathlib.Path) -> pathlib.Path:
    return tmp_path / "imported"


@pytest.fixture
def workspace(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "workspace").mkdir()
    return tmp_path / "workspace"


def test_a_registry_is_sorted_and_unchanged_by_including() -> None:
    assert BOTH.names == ("limited-shouting", "shouting")
    assert [plugin.name for plugin in BOTH] == list(BOTH.names)
    assert len(Registry()) == 0
    assert isinstance(BOTH.find("shouting").load(), Shouting)


def test_only_keeps_what_is_named() -> None:
    assert BOTH.only("shouting").names == ("shouting",)
    assert BOTH.only("shouting", "shouting").names == ("shouting",)
    with pytest.raises(InputError, match="did you mean 'shouting'"):
        BOTH.only("shoutin")
    with pytest.raises(InputError, match="known: limited-shouting, shouting"):
        BOTH.only("xyz")


def test_a_class_instead_of_an_analyzer_is_named() -> None:
    with pytest.raises(InputError, match=r"Shouting: expected an analyzer such as Shouting\(\)"):
        BOTH.including(Shouting)


def test_a_rule_instead_of_an_analyzer_is_pointed_to_its_table() -> None:
    with pytest.raises(InputError, match=r"reads like a rule, .* \[severity\]"):
        BOTH.find("noise.loud")


def test_two_analyzers_of_one_name_are_refused() -> None:
    with pytest.raises(RegistryError, match="two analyzers are named 'shouting'"):
        BOTH.including(Shouting())


def test_two_distributions_of_one_name_are_both_named() -> None:
    plugin = Plugin("x", "first", "1.0", Shouting)
    other = Plugin("x", "second", "2.0", Shouting)
    with pytest.raises(RegistryError, match=r"'x', by first 1\.0 and second 2\.0"):
        Registry((other, plugin))


def test_a_registry_pickles() -> None:
    assert isinstance(pickle.loads(pickle.dumps(BOTH)).find("shouting").load(), Shouting)


@attrs.frozen
class Shape:
    name: object = "shape"
    rules: object = (SHOUTED,)
    consumes: object = Text
    analyze: object = len


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        (object(), "its name is None"),
        (Shape(name="other"), "its name is 'other'"),
        (Shape(rules=[SHOUTED]), "rules"),
        (Shape(rules=("sample.shouted",)), "rules"),
        (Shape(consumes="Text"), "consumes"),
        (Shape(analyze=None), "analyze"),
    ],
)
def test_what_is_no_analyzer_is_a_breach(shape: object, said: str) -> None:
    assert conforming("shape", Shape()).name == "shape"
    with pytest.raises(ContractBreach, match=said):
        conforming("shape", shape)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("", []),
        ("[other]\na = b:c", []),
        (
            "[benchhygiene.analyzers]\r\na=b:c\r\n  d  =  e : f  \n[x]\ng = h:i",
            ["a=b:c", "d=e : f"],
        ),
        ("[benchhygiene.analyzers]\n# a = b:c\n; d = e:f\n\n", []),
        ("[benchhygiene.analyzers]\nalone\nx = a = b", ["alone=", "x=a = b"]),
        ("a = b:c", []),
        ("[benchhygiene.analyzers", []),
    ],
)
def test_entry_points_are_read_leniently(text: str, points: list[str]) -> None:
    assert [f"{name}={reference}" for name, reference in entry_points(text)] == points


def test_an_installed_plugin_is_discovered_and_run(
    environment: Environment, workspace: pathlib.Path, mark: pathlib.Path
) -> None:
    plant(environment.site, mark)
    answer = environment.run(workspace)
    assert (answer.found, answer.verdict) == (["planted"], "violation")
    assert mark.exists()
    assert answer.notes == []


@pytest.mark.parametrize("how", ["current directory", "PYTHONPATH", "evidence root"])
def test_a_planted_plugin_is_refused_and_never_imported(
    environment: Environment,
    workspace: pathlib.Path,
    tmp_path: pathlib.Path,
    mark: pathlib.Path,
    how: str,
) -> None:
    plant(workspace, mark)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    answer = environment.run(
        workspace if how == "current directory" else elsewhere,
        pythonpath=str(workspace) if how == "PYTHONPATH" else "",
        roots=[str(workspace)] if how == "evidence root" else [],
    )
    assert answer.refused == [["planted", "planted_dist"]]
    assert (answer.states, answer.verdict) == ({}, "inconclusive")
    assert not mark.exists()


def test_a_planted_copy_of_an_installed_plugin_changes_nothing(
    environment: Environment, workspace: pathlib.Path, tmp_path: pathlib.Path, mark: pathlib.Path
) -> None:
    plant(environment.site, tmp_path / "genuine", reference="genuine:Analyzer")
    write_module(environment.site / "genuine.py", tmp_path / "genuine")
    plant(workspace, mark)
    answer = environment.run(workspace, pythonpath=str(workspace))
    assert answer.found == ["planted"]
    assert answer.refused == []  # the same plugin is installed, and is what runs
    assert (tmp_path / "genuine").exists()
    assert not mark.exists()


@pytest.mark.parametrize(
    ("reference", "genuine", "shadow"),
    [
        ("planted_module:Analyzer", "planted_module.py", "planted_module.py"),
        ("pack.inner:Analyzer", "pack/inner.py", "pack/__init__.py"),
        ("space.inner:Analyzer", "space/inner.py", "space/inner.py"),
    ],
)
def test_a_module_shadowed_from_the_current_directory_is_refused(
    environment: Environment,
    workspace: pathlib.Path,
    tmp_path: pathlib.Path,
    mark: pathlib.Path,
    reference: str,
    genuine: str,
    shadow: str,
) -> None:
    plant(environment.site, tmp_path / "genuine", reference=reference)
    write_module(environment.site / genuine, tmp_path / "genuine")
    if genuine.startswith("pack/"):
        (environment.site / "pack/__init__.py").touch()
    assert environment.run(tmp_path).found == ["planted"]
    write_module(workspace / shadow, mark)
    answer = environment.run(workspace)
    assert "shadows it" in answer.states["planted"]
    assert answer.verdict == "inconclusive"
    assert not mark.exists()


def test_an_editable_install_is_trusted_where_its_metadata_is(
    environment: Environment, workspace: pathlib.Path, tmp_path: pathlib.Path, mark: pathlib.Path
) -> None:
    project = tmp_path / "my project"
    plant(environment.site, mark, code=project)
    environment.put_on_path("planted", project)
    assert environment.run(workspace).found == ["planted"]
    assert environment.run(project).found == ["planted"]


def test_an_editable_install_under_judgement_is_refused(
    environment: Environment, workspace: pathlib.Path, mark: pathlib.Path
) -> None:
    plant(environment.site, mark, code=workspace)
    environment.put_on_path("planted", workspace)
    answer = environment.run(workspace, roots=[str(workspace)])
    assert "under judgement" in answer.states["planted"]
    assert not mark.exists()


def test_an_environment_inside_the_evidence_is_noted(
    environment: Environment, tmp_path: pathlib.Path, mark: pathlib.Path
) -> None:
    plant(environment.site, mark)
    answer = environment.run(tmp_path, roots=[str(environment.root)])
    assert answer.found == ["planted"]
    assert len(answer.notes) == 1
    assert "inside the evidence" in answer.notes[0]


def test_one_name_from_two_distributions_names_both(
    environment: Environment, workspace: pathlib.Path, mark: pathlib.Path
) -> None:
    plant(environment.site, mark)
    plant(environment.site, mark, distribution="rival")
    with pytest.raises(RuntimeError, match=r"RegistryError.*planted-dist 1\.0 and rival 1\.0"):
        environment.run(workspace)
    assert not mark.exists()


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("", "malformed"),
        ("planted_module", "malformed"),
        ("planted module:Analyzer", "malformed"),
        ("absent_module:Analyzer", "there is no module absent_module"),
        ("planted_module:Absent", "AttributeError"),
        ("planted_module:RULE", "its name is None"),
        ("planted_module.inner:Analyzer", "ModuleNotFoundError"),
        ("__main__:Analyzer", "ValueError"),
        ("sys:exit", "outside"),
    ],
)
def test_a_broken_entry_point_is_a_crash_of_its_own(
    environment: Environment,
    workspace: pathlib.Path,
    mark: pathlib.Path,
    reference: str,
    said: str,
) -> None:
    plant(environment.site, mark, reference=reference)
    plant(environment.site, mark, name="sound", distribution="sound", reference="sound:Analyzer")
    write_module(environment.site / "sound.py", mark, "sound")
    answer = environment.run(workspace)
    assert said in answer.states["planted"]
    assert answer.found == ["sound"]
    assert answer.verdict == "violation"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_hostile_metadata_neither_hangs_nor_floods(
    environment: Environment, workspace: pathlib.Path
) -> None:
    for name in ("fifo", "huge", "binary", "many"):
        (workspace / f"{name}-1.dist-info").mkdir()
    os.mkfifo(workspace / "fifo-1.dist-info/entry_points.txt")
    section = b"[benchhygiene.analyzers]\n"
    (workspace / "huge-1.dist-info/entry_points.txt").write_bytes(section + b"x" * 10_000_000)
    (workspace / "binary-1.dist-info/entry_points.txt").write_bytes(section + b"\xff\x00=a:b\n")
    lines = b"".join(b"plugin%d = a:b\n" % n for n in range(1000))
    (workspace / "many-1.dist-info/entry_points.txt").write_bytes(section + lines)
    (workspace / "file-1.dist-info").write_text("no directory")
    refused = environment.run(workspace).refused
    assert 3 <= len(refused) <= 50
    assert max(len(name) for name, _ in refused) <= 100


def test_undecodable_metadata_of_one_distribution_spares_the_others(
    environment: Environment, workspace: pathlib.Path, mark: pathlib.Path
) -> None:
    plant(environment.site, mark)
    (environment.site / "broken-1.dist-info").mkdir()
    broken = b"[benchhygiene.analyzers]\n\xff = a:b"
    (environment.site / "broken-1.dist-info/entry_points.txt").write_bytes(broken)
    assert environment.run(workspace).found == ["planted"]


def test_a_relative_directory_is_never_a_site_directory(
    environment: Environment, tmp_path: pathlib.Path, mark: pathlib.Path
) -> None:
    plant(environment.site, mark)
    relative = os.path.relpath(environment.site, tmp_path)
    assert environment.run(tmp_path, pythonpath=relative).found == ["planted"]


def test_roots_that_are_nowhere_and_a_directory_that_is_gone(
    environment: Environment, workspace: pathlib.Path, mark: pathlib.Path
) -> None:
    plant(environment.site, mark)
    roots = ["/nowhere", "null\0byte", ""]
    assert environment.run(workspace, roots=roots).found == ["planted"]
    script = "import os; os.rmdir(os.getcwd()); from benchhygiene import Registry; "
    script += "print(Registry.discover().names)"
    run = subprocess.run(
        (environment.python, "-c", script),
        cwd=workspace,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == "('planted',)\n"


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("/a/b", True),
        ("/a/b/c", True),
        ("/a/bc", False),
        ("/a", False),
        ("/a/b/../c", False),
        ("/", False),
    ],
)
def test_what_lies_inside(path: str, inside: bool) -> None:
    assert trust.is_inside(path, ("/x", "/a/b/")) is inside
    assert trust.is_inside(path, ("/",))
