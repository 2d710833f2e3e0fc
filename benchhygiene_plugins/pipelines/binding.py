"""Whether the failure of a command fails the script that it stands in.

Rules: POSIX Shell Command Language 2.8.2 (exit status), 2.9.2 to 2.9.4 and ``set -e`` in 2.14;
``pipefail`` and ``PIPESTATUS`` as in bash's manual.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import attrs

from benchhygiene_plugins.pipelines.options import Options
from benchhygiene_plugins.pipelines.showing import all_shown, shown, statement_shown
from benchhygiene_plugins.pipelines.syntax import (
    AndOr,
    Compound,
    Pipeline,
    Simple,
    Statements,
    parse,
)
from benchhygiene_plugins.pipelines.tokens import ShellSyntaxError
from benchhygiene_plugins.pipelines.words import assignments, inner_script

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=", re.ASCII)
_TESTS = ("[", "[[", "test", "false", "true", ":")
_DEEPEST = 8  # scripts within scripts
_INLINED = 200  # calls of a script's functions that are followed


@attrs.frozen
class Command:
    """A command of a script: its words, its 0-based line, and what becomes of its failure.

    ``masked`` says why the failure is lost, empty where it fails the script; ``conditions`` are
    the texts without which it does not run.
    """

    words: tuple[str, ...]
    line: int
    masked: str
    conditions: tuple[str, ...]
    environment: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return the command as one would type it, without quotes."""
        return " ".join(self.words)


def commands(script: str, options: Options) -> tuple[Command, ...]:
    """Return every simple command with its fate. Raises ShellSyntaxError."""
    return tuple(_Reader(_exits(script), 0).statements(parse(script), _Place(options)))


@attrs.frozen
class _Place:
    options: Options
    masked: str = ""  # why the status of the last statement here is lost
    is_tested: bool = False  # errexit does not look: a condition, or the left of && and ||
    is_handled: bool = False  # a condition, one of whose branches fails
    by_errexit: bool = False  # others follow, and only errexit keeps the status
    conditions: tuple[str, ...] = ()
    functions: Mapping[str, Statements] = attrs.field(factory=dict[str, Statements])
    exported: tuple[str, ...] = ()


@attrs.frozen
class _Exits:
    """What a script says about its exit status: the variables it ends with, traps, waits."""

    variables: frozenset[str]
    has_pipe_status: bool
    waits: bool
    trap: str


def _exits(script: str) -> _Exits:
    ended = re.findall(r"(?:exit|return|test|\[\[?|\(\(|if)[^\n;]*?\$?\{?(\w+)", script)
    named = re.findall(r"\$\{?([A-Za-z_]\w*)", script)
    trap = re.search(
        r"trap\s+(['\"])[^'\"\n]*\b(?:exit 0|exit \$?\(?0|true)[^'\"\n]*\1\s+\w+", script
    )
    judged = {name for line in re.split(r"[\n;]", script) if _judges(line) for name in _read(line)}
    return _Exits(
        frozenset(judged & {*named, *ended}),
        "PIPESTATUS" in script,
        re.search(r"^\s*wait\b", script, re.MULTILINE) is not None,
        trap[0] if trap else "",
    )


def _judges(line: str) -> bool:
    return re.search(r"\bexit\b|\breturn\b|\btest\b|\[|\(\(", line) is not None


def _read(line: str) -> list[str]:
    return re.findall(r"([A-Za-z_]\w*)", line)


def fails(statements: Statements, exits: frozenset[str] = frozenset()) -> bool:
    """Return whether the statements end with a status that is not 0."""
    for statement in statements:
        last = statement.pipelines[-1].commands[-1]
        if isinstance(last, Compound):
            if any(fails(inside, exits) for _, inside in last.parts):
                return True
        elif _is_failing(last.texts, exits):
            return True
    return False


def _is_failing(words: tuple[str, ...], exits: frozenset[str]) -> bool:
    if words[0] in ("exit", "return"):
        return len(words) == 1 or words[1] not in ("0", "00")
    if words[0] == "false":
        return True
    name, _, value = words[0].partition("=")
    return bool(value) and value != "0" and name in exits


