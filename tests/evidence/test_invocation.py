from __future__ import annotations

import copy
import pickle

import attrs

from benchhygiene import PytestInvocation
from benchhygiene.core.digest import digest


class Counting:
    """A pure function that counts how often it is asked."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, invocation: PytestInvocation) -> tuple[str, ...]:
        self.calls += 1
        return invocation.args


def test_a_survey_is_made_once_for_each_invocation() -> None:
    first, survey = PytestInvocation("/ws", ("a",)), Counting()
    assert first.surveyed(survey) is first.surveyed(survey)
    assert survey.calls == 1
    assert attrs.evolve(first, args=("b",)).surveyed(survey) == ("b",)
    assert survey.calls == 2
    assert first.surveyed(Counting()) == ("a",)


def test_what_was_surveyed_is_no_part_of_the_evidence() -> None:
    fresh, surveyed = (PytestInvocation("/ws", files={"/ws/pytest.ini": ""}) for _ in range(2))
    surveyed.surveyed(Counting())
    assert surveyed == fresh
    assert repr(surveyed) == repr(fresh)
    assert digest(surveyed) == digest(fresh)
    assert len(pickle.dumps(surveyed)) == len(pickle.dumps(fresh))
    for copied in (pickle.loads(pickle.dumps(surveyed)), copy.deepcopy(surveyed)):
        assert copied == fresh
        survey = Counting()
        assert copied.surveyed(survey) == ()
        assert survey.calls == 1
