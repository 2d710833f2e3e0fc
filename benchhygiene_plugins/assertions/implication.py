"""Whether facts that are new say all that a fact which is gone said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from benchhygiene_plugins.assertions.checks import Check
from benchhygiene_plugins.assertions.consequences import arguments_of, consequences, says
from benchhygiene_plugins.assertions.elements import elements
from benchhygiene_plugins.assertions.expressions import rebuilt, relation
from benchhygiene_plugins.assertions.folding import NotFolded, fold, truth
from benchhygiene_plugins.assertions.modules import Project
from benchhygiene_plugins.assertions.predicates import arguments, facts, normal
from benchhygiene_plugins.assertions.strength import CALL_RECORDS, is_constructor, is_literal
from benchhygiene_plugins.assertions.terms import Term, constant, display, is_call_of, term

_LISTED = 64  # elements of a known list that are looked at
_EQUALITIES = frozenset(("eq", "is", "same"))


def learnt(
    checks: Iterable[Check], lost: Iterable[Check], project: Project
) -> dict[Term, Knowledge]:
    """Return what checks establish about what others asked, by what was done before them.

    Checks under conditions of their own establish nothing.
    """
    wanted = {
        part.digest
        for check in lost
        for part in check.fact.subterms()
        if part.children and not part.is_constant
    }
    made: dict[Term, Knowledge] = {}
    for check in checks:
        if check.is_effective and not check.flow.guards:
            known = made.setdefault(check.history, Knowledge())
            known.learn(check)
            if not wanted.isdisjoint(check.fact.parts):
                for fact in consequences(check, project):
                    known.follow(fact)
    return {history: known.settled() for history, known in made.items()}


@attrs.frozen(eq=False)
class Knowledge:
    """What the new, effective checks of a node establish.

    ``values`` are things whose value is spelt out, ``facts`` every fact, ``bounds`` the comparisons
    by the side that is no constant.
    """

    values: dict[bytes, Term] = attrs.field(factory=dict[bytes, Term])
    facts: dict[bytes, Check] = attrs.field(factory=dict[bytes, Check])
    bounds: dict[bytes, list[Term]] = attrs.field(factory=dict[bytes, "list[Term]"])
    doubtful: set[bytes] = attrs.field(factory=set[bytes])
    followed: set[bytes] = attrs.field(factory=set[bytes])

    def learn(self, check: Check) -> None:
        """Take in one check."""
        self.facts.setdefault(check.fact.digest, check)
        self._take(check.fact)

    def follow(self, fact: Term) -> None:
        """Take in a fact that nobody checks by itself, as it follows from one."""
        self.followed.add(fact.digest)
        self._take(fact)

    def _take(self, fact: Term) -> None:
        for left, right in _oriented(fact):
            is_answer = fact.kind in _EQUALITIES and is_literal(right)
            is_answer = is_answer and not is_literal(left)
            # Of a mapping of the code under test its items do not tell what else it answers.
            is_answer = is_answer and not (right.kind == "dict" and fact.digest in self.followed)
            if is_answer and self.values.setdefault(left.digest, right) != right:
                self.doubtful.add(left.digest)  # asked twice, answered differently
            self.bounds.setdefault(left.digest, []).append(fact)

    def settled(self) -> Knowledge:
        """Return what is left once values that contradict each other are forgotten."""
        kept = {digest: one for digest, one in self.values.items() if digest not in self.doubtful}
        return attrs.evolve(self, values=kept)

    def implies(self, fact: Term) -> bool:
        """Return whether a fact follows for certain."""
        if fact.digest in self.followed and not self._is_doubted(fact):
            return True
        if self._has_last_call(fact):
            return True
        if any(says(known.fact, fact) for known in self._messages(fact)):
            return True
        if fact.digest in self.facts or truth(fact, self._values_for(fact)) is True:
            return True
        if self._has_one_call(fact) or self._is_absent(fact):
            return True
        expanded = self._expanded(fact)
        if expanded is not None:
            return all(self.implies(one.predicate) for one in facts(expanded))
        if is_call_of(fact, "any"):
            return self._some(fact.children[1])
        if fact.kind == "or":
            return any(self.implies(child) for child in fact.children)
        parts = (*fact.children, *_records(fact))
        if any(_entails(known, fact) for part in parts for known in self._about(part)):
            return True
        if fact.kind == "isnot" or (fact.kind not in _EQUALITIES and fact.kind != "in"):
            return self._says_more(fact)
        return False

    def _messages(self, fact: Term) -> Iterator[Check]:
        """Yield what is known to be raised, where a fact asks about an exception's text."""
        if fact.kind in ("in", "search"):
            yield from (one for one in self.facts.values() if one.fact.kind == "raises")

    def _is_doubted(self, fact: Term) -> bool:
        """Return whether another check says otherwise of what a fact is about."""
        others = (
            known
            for part in fact.children
            if not part.is_constant
            for known in self._about(part)
            if known.kind == fact.kind == "eq" and known.digest in self.facts
        )
        return any(known != fact for known in others)

    def _is_absent(self, fact: Term) -> bool:
        """Return whether a list is known in which something is not."""
        if fact.kind != "notin":
            return False
        one, container = fact.children
        value = self.values.get(container.digest)
        known = elements(value, _LISTED) if value is not None else None
        return known is not None and all(_is_other(one, member) for member in known)

    def _expanded(self, fact: Term) -> Term | None:
        """Return a fact about a comprehension with what it is over a list that is known."""
        if fact.kind != "eq" or not is_literal(fact.children[0]) | is_literal(fact.children[1]):
            return None
        for made in fact.children:
            if made.kind != "each" or made.value != "list" or len(made.children) != 2:
                continue
            body, over = made.children
            value = self.values.get(over.digest)
            known = elements(value, _LISTED) if value is not None else None
            if known is None:
                return None
            place = term("element", over).digest
            rows = display("list", [rebuilt(body, {place: one}) for one in known])
            other = fact.children[1] if fact.children[0] == made else fact.children[0]
            return relation("eq", rows, other)
        return None

    def _has_last_call(self, fact: Term) -> bool:
        """Return whether a mock's last call is known by each of its arguments."""
        for record, call in _oriented(fact):
            if fact.kind != "eq" or record.kind != "attr" or record.value != "call_args":
                continue
            if call.kind == "call" and call.children[0].value == "unittest.mock.call":
                known = self.facts.keys() | self.followed
                return all(one.digest in known for one in arguments_of(record, call))
        return False

    def _has_one_call(self, fact: Term) -> bool:
        """Return whether a mock's list of one call is known by its number and its last one."""
        for record, listed in _oriented(fact):
            if record.kind != "attr" or record.value != "call_args_list" or fact.kind != "eq":
                continue
            if listed.kind != "list" or len(listed.children) != 1:
                continue
            mock = record.children[0]
            last = relation("eq", term("attr", mock, value="call_args"), listed.children[0])
            once = relation("eq", term("attr", mock, value="call_count"), constant(1))
            return {last.digest, once.digest} <= set(self.facts)
        return False

    def _values_for(self, fact: Term) -> dict[bytes, Term]:
        """Return the values that answer a question: 5.0 equals 5, and is of another type."""
        if not any(_asks_type(part) for part in fact.subterms()):
            return self.values
        return {digest: one for digest, one in self.values.items() if not _is_number(one)}

    def _some(self, over: Term) -> bool:
        """Return whether something is known of every element that had to hold for one."""
        if over.kind in ("list", "tuple"):
            return any(self.implies(normal(one)) for one in over.children)
        if over.kind != "each" or over.value == "nested":
            return False
        return all(fact.predicate.digest in self.facts for fact in facts(over.children[0]))

    def _about(self, one: Term) -> Iterable[Term]:
        return self.bounds.get(one.digest, ())

    def _says_more(self, fact: Term) -> bool:
        """Return whether a value is known that a plain question about it is answered by."""
        if fact.kind == "not":
            return False
        about = fact.children if fact.kind in ("isnot", "ne") else (fact,)
        for part in about:
            value = self.values.get(part.digest)
            if value is not None and _differs(fact, part, value):
                return True
        return False


