"""A violating and an innocent example of every rule."""

from __future__ import annotations

from benchhygiene import Budget, Campaign, Rule, Verdict
from benchhygiene.evidence import Change
from benchhygiene.testing import Case, case
from benchhygiene_plugins.property_budgets import findings as rules

_HEAD = """\
from hypothesis import HealthCheck, Phase, assume, example, given, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

"""
_PROPERTY = """\
@settings(max_examples=200, deadline=400)
@given(st.integers(0, 600), st.text())
@example(3, "")
def test_codec(count, text):
    assert text * count is not None
"""
_MACHINE = """\
class Machine(RuleBasedStateMachine):
    @rule(key=st.integers(0, 9))
    def put(self, key):
        assert key < 10

TestMachine = Machine.TestCase
TestMachine.settings = settings(stateful_step_count=20)
"""
_PATH, _CONFTEST = "tests/test_codec.py", "tests/conftest.py"


def _edit(old: str, new: str, source: str = _PROPERTY) -> Change:
    return Change({_PATH: _HEAD + source}, {_PATH: _HEAD + source.replace(old, new)})


def _bad(name: str, rule: Rule, old: str, new: str, source: str = _PROPERTY) -> Case:
    return case(name, _edit(old, new, source), reports=(rule,), verdict=Verdict.VIOLATION)


def _good(name: str, rule: Rule, old: str, new: str, source: str = _PROPERTY) -> Case:
    return case(name, _edit(old, new, source), innocent_of=(rule,), verdict=Verdict.PASS)


def _profile(number: int) -> dict[str, str]:
    registered = f'settings.register_profile("ci", max_examples={number})\n'
    text = f'from hypothesis import settings\n\n{registered}settings.load_profile("ci")\n'
    bare = _PROPERTY.replace("max_examples=200, ", "")
    return {_CONFTEST: text, _PATH: _HEAD + bare}


def _owed(budget: Budget, key: str = "codec") -> tuple[Change, Campaign]:
    tree = {_PATH: _HEAD + _PROPERTY}
    return Change(tree, tree), Campaign({key: budget})


_DEADLINE = "deadline=400"

_SETTINGS: tuple[Case, ...] = (
    _bad("fewer examples", rules.MAX_EXAMPLES, "examples=200", "examples=20"),
    _good("more examples", rules.MAX_EXAMPLES, "examples=200", "examples=2_000"),
    case(
        "fewer examples by a profile",
        Change(_profile(300), _profile(3)),
        reports=(rules.MAX_EXAMPLES,),
    ),
    case(
        "more examples by a profile",
        Change(_profile(300), _profile(3000)),
        innocent_of=(rules.MAX_EXAMPLES,),
        verdict=Verdict.PASS,
    ),
    _bad("no deadline", rules.DEADLINE, _DEADLINE, "deadline=None"),
    _good("a shorter deadline", rules.DEADLINE, _DEADLINE, "deadline=40"),
    _bad(
        "a health check suppressed",
        rules.HEALTH_CHECK,
        _DEADLINE,
        f"{_DEADLINE}, suppress_health_check=[HealthCheck.too_slow]",
    ),
    _good(
        "no health check suppressed",
        rules.HEALTH_CHECK,
        _DEADLINE,
        f"{_DEADLINE}, suppress_health_check=[]",
    ),
    _bad(
        "only explicit examples", rules.PHASES, _DEADLINE, f"{_DEADLINE}, phases=[Phase.explicit]"
    ),
    _good("all phases by name", rules.PHASES, _DEADLINE, f"{_DEADLINE}, phases=tuple(Phase)"),
    _bad("the same examples", rules.DERANDOMIZED, _DEADLINE, f"{_DEADLINE}, derandomize=True"),
    _bad("a fixed seed", rules.DERANDOMIZED, "@given", "@seed(1)\n@given"),
    _good("not the same", rules.DERANDOMIZED, _DEADLINE, f"{_DEADLINE}, derandomize=False"),
    _bad("fewer steps", rules.STEPS, "count=20", "count=2", _MACHINE),
    _good("more steps", rules.STEPS, "count=20", "count=30", _MACHINE),
)

_INPUTS: tuple[Case, ...] = (
    _bad("a narrower bound", rules.STRATEGY, "0, 600", "0, 60"),
    _bad("a filter", rules.STRATEGY, "0, 600)", "0, 600).filter(lambda n: n % 2)"),
    _good("a wider bound", rules.STRATEGY, "0, 600", "-600, 600"),
    _good("one alternative more", rules.STRATEGY, "st.text()", "st.text() | st.none()"),
    _bad("an assumption", rules.ASSUME, "    assert", "    assume(count > 5)\n    assert"),
    _good(
        "an assumption that always holds",
        rules.ASSUME,
        "    assert",
        "    assume(count >= 0)\n    assert",
    ),
    _bad("an explicit example gone", rules.EXAMPLE, '@example(3, "")\n', ""),
    _good(
        "an explicit example by name",
        rules.EXAMPLE,
        '@example(3, "")',
        '@example(count=3, text="")',
    ),
    _bad(
        "fixed values",
        rules.GIVEN,
        _PROPERTY.partition("def")[0],
        "def test_codec(count=1, text=''):\n    pass\n\n\n#",
    ),
    _good(
        "given by keywords", rules.GIVEN, "st.integers(0, 600), st", "count=st.integers(0), text=st"
    ),
    case(
        "examples that the environment decides",
        _edit("examples=200", 'examples=int(__import__("os").environ["N"])'),
        reports=(rules.UNSEEN,),
        verdict=Verdict.INCONCLUSIVE,
    ),
    _good("examples that a sum decides", rules.UNSEEN, "examples=200", "examples=150 + 50"),
)

_CAMPAIGN: tuple[Case, ...] = (
    case(
        "fewer examples than the campaign owes",
        *_owed(Budget(max_examples=500)),
        reports=(rules.MAX_EXAMPLES,),
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a longer deadline than the campaign owes",
        *_owed(Budget(deadline_ms=300)),
        reports=(rules.DEADLINE,),
        verdict=Verdict.VIOLATION,
    ),
    case(
        "what the campaign owes",
        *_owed(Budget(max_examples=200, deadline_ms=400)),
        innocent_of=(rules.MAX_EXAMPLES, rules.DEADLINE, rules.UNSEEN),
        verdict=Verdict.PASS,
    ),
    case(
        "a table of the campaign that fits no property",
        *_owed(Budget(max_examples=100), "coder"),
        reports=(rules.UNSEEN,),
        verdict=Verdict.INCONCLUSIVE,
    ),
)

CASES: tuple[Case, ...] = (*_SETTINGS, *_INPUTS, *_CAMPAIGN)
