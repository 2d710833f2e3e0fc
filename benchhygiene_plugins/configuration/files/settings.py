"""Which file configures pytest for a directory, and what it sets."""

from __future__ import annotations

import functools
import posixpath
from collections.abc import Callable, Iterator, Mapping

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.rules import CONFIG_FILES
from benchhygiene_plugins.configuration.files.sections import Option, Section, pytest_section

_NONE = Option()


@attrs.frozen
class Settings:
    """The file that wins for a run in a directory, and its options.

    ``path`` is empty where there is none. ``broken`` names a file that stands before it and cannot
    be read, with the reason.
    """

    path: str = ""
    options: Mapping[str, Option] = attrs.field(factory=dict[str, Option])
    broken: tuple[str, str] | None = None

    @classmethod
    def of(cls, tree: SourceTree, directory: str = "") -> Settings:
        """Return the settings of a tree, as a run in one of its directories finds them.

        Rules: ``locate_config`` in ``_pytest/config/findpaths.py``: directory by directory, the
        first file with a section wins and nothing is merged.
        """
        for path in _candidates(directory):
            if not tree.is_file(path):
                continue
            section = _section(tree, path)
            if section.error:
                return cls(path, broken=(path, section.error))
            if section.is_there:
                return cls(path, section.options)
        return cls()

    def option(self, *names: str) -> Option:
        """Return the first of these options that is set, an empty one where none is."""
        return next((self.options[name] for name in names if name in self.options), _NONE)


def _candidates(directory: str) -> Iterator[str]:
    while True:
        for name in CONFIG_FILES:
            yield posixpath.join(directory, name)
        if not directory:
            return
        directory = posixpath.dirname(directory)


def _section(tree: SourceTree, path: str) -> Section:
    try:
        return tree.derived(path, _READERS[posixpath.basename(path)])
    except EvidenceUnavailable as error:
        return Section(error=str(error).removeprefix(f"{path}: "))


#: One function for each name, so that a tree remembers what it made of a file.
_READERS: Mapping[str, Callable[[bytes], Section]] = {
    name: functools.partial(pytest_section, name) for name in CONFIG_FILES
}
