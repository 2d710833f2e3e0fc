"""Lay a resolution out as plain JSON, with paths relative to the working directory."""

from __future__ import annotations

import posixpath

from benchhygiene import JSON
from benchhygiene.evidence import PytestInvocation
from benchhygiene_plugins.ini_chain.resolution import Resolution
from benchhygiene_plugins.ini_chain.starting.installed import installed_plugins


def exhibit(resolution: Resolution, invocation: PytestInvocation) -> JSON:
    """Return the resolution's exhibit; no absolute path of the machine is in it."""
    cwd = invocation.cwd

    def relative(path: str | None) -> str | None:
        return None if path is None else posixpath.relpath(path, cwd)

    abort = resolution.abort
    return {
        "command": {
            "args": list(invocation.args),
            "pytest": invocation.pytest,
            "python": invocation.python,
            "plugins": {p.distribution: p.version for p in installed_plugins(invocation)},
        },
        "rootdir": relative(resolution.rootdir),
        "inifile": relative(resolution.inifile),
        "addopts": None
        if resolution.addopts is None
        else [str(word) for word in resolution.addopts],
        "arguments": list(resolution.arguments),
        "abort": None if abort is None else {"exit": abort.exit_status, "reason": abort.reason},
        "conftests": [relative(path) for path in resolution.conftests],
        "chain": [
            {"path": relative(link.path), "outcome": link.outcome.value, "reason": link.reason}
            for link in resolution.chain
        ],
        "fails_passing_suite": resolution.fails_passing_suite,
        "unknown": list(resolution.unknown),
    }
