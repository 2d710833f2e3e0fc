from __future__ import annotations

import pytest

from benchhygiene import PytestInvocation
from benchhygiene_plugins.ini_chain import IniChain, analyzer, resolve


def test_one_run_resolves_the_command_itself_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[PytestInvocation] = []

    def counted(invocation: PytestInvocation) -> object:
        asked.append(invocation)
        return resolve(invocation)

    monkeypatch.setattr(analyzer, "resolve", counted)
    files = {"/host/pytest.ini": "[pytest]\naddopts = --cov-fail-under=80\n"}
    invocation = PytestInvocation("/host/ws", files=files)
    assert list(IniChain().analyze(invocation))
    assert IniChain().describe(invocation) is not None
    assert asked[0] is invocation
    assert invocation not in asked[1:]
