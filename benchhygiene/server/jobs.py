"""One call of a tool, done in a process of its own that can be ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from benchhygiene.core.json import JSON
from benchhygiene.errors import BenchhygieneError
from benchhygiene.formats.json import well_formed
from benchhygiene.server.roots import Root

_COMPATIBLE = ("inspect_workspace", "check_addopts", "summarize")


@attrs.frozen
class Policy:
    """What a server lets its clients do: ``with_private`` lets them name hosts of its network."""

    root: Root
    with_urls: bool = True
    with_private: bool = True


@attrs.frozen
class Job:
    """One call: the tool's name, and arguments that fit its schema."""

    tool: str
    arguments: Mapping[str, JSON]
    policy: Policy


def perform(job: Job) -> dict[str, JSON]:
    """Return the tool's structured answer; ``ok`` is False where it could not be had."""
    try:
        found = well_formed(_run(job))
    except BenchhygieneError as error:
        found = failed(job, str(error))
    except (OSError, ValueError) as error:  # its text may name places that are not the client's
        found = failed(job, f"cannot be read: {type(error).__name__}")
    except RecursionError:
        found = failed(job, "nested too deeply")
    except MemoryError:
        found = failed(job, "too large")
    assert isinstance(found, dict)
    return found


def failed(job: Job, error: str) -> dict[str, JSON]:
    """Return the answer of a tool that came to no end: it is never a pass."""
    if job.tool in _COMPATIBLE:
        from benchhygiene.server import workspaces

        return workspaces.refused(str(job.arguments.get("path", "")), error)
    if job.tool == "explain_rule":
        return {"ok": False, "rules": [], "error": error}
    return {"ok": False, "verdict": "inconclusive", "error": error}


def _run(job: Job) -> dict[str, JSON]:
    root, arguments = job.policy.root, job.arguments
    if job.tool in _COMPATIBLE:
        from benchhygiene.server import workspaces

        tool: Callable[[Root, Mapping[str, JSON]], dict[str, JSON]]
        tool = getattr(workspaces, job.tool)
        return tool(root, arguments)
    if job.tool == "explain_rule":
        from benchhygiene.server import rulebook

        return rulebook.explain(str(arguments["name"]))
    from benchhygiene.server import judging

    if job.tool == "lint_tools":
        return judging.lint_tools(
            root,
            arguments,
            with_urls=job.policy.with_urls,
            with_private=job.policy.with_private,
        )
    tool = getattr(judging, job.tool)
    return tool(root, arguments)