def _is_other(one: Term, member: Term) -> bool:
    """Return whether two literals of one kind are not equal."""
    if one.is_constant and member.is_constant:
        return one.kind == member.kind and one != member
    alike = one.kind == member.kind == "call" and one.children[0] == member.children[0]
    return alike and one != member and is_constructor(one)


def _asks_type(part: Term) -> bool:
    return part.kind == "builtin" and part.value in ("type", "isinstance", "repr", "str", "format")


def _is_number(one: Term) -> bool:
    return isinstance(one.node, int | float | complex)


def _differs(fact: Term, part: Term, value: Term) -> bool:
    if fact.kind == "isnot":
        return value.node is not None or value.kind != "const"
    if fact.kind == "ne":
        other = fact.children[1] if fact.children[0] == part else fact.children[0]
        return other.is_constant and value.is_constant and other != value
    return False


def _oriented(fact: Term) -> tuple[tuple[Term, Term], ...]:
    if len(fact.children) < 2:
        return ()
    left, right = fact.children[:2]
    return ((left, right), (right, left))


def _entails(known: Term, fact: Term) -> bool:
    if known.kind in ("lt", "le") and fact.kind in ("lt", "le"):
        return _bound_entails(known, fact)
    if known.kind == "in" and fact.kind == "in" and known.children[0] == fact.children[0]:
        return _is_subset(known.children[1], fact.children[1])
    if known.kind == "approx" and fact.kind == "approx":
        return known.children[:2] == fact.children[:2] and is_tighter(known, fact)
    if known.kind == "eq" and fact.kind == "approx":
        return set(known.children) == set(fact.children[:2])
    if known.kind in ("eq", "same") and fact.kind in ("same", "same_elements"):
        if known.children[2:] not in ((), fact.children[2:]):
            return False
        return set(known.children[:2]) == set(fact.children[:2])
    if known.kind == "eq":
        return _calls_entail(known, fact)
    return False


