"""Judges that stay warm between the tests that need them."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import pytest

from tests.truth import environments
from tests.truth.comparison import Arena
from tests.truth.judge import Judge


@pytest.fixture(scope="session")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """Yield the arena of the pytest that runs this suite, without the plugins around it."""
    python = environments.copied(tmp_path_factory.mktemp("copied"))
    yield from _arena(python, tmp_path_factory)


@pytest.fixture(scope="module", params=environments.VERSIONS)
def arena(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Arena]:
    """Yield one judged version's arena after another."""
    cache = getattr(request.config, "cache", None)
    directory = pathlib.Path(cache.mkdir("judges")) if cache else tmp_path_factory.mktemp("judges")
    found = environments.interpreters(directory)
    if request.param not in found:
        pytest.skip(f"{environments.VARIABLE} names no pytest {request.param}")
    yield from _arena(found[request.param], tmp_path_factory)


def _arena(python: pathlib.Path, places: pytest.TempPathFactory) -> Iterator[Arena]:
    root = places.mktemp("arena").resolve()
    with Judge(python, root) as judge:
        yield Arena(judge, root / "case")
