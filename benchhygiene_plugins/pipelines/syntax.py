"""The commands of a shell script as a tree: lists, pipelines and compound commands.

Rules: POSIX Shell Command Language 2.9 and 2.10.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import attrs

from benchhygiene_plugins.pipelines.tokens import Operator, ShellSyntaxError, Word, tokens

_DEEPEST = 40  # compound commands within each other
_CLAUSES = {"if": "fi", "while": "done", "until": "done", "for": "done", "select": "done"}
_MIDDLE = ("then", "elif", "else", "do")
_ENDS = ("fi", "done", "esac", "}", *_MIDDLE)


@attrs.frozen
class Simple:
    """A command's words, assignments before them included."""

    words: tuple[Word, ...]

    @property
    def line(self) -> int:
        """Return the 0-based line of the first word."""
        return self.words[0].line

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the words' texts."""
        return tuple(word.text for word in self.words)


@attrs.frozen
class Compound:
    """A compound command: ``parts`` are its clauses by the word that opens each.

    ``kind`` is if, while, until, for, case, ``{``, ``(`` or a function's name and ``()``.
    """

    kind: str
    parts: tuple[tuple[str, Statements], ...]


@attrs.frozen
class Pipeline:
    """Commands that feed one another; ``is_negated`` by ``!``."""

    commands: tuple[Simple | Compound, ...]
    is_negated: bool = False


@attrs.frozen
class AndOr:
    """Pipelines and what joins each to the one before; ``&`` behind them is the background."""

    pipelines: tuple[Pipeline, ...]
    operators: tuple[str, ...]
    is_background: bool


Statements: TypeAlias = tuple[AndOr, ...]


def parse(script: str) -> Statements:
    """Return the statements of a script. Raises ShellSyntaxError."""
    parser = _Parser([*tokens(script)])
    found = parser.sequence(())
    if parser.peek() is not None:
        raise ShellSyntaxError(f"line {parser.line + 1}: unexpected {parser.word()!r}")
    return found


@attrs.define
class _Parser:
    tokens: list[Word | Operator]
    at: int = 0
    depth: int = 0

    def peek(self) -> Word | Operator | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def word(self) -> str:
        token = self.peek()
        return "" if token is None else token.text

    @property
    def line(self) -> int:
        token = self.peek() or (self.tokens[-1] if self.tokens else None)
        return 0 if token is None else token.line

    def is_operator(self, *texts: str) -> bool:
        token = self.peek()
        return isinstance(token, Operator) and token.text in texts

    def is_reserved(self, *texts: str) -> bool:
        token = self.peek()
        return isinstance(token, Word) and token.text in texts

    def skip(self, *texts: str) -> None:
        while self.is_operator(*texts):
            self.at += 1

    def sequence(self, stops: Iterable[str]) -> Statements:
        """Return the statements up to a reserved word or a bracket that closes."""
        ends, found = tuple(stops) or _ENDS, list[AndOr]()
        self.skip("\n", ";")
        while self.peek() is not None and not self.is_reserved(*ends):
            if self.is_operator(")", ";;"):
                break
            found.append(self.and_or())
            self.skip("\n", ";", "&")
        return tuple(found)

    def and_or(self) -> AndOr:
        pipelines, operators = [self.pipeline()], list[str]()
        while self.is_operator("&&", "||"):
            operators.append(self.word())
            self.at += 1
            self.skip("\n")
            pipelines.append(self.pipeline())
        return AndOr(tuple(pipelines), tuple(operators), self.is_operator("&"))

    def pipeline(self) -> Pipeline:
        is_negated = False
        while self.is_reserved("!", "time"):
            is_negated ^= self.word() == "!"
            self.at += 1
        commands = [self.command()]
        while self.is_operator("|", "|&"):
            self.at += 1
            self.skip("\n")
            commands.append(self.command())
        return Pipeline(tuple(commands), is_negated)

    def command(self) -> Simple | Compound:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ShellSyntaxError("nests too deeply")
        found = self._command()
        self.depth -= 1
        return found

    def _command(self) -> Simple | Compound:
        if self.is_operator("("):
            return self._bracketed("(", ")")
        if self.is_reserved("{"):
            return self._bracketed("{", "}")
        if self.is_reserved(*_CLAUSES):
            return self._clauses()
        if self.is_reserved("case"):
            return self._case()
        return self._simple()

    def _bracketed(self, opening: str, closing: str) -> Compound:
        self.at += 1
        inside = self.sequence((closing,))
        self._expect(closing)
        return Compound(opening, ((opening, inside),))

    def _expect(self, text: str) -> None:
        if self.word() != text:
            raise ShellSyntaxError(f"line {self.line + 1}: expected {text!r}")
        self.at += 1

    def _clauses(self) -> Compound:
        kind, parts = self.word(), list[tuple[str, Statements]]()
        ending, opening = _CLAUSES[kind], kind
        while self.word() != ending:
            if self.peek() is None:
                raise ShellSyntaxError(f"line {self.line + 1}: expected {ending!r}")
            opening = self.word()
            self.at += 1
            if opening in ("for", "select"):
                self._header()
                continue
            parts.append((opening, self.sequence((ending, *_MIDDLE))))
            if not self.is_reserved(ending, *_MIDDLE):
                raise ShellSyntaxError(f"line {self.line + 1}: expected {ending!r}")
        self.at += 1
        return Compound(kind, tuple(parts))

    def _header(self) -> None:
        """Pass over ``name in words``."""
        while self.peek() is not None and not self.is_reserved("do"):
            self.at += 1

    def _case(self) -> Compound:
        parts = list[tuple[str, Statements]]()
        self.at += 1
        while self.peek() is not None and not self.is_reserved("in"):
            self.at += 1
        self._expect("in")
        self.skip("\n")
        while not self.is_reserved("esac"):
            pattern = self._pattern()
            parts.append((pattern, self.sequence(("esac",))))
            self.skip(";;", "\n", ";")
        self.at += 1
        return Compound("case", tuple(parts))

    def _pattern(self) -> str:
        words = list[str]()
        self.skip("(")
        while not self.is_operator(")"):
            if self.peek() is None:
                raise ShellSyntaxError(f"line {self.line + 1}: expected 'esac'")
            words.append(self.word())
            self.at += 1
        self.at += 1
        return "".join(words)

    def _simple(self) -> Simple | Compound:
        words = list[Word]()
        while isinstance(token := self.peek(), Word):
            words.append(token)
            self.at += 1
        if not words:
            raise ShellSyntaxError(f"line {self.line + 1}: unexpected {self.word()!r}")
        if words[0].text == "function" and len(words) > 1 and words[-1].text == "{":
            self.at -= 1
            return self._function(words[1].text)
        if len(words) == 1 and self.is_operator("("):
            self.at += 1
            self._expect(")")
            return self._function(words[0].text)
        return Simple(tuple(words))

    def _function(self, name: str) -> Compound:
        self.skip("\n")
        body = self.command()
        inside = (AndOr((Pipeline((body,)),), (), False),)
        return Compound(f"{name}()", ((name, inside),))
