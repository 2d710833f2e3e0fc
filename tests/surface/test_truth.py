"""What the pairs claim is what the real pytest does."""

from __future__ import annotations

import pytest

from tests.surface import runs, truth
from tests.surface.corpus import Pair, Project, pairs, projects

pytestmark = pytest.mark.full


@pytest.mark.parametrize("project", projects().values(), ids=lambda project: project.name)
def test_projects_pass(project: Project) -> None:
    assert runs.run(project.files).status == 0


@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: pair.id)
def test_pair(pair: Pair) -> None:
    assert list(truth.faults(pair)) == []
