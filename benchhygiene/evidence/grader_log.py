"""What a grader reads, what it looks for in it, and what it has made of it."""

from __future__ import annotations

import enum

import attrs


class GraderParser(enum.Enum):
    """How a grader reads a log; the first three are SWE-bench's, by the rules of swebench 5.0.2."""

    SWEBENCH_PYTEST = "swebench-pytest"
    SWEBENCH_PYTEST_OPTIONS = "swebench-pytest-options"
    SWEBENCH_PYTEST_V2 = "swebench-pytest-v2"
    TERMINAL_BENCH = "terminal-bench"
    PYTEST = "pytest"  # the short test summary as pytest means it

    @property
    def is_swebench(self) -> bool:
        """Return whether the log has SWE-bench's markers, and lists of tests to hold it against."""
        return self.value.startswith("swebench")


@attrs.frozen(kw_only=True)
class GraderVerdict:
    """What the grader itself has reported; None and empty where it said nothing."""

    resolved: bool | None = None
    patch_applied: bool | None = None
    succeeded: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    failed: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])


@attrs.frozen(kw_only=True)
class GraderLog:
    """One raw log and the tests that decide: those that must come to pass, and must go on passing.

    ``name`` is what findings call the log. Without lists every test in the log decides.
    """

    text: str
    parser: GraderParser
    fail_to_pass: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    pass_to_pass: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    verdict: GraderVerdict | None = None
    name: str = "test_output.txt"

    @property
    def expected(self) -> tuple[str, ...]:
        """Return the tests that decide, each once, in their order."""
        return tuple(dict.fromkeys((*self.fail_to_pass, *self.pass_to_pass)))
