"""The command lines that break the rule, and the ones that look alike and do not."""

from __future__ import annotations

from acme_fixed_basetemp import FIXED_BASETEMP
from benchhygiene import PytestInvocation, Verdict
from benchhygiene.testing import case

CASES = (
    case(
        "a directory after the equals sign",
        PytestInvocation("/ws", ("-q", "--basetemp=scratch", "tests")),
        reports=[FIXED_BASETEMP],
        verdict=Verdict.VIOLATION,
    ),
    case(
        "a directory as the next word",
        PytestInvocation("/ws", ("--basetemp", "scratch")),
        reports=[FIXED_BASETEMP],
    ),
    case(
        "another option that starts the same way",
        PytestInvocation("/ws", ("--basetemperature=37", "tests")),
        innocent_of=[FIXED_BASETEMP],
        verdict=Verdict.PASS,
    ),
    case(
        "a path of that name, after the options have ended",
        PytestInvocation("/ws", ("--", "--basetemp=scratch")),
        innocent_of=[FIXED_BASETEMP],
    ),
)
