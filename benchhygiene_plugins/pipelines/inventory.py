"""The gates of a tree."""

from __future__ import annotations

from benchhygiene.evidence import SourceTree
from benchhygiene_plugins.pipelines.files import is_pipeline, pipeline
from benchhygiene_plugins.pipelines.gates import Gate


def inventory(tree: SourceTree) -> tuple[Gate, ...]:
    """Return every test command of a tree's pipelines, by path and line."""
    paths = [path for path in tree.files() if is_pipeline(path)]
    return tuple(gate for path in paths for gate in pipeline(tree, path).gates)
