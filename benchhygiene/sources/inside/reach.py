"""Which lines of the source the tests executed, by coverage.py."""

from __future__ import annotations

from benchhygiene.sources.inside.places import CANDIDATE, Places


class Reach:
    """Measure the lines of the source under test, and of nothing else.

    Raises ImportError where coverage.py is not installed.
    """

    def __init__(self, places: Places) -> None:
        import coverage

        self._places = places
        self._coverage = coverage.Coverage(data_file=None, config_file=False, messages=False)

    def start(self) -> None:
        """Begin."""
        self._coverage.start()

    def stop(self) -> dict[str, list[int]]:
        """Return the executed lines by file, both sorted."""
        self._coverage.stop()
        found = self._coverage.get_data()
        files = sorted(file for file in found.measured_files() if self._is_source(file))
        return {self._places.relative(file): sorted(found.lines(file) or ()) for file in files}

    def _is_source(self, file: str) -> bool:
        return self._places.of(file) == CANDIDATE
