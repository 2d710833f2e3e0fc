"""Read pipelines that are Python: nox sessions, invoke tasks, scripts that start pytest."""

from __future__ import annotations

import ast
import shlex
from collections.abc import Iterator

import attrs

from benchhygiene.inventory.python import PythonFile, parse
from benchhygiene.inventory.spelling import dotted
from benchhygiene_plugins.pipelines.gates import Gate, Pipeline, Setting, gates
from benchhygiene_plugins.pipelines.options import Options
from benchhygiene_plugins.pipelines.runners import Run, run_of
from benchhygiene_plugins.pipelines.tokens import ShellSyntaxError

_CHECKED = ("check_call", "check_output")
_STARTED = ("run", "call", "Popen", "system", "getoutput", "getstatusoutput", *_CHECKED)
_ENDINGS = ("exit", "_exit", "SystemExit", "Exit")
_CAUGHT = ("pass", "continue")


def read(path: str, data: bytes) -> Pipeline:
    """Return the gates of a script: calls that start tests, masked where their status is lost."""
    if not any(word in data for word in (b"pytest", b"unittest", b"tox", b"nox", b"test")):
        return Pipeline()
    file = parse(data)
    if file.module is None:
        return Pipeline(doubts=(file.error or "no Python",))
    try:
        return Pipeline(tuple(_Reader(path, file, _kept(file.module)).all()))
    except RecursionError:
        return Pipeline(doubts=("nests too deeply",))


def _kept(module: ast.Module) -> frozenset[str]:
    """Return the names that an ending of the script, a return, a test or an assert reads."""
    kept: set[str] = set()
    for node in ast.walk(module):
        if (read := _deciding(node)) is not None:
            kept.update(each.id for each in ast.walk(read) if isinstance(each, ast.Name))
    return frozenset(kept)


def _deciding(node: ast.AST) -> ast.AST | None:
    """Return what of a node decides how the script ends."""
    if isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in _ENDINGS:
        return node
    if isinstance(node, ast.Return | ast.Raise | ast.Assert):
        return node
    return node.test if isinstance(node, ast.If) else None


@attrs.frozen
class _Fate:
    """Where a statement stands: in which function, under which conditions, caught or kept."""

    place: tuple[str, ...] = ()
    masked: str = ""
    conditions: tuple[str, ...] = ()
    is_kept: bool = False


