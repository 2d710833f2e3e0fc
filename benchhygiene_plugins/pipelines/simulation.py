"""The exit status of a script in which one command fails and all others succeed.

Rules: POSIX Shell Command Language 2.8.2, 2.9 and ``set -e`` in 2.14; bash's manual on
``pipefail``, ``PIPESTATUS`` and on ``set -e`` in command substitutions, which it clears.
"""

from __future__ import annotations

import re

import attrs

from benchhygiene_plugins.pipelines.arithmetic import decided
from benchhygiene_plugins.pipelines.binding import Command
from benchhygiene_plugins.pipelines.options import Options
from benchhygiene_plugins.pipelines.syntax import (
    AndOr,
    Compound,
    Pipeline,
    Simple,
    Statements,
    parse,
)
from benchhygiene_plugins.pipelines.tokens import ShellSyntaxError, Word
from benchhygiene_plugins.pipelines.words import assignments, inner_script

_STEPS = 20_000  # commands that are run in thought
_DEEPEST = 12  # scripts and functions within one another
_NAMED = re.compile(r"\$\{?(\?|!|[A-Za-z_]\w*)(?:\[(\d+)\])?(?::?-([^}]*))?\}?")
_DECLARING = ("export", "local", "declare", "readonly", "typeset")


class _Exit(Exception):
    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class _Return(_Exit):
    """A function's end; outside of one it ends the script."""


def fails(script: str, options: Options, target: Command) -> bool:
    """Return whether the script fails where this one command fails.

    What nobody can know, such as a test of the environment, is tried both ways: one in which the
    command runs and its failure counts is enough. Raises ShellSyntaxError.
    """
    return any(
        shell.did_run and status != 0
        for shell, status in (_run(script, options, target, unknown) for unknown in (0, 1))
    )


def _run(script: str, options: Options, target: Command, unknown: int) -> tuple[_Shell, int]:
    shell = _Shell(options, target, unknown)
    return shell, shell.script(script, 0)


