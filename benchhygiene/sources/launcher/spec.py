"""What the launcher is told."""

from __future__ import annotations

from typing import TypedDict


class Spec(TypedDict):
    """What is to be run, where, and what it may use up; ``sandbox/running.py`` writes it."""

    argv: list[str]
    environ: dict[str, str]
    cwd: str
    isolated: bool
    mounts: list[tuple[str, str, str]]
    links: list[tuple[str, str]]
    base: str
    descriptors: list[tuple[int, int]]
    cpu_seconds: int
    memory_bytes: int
    total_memory_bytes: int
    processes: int
    file_bytes: int
    open_files: int
    disk_bytes: int
    disk_files: int
