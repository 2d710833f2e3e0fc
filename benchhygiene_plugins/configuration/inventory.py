"""What the configuration of one tree says: nothing is judged here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from benchhygiene.evidence import SourceTree
from benchhygiene_plugins.configuration.files.coverage import CoverageSettings
from benchhygiene_plugins.configuration.files.sections import Option
from benchhygiene_plugins.configuration.files.settings import Settings


@attrs.frozen
class ConfiguredOption:
    """One option in force; ``tool`` is pytest or coverage, ``line`` None where it is not known."""

    tool: str
    name: str
    value: str
    path: str
    line: int | None = None


def inventory(tree: SourceTree) -> tuple[ConfiguredOption, ...]:
    """Return the options of pytest and coverage for a run at the tree's root, by tool and name.

    Only the files that win are read; what hooks and commands add is not in them.
    """
    settings, coverage = Settings.of(tree), CoverageSettings.of(tree)
    return (
        *_options("coverage", coverage.path, coverage.options),
        *_options("pytest", settings.path, settings.options),
    )


def _options(tool: str, path: str, options: Mapping[str, Option]) -> Iterator[ConfiguredOption]:
    for name, option in sorted(options.items()):
        value = option.text.strip() or " ".join(option.words)
        yield ConfiguredOption(tool, name, value, path, option.line)
