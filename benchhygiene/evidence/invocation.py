"""The evidence that tells what a pytest command will inherit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar, cast

import attrs

from benchhygiene.evidence.files import FileSnapshot, PathEntry
from benchhygiene.evidence.memo import Once

T = TypeVar("T")


@attrs.frozen
class PytestPlugin:
    """One ``pytest11`` entry point: its name and the module it loads."""

    name: str
    module: str


@attrs.frozen
class Distribution:
    """One installed distribution, as its metadata tells.

    ``plugins`` and ``modules`` (top-level importable names) are None where only name and version
    were stated, e.g. by ``plugins={"pytest-cov": "7.1.0"}``.
    """

    name: str
    version: str
    plugins: tuple[PytestPlugin, ...] | None = None
    modules: tuple[str, ...] | None = None


def _pairs(value: Mapping[str, str] | Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    if isinstance(value, Mapping):
        named = cast("Mapping[str, str]", value)
        return tuple(sorted(named.items()))
    return tuple(sorted(value))


def _as_files(value: FileSnapshot | Mapping[str, PathEntry | bytes | str]) -> FileSnapshot:
    return value if isinstance(value, FileSnapshot) else FileSnapshot(value)


@attrs.frozen(hash=False)
class PytestInvocation:
    """All that decides what ``python -m pytest ARGS`` in ``cwd`` inherits.

    ``cwd`` is absolute and physical, as ``os.getcwd()`` would say. ``environ`` holds only the
    variables that pytest, coverage or Python act on. ``pytest`` and ``python`` are versions, of the
    interpreter that will run the tests. ``distributions`` is everything installed there, and
    ``complete`` says whether it really is everything. ``files`` holds every config file the search
    could read, the paths among the arguments, conftests and test files. ``safe_path`` says that the
    command leaves the working directory off ``sys.path`` (``python -P``, ``PYTHONSAFEPATH`` or the
    ``pytest`` script). ``unseen`` says what the source gave up on, so that a path that is not
    in ``files`` may exist after all; ``notes`` says what else is worth knowing.
    """

    cwd: str
    args: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    environ: tuple[tuple[str, str], ...] = attrs.field(default=(), converter=_pairs)
    pytest: str = "9.2.0"
    python: str = "3.11.7"
    distributions: tuple[Distribution, ...] = attrs.field(
        default=(), converter=tuple[Distribution, ...]
    )
    complete: bool = True
    files: FileSnapshot = attrs.field(factory=FileSnapshot, converter=_as_files)
    safe_path: bool = False
    unseen: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    notes: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    _surveys: Once = attrs.field(factory=Once, init=False, eq=False, repr=False)

    def surveyed(self, survey: Callable[[PytestInvocation], T]) -> T:
        """Return what a pure function makes of the whole invocation; made once for this object."""
        return self._surveys.recall(survey, self)

    def variable(self, name: str) -> str | None:
        """Return an environment variable's value, None where it is unset."""
        return dict(self.environ).get(name)

    @property
    def roots(self) -> tuple[str, ...]:
        """Return the directories whose content is under judgement: no plugin may come from them."""
        return (self.cwd,)
