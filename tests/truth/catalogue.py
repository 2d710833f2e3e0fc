"""Every workspace that is written by hand, each named for what it asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tests.truth import command_lines, config_files, keys, surroundings
from tests.truth.layouts import ini, workspace
from tests.truth.options import ROWS
from tests.truth.workspaces import Workspace


def inherited_options() -> Iterator[Workspace]:
    """Yield every row of options as the addopts of a host."""
    for words, suites in ROWS:
        for suite in suites:
            name = f"addopts {' '.join(words)} | {suite}"
            yield workspace(name, {"host/pytest.ini": ini(words)}, suite=suite)


CHAPTERS: Mapping[str, Callable[[], Iterator[Workspace]]] = {
    "options": inherited_options,
    "precedence": config_files.precedence,
    "fallbacks": config_files.fallbacks,
    "arguments": config_files.several_arguments,
    "broken": config_files.broken,
    "values": config_files.values,
    "keys": keys.in_files,
    "overrides": keys.overridden,
    "words": command_lines.words,
    "argument files": command_lines.argument_files,
    "swallowing": command_lines.swallowing,
    "named": command_lines.named_files,
    "roots": command_lines.roots,
    "links": command_lines.links,
    "placements": command_lines.placements,
    "environment": surroundings.environment,
    "conftests": surroundings.conftests,
    "needed": surroundings.needed_conftests,
    "nested": surroundings.nested_conftests,
    "coverage": surroundings.coverage_files,
    "shadows": surroundings.shadows,
}
