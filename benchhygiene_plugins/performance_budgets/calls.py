"""What calling something gives, and what it tells about how a test measures."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from benchhygiene_plugins.performance_budgets import clocks, demands
from benchhygiene_plugins.performance_budgets.arithmetic import (
    constant,
    folded,
    is_measured,
    reduced,
    size,
    statistic,
)
from benchhygiene_plugins.performance_budgets.benchmarks import benchmark
from benchhygiene_plugins.performance_budgets.frames import Frame
from benchhygiene_plugins.performance_budgets.ranges import first_few, in_order, seconds_of, span_of
from benchhygiene_plugins.performance_budgets.recording import Amount, Setting, Timeout
from benchhygiene_plugins.performance_budgets.terms import (
    NOTHING,
    Bench,
    Instant,
    Kind,
    Known,
    Made,
    Many,
    Measure,
    Place,
    Ref,
    Routine,
    Row,
    Table,
    Term,
    Thing,
)
from benchhygiene_plugins.performance_budgets.vocabulary import (
    BOUNDS,
    CLOCK_WORDS,
    CLOCKS,
    DEMANDS,
    FRAMEWORKS,
    HANDED_ON,
    MEMORY,
    PERCENTILES,
    QUIET,
    REDUCTIONS,
    RUN_NOW,
    TIMEOUTS,
    WAITING_METHODS,
)

if TYPE_CHECKING:
    from benchhygiene_plugins.performance_budgets.expressions import Expressions

_PLAIN = frozenset(("int", "float", "round", "abs", "str", "bool", "max", "min", "math.ceil"))


@attrs.frozen(eq=False)
class Calls:
    """Works out one call."""

    of: Expressions
    node: ast.Call
    frame: Frame

    def result(self) -> Term:
        """Return what the call gives."""
        func = self.node.func
        owner = (
            self.of.expression(func.value, self.frame) if isinstance(func, ast.Attribute) else None
        )
        if isinstance(func, ast.Attribute) and owner is not None:
            called = self.of.attribute(owner, func.attr)
        else:
            called = self.of.expression(func, self.frame)
        args, words = self.of.arguments(self.node, self.frame)
        self._note_clock(called)
        if isinstance(func, ast.Attribute) and owner is not None:
            found = self._method(owner, func, args, words)
            if found is not None:
                return found
        return self.applied(called, args, words)

    @property
    def place(self) -> Place:
        """Return where the call stands."""
        return self.of.place(self.node, self.frame)

    def applied(self, called: Term, args: tuple[Term, ...], words: dict[str, Term]) -> Term:
        """Return what calling a term gives."""
        match called:
            case Routine():
                return self.of.call(called, args, words)
            case Kind():
                return self.of.instance(called, args, words)
            case Bench():
                return benchmark(self.of, called, "", args, words, self.place)
            case Thing():
                inner = self.of.attribute(called, "__call__")
                return self.applied(inner, args, words) if isinstance(inner, Routine) else NOTHING
            case Ref():
                return self._outside(called.name, args, words)
            case Made(name="partial", parts=(inner, Row(parts=given), Table() as named)):
                return self.applied(inner, (*given, *args), {**dict(named.items), **words})
            case _:
                return self._unknown(called, args, words)

    def _note_clock(self, called: Term) -> None:
        func = self.node.func
        word = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
        is_real = isinstance(called, Ref) and called.name in CLOCKS
        if word in CLOCK_WORDS and not is_real and not self.node.args:
            clocks.replaced(self.of.record, word if word != "time" else "time.time", self.place)

    def _outside(self, name: str, args: tuple[Term, ...], words: dict[str, Term]) -> Term:
        record = self.of.record
        if name in CLOCKS:
            return self._reading(name)
        if clocks.patched(record, name, args, self.place):
            return Made(name)
        if name.startswith("pytest.mark."):
            return Made(name, (Row(args), Table(tuple(words.items()))))
        if name in MEMORY:
            return Measure("memory", "bytes", record.loops)
        if name.startswith("timeit.") and not name.endswith("default_timer"):
            return self._timeit(name.rpartition(".")[2], args, words)
        found = self._reduction(name, args, words)
        if found is not None:
            return found
        self._note_timeout(name, args, words)
        found = self._plain(name, args, words)
        if found is not None:
            return found
        return self._unknown(Ref(name), args, words)

    def _reading(self, name: str) -> Term:
        record = self.of.record
        record.clocks[name] = None
        if record.first_reading is None:
            record.first_reading = len(record.events)
        return Instant(name, CLOCKS[name], len(record.events), record.loops)

    def _reduction(self, name: str, args: tuple[Term, ...], words: dict[str, Term]) -> Term | None:
        first = next((one for one in args if is_measured(one)), None)
        if first is None:
            return None
        if name in PERCENTILES and len(args) + len(words) > 1:
            wanted = args[1] if len(args) > 1 else words.get("q", NOTHING)
            if isinstance(wanted, Row):
                return Made("percentiles", (first, wanted))
            rank = wanted.number if isinstance(wanted, Known) else None
            rank = None if rank is None else rank * PERCENTILES[name]
            return reduced(first, "percentile", rank)
        if name in ("statistics.quantiles",):
            cuts = words.get("n", args[1] if len(args) > 1 else Known(4))
            return Made("quantiles", (first, cuts))
        if name in REDUCTIONS:
            return reduced(first, name.rpartition(".")[2], REDUCTIONS[name])
        return None

    def _plain(self, name: str, args: tuple[Term, ...], words: dict[str, Term]) -> Term | None:
        first = args[0] if args else NOTHING
        if name in ("os.environ.get", "os.getenv", "getenv", "environ.get"):
            return args[1] if len(args) > 1 else words.get("default", Known(None))
        if name == "len":
            return size(first)
        if name == "range":
            return span_of(args)
        if name in ("sorted", "numpy.sort"):
            return in_order(first, words)
        if name in ("reversed",) and isinstance(first, Many):
            return attrs.evolve(first, is_descending=not first.is_descending)
        if name in ("itertools.islice", "islice") and isinstance(first, Many) and len(args) > 1:
            return first_few(first, args[-1] if len(args) == 2 else args[2])
        if name in HANDED_ON or (name in _PLAIN and is_measured(first)):
            return first if args else Row(())
        if name in ("dict",):
            return Table(tuple(words.items()))
        if name in ("enumerate", "zip", "all", "any"):
            return Made(name, args)
        if name in ("functools.partial", "partial"):
            return Made("partial", (first, Row(args[1:]), Table(tuple(words.items()))))
        if name == "itertools.repeat" and len(args) > 1:
            return Many(args[1], first)
        if name in ("getattr",) and len(args) > 1 and isinstance(args[1], Known):
            return self.of.attribute(first, str(args[1].value))
        if name in ("datetime.timedelta", "timedelta"):
            return seconds_of(words, args)
        if name in ("map",) and len(args) > 1 and isinstance(first, Routine):
            return self._mapped(first, args[1])
        if name in RUN_NOW:
            return first
        return self._computed(name, args, words)

    def _computed(self, name: str, args: tuple[Term, ...], words: dict[str, Term]) -> Term | None:
        if words or not args or not all(isinstance(one, Known) for one in args):
            return None
        name = {"math.ceil": "round", "math.floor": "int"}.get(name, name)
        nodes: list[ast.expr] = [constant(one.value) for one in args if isinstance(one, Known)]
        return folded(ast.Call(ast.Name(name), nodes, [], lineno=1))

    def _mapped(self, routine: Routine, items: Term) -> Term:
        act = self.of.over(
            size(items), self.place, lambda: self.of.call(routine, (self.of.element(items),), {})
        )
        return Many(size(items), act)

    def _note_timeout(self, name: str, args: tuple[Term, ...], words: dict[str, Term]) -> None:
        last = name.rpartition(".")[2]
        if name in TIMEOUTS or last in BOUNDS:
            at = TIMEOUTS.get(name, BOUNDS.get(last, 9))
            words = {key: words[key] for key in ("timeout", "delay", "num") if key in words}
            given = next(iter(words.values()), args[at] if len(args) > at else None)
            if given is not None and given != Known(None):  # as if none were given
                value = given.number if isinstance(given, Known) else None
                self.of.record.timeouts.append(Timeout(last, value, self.place))

    def _method(
        self, owner: Term, func: ast.Attribute, args: tuple[Term, ...], words: dict[str, Term]
    ) -> Term | None:
        name = func.attr
        if name in DEMANDS and len(args) > 1:
            made = self._worded_check(DEMANDS[name])
            demands.note(self.of.record, made, self.place)
            return NOTHING
        if name in ("assertTrue", "assertFalse") and args:
            made = args[0] if name == "assertTrue" else Made("not", (args[0],))
            demands.note(self.of.record, made, self.place)
            return NOTHING
        match owner:
            case Bench():
                return benchmark(self.of, owner, name, args, words, self.place)
            case Row() | Many():
                return self._of_list(owner, func, args)
            case Measure():
                index = args[0] if name == "get" and args else Known(name)
                return statistic(owner, index) or owner
            case Table() if name == "get" and args:
                key = args[0]
                found = owner.get(str(key.value)) if isinstance(key, Known) else None
                return found or (args[1] if len(args) > 1 else Known(None))
            case Made(name="timeit.Timer"):
                return self._timeit(name, (*owner.parts, *args), words)
            case Made() if name in ("setattr", "patch"):
                clocks.patched(self.of.record, "setattr", args, self.place)
            case _:
                pass
        if name in BOUNDS:
            self._note_timeout(name, args, words)
        if name in WAITING_METHODS and "timeout" in words and not isinstance(owner, Thing):
            given = words["timeout"]
            value = given.number if isinstance(given, Known) else None
            self.of.record.timeouts.append(Timeout(name, value, self.place))
        return None

    def _worded_check(self, relation: str) -> Term:
        op = {"<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE}[relation]
        left, right = self.node.args[:2]
        whole = ast.Compare(left, [op()], [right], lineno=self.node.lineno)
        return self.of.expression(whole, self.frame)

    def _of_list(self, owner: Term, func: ast.Attribute, args: tuple[Term, ...]) -> Term | None:
        made: Term = owner
        if func.attr == "sort":
            made = in_order(owner, self.of.arguments(self.node, self.frame)[1])
        elif func.attr == "reverse" and isinstance(owner, Many):
            made = attrs.evolve(owner, is_descending=not owner.is_descending)
        elif func.attr in ("append", "appendleft", "add") and args:
            made = self.of.appended(owner, args[0])
        elif func.attr == "extend" and args:
            made = self.of.extended(owner, args[0])
        elif func.attr in ("max", "min", "mean", "sum"):
            return reduced(owner, func.attr, REDUCTIONS[func.attr])
        else:
            return None
        self.of.assign(func.value, made, self.frame)
        return NOTHING

    def _timeit(self, word: str, args: tuple[Term, ...], words: dict[str, Term]) -> Term:
        stmt = args[0] if args else words.get("stmt", NOTHING)
        if word == "Timer":
            return Made("timeit.Timer", (stmt,))
        record, before = self.of.record, len(self.of.record.events)
        if record.first_reading is None:
            record.first_reading = before
        record.clocks["timeit"] = None
        if "timer" in words:
            self._note_timer(words["timer"])
        number = words.get("number", self._positional(args, word, "number") or Known(1_000_000))
        repeat = words.get("repeat", self._positional(args, word, "repeat") or Known(5))
        self._amount(Setting.NUMBER, number)
        if word == "repeat":
            self._amount(Setting.REPEAT, repeat)
        loops = record.loops
        self.of.over(number, self.place, lambda: self._run(stmt))
        work = tuple(record.events[before:])
        made = Measure("timeit", "s", loops, work)
        record.measured(made, self.place)
        return Many(repeat, made) if word == "repeat" else made

    @staticmethod
    def _positional(args: Sequence[Term], word: str, name: str) -> Term | None:
        at = {("timeit", "number"): 3, ("repeat", "repeat"): 3, ("repeat", "number"): 4}
        index = at.get((word, name), 9)
        return args[index] if len(args) > index else None

    def _run(self, stmt: Term) -> Term:
        if isinstance(stmt, Known):
            self.of.record.happen(Made("()", (Ref("timeit"), stmt)), self.place)
            return NOTHING
        return self.applied(stmt, (), {})

    def _amount(self, setting: Setting, term: Term) -> None:
        value = term.number if isinstance(term, Known) else None
        self.of.record.amounts.append(Amount(setting, value, self.place))

    def _note_timer(self, timer: Term) -> None:
        if not clocks.is_wall(timer):
            clocks.replaced(self.of.record, "timeit.default_timer", self.place)

    def _unknown(self, called: Term, args: tuple[Term, ...], words: dict[str, Term]) -> Term:
        for one in (*args, *words.values()):
            if isinstance(one, Routine) and not is_measured(one):
                self.of.call(one, (), {})
        made = Made("()", (called, *args, *words.values()))
        name = called.name if isinstance(called, Ref) else ""
        if name not in QUIET and name.partition(".")[0] not in FRAMEWORKS:
            self.of.record.happen(made, self.place)
        if clocks.sleeps(name):
            return NOTHING
        return made
