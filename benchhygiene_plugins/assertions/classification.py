"""What an edit did to one check, given the check that stands in its place."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from benchhygiene_plugins.assertions.checks import Check, Guard, Origin
from benchhygiene_plugins.assertions.covering import is_within
from benchhygiene_plugins.assertions.edits import Edit, Kind
from benchhygiene_plugins.assertions.exceptions import Hierarchy
from benchhygiene_plugins.assertions.exceptions import compare as compare_raises
from benchhygiene_plugins.assertions.implication import Knowledge, is_tighter, number
from benchhygiene_plugins.assertions.strength import (
    ANYTHING,
    CALL_RECORDS,
    LOSSY,
    ROUNDING,
    Strength,
    is_derived,
    sides,
    strength,
)
from benchhygiene_plugins.assertions.tautologies import IDENTICAL, RECOMPUTED
from benchhygiene_plugins.assertions.terms import Term
from benchhygiene_plugins.assertions.vocabulary import MOCK, PLACES_DEFAULT

_EXPECTATIONS = frozenset(("raises", "warns"))
_TOLERANCES = frozenset(("check_exact", "rtol", "atol", "check_less_precise"))
_EQUAL = frozenset(("eq", "is", "same"))
#: Named arguments by which a comparison tells more things apart.
_STRICTER = frozenset(("strict", "exact", "directed", "ordered", "case_sensitive"))


def classify(old: Check, new: Check, hierarchy: Hierarchy) -> Iterator[Edit]:
    """Yield what is wrong with the new check; nothing where it says as much as the old one."""
    hidden = tuple(_hidden(old, new))
    yield from hidden
    if new.void is not None:
        yield from _void(old, new)
    elif old.fact != new.fact and not _is_stricter(old.fact, new.fact):
        yield from _other_fact(old, new, hierarchy)


def _is_stricter(old: Term, new: Term) -> bool:
    """Return whether the same question is asked, with a word added that makes it a stricter one."""
    if not old.kind == new.kind == "call":
        return False
    kept = tuple(one for one in new.children if not _makes_stricter(one))
    return kept == old.children and len(kept) < len(new.children)


def _makes_stricter(one: Term) -> bool:
    is_named = one.kind == "keyword" and one.value in _STRICTER
    return is_named and not (one.children[0].kind == "const" and one.children[0].node is not True)


def _hidden(old: Check, new: Check) -> Iterator[Edit]:
    flow, before = new.flow, old.flow
    if flow.dead is not None:
        yield Edit(Kind.UNREACHABLE, old, new, f"it stands {flow.dead}")
        return
    if flow.swallowed is not None:
        yield Edit(Kind.SWALLOWED, old, new, f"its failure ends in {flow.swallowed}")
        return
    added = [guard for guard in flow.guards if guard not in before.guards]
    if added:
        yield _guarded(old, new, added)
    elif old.fact == new.fact and _runs_less(before.loops, flow.loops):
        yield Edit(Kind.UNREACHABLE, old, new, "it runs only in the rounds of a new loop")


def _guarded(old: Check, new: Check, added: list[Guard]) -> Edit:
    origins = {guard.origin for guard in added}
    if origins & {Origin.LEAVE, Origin.HANDED_ON}:
        return Edit(Kind.UNREACHABLE, old, new, "the test may return before it")
    if origins <= {Origin.HANDLER, Origin.AFTER_TRY}:
        return Edit(Kind.SWALLOWED, old, new, "an exception before it is caught")
    return Edit(Kind.GUARDED, old, new, "it runs only under a condition")


def _runs_less(old: tuple[Term, ...], new: tuple[Term, ...]) -> bool:
    return any(not any(is_within(one, loop) for one in old) for loop in new)


def _void(old: Check, new: Check) -> Iterator[Edit]:
    reason = str(new.void)
    subject, _ = sides(old.fact)
    if new.place.text == old.place.text and new.fact != old.fact:
        if is_derived(subject) and not any(is_derived(part) for part in new.fact.children):
            yield Edit(Kind.SUBJECT_REPLACED, old, new, "the outcome is overwritten before it")
            return
        if old.fact.kind in _EQUAL and new.void in (RECOMPUTED, IDENTICAL):
            yield Edit(Kind.SELF_ORACLE, old, new, "what is expected is computed by the same code")
    elif new.void == RECOMPUTED:
        yield Edit(Kind.SELF_ORACLE, old, new, "what is expected is computed by the same code")
    elif new.fact.kind == "function" or is_mock_check(new.fact):
        yield Edit(Kind.REMOVED, old, new, "the check is named and not called")
    elif new.fact.kind in _EQUAL and is_derived(subject) and not is_derived(new.fact):
        yield Edit(Kind.SUBJECT_REPLACED, old, new, "the outcome is overwritten before it")
    yield Edit(Kind.TAUTOLOGY, old, new, reason)


def is_mock_check(fact: Term) -> bool:
    """Return whether a fact is a mock's assertion that nobody calls."""
    return fact.kind == "attr" and fact.value in MOCK