@attrs.define
class _Reader:
    exits: _Exits
    depth: int
    inlined: int = 0

    def statements(self, found: Statements, place: _Place) -> Iterator[Command]:
        """Yield the commands of a list, whose status is that of its last statement."""
        options, exported = place.options, place.exported
        functions = {**place.functions, **_functions(found)}
        gone: tuple[str, ...] = ()
        for index, statement in enumerate(found):
            following = found[index + 1 :]
            here = attrs.evolve(
                place,
                options=options,
                functions=functions,
                exported=exported,
                conditions=(*place.conditions, *gone),
                masked=self._masked(following, place, options),
                by_errexit=bool(following) or place.by_errexit,
            )
            yield from self._and_or(statement, here)
            options, exported = _after(statement, options, exported)
            if _ends(statement):
                gone = (f"{statement_shown(statement)} ends the script before it",)

    def _masked(self, following: Statements, place: _Place, options: Options) -> str:
        """Return why the status of a statement with others behind it is lost."""
        if not following:
            return place.masked
        if options.errexit and not place.is_tested:
            return ""
        text = statement_shown(following[0])
        if "$?" in text or "PIPESTATUS" in text:
            return "" if self._is_kept(text, following) else place.masked or text
        return f"{statement_shown(following[-1])} decides the exit status"

    def _is_kept(self, text: str, following: Statements) -> bool:
        name, found, _ = text.partition("=")
        if found and re.fullmatch(r"(?:local |export |declare )?\w+", name):
            return name.split()[-1] in self.exits.variables
        return fails(following) or text.startswith(("[", "test", "if", "((", "exit", "return"))

    def _and_or(self, statement: AndOr, place: _Place) -> Iterator[Command]:
        if statement.is_background and not self.exits.waits:
            place = attrs.evolve(place, masked="it runs in the background (&)", is_tested=True)
        if self.exits.trap:
            place = attrs.evolve(place, masked=self.exits.trap)
        conditions = place.conditions
        for index, pipeline in enumerate(statement.pipelines):
            here = self._joined(statement, index, attrs.evolve(place, conditions=conditions))
            yield from self._pipeline(pipeline, here)
            if index < len(statement.operators):
                conditions = (*conditions, *_guard(pipeline, statement.operators[index]))

    def _joined(self, statement: AndOr, index: int, place: _Place) -> _Place:
        """Return the place of one pipeline among those that && and || join to it."""
        later = statement.operators[index:]
        if "||" in later:
            caught = index + later.index("||") + 1
            return self._caught(statement.pipelines[caught:], place)
        if later and place.by_errexit and place.options.errexit and not place.is_handled:
            return attrs.evolve(place, masked="set -e does not look at what stands before &&")
        return place

    def _caught(self, behind: tuple[Pipeline, ...], place: _Place) -> _Place:
        alternative = (AndOr((behind[0],), (), False),)
        if fails(alternative, self.exits.variables):
            return attrs.evolve(place, masked="", is_tested=False)
        text = " ".join(statement_shown(AndOr((one,), (), False)) for one in behind[:1])
        return attrs.evolve(place, masked=f"|| {text}", is_tested=True)

    def _pipeline(self, pipeline: Pipeline, place: _Place) -> Iterator[Command]:
        if pipeline.is_negated and not place.is_handled:
            place = attrs.evolve(place, masked="! turns its exit status round", is_tested=True)
        last = len(pipeline.commands) - 1
        for index, command in enumerate(pipeline.commands):
            here = place
            if index < last and not place.options.pipefail and not self.exits.has_pipe_status:
                text = shown(pipeline.commands[last])
                here = attrs.evolve(place, masked=f"| {text} decides the exit status")
            yield from self._command(command, here)

    def _command(self, command: Simple | Compound, place: _Place) -> Iterator[Command]:
        if isinstance(command, Simple):
            yield from self._simple(command, place)
        elif command.kind in ("(", "{"):
            yield from self.statements(command.parts[0][1], place)
        elif command.kind.endswith("()"):
            yield from self._uncalled(command, place)
        else:
            yield from self._clauses(command, place)

    def _uncalled(self, command: Compound, place: _Place) -> Iterator[Command]:
        """Yield the body of a function as if it were run there, unless it is called by name."""
        if place.functions.get(command.kind[:-2]) != command.parts[0][1]:
            yield from self.statements(command.parts[0][1], attrs.evolve(place, masked=""))

    def _clauses(self, command: Compound, place: _Place) -> Iterator[Command]:
        branches = tuple(inside for word, inside in command.parts if word in ("then", "else"))
        handled = any(fails(each, self.exits.variables) for each in branches)
        tested = attrs.evolve(
            place,
            masked="" if handled else "it is only a condition",
            is_tested=True,
            is_handled=handled,
        )
        conditions = place.conditions
        for word, inside in command.parts:
            if word in ("if", "elif", "while", "until"):
                yield from self.statements(inside, attrs.evolve(tested, conditions=conditions))
                text = all_shown(inside)
                conditions = (
                    *place.conditions,
                    *(() if text in ("true", ":") else (f"{word} {text}",)),
                )
            elif word == "do" and command.kind == "for":
                yield from self.statements(inside, place)
            else:
                named = (
                    conditions if command.kind != "case" else (*place.conditions, f"case {word}")
                )
                yield from self.statements(inside, attrs.evolve(place, conditions=named))

    def _simple(self, command: Simple, place: _Place) -> Iterator[Command]:
        assigned, words = assignments(command.words)
        for word in command.words:
            for script in word.scripts:
                lost = "" if not words else f"{words[0].text} decides the exit status"
                yield from self._script(script, word.line, place, lost)
        if not words:
            return
        texts = tuple(word.text for word in words)
        if texts[0] in place.functions and self.inlined < _INLINED:
            self.inlined += 1
            inner = {k: v for k, v in place.functions.items() if k != texts[0]}
            yield from self.statements(
                place.functions[texts[0]], attrs.evolve(place, functions=inner)
            )
            return
        if inside := inner_script(texts):
            yield from self._script(inside, command.line, place, "")
            return
        environment = (*place.exported, *assigned)
        yield Command(texts, command.line, place.masked, place.conditions, environment)

    def _script(self, script: str, line: int, place: _Place, lost: str) -> Iterator[Command]:
        if self.depth >= _DEEPEST:
            raise ShellSyntaxError("scripts within scripts nest too deeply")
        inner = _Reader(_exits(script), self.depth + 1, self.inlined)
        masked = place.masked or lost
        for found in inner.statements(parse(script), _Place(Options())):
            yield attrs.evolve(
                found,
                line=line + found.line,
                masked=masked or found.masked,
                conditions=(*place.conditions, *found.conditions),
                environment=(*place.exported, *found.environment),
            )
        self.inlined = inner.inlined


