from acme_fixed_basetemp import BasetempFixed, FixedBasetemp
from acme_fixed_basetemp.cases import CASES

from benchhygiene import Orchestrator, PytestInvocation, Registry
from benchhygiene.testing import run_cases


def test_the_cases_hold() -> None:
    run_cases(FixedBasetemp(), CASES)


def test_the_directory_is_told() -> None:
    registry = Registry().including(FixedBasetemp())
    report = Orchestrator(registry).run(PytestInvocation("/ws", ("--basetemp", "scratch")))
    assert [found.directory for found in report.of(BasetempFixed)] == ["scratch"]
