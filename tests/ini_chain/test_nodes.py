"""The tests of a module are those that the installed pytest collects, or doubt says otherwise."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from benchhygiene_plugins.ini_chain.suite.naming import Names
from benchhygiene_plugins.ini_chain.suite.nodes import ModuleFacts, module_facts
from tests.ini_chain.modules import MODULES

#: Ordinary modules: their tests must be known for certain.
CERTAIN = [
    "plain",
    "class",
    "init",
    "param",
    "param2",
    "param_ids",
    "param_alias",
    "fixture_named",
    "fixture_alias",
    "unittest_alias",
    "nested_fn",
    "usefix_cls",
    "order",
    "doctest",
    "two_class",
    "bom",
]


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Return the node ids that pytest collects in each module, without the path."""
    directory = tmp_path_factory.mktemp("modules")
    (directory / "pytest.ini").write_text("[pytest]\n")
    for name, text in MODULES.items():
        (directory / f"test_{name}.py").write_text(text, encoding="utf-8")
    found: dict[str, list[str]] = {name: [] for name in MODULES}
    for line in _collect(directory).splitlines():
        path, colons, names = line.partition("::")
        if colons and path.startswith("test_"):
            found[path.removeprefix("test_").removesuffix(".py")].append(names)
    return found


def _collect(directory: Path) -> str:
    words = ["--collect-only", "-q", "-p", "no:cacheprovider", "--continue-on-collection-errors"]
    ran = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", *words],
        cwd=directory,
        env={"PATH": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return ran.stdout


def _facts(name: str) -> ModuleFacts:
    return module_facts(f"/x/test_{name}.py", ast.parse(MODULES[name].encode()), Names())


def _ids(facts: ModuleFacts) -> list[str]:
    """Return the node ids, an unknown parameter as a star."""
    ids: list[str] = []
    for node in facts.nodes:
        base = "::".join(node.names)
        if node.ids is None:
            ids.append(f"{base}[*]")
        else:
            ids += [f"{base}[{one}]" for one in node.ids] or [base]
    return ids


@pytest.mark.parametrize("name", MODULES)
def test_the_tests_of_a_module_are_known_or_doubted(
    collected: dict[str, list[str]], name: str
) -> None:
    facts = _facts(name)
    if facts.doubt is not None:
        return
    unknown = {node for node in _ids(facts) if node.endswith("[*]")}
    real = {
        star if (star := f"{node.partition('[')[0]}[*]") in unknown else node
        for node in collected[name]
    }
    assert sorted(set(_ids(facts))) == sorted(real)


@pytest.mark.parametrize("name", CERTAIN)
def test_ordinary_modules_are_not_doubted(collected: dict[str, list[str]], name: str) -> None:
    facts = _facts(name)
    assert facts.doubt is None
    assert None not in [node.ids for node in facts.nodes]
    assert len(collected[name]) == len(_ids(facts))


def test_a_doubt_is_the_exception(collected: dict[str, list[str]]) -> None:
    assert any(collected.values())
    doubted = [name for name in MODULES if _facts(name).doubt is not None]
    assert len(doubted) < len(MODULES) * 2 // 3