@attrs.frozen
class _Reader:
    path: str
    file: PythonFile
    kept: frozenset[str]

    def all(self) -> Iterator[Gate]:
        yield from self.body(self.file.body, _Fate())

    def body(self, found: list[ast.stmt], fate: _Fate) -> Iterator[Gate]:
        for index, statement in enumerate(found):
            yield from self.statement(statement, fate)
            if _leaves(statement) and index + 1 < len(found):
                fate = attrs.evolve(
                    fate, conditions=(*fate.conditions, f"line {statement.lineno} ends it")
                )

    def statement(self, node: ast.stmt, fate: _Fate) -> Iterator[Gate]:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from self.body(node.body, self._of_function(node, fate))
            case ast.ClassDef():
                yield from self.body(node.body, attrs.evolve(fate, place=(*fate.place, node.name)))
            case ast.If() | ast.While():
                yield from self._condition(node, fate)
            case ast.For() | ast.AsyncFor() | ast.With() | ast.AsyncWith():
                yield from self._block(node, fate)
            case ast.Try() | ast.TryStar():
                yield from self._try(node, fate)
            case _:
                yield from self._expressions(node, fate)

    def _of_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, fate: _Fate) -> _Fate:
        names = [ast.unparse(each) for each in node.decorator_list]
        conditions = tuple(f"@{name}" for name in names if "skip" in name.lower())
        optional = tuple("default=False" for name in names if "default=False" in name)
        if any("session" in name for name in names) and not self._is_chosen(node.name, names):
            optional = (*optional, "not in nox.options.sessions")
        return attrs.evolve(
            fate,
            place=(*fate.place, node.name),
            conditions=(*fate.conditions, *conditions, *optional),
        )

    def _is_chosen(self, name: str, decorators: list[str]) -> bool:
        """Return whether nox runs a session where it is not asked for any."""
        for one in self.file.body:
            if isinstance(one, ast.Assign) and dotted(one.targets[0]) == "nox.options.sessions":
                words = self._words(one.value)
                return not words or name in words or any("name=" in each for each in decorators)
        return True

    def _condition(self, node: ast.If | ast.While, fate: _Fate) -> Iterator[Gate]:
        text = ast.unparse(node.test)
        yield from self._calls(node.test, attrs.evolve(fate, is_kept=True))
        inside = (
            fate
            if text.startswith("__name__ ==") or text == "True"
            else attrs.evolve(fate, conditions=(*fate.conditions, f"if {text}"))
        )
        yield from self.body(node.body, inside)
        yield from self.body(
            node.orelse, attrs.evolve(fate, conditions=(*fate.conditions, f"if not {text}"))
        )

    def _block(
        self, node: ast.For | ast.AsyncFor | ast.With | ast.AsyncWith, fate: _Fate
    ) -> Iterator[Gate]:
        if isinstance(node, ast.With | ast.AsyncWith):
            names = [ast.unparse(item.context_expr) for item in node.items]
            caught = [name for name in names if "suppress(" in name]
            fate = attrs.evolve(fate, masked=fate.masked or (f"with {caught[0]}" if caught else ""))
        yield from self.body(node.body, fate)

    def _try(self, node: ast.Try | ast.TryStar, fate: _Fate) -> Iterator[Gate]:
        quiet = [each for each in node.handlers if not _ends(each.body)]
        text = f"except {ast.unparse(quiet[0].type) if quiet and quiet[0].type else ''}".strip()
        yield from self.body(node.body, attrs.evolve(fate, masked=text) if quiet else fate)
        for handler in node.handlers:
            yield from self.body(
                handler.body, attrs.evolve(fate, conditions=(*fate.conditions, text))
            )
        yield from self.body([*node.orelse, *node.finalbody], fate)

    def _expressions(self, node: ast.stmt, fate: _Fate) -> Iterator[Gate]:
        is_kept = isinstance(node, ast.Return | ast.Raise | ast.Assert) or (
            isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign)
            and bool(self._targets(node) & self.kept)
        )
        yield from self._calls(node, attrs.evolve(fate, is_kept=is_kept))

    def _targets(self, node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> frozenset[str]:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return frozenset(
            each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)
        )

    def _calls(self, node: ast.AST, fate: _Fate) -> Iterator[Gate]:
        if isinstance(node, ast.Call):
            name = dotted(node.func).rpartition(".")[2]
            if name in _ENDINGS:
                fate = attrs.evolve(fate, is_kept=True)
            yield from self._call(node, name, fate)
        for child in ast.iter_child_nodes(node):
            yield from self._calls(child, fate)

    def _call(self, node: ast.Call, name: str, fate: _Fate) -> Iterator[Gate]:
        full = dotted(node.func)
        if full in ("pytest.main", "pytest.console_main", "pytest.cmdline.main"):
            words = self._words(node.args[0]) if node.args else ()
            yield self._gate(
                node, Run("pytest", words or ()), fate, self._lost(fate, "its status is not used")
            )
            return
        if name not in (*_STARTED, "session") or not node.args:
            return
        masked = self._status(node, full, name, fate)
        text = self._text(node.args[0])
        if text is not None and (" " in text or len(node.args) == 1):
            yield from self._shell(text, node, fate, masked)
        elif words := self._arguments(node):
            run = run_of(words)
            if run is not None:
                yield self._gate(node, run, fate, masked)

    def _status(self, node: ast.Call, full: str, name: str, fate: _Fate) -> str:
        """Return why the exit status of a started process is lost."""
        given = {each.arg: each.value for each in node.keywords}
        if codes := given.get("success_codes"):
            listed = ast.unparse(codes)
            return fate.masked if listed.strip("[]() ,") == "0" else f"success_codes={listed}"
        if _is_true(given.get("warn")) or _is_true(given.get("warn_only")):
            return "warn=True"
        if full.startswith(("subprocess.", "os.", "sp.")) or full in _STARTED:
            checked = name in _CHECKED or _is_true(given.get("check"))
            return fate.masked if checked else self._lost(fate, f"{full}(...) does not check it")
        return fate.masked

    def _lost(self, fate: _Fate, reason: str) -> str:
        return fate.masked or ("" if fate.is_kept else reason)

    def _gate(self, node: ast.Call, run: Run, fate: _Fate, masked: str) -> Gate:
        text = ast.unparse(node)
        return Gate(self.path, node.lineno, fate.place, run, text, masked, fate.conditions)

    def _shell(self, text: str, node: ast.Call, fate: _Fate, masked: str) -> Iterator[Gate]:
        setting = Setting(self.path, fate.place, Options(), masked, fate.conditions)
        try:
            found = tuple(gates(text, node.lineno, setting))
        except ShellSyntaxError:
            return
        yield from (attrs.evolve(gate, line=node.lineno, text=ast.unparse(node)) for gate in found)

    def _text(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Name):
            node = self.file.constants.get(node.id, node)
        if isinstance(node, ast.JoinedStr):
            return "".join(
                str(v.value) if isinstance(v, ast.Constant) else "$x" for v in node.values
            )
        return (
            node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
        )

    def _arguments(self, node: ast.Call) -> tuple[str, ...]:
        if len(node.args) == 1 or not isinstance(node.args[0], ast.Constant):
            return self._words(node.args[0])
        return tuple(word for each in node.args for word in self._words(each))

    def _words(self, node: ast.expr) -> tuple[str, ...]:
        """Return the words of a list; what is not known, as ``*args``, is left out."""
        if isinstance(node, ast.Name):
            node = self.file.constants.get(node.id, node)
        if isinstance(node, ast.List | ast.Tuple):
            return tuple(word for each in node.elts for word in self._words(each))
        if isinstance(node, ast.BinOp):
            return (*self._words(node.left), *self._words(node.right))
        if isinstance(node, ast.Call) and dotted(node.func) == "shlex.split" and node.args:
            text = self._text(node.args[0])
            return tuple(shlex.split(text)) if text else ()
        if dotted(node) == "sys.executable":
            return ("python",)
        text = self._text(node)
        return () if text is None else (text,)


def _leaves(node: ast.stmt) -> bool:
    """Return whether what follows may not run: the end of a function, a session passed over."""
    if isinstance(node, ast.If):
        return any(_leaves(one) for one in node.body if isinstance(one, ast.Expr))
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return dotted(node.value.func) == "session.skip"
    return isinstance(node, ast.Return | ast.Raise)


def _is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _ends(body: list[ast.stmt]) -> bool:
    """Return whether a handler passes the failure on."""
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Raise):
                return True
            if isinstance(node, ast.Call):
                name = dotted(node.func).rpartition(".")[2]
                if name in _ENDINGS or name in ("error", "fail"):
                    zero = (
                        node.args
                        and isinstance(node.args[0], ast.Constant)
                        and node.args[0].value == 0
                    )
                    return not zero
            if isinstance(node, ast.Return) and node.value is not None:
                return not (isinstance(node.value, ast.Constant) and not node.value.value)
    return False
