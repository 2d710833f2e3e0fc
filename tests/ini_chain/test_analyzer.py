from __future__ import annotations

import ast

import pytest

from benchhygiene import PytestInvocation
from benchhygiene_plugins.ini_chain import IniChain, resolve, resolving


def test_one_run_resolves_the_command_itself_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[PytestInvocation] = []

    def counted(invocation: PytestInvocation) -> object:
        asked.append(invocation)
        return resolve(invocation)

    monkeypatch.setattr(resolving, "resolve", counted)
    files = {"/host/pytest.ini": "[pytest]\naddopts = --cov-fail-under=80\n"}
    invocation = PytestInvocation("/host/ws", files=files)
    assert list(IniChain().analyze(invocation))
    assert IniChain().describe(invocation) is not None
    assert asked[0] is invocation
    assert invocation not in asked[1:]


def test_a_large_suite_is_parsed_once_for_all_the_commands_that_are_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "import pytest\n\n@pytest.mark.unheard_of\ndef test_{0}(): assert {0}\n"
    suite = {f"/host/ws/test_{n}.py": text.format(n) for n in range(300)}
    files = {"/host/pytest.ini": "[pytest]\naddopts = --strict-markers\n", **suite}
    parsed: list[object] = []
    parse = ast.parse

    def counted(source: str | bytes, *rest: str) -> ast.Module:
        parsed.append(source)
        return parse(source, *rest)

    with monkeypatch.context() as patched:
        patched.setattr(ast, "parse", counted)
        assert list(IniChain().analyze(PytestInvocation("/host/ws", files=files)))
    assert len(parsed) == len(suite)
