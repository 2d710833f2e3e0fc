"""What a rule's section in the documentation shows, the analyzer reports.

In ``docs/rules`` a block whose first line is a comment with a path is a file of the example; blocks
before the first section belong to every example. ``# environment`` sets variables.
"""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata

import attrs
import pytest

from benchhygiene import Distribution, Orchestrator, PytestInvocation, Registry, Report, sources
from benchhygiene_plugins.ini_chain import GateInherited, RunAborted
from tests.docs.blocks import ROOT, Block, blocks

PAGE = ROOT / "docs" / "rules" / "ini.md"
TARGET = "tests/test_slugs.py"
INSTALLED = {"pytest-cov": "7.1.0", "pytest-timeout": "2.4.0", "pytest-rerunfailures": "16.1"}
_HEADING = re.compile(r"^### (\S+)$", re.MULTILINE)


@attrs.frozen
class Example:
    """The blocks of one rule's section, those that every section shares included."""

    rule: str
    blocks: tuple[Block, ...]

    @property
    def files(self) -> dict[str, bytes | str]:
        return {f"/{name}": block.text for name, block in self._named() if name != "environment"}

    @property
    def environ(self) -> dict[str, str]:
        (text,) = [block.text for name, block in self._named() if name == "environment"] or [""]
        return {name: str(value) for name, value in tomllib.loads(text).items()}

    def _named(self) -> Iterator[tuple[str, Block]]:
        for block in self.blocks:
            yield block.text.partition("\n")[0].removeprefix("# "), block


def examples(page: pathlib.Path) -> Iterator[Example]:
    """Yield an example per section that has blocks of its own."""
    source = page.read_text(encoding="utf-8")
    starts = [
        (source.count("\n", 0, found.start()) + 1, found[1]) for found in _HEADING.finditer(source)
    ]
    every = list(blocks(page))
    shared = tuple(block for block in every if block.line < starts[0][0])
    for (line, rule), (end, _) in zip(
        starts, [*starts[1:], (source.count("\n") + 2, "")], strict=True
    ):
        own = tuple(block for block in every if line < block.line < end)
        if own:
            yield Example(rule, (*shared, *own))


EXAMPLES = tuple(examples(PAGE))


def _reported(files: dict[str, bytes | str], environ: dict[str, str]) -> set[str]:
    """Return the rules of the findings that weigh more than a note."""
    invocation = PytestInvocation(
        "/host/attempts/1",
        [TARGET],
        environ,
        pytest="9.2.0",
        distributions=[Distribution(name, version) for name, version in INSTALLED.items()],
        files=files,
    )
    report = Orchestrator(Registry.discover().only("ini-chain")).run(invocation)
    report.raise_for_crashes()
    return {finding.rule.id for finding in report.findings if finding.severity.value != "note"}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.rule)
def test_the_rule_is_reported_for_its_example(example: Example) -> None:
    assert _reported(example.files, example.environ) == {example.rule}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.rule)
def test_the_real_pytest_agrees(example: Example, tmp_path: pathlib.Path) -> None:
    workspace = _written(example, tmp_path)
    environ = {**_clean_environ(), **example.environ}
    stated = {name: metadata.version(name) for name in INSTALLED}
    invocation = sources.invocation(
        workspace, [TARGET], environ=environ, pytest=pytest.__version__, plugins=stated
    )
    report = Orchestrator(Registry.discover().only("ini-chain")).run(invocation)
    found = _first(example.rule, report)
    ran = _exit_status(["python", "-m", "pytest", TARGET], workspace, environ)
    assert _predicts_failure(found) in (None, ran != 0)
    if found.corrected_command is not None:
        changed = dict(found.corrected_command.environ)
        kept = {name: value for name, value in environ.items() if name not in changed}
        set_anew = {name: value for name, value in changed.items() if value is not None}
        assert _exit_status(found.corrected_command.argv, workspace, {**kept, **set_anew}) == 0


def _first(rule: str, report: Report) -> GateInherited | RunAborted:
    for finding in report.findings:
        if finding.rule.id == rule and isinstance(finding, GateInherited | RunAborted):
            return finding
    raise AssertionError(f"no finding of {rule} in {report.rows()}")


def _written(example: Example, directory: pathlib.Path) -> pathlib.Path:
    for name, text in example.files.items():
        path = directory / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(str(text), encoding="utf-8")
    return directory / "host" / "attempts" / "1"


def _predicts_failure(found: GateInherited | RunAborted) -> bool | None:
    return found.exit_status != 0 if isinstance(found, RunAborted) else found.fails_passing_suite


def _clean_environ() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}


def _exit_status(argv: Sequence[str], workspace: pathlib.Path, environ: Mapping[str, str]) -> int:
    words = [sys.executable, *argv[1:]]
    return subprocess.run(
        words, cwd=workspace, env=environ, capture_output=True, timeout=120, check=False
    ).returncode


def test_nothing_is_reported_without_the_host() -> None:
    shared = {path: text for path, text in EXAMPLES[0].files.items() if "/attempts/" in path}
    assert _reported(shared, {}) == set()
