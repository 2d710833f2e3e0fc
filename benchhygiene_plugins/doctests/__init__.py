"""Tell which examples in documentation no longer check what they did."""

from __future__ import annotations

from benchhygiene_plugins.doctests.analyzer import Doctests
from benchhygiene_plugins.doctests.comparison import Altered, Fate, altered
from benchhygiene_plugins.doctests.examples import Example
from benchhygiene_plugins.doctests.findings import ExampleAltered, ExamplesUnseen
from benchhygiene_plugins.doctests.inventory import inventory

__all__ = [
    "Altered",
    "Doctests",
    "Example",
    "ExampleAltered",
    "ExamplesUnseen",
    "Fate",
    "altered",
    "inventory",
]
