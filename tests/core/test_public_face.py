from __future__ import annotations

import importlib
import json
import subprocess
import sys

import pytest

import benchhygiene

HEAVY = ("argparse", "attr", "cattrs", "importlib_metadata", "libcst", "pandas", "rich", "tomli")


def test_importing_the_library_imports_little() -> None:
    program = "import benchhygiene, json, sys; print(json.dumps(sorted(sys.modules)))"
    run = subprocess.run(
        (sys.executable, "-I", "-c", program), capture_output=True, text=True, check=True
    )
    bare = subprocess.run(
        (sys.executable, "-I", "-c", program.replace("benchhygiene, ", "")),
        capture_output=True,
        text=True,
        check=True,
    )
    added = set(json.loads(run.stdout)) - set(json.loads(bare.stdout))
    assert "benchhygiene" in added
    assert added.isdisjoint(HEAVY)


@pytest.mark.parametrize("name", benchhygiene.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(benchhygiene, name) is not None
    assert name in dir(benchhygiene)


def test_public_names_are_sorted_and_classes_say_where_they_live() -> None:
    assert list(benchhygiene.__all__) == sorted(benchhygiene.__all__, key=_isort_key)
    assert benchhygiene.Verdict is importlib.import_module("benchhygiene.core.findings").Verdict


def _isort_key(name: str) -> tuple[int, str]:
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Verdikt'"):
        benchhygiene.Verdikt  # type: ignore[attr-defined]  # noqa: B018
