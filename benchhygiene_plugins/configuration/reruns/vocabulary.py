"""The names by which libraries run a failed function again."""

from __future__ import annotations

_MARKS = frozenset(("flaky", "rerun", "reruns", "retry", "retries"))
_LAST = frozenset(
    (
        "flaky",
        "retry",
        "retrying",
        "retriable",
        "rerun",
        "on_exception",
        "on_predicate",
        "retry_on_exception",
        "retry_if_fails",
        "retry_call",
        "retry_context",
        "repeat_on_failure",
        "Retrying",
        "AsyncRetrying",
        "eventually",
        "autoretry",
    )
)
#: What a file must hold to run anything again by name.
WORDS = frozenset(
    word.encode()
    for word in (
        *_MARKS,
        *_LAST,
        "tenacity",
        "backoff",
        "stamina",
        "try",
        "run",
        "__call__",
        "_callTestMethod",
    )
)


def reruns(name: str) -> bool:
    """Return whether a decorator, or what a loop goes through, runs a failed function again."""
    if name.startswith("pytest.mark."):
        return name.removeprefix("pytest.mark.").partition(".")[0] in _MARKS
    first, _, rest = name.partition(".")
    if first in ("tenacity", "retrying", "backoff", "stamina", "flaky", "retry", "retry2"):
        return rest.rpartition(".")[2] in _LAST or rest in ("", "api.retry")
    return name.rpartition(".")[2] in _LAST and not name.startswith("<local>")


def marks_rerun(name: str) -> bool:
    """Return whether a mark of this name has a failed test run again."""
    return name in _MARKS
