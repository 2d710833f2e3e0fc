"""The notebook of ``examples/`` runs from top to bottom and shows what its prose says."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
from html.parser import HTMLParser

import attrs
import cattrs
import pytest

ROOT = pathlib.Path(__file__).parents[2]
NOTEBOOK = ROOT / "examples" / "explore.ipynb"
# Run apart: what Jupyter's libraries warn about is not ours, and here a warning is an error.
EXECUTE = """
import sys
import nbclient, nbformat
source, target, directory = sys.argv[1:]
notebook = nbformat.read(source, as_version=4)
nbformat.validate(notebook)
resources = {"metadata": {"path": directory}}
nbclient.NotebookClient(notebook, kernel_name="python3", resources=resources, timeout=300).execute()
nbformat.write(notebook, target)
"""


@attrs.frozen
class Output:
    """What a cell printed (``text``) or returned (``data``, by media type), as lines."""

    output_type: str
    text: list[str] = attrs.field(factory=list[str])
    data: dict[str, list[str]] = attrs.field(factory=dict[str, list[str]])


@attrs.frozen
class Cell:
    id: str
    cell_type: str
    execution_count: int | None = None
    outputs: list[Output] = attrs.field(factory=list[Output])

    @property
    def shown(self) -> str:
        """Return the words a reader sees below the cell."""
        words = Words()
        for output in self.outputs:
            words.feed("".join((*output.text, *output.data.get("text/html", ()))))
        return " ".join(words.text.split())


class Words(HTMLParser):
    """Collect the text between tags."""

    text = ""

    def handle_data(self, data: str) -> None:
        self.text += f"{data} "


def _cells(path: pathlib.Path) -> list[Cell]:
    return cattrs.structure(json.loads(path.read_text(encoding="utf-8"))["cells"], list[Cell])


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Return the notebook with its outputs."""
    scratch = tmp_path_factory.mktemp("jupyter")
    # Neither this user's kernels and start-up files nor the variables of this test run count.
    homes = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    ran = subprocess.run(
        (sys.executable, "-c", EXECUTE, NOTEBOOK, scratch / "executed.ipynb", NOTEBOOK.parent),
        cwd=scratch,
        env={**environ, **{name: str(scratch / name.lower()) for name in homes}},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return scratch / "executed.ipynb"


@pytest.fixture(scope="module")
def shown(executed: pathlib.Path) -> dict[str, str]:
    """Return what each code cell shows, by the cell's id."""
    return {cell.id: cell.shown for cell in _cells(executed) if cell.cell_type == "code"}


def test_it_is_committed_without_outputs() -> None:
    cells = _cells(NOTEBOOK)
    assert {cell.cell_type for cell in cells} == {"code", "markdown"}
    assert not [cell for cell in cells if cell.outputs or cell.execution_count is not None]


def test_every_code_cell_shows_something(shown: dict[str, str]) -> None:
    assert [name for name, words in shown.items() if not words] == []


def test_no_output_tells_where_it_was_made(executed: pathlib.Path) -> None:
    written = executed.read_text(encoding="utf-8")
    places = (ROOT, executed.parent, pathlib.Path(sys.prefix))
    assert [place for place in places if str(place) in written] == []


def test_the_leaky_workspace_is_a_violation_and_its_corrected_command_passes(
    shown: dict[str, str],
) -> None:
    assert shown["report"].startswith("violation ")
    assert (
        "error ini.coverage_gate ../../../pyproject.toml:7:44 --cov-fail-under" in shown["report"]
    )
    assert "Instead: python -m pytest -o addopts= tests/test_slugs.py" in shown["report"]
    assert shown["corrected"].startswith("pass 0 findings")


def test_the_resolution_says_which_file_won_and_what_pytest_reads(shown: dict[str, str]) -> None:
    assert "../../../pyproject.toml won" in shown["resolution"]
    assert "--cov=arena --cov-fail-under=85 tests/test_slugs.py" in shown["resolution"]
    assert "--cov-fail-under=85 in ../../../pyproject.toml" in shown["typed"]


def test_findings_are_rows(shown: dict[str, str]) -> None:
    assert "ini.coverage_gate error violation --cov-fail-under 7 True" in shown["data"]


@pytest.mark.parametrize("version", ["6.2.5", "7.4.4", "8.0.2", "8.4.2", "9.0.2", "9.2.0"])
def test_every_version_fails_with_the_plugin_and_without_it(
    shown: dict[str, str], version: str
) -> None:
    verdicts = "violation: ini.coverage_gate violation: ini.unknown_option pass"
    assert f"{version} {verdicts}" in shown["versions"]


@pytest.mark.parametrize(
    ("host", "rule", "verdicts"),
    [
        ("pytest.toml", "stops_early", "pppp!!"),
        ("[tool.pytest] in pyproject.toml", "stops_early", "pppp!!"),
        ("empty .pytest.ini, tox.ini", "stops_early", "!!!!pp"),
        ("pytest.ini, broken tox.ini", "malformed", "pppp!!"),
        ("minversion = 8.2", "minversion", "!!!ppp"),
    ],
)
def test_hosts_are_read_differently_by_version(
    shown: dict[str, str], host: str, rule: str, verdicts: str
) -> None:
    words = {"p": "pass", "!": f"violation: ini.{rule}"}
    assert " ".join((host, *(words[verdict] for verdict in verdicts))) in shown["hosts"]


def test_every_generated_host_has_a_verdict(shown: dict[str, str]) -> None:
    counts = re.findall(r"(?:7\.4\.4|9\.2\.0)((?: \d+\b(?!\.))+)", shown["sweep"])
    assert [sum(map(int, row.split())) for row in counts] == [100, 100]
    assert "ini.unknown_option error" in shown["rules"]