@attrs.define
class _Shell:
    options: Options
    target: Command
    unknown: int
    variables: dict[str, str] = attrs.field(factory=dict[str, str])
    functions: dict[str, Statements] = attrs.field(factory=dict[str, Statements])
    did_run: bool = False
    last: int = 0
    pipe: tuple[int, ...] = ()
    job: int = 0
    trap: str = ""
    steps: int = 0
    depth: int = 0
    is_ignored: bool = False  # the last failure happened where set -e does not look

    def script(self, text: str, line: int) -> int:
        """Return the exit status of a script whose first line is ``line``."""
        self._deeper()
        try:
            status = self.statements(parse(text), line, tested=False)
        except _Exit as ended:
            status = ended.status
        self.depth -= 1
        return self._trapped(status, line)

    def _trapped(self, status: int, line: int) -> int:
        if not self.trap:
            return status
        trap, self.trap, self.last = self.trap, "", status
        try:
            self.statements(parse(trap), line, tested=False)
        except _Exit as ended:
            return ended.status
        return status

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ShellSyntaxError("scripts within scripts nest too deeply")

    def statements(self, found: Statements, line: int, *, tested: bool) -> int:
        for statement in found:
            self.last = self._and_or(statement, line, tested=tested)
        return self.last if found else 0

    def _and_or(self, statement: AndOr, line: int, *, tested: bool) -> int:
        if statement.is_background:
            self.job = self._child(statement.pipelines[-1], line, tested=True)
            return 0
        status, final = 0, len(statement.pipelines) - 1
        for index, pipeline in enumerate(statement.pipelines):
            if index and (status == 0) != (statement.operators[index - 1] == "&&"):
                continue
            is_tested = tested or index < final or pipeline.is_negated
            self.is_ignored = False
            status = self._pipeline(pipeline, line, tested=is_tested)
            if status and not is_tested and self.options.errexit and not self.is_ignored:
                raise _Exit(status)
            self.is_ignored = bool(status) and (is_tested or self.is_ignored)
            self.last = status
        return status

    def _pipeline(self, pipeline: Pipeline, line: int, *, tested: bool) -> int:
        commands = pipeline.commands
        if len(commands) == 1:
            status = self._command(commands[0], line, tested=tested)
        else:
            each = [self._child(Pipeline((command,)), line, tested=tested) for command in commands]
            self.pipe = tuple(each)
            failed = [one for one in each if one] if self.options.pipefail else []
            status = failed[-1] if failed else each[-1]
            self.is_ignored = False
        return int(not status) if pipeline.is_negated else status

    def _child(self, pipeline: Pipeline, line: int, *, tested: bool) -> int:
        """Return the status of what runs in a process of its own: its variables are lost."""
        variables, options, trap = dict(self.variables), self.options, self.trap
        self.trap = ""
        try:
            status = self._pipeline(pipeline, line, tested=tested)
        except _Exit as ended:
            status = ended.status
        self.variables, self.options, self.trap = variables, options, trap
        self.is_ignored = False
        return status

    def _command(self, command: Simple | Compound, line: int, *, tested: bool) -> int:
        self.steps += 1
        if self.steps > _STEPS:
            raise ShellSyntaxError("too long to be followed")
        if isinstance(command, Simple):
            return self._simple(command, line, tested=tested)
        inside = command.parts[0][1] if command.parts else ()
        if command.kind == "{":
            return self.statements(inside, line, tested=tested)
        if command.kind == "(":
            return self._subshell(inside, line, tested=tested)
        if command.kind.endswith("()"):
            self.functions[command.kind[:-2]] = inside
            return 0
        return self._clauses(command, line, tested=tested)

    def _subshell(self, inside: Statements, line: int, *, tested: bool) -> int:
        braces = Pipeline((Compound("{", (("{", inside),)),))
        return self._child(braces, line, tested=tested)

    def _clauses(self, command: Compound, line: int, *, tested: bool) -> int:
        if command.kind == "case":
            return self._case(command, line, tested=tested)
        status, taken = 0, command.kind in ("for", "select")
        for word, inside in command.parts:
            if word in ("if", "elif", "while", "until"):
                if taken:
                    break
                held = self.statements(inside, line, tested=True) == 0
                taken = held != (word == "until")
            elif word == "else":
                if not taken:
                    status = self.statements(inside, line, tested=tested)
                break
            elif taken:
                status = self.statements(inside, line, tested=tested)
                break
        return status

    def _case(self, command: Compound, line: int, *, tested: bool) -> int:
        status = 0
        for _, inside in command.parts:  # which one runs is not known: each does
            status = max(status, self.statements(inside, line, tested=tested))
        return status

    def _simple(self, command: Simple, line: int, *, tested: bool) -> int:
        assigned, words = assignments(command.words)
        status = self._substituted(command.words, line)
        for text in assigned if not words else ():
            self._assign(text)
        if not words:
            return status
        texts = tuple(word.text for word in words)
        if texts == self.target.words and line + command.line == self.target.line:
            self.did_run = True
            return 1
        if inner := inner_script(texts):
            if texts[0] == "eval":
                return self.statements(parse(inner), line + command.line, tested=tested)
            return self._apart(inner, line + command.line)
        if texts[0] in self.functions:
            return self._called(texts[0], line, tested=tested)
        return self._builtin(texts)

    def _substituted(self, words: tuple[Word, ...], line: int) -> int:
        status = 0
        for word in words:
            for script in word.scripts:
                status = self._apart(script, line + word.line)
        return status

    def _apart(self, script: str, line: int) -> int:
        """Return the status of a script in a shell of its own."""
        saved = (self.options, dict(self.variables), self.trap, self.last)
        self.options, self.trap = Options(pipefail=False), ""
        status = self.script(script, line)
        self.options, self.variables, self.trap, self.last = saved
        self.is_ignored = False
        return status

    def _called(self, name: str, line: int, *, tested: bool) -> int:
        self._deeper()
        try:
            return self.statements(self.functions[name], line, tested=tested)
        except _Return as ended:
            return ended.status
        finally:
            self.depth -= 1

    def _builtin(self, words: tuple[str, ...]) -> int:
        name, rest = words[0], tuple(self._expanded(word) for word in words[1:])
        if name in ("exit", "return"):
            status = _number(rest[0], self.unknown) if rest else self.last
            raise (_Exit if name == "exit" else _Return)(status)
        if name == "false":
            return 1
        if name.startswith("(("):
            known = decided(self._expanded(name[2:-2]), self.variables)
            return self.unknown if known is None else int(not known)
        if name in ("test", "[", "[["):
            known = decided(" ".join(rest).removesuffix("]]").removesuffix("]").strip(), {})
            return self.unknown if known is None else int(not known)
        if name == "trap" and len(words) > 2 and {"EXIT", "0", "ERR"} & {*words[2:]}:
            self.trap = words[1]
        elif name == "wait":
            return self.job if rest else 0
        elif name in _DECLARING:
            for word in words[1:]:
                self._assign(word)
        elif name == "set":
            self.options = self.options.after(words[1:])
        return 0

    def _assign(self, text: str) -> None:
        name, sign, value = text.partition("=")
        if sign:
            self.variables[name.removesuffix("+")] = self._expanded(value)

    def _expanded(self, text: str) -> str:
        return _NAMED.sub(self._value, text)

    def _value(self, match: re.Match[str]) -> str:
        name, index, default = match[1], match[2], match[3]
        if name == "?":
            return str(self.last)
        if name == "PIPESTATUS":
            at = int(index or 0)
            return str(self.pipe[at] if at < len(self.pipe) else self.last)
        return self.variables.get(name, match[0] if default is None else default)


def _number(text: str, unknown: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 6 else unknown
