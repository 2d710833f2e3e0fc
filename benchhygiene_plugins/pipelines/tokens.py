"""Take a shell script apart into words and operators.

Rules: POSIX Shell Command Language 2.2 (quoting) and 2.3 (token recognition), bash's ``|&`` and
``&>``. Expressions of a workflow, ``${{ ... }}``, stay whole: they are filled in before any shell
sees them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

LARGEST = 200_000  # characters of a script that is read
_OPERATORS = ("&&", "||", ";;", "|&", ";", "|", "&", "(", ")", "\n")
_REDIRECTION = re.compile(r"(\d*|&)(>>|>\||>&|<&|<>|>|<)")
_HEREDOC = re.compile(r"\d*<<-?[ \t]*(['\"]?)([^\s'\"<>|&;()]+)\1")
_CLOSING = {"${{": "}}", "$((": "))", "$(": ")", "${": "}", "<(": ")", ">(": ")"}


class ShellSyntaxError(ValueError):
    """A script that no shell takes, or that nests deeper than is followed."""


@attrs.frozen
class Word:
    """A word without its quotes, the scripts it substitutes, and its 0-based line."""

    text: str
    line: int
    scripts: tuple[str, ...] = ()


@attrs.frozen
class Operator:
    """What joins or ends commands, a line's end included."""

    text: str
    line: int


def tokens(script: str) -> Iterator[Word | Operator]:
    """Yield the words and operators. Raises ShellSyntaxError."""
    if len(script) > LARGEST:
        raise ShellSyntaxError(f"longer than {LARGEST} characters")
    yield from _Scanner(script.replace("\\\r\n", "\\\n").replace("\r\n", "\n")).all()


@attrs.define
class _Scanner:
    text: str
    at: int = 0
    line: int = 0
    delimiters: list[str] = attrs.field(factory=list[str])
    is_target: bool = False  # the next word is where a redirection goes

    def all(self) -> Iterator[Word | Operator]:
        while self.at < len(self.text):
            if self.text.startswith("\\\n", self.at):
                self._take(2)
            elif self.text[self.at] in " \t\r":
                self.at += 1
            elif self.text[self.at] == "#":
                self._comment()
            else:
                yield from self._token()

    def _comment(self) -> None:
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end

    def _token(self) -> Iterator[Word | Operator]:
        if heredoc := _HEREDOC.match(self.text, self.at):
            self.delimiters.append(heredoc[2])
            self.at = heredoc.end()
        elif not self._is_process() and (found := _REDIRECTION.match(self.text, self.at)):
            self.at = found.end()
            self.is_target = True
        elif self.text.startswith("((", self.at) and (arithmetic := self._arithmetic()):
            yield arithmetic
        elif operator := self._operator():
            yield Operator(operator, self.line)
            self._take(len(operator))
            if operator == "\n":
                self._skip_documents()
        else:
            word = self._word()
            if not self.is_target:
                yield word
            self.is_target = False

    def _arithmetic(self) -> Word | None:
        """Return ``((...))`` whole; None where the two brackets open subshells."""
        end = self._end(self.at + 2, "(", "))")
        if end < 0 or "\n" in self.text[self.at : end]:
            return None
        return Word(self._take(end - self.at), self.line)

    def _is_process(self) -> bool:
        return self.text.startswith(("<(", ">("), self.at)

    def _operator(self) -> str:
        return next((one for one in _OPERATORS if self.text.startswith(one, self.at)), "")

    def _take(self, length: int) -> str:
        taken = self.text[self.at : self.at + length]
        self.line += taken.count("\n")
        self.at += length
        return taken

    def _skip_documents(self) -> None:
        for delimiter in self.delimiters:
            while self.at < len(self.text):
                end = self.text.find("\n", self.at)
                end = len(self.text) if end < 0 else end
                line = self._take(end + 1 - self.at)
                if line.strip() == delimiter:
                    break
        self.delimiters.clear()

    def _word(self) -> Word:
        line, parts, scripts = self.line, list[str](), list[str]()
        while self.at < len(self.text):
            one = self.text[self.at]
            if one in " \t\r" or (self._operator() and one != "\\"):
                break
            if one in "<>" and not self._is_process():
                break
            parts.append(self._piece(scripts))
        return Word("".join(parts), line, tuple(scripts))

    def _piece(self, scripts: list[str]) -> str:
        one = self.text[self.at]
        if one == "\\":
            taken = self._take(2)
            return "" if taken == "\\\n" else taken[1:]
        if one == "'":
            return self._quoted("'")[1:-1]
        if one == '"':
            return self._double(scripts)
        if one == "`":
            scripts.append(taken := self._quoted("`")[1:-1])
            return f"$({taken})"
        opening = next((each for each in _CLOSING if self.text.startswith(each, self.at)), "")
        return self._nested(opening, scripts) if opening else self._take(1)

    def _quoted(self, quote: str) -> str:
        end = self.text.find(quote, self.at + 1)
        if end < 0:
            raise ShellSyntaxError(f"line {self.line + 1}: a quote {quote} that nothing closes")
        return self._take(end + 1 - self.at)

    def _double(self, scripts: list[str]) -> str:
        start, parts = self.line, list[str]()
        self._take(1)
        while self.at < len(self.text) and self.text[self.at] != '"':
            if self.text[self.at] == "'":
                parts.append(self._take(1))
            else:
                parts.append(self._piece(scripts))
        if self.at >= len(self.text):
            raise ShellSyntaxError(f'line {start + 1}: a quote " that nothing closes')
        self._take(1)
        return "".join(parts)

    def _nested(self, opening: str, scripts: list[str]) -> str:
        closing, start, began = _CLOSING[opening], self.at, self.line
        end = self._end(start + len(opening), opening[-1], closing)
        if end < 0:
            raise ShellSyntaxError(f"line {began + 1}: {opening} that nothing closes")
        taken = self._take(end - start)
        if opening in ("$(", "<(", ">("):
            scripts.append(taken[len(opening) : -1])
        return taken

    def _end(self, at: int, opening: str, closing: str) -> int:
        """Return where the bracket that is open before ``at`` ends, quotes passed over."""
        depth, quote = 1, ""
        while at < len(self.text):
            one = self.text[at]
            if one == "\\":
                at += 2
                continue
            if quote:
                quote = "" if one == quote else quote
            elif one in "'\"" and closing == ")":
                quote = one
            elif self.text.startswith(closing, at):
                depth -= 1
                if not depth:
                    return at + len(closing)
            elif one == opening:
                depth += 1
            at += 1
        return -1