def _other_fact(old: Check, new: Check, hierarchy: Hierarchy) -> Iterator[Edit]:
    if not (old.is_exact and new.is_exact):
        yield Edit(Kind.EXPECTED_CHANGED, old, new, "it is nested too deeply to be compared")
        return
    if old.fact.kind in _EXPECTATIONS:
        if new.fact.kind == old.fact.kind:
            yield from compare_raises(old, new, hierarchy)
        else:
            yield Edit(Kind.RAISES_REMOVED, old, new, "nothing has to be raised")
        return
    yield from _relations(old, new)


@attrs.frozen(eq=False)
class Sides:
    """The sides of an old and a new fact, brought into line."""

    subject: Term
    expected: Term | None
    new_subject: Term
    new_expected: Term | None

    @classmethod
    def of(cls, old: Term, new: Term) -> Sides:
        """Return the sides; where the old ones are found again they decide which is which."""
        subject, expected = sides(old)
        new_subject, new_expected = sides(new)
        if new_expected is not None and expected is not None and subject != new_subject:
            swapped = subject == new_expected or (
                expected == new_subject and expected != new_expected
            )
            swapped = swapped or (
                new_expected.contains(subject) and not new_subject.contains(subject)
            )
            if swapped or (
                subject.shape == new_expected.shape and subject.shape != new_subject.shape
            ):
                new_subject, new_expected = new_expected, new_subject
        return cls(subject, expected, new_subject, new_expected)


def _relations(old: Check, new: Check) -> Iterator[Edit]:
    both = Sides.of(old.fact, new.fact)
    if both.new_subject != both.subject and both.new_subject.contains(both.subject):
        if _wrapping(both) & ROUNDING:
            yield Edit(Kind.LOOSENED, old, new, "the value is rounded before it is checked")
            return
    elif "approx" not in (old.fact.kind, new.fact.kind) and _follows(old, new):
        yield Edit(Kind.WEAKENED, old, new, "it says less: it followed from what was demanded")
        return
    if _is_record(both.subject) and strength(new.fact) < strength(old.fact):
        yield Edit(Kind.WEAKENED, old, new, "it says less about the calls")
        return
    if both.subject == both.new_subject:
        yield from _same_subject(old, new, both)
    elif both.expected is not None and both.expected == both.new_expected:
        yield from _other_subject(old, new, both)
    else:
        yield from _both_differ(old, new, both)


def _follows(old: Check, new: Check) -> bool:
    """Return whether the old fact says all that the new one says."""
    known = Knowledge()
    known.learn(old)
    return known.implies(new.fact)


def _is_record(one: Term) -> bool:
    return one.kind == "attr" and one.value in CALL_RECORDS


def _same_subject(old: Check, new: Check, both: Sides) -> Iterator[Edit]:
    before, after = old.fact, new.fact
    if before.kind == after.kind == "same" and both.expected == both.new_expected:
        names = {one.value for one in after.children[2:] if one not in before.children[2:]}
        if names & _TOLERANCES:
            yield Edit(Kind.LOOSENED, old, new, "it allows a larger difference")
        else:
            yield Edit(Kind.WEAKENED, old, new, "it compares less of the values")
        return
    if before.kind == "approx" or after.kind == "approx":
        yield from _closeness(old, new, both)
    elif before.kind in _EQUAL and after.kind in _EQUAL:
        yield _expected(old, new, both)
    elif before.kind in ("lt", "le") and after.kind in ("lt", "le"):
        yield Edit(Kind.WEAKENED, old, new, "it bounds the value less")
    elif strength(after) < strength(before) or strength(before) > Strength.TYPE:
        kind = Kind.WEAKENED if strength(after) <= strength(before) else Kind.EXPECTED_CHANGED
        yield Edit(kind, old, new, "it says less about the same value")
    elif strength(after) == strength(before):
        yield Edit(Kind.WEAKENED, old, new, "it asks something else about the same value")


def _expected(old: Check, new: Check, both: Sides) -> Edit:
    assert both.new_expected is not None
    expected = both.expected
    if _wildcards(both.new_expected) > (_wildcards(expected) if expected is not None else 0):
        return Edit(Kind.WEAKENED, old, new, "part of what it expects may be anything")
    fresh = is_derived(both.new_expected) and not (expected is not None and is_derived(expected))
    if fresh or both.new_expected.contains(both.subject):
        return Edit(Kind.SELF_ORACLE, old, new, "what is expected comes from the code under test")
    return Edit(Kind.EXPECTED_CHANGED, old, new, "it expects another value")


def _wildcards(expected: Term) -> int:
    return sum(part.value in ANYTHING and part.kind == "ref" for part in expected.subterms())