def _bound_entails(known: Term, fact: Term) -> bool:
    """Return whether ``x < 2`` says ``x < 3``, or ``5 <= x`` says ``4 < x``."""
    upper = known.children[1] != fact.children[1]
    if upper and known.children[0] != fact.children[0]:
        return False
    which = 1 if upper else 0
    mine, other = number(known.children[which]), number(fact.children[which])
    if mine is None or other is None:
        return False
    if mine == other:
        return known.kind == "lt" or fact.kind == "le"
    return mine < other if upper else mine > other


def number(one: Term) -> float | None:
    """Return the number a term comes to, None where it comes to none."""
    try:
        value = fold(one)
    except NotFolded:
        return None
    return float(value) if isinstance(value, int | float) else None


def _is_subset(small: Term, large: Term) -> bool:
    kinds = ("list", "tuple", "set")
    if small.kind not in kinds or large.kind not in kinds:
        return False
    return {one.digest for one in small.children} <= {one.digest for one in large.children}


def is_tighter(known: Term, fact: Term) -> bool:
    """Return whether one closeness allows no more than another."""
    for mine, other in zip(known.children[2:], fact.children[2:], strict=True):
        if mine != other:
            first, second = number(mine), number(other)
            if first is None or second is None or first > second:
                return False
    return True


def _calls_entail(known: Term, fact: Term) -> bool:
    """Return whether a mock's complete list of calls says what is asked about its calls."""
    records = ("call_args_list", "mock_calls")
    listed = [c for c in known.children if c.kind == "attr" and c.value in records]
    calls = [c for c in known.children if c.kind == "list"]
    if not listed or not calls:
        return False
    mock, made = listed[0].children[0], calls[0].children
    if fact.kind == "attr":
        return fact.value == "called" and bool(made) and fact.children[0] == mock
    if len(fact.children) != 2 or fact.kind not in ("eq", "in"):
        return False
    if fact.kind == "eq" and made:
        for one, wanted in (fact.children, fact.children[::-1]):
            if _argument(one, mock, made[-1]) == wanted:
                return True
    about = [c for c in fact.children if c.kind == "attr" and c.children[0] == mock]
    other = [c for c in fact.children if c not in about]
    if not about or not other:
        return False
    if about[0].value == "call_args_list":
        return other[0] == calls[0]
    if about[0].value == "call_count":
        return other[0].node == len(made)
    if about[0].value == "call_args":
        return bool(made) and made[-1] == other[0]
    return fact.kind == "in" and other[0] in made


def _records(fact: Term) -> Iterator[Term]:
    """Yield the complete list of calls of each mock that a fact asks about."""
    for part in fact.subterms(20):
        if part.kind == "attr" and part.value in CALL_RECORDS:
            for name in ("call_args_list", "mock_calls"):
                yield term("attr", part.children[0], value=name)


def _argument(one: Term, mock: Term, call: Term) -> Term | None:
    """Return the argument of a call that ``mock.call_args.kwargs[name]`` or ``args[k]`` means."""
    if one.kind != "item" or one.children[0].kind != "attr":
        return None
    which, index = one.children[0], one.children[1]
    record = which.children[0]
    if record.kind != "attr" or record.value != "call_args" or record.children[0] != mock:
        return None
    given = arguments(call)
    if which.value == "kwargs":
        return given.named.get(str(index.node))
    if which.value == "args" and isinstance(index.node, int):
        return given.get(index.node) if 0 <= index.node < len(given.positional) else None
    return None
