"""What we say the SDK's models make of a declaration is what they make of it."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys

import pytest

from benchhygiene.evidence.listing import ListingPage, ListingSession
from benchhygiene.inventory.declarations import ToolDeclaration, listing
from benchhygiene_plugins.mcp_hints import Sdk, views

SCRIPT = pathlib.Path(__file__).with_name("sdk_models.py")
VALUES = re.findall(
    r"\S+",
    "true false null 0 1 2 -1 0.0 1.0 1e0 0.5 -0.0 [] {} [true] 10e-1 "
    '"true" "TRUE" "tRuE" "t" "T" "yes" "Y" "on" "ON" "1" "false" "F" "no" "n" "off" "0" '
    '"" "maybe" "2" "truee" "-1" "1.0"',
)
ANNOTATIONS = (
    "null",
    "[]",
    '"x"',
    "7",
    "{}",
    '{"read_only_hint":true}',
    '{"read_only_hint":"maybe"}',
    '{"read_only_hint":true,"readOnlyHint":false}',
    '{"readOnlyHint":false,"read_only_hint":true}',
    '{"readonlyHint":true}',
    '{"open_world_hint":"yes"}',
    '{"readOnlyHint":true,"readOnlyHint":false}',
    '{"readOnlyHint":false,"read\\u004fnlyHint":true}',
)
TOOLS = (
    '{"name":"a"}',
    '{"name":"a","inputSchema":null}',
    '{"name":"a","inputSchema":[]}',
    '{"name":"a","inputSchema":{}}',
    '{"name":"a","input_schema":{"type":"object"}}',
    '{"name":"a","inputSchema":{},"outputSchema":[]}',
    '{"name":"a","inputSchema":{},"outputSchema":null}',
    '{"name":"a","inputSchema":{},"description":5}',
    '{"name":"a","inputSchema":{},"title":5}',
    '{"name":"a","inputSchema":{},"readOnlyHint":true}',
    '{"name":"a","inputSchema":{},"annotations":{},"annotations":{"readOnlyHint":true}}',
)


def entries() -> tuple[str, ...]:
    blocks = [*(f'{{"readOnlyHint":{value}}}' for value in VALUES), *ANNOTATIONS]
    return (*TOOLS, *(f'{{"name":"a","inputSchema":{{}},"annotations":{each}}}' for each in blocks))


def declared(entry: str) -> ToolDeclaration:
    page = ListingPage(f'{{"result":{{"tools":[{entry}]}}}}')
    (tool,) = listing(ListingSession(pages=(page,))).tools
    return tool


@pytest.mark.full
@pytest.mark.install
@pytest.mark.parametrize("sdk", list(Sdk))
def test_the_models_hold_what_we_say(sdk: Sdk, tmp_path: pathlib.Path) -> None:
    release = sdk.value.replace(" ", "==")
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "sdk")], check=True)
    python = str(tmp_path / "sdk" / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", release], check=True)
    done = subprocess.run(
        [python, str(SCRIPT)],
        input="\n".join(entries()),
        capture_output=True,
        text=True,
        check=True,
    )
    for entry, line in zip(entries(), done.stdout.splitlines(), strict=True):
        (view,) = (each for each in views(declared(entry)) if each.sdk is sdk)
        said = None if view.hints is None else dict(view.hints)
        assert said == json.loads(line), entry


@pytest.mark.parametrize(
    ("annotations", "first", "second"),
    [
        ('{"readOnlyHint":"Yes"}', True, True),
        ('{"readOnlyHint":0.0}', False, False),
        ('{"read_only_hint":true}', None, True),
        ('{"read_only_hint":true,"readOnlyHint":false}', False, False),
    ],
)
def test_the_generations_differ(annotations: str, first: bool | None, second: bool) -> None:
    tool = declared(f'{{"name":"a","inputSchema":{{}},"annotations":{annotations}}}')
    held = {view.sdk: dict(view.hints or ())["readOnlyHint"] for view in views(tool)}
    assert held == {Sdk.V1: first, Sdk.V2: second}