def _closeness(old: Check, new: Check, both: Sides) -> Iterator[Edit]:
    before, after = old.fact, new.fact
    if after.kind != "approx":
        if after.kind not in _EQUAL:
            yield Edit(Kind.WEAKENED, old, new, "it says less about the same value")
        elif both.expected != both.new_expected:
            yield _expected(old, new, both)
        return
    if before.kind not in _EQUAL and strength(before) < Strength.APPROXIMATE:
        return
    if both.expected != both.new_expected:
        yield _expected(old, new, both)
    if before.kind != "approx":
        yield Edit(Kind.LOOSENED, old, new, "an exact value became an approximate one")
    elif before.children[2:] != after.children[2:] and not _as_tight(before, after):
        yield Edit(Kind.LOOSENED, old, new, "it allows a larger difference")


def _as_tight(before: Term, after: Term) -> bool:
    """Return whether the new closeness is no looser, or one library's default for another's."""
    if is_tighter(after, before):
        return True
    defaults = {(0.0, number(PLACES_DEFAULT)), (1e-6, 1e-12)}
    pairs = [(number(one.children[2]), number(one.children[3])) for one in (before, after)]
    return all(pair in defaults for pair in pairs)


def _other_subject(old: Check, new: Check, both: Sides) -> Iterator[Edit]:
    subject, new_subject = both.subject, both.new_subject
    if new.fact.kind == "approx" and old.fact.kind != "approx":
        yield Edit(Kind.LOOSENED, old, new, "an exact value became an approximate one")
    elif strength(new.fact) < strength(old.fact) and old.fact.kind != new.fact.kind:
        yield Edit(Kind.WEAKENED, old, new, "it says less")
    elif new_subject.contains(subject):
        yield from _wrapped(old, new, both)
    elif subject.shape == new_subject.shape:
        yield Edit(Kind.INPUT_CHANGED, old, new, "the code under test gets other input")
    elif is_derived(subject) and not is_derived(new_subject):
        yield Edit(Kind.SUBJECT_REPLACED, old, new, "what is checked is not the outcome")
    elif _fewer_rounds(old, new):
        yield Edit(Kind.WEAKENED, old, new, "it runs in other rounds of the loop")
    elif subject.contains(new_subject) or old.fact.kind != new.fact.kind:
        yield Edit(Kind.WEAKENED, old, new, "it asks something else")
    else:
        yield Edit(Kind.INPUT_CHANGED, old, new, "what is checked came about differently")


def _wrapped(old: Check, new: Check, both: Sides) -> Iterator[Edit]:
    lossy = bool(_wrapping(both) & LOSSY)
    # An assertion that reads as it did stands below a line that works on the outcome.
    if (_completed(both) and not lossy) or old.place.text == new.place.text:
        yield Edit(Kind.SUBJECT_REPLACED, old, new, "the test works on the outcome by itself")
    if lossy or not _completed(both):
        yield Edit(Kind.WEAKENED, old, new, "only a part of the value is checked")


def _wrapping(both: Sides) -> set[str]:
    """Return the names of the functions and methods that the subject is now put through."""
    return {
        part.children[0].value.rpartition(".")[2]
        for part in both.new_subject.subterms()
        if part.kind == "call"
        and both.subject.digest not in part.children[0].parts
        and not both.subject.contains(part)
    } | _method_names(both)


def _method_names(both: Sides) -> set[str]:
    return {
        part.children[0].value
        for part in both.new_subject.subterms()
        if part.kind == "call"
        and part.children[0].kind == "attr"
        and part.children[0].contains(both.subject)
        and not both.subject.contains(part)
    }


def _completed(both: Sides) -> bool:
    kinds = ("binary", "fstring", "or", "and", "choice", "dict", "list", "tuple", "set")
    return any(
        part.kind in kinds and part.contains(both.subject)
        for part in both.new_subject.subterms()
        if part != both.subject
    )


def _both_differ(old: Check, new: Check, both: Sides) -> Iterator[Edit]:
    before, after = strength(old.fact), strength(new.fact)
    if old.fact.kind == new.fact.kind and both.subject.shape == both.new_subject.shape:
        yield Edit(Kind.INPUT_CHANGED, old, new, "the code under test gets other input")
        if both.expected is not None and both.new_expected is not None:
            yield _expected(old, new, both)
    elif _fewer_rounds(old, new):
        yield Edit(Kind.WEAKENED, old, new, "it runs in other rounds of the loop")
    elif old.fact.kind in _EQUAL and new.fact.kind == "approx":
        yield Edit(Kind.LOOSENED, old, new, "an exact value became an approximate one")
    elif after < before or both.new_subject.contains(both.subject):
        yield Edit(Kind.WEAKENED, old, new, "it says less")
    elif is_derived(both.subject) and not is_derived(both.new_subject):
        yield Edit(Kind.SUBJECT_REPLACED, old, new, "what is checked is not the outcome")
    elif old.fact.kind in _EQUAL and new.fact.kind in _EQUAL:
        yield _expected(old, new, both)
    elif after == before or before > Strength.TYPE:
        yield Edit(Kind.WEAKENED, old, new, "it asks something else")


def _fewer_rounds(old: Check, new: Check) -> bool:
    """Return whether the loops of a check run over something else than they did."""
    if not old.flow.loops:
        return False
    return old.flow.loops != new.flow.loops and old.place.text == new.place.text
