"""Tell where tests no longer reach the code under test, and where that code knows its tests."""

from __future__ import annotations

from benchhygiene_plugins.subjects.analyzer import Subjects
from benchhygiene_plugins.subjects.facts import Fact
from benchhygiene_plugins.subjects.findings import SourceAware, SubjectReplaced, SubjectUnseen
from benchhygiene_plugins.subjects.inventory import inventory

__all__ = ["Fact", "SourceAware", "SubjectReplaced", "SubjectUnseen", "Subjects", "inventory"]
