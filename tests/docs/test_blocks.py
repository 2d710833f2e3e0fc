"""Every fenced block of the README and the documentation is executed, or at least parsed.

A ``console`` block is run command by command and its output compared; ``...`` stands for anything.
The README's two ``sh`` blocks install, so ``.ci/run`` pastes them; here only the first one's last
command is run and compared with the ``text`` block below it.
"""

from __future__ import annotations

import configparser
import doctest
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib
import types

import pytest

from tests.docs.blocks import PAGES, ROOT, Block, blocks

# Blocks on the rules' pages are files of an example; test_rule_examples.py judges those.
PROSE = [page for page in PAGES if page.parent.name != "rules"]
ALL = tuple(block for page in PAGES for block in blocks(page))
SCRIPTS = pathlib.Path(sys.executable).parent


def _of(*languages: str) -> list[Block]:
    return [block for block in ALL if block.language in languages]


def _label(value: object) -> str:
    return value.label if isinstance(value, Block) else getattr(value, "name", "")


def _shell(script: str) -> str:
    """Run a script in the project's root, the environment's own commands first on the path."""
    environ = {
        **os.environ,
        "PATH": os.pathsep.join([str(SCRIPTS), os.environ.get("PATH", os.defpath)]),
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "PYTEST_ADDOPTS": "",
    }
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=ROOT,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout


def _matches(expected: str, actual: str) -> bool:
    pattern = ".*?".join(re.escape(part) for part in expected.rstrip().split("..."))
    return re.fullmatch(pattern, actual.rstrip(), re.DOTALL) is not None


def _commands(block: Block) -> list[tuple[str, str]]:
    """Return (command, expected output) pairs; a trailing backslash continues a command."""
    pairs = re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE)
    assert pairs, f"{block.label}: no line starts with '$ '"
    return [(command, expected) for command, expected in pairs]


@pytest.mark.parametrize("block", _of("console"), ids=_label)
def test_commands_print_what_the_page_shows(block: Block) -> None:
    commands = _commands(block)
    script = "\n".join(
        f"{command}\nstatus=$?; printf '\\0'; (exit $status)" for command, _ in commands
    )
    outputs = _shell(script).split("\0")
    for (command, expected), actual in zip(commands, outputs, strict=False):
        assert _matches(expected, actual), f"{block.label}: $ {command}\n{actual}"


@pytest.mark.parametrize("page", PROSE, ids=_label)
def test_python_blocks_run(
    page: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    module = types.ModuleType("page_under_test")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    namespace = vars(module)
    for block in blocks(page):
        if block.language == "python":
            code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
            exec(code, namespace)  # noqa: S102 -- the documentation is ours
        elif block.language == "pycon":
            _doctest(block, namespace)
    capsys.readouterr()


def _doctest(block: Block, namespace: dict[str, object]) -> None:
    test = doctest.DocTestParser().get_doctest(
        block.text, namespace, block.label, str(block.page), block.line - 1
    )
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    runner.run(test, out=report.append, clear_globs=False)
    namespace.update(test.globs)
    assert not report, "".join(report)


DATA = [block for block in _of("toml", "json", "ini") if block.page in PROSE]


@pytest.mark.parametrize("block", DATA, ids=_label)
def test_data_blocks_parse(block: Block) -> None:
    if block.language == "toml":
        assert tomllib.loads(block.text)
    elif block.language == "json":
        assert json.loads(block.text)
    else:
        parser = configparser.ConfigParser(interpolation=None)
        parser.read_string(block.text)
        assert parser.sections()


def test_every_block_is_of_a_kind_that_is_run_or_parsed() -> None:
    known = {"console", "python", "pycon", "toml", "json", "ini", "diff"}
    others = {block.label: block.language for block in ALL if block.language not in known}
    shown = {
        block.label: block.language
        for block in blocks(ROOT / "README.md")
        if block.language in {"sh", "text"}
    }
    directives = {label: language for label, language in others.items() if language[:1] == "{"}
    assert others == shown | directives


def test_readme_shows_what_its_first_line_prints() -> None:
    readme = list(blocks(ROOT / "README.md"))
    first, second = (block for block in readme if block.language == "sh")
    (shown,) = (block for block in readme if block.language == "text")
    command = first.text.strip().rpartition(" && ")[2].removeprefix(".venv/bin/")
    assert first.line < shown.line < second.line
    assert _matches(_any_python(shown.text), _any_python(_shell(command)))


def _any_python(text: str) -> str:
    """Forget which Python this is: the README shows one of them."""
    return re.sub(r"\bPython 3\.\d+\.\d+\S*", "Python 3", text)
