"""What the registries are told fits the project and its command line."""

from __future__ import annotations

import json
from pathlib import Path

import yaml

from benchhygiene import __version__
from benchhygiene.cli.parsing import parse
from benchhygiene.cli.serve_grammars import SERVE

ROOT = Path(__file__).parents[2]


def test_the_mcp_registry_is_told_this_version_and_words_that_exist() -> None:
    told = json.loads((ROOT / "server.json").read_text())
    (package,) = told["packages"]
    assert told["version"] == package["version"] == __version__
    assert package["runtimeArguments"][0]["value"] == f"benchhygiene[mcp]=={__version__}"
    assert len(told["description"]) <= 100
    first, *options = package["packageArguments"]
    assert first["value"] == "serve"
    given = parse(SERVE, [word for one in options for word in (one["name"], "x")], ())
    assert given.value("--root") == "x"


def test_smithery_is_told_words_that_exist() -> None:
    told = yaml.safe_load((ROOT / "smithery.yaml").read_text())["startCommand"]
    assert set(told["exampleConfig"]) == set(told["configSchema"]["properties"])
    assert '"serve", "--root", config.root' in told["commandFunction"]
    assert '"benchhygiene[mcp]", "benchhygiene"' in told["commandFunction"]
