"""Gates: the commands of a pipeline whose failure fails it."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from benchhygiene_plugins.pipelines.binding import commands
from benchhygiene_plugins.pipelines.options import Options
from benchhygiene_plugins.pipelines.runners import Run, run_of
from benchhygiene_plugins.pipelines.selection import Selection, selection
from benchhygiene_plugins.pipelines.simulation import fails

_LOST = "its exit status is lost"


@attrs.frozen
class Gate:
    """One test command: where it stands, what it runs, and what its failure and its run hang on.

    ``place`` names job and step, or the target. ``masked`` says why its failure is lost, empty
    where it counts. ``events`` are what starts it, None where the pipeline does not say.
    """

    path: str
    line: int
    place: tuple[str, ...]
    run: Run
    text: str
    masked: str = ""
    conditions: tuple[str, ...] = ()
    events: tuple[str, ...] | None = None

    @property
    def selection(self) -> Selection:
        """Return what it selects."""
        return selection(self.run)


@attrs.frozen
class Pipeline:
    """The gates of one file, and why some of it could not be read."""

    gates: tuple[Gate, ...] = ()
    doubts: tuple[str, ...] = ()


@attrs.frozen
class Setting:
    """What the surroundings of a script say: its shell's options, masks, conditions, variables."""

    path: str
    place: tuple[str, ...] = ()
    options: Options = attrs.field(factory=Options)
    masked: str = ""
    conditions: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()


def gates(script: str, line: int, setting: Setting) -> Iterator[Gate]:
    """Yield the gates of a script whose first line is ``line``. Raises ShellSyntaxError."""
    for found in commands(script, setting.options):
        run = run_of(found.words, (*setting.environment, *found.environment))
        if run is None:
            continue
        lost = "" if fails(script, setting.options, found) else found.masked or _LOST
        yield Gate(
            setting.path,
            line + found.line,
            setting.place,
            run,
            found.text,
            setting.masked or lost,
            (*setting.conditions, *found.conditions),
        )