def _functions(found: Statements) -> dict[str, Statements]:
    """Return the bodies of the functions that a list defines and calls somewhere."""
    named: dict[str, Statements] = {}
    for statement in found:
        for pipeline in statement.pipelines:
            for command in pipeline.commands:
                if isinstance(command, Compound) and command.kind.endswith("()"):
                    named[command.kind[:-2]] = command.parts[0][1]
    called = {one for statement in found for one in _heads(statement)} if named else set[str]()
    return {name: body for name, body in named.items() if name in called}


def _heads(statement: AndOr) -> Iterator[str]:
    for pipeline in statement.pipelines:
        for command in pipeline.commands:
            if isinstance(command, Simple):
                yield from command.texts
            else:
                for _, inside in command.parts:
                    for inner in inside:
                        yield from _heads(inner)


def _guard(pipeline: Pipeline, operator: str) -> tuple[str, ...]:
    """Return the condition that ``[ ... ] &&`` or ``cmd ||`` puts on what follows."""
    command = pipeline.commands[-1]
    text = shown(command)
    head = command.texts[0] if isinstance(command, Simple) else ""
    if operator == "||":
        return (f"only where {text} fails",)
    return (text,) if head in _TESTS and head not in ("true", ":") else ()


def _after(
    statement: AndOr, options: Options, exported: tuple[str, ...]
) -> tuple[Options, tuple[str, ...]]:
    """Return the options and exported variables once a statement has run."""
    command = statement.pipelines[0].commands[0]
    if not isinstance(command, Simple):
        return options, exported
    words = command.texts
    if words[0] == "export":
        return options, (*exported, *(word for word in words[1:] if _ASSIGNMENT.match(word)))
    if all(_ASSIGNMENT.match(word) for word in words):
        return options, (*exported, *words)
    return (options.after(words[1:]) if words[0] == "set" else options), exported


def _ends(statement: AndOr) -> bool:
    command = statement.pipelines[0].commands[0]
    is_alone = len(statement.pipelines) == 1 and isinstance(command, Simple)
    return is_alone and isinstance(command, Simple) and command.texts[0] in ("exit", "return")
