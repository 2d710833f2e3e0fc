"""The sandbox: what it allows, and how a command gets into it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

import attrs

from benchhygiene.errors import SandboxUnavailable
from benchhygiene.sources.sandbox.commands import PROGRAMS, Command
from benchhygiene.sources.sandbox.limits import Ended, Isolation, SandboxLimits
from benchhygiene.sources.sandbox.processes import Pipes, Running, launched
from benchhygiene.sources.sandbox.reading import read_out

_SETTINGS = (
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
)


@attrs.frozen
class Sandbox:
    """Run commands where they see nothing but what is named, and reach nothing.

    There is no network but a loopback of its own, no process but its own, no file but the system's
    programs and the mounts, and those can't be written. ``/tmp``, the home and ``/dev/shm`` are
    private and vanish. Raises SandboxUnavailable, with the remedy, where the system does not allow
    it; with ``Isolation.NONE`` only the limits hold, and mounts mean nothing.
    """

    limits: SandboxLimits = attrs.field(factory=SandboxLimits)
    isolation: Isolation = Isolation.NAMESPACES

    def run(self, command: Command) -> Ended:
        """Run a command to its end, or to the end of what it may use; nothing of it survives."""
        running = self.start(command, subprocess.DEVNULL)
        try:
            return read_out(running, self.limits)
        finally:
            running.close()

    def start(self, command: Command, stdin: int = subprocess.PIPE) -> Running:
        """Start a command to talk to over its standard streams; close what is returned."""
        if sys.platform != "linux":
            raise SandboxUnavailable("this system is not Linux; run it in a Linux container")
        pipes = Pipes.open(command, self._spec(command))
        try:
            process = launched(pipes, stdin)
        finally:
            pipes.close_inner()
        return Running(process, pipes)

    def _spec(self, command: Command) -> dict[str, object]:
        limits = self.limits
        given = [(os.path.realpath(one.source), one.target, one.is_copy) for one in command.mounts]
        system, links = _system()
        mounts = [(source, target, "copy" if copy else "") for source, target, copy in given]
        return {
            "argv": list(command.argv),
            "environ": dict(command.environ),
            "cwd": command.cwd,
            "isolated": self.isolation is Isolation.NAMESPACES,
            "mounts": [*system, *mounts],
            "links": links,
            "base": tempfile.gettempdir(),
            "cpu_seconds": limits.cpu_seconds,
            "memory_bytes": limits.memory_bytes,
            "total_memory_bytes": limits.memory_bytes,
            "processes": limits.processes,
            "file_bytes": limits.file_bytes,
            "open_files": limits.open_files,
            "disk_bytes": limits.disk_bytes,
            "disk_files": limits.disk_files,
        }


def _system() -> tuple[list[tuple[str, str, str]], list[tuple[str, str]]]:
    """Return the mounts of the system's programs, and the links among them as links."""
    mounts: list[tuple[str, str, str]] = []
    links: list[tuple[str, str]] = []
    for path in PROGRAMS:
        if os.path.islink(path):
            links.append((path, os.readlink(path)))
        elif os.path.isdir(path):
            mounts.append((path, path, ""))
    for path in _SETTINGS:
        if os.path.exists(path):
            mounts.append((os.path.realpath(path), path, ""))
    return mounts, links
