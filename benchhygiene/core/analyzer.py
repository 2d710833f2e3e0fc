"""What an analyzer is, and how it names several pieces of evidence at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar, runtime_checkable

from benchhygiene.core.findings import Finding, Rule
from benchhygiene.core.json import JSON

E = TypeVar("E")
E_contra = TypeVar("E_contra", contravariant=True)


class Analyzer(Protocol[E]):
    """A pure function from evidence to findings, with its name and rules; conformed to by shape.

    Write an ``@attrs.frozen`` class with bare ``name = "..."``, ``rules = (...)`` and
    ``consumes = EvidenceType``. ``consumes`` is one evidence type, or a Bundle of several.
    ``analyze`` reads nothing but its argument and yields findings of the declared rules.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def rules(self) -> tuple[Rule, ...]: ...  # noqa: D102
    @property
    def consumes(self) -> type[E]: ...  # noqa: D102
    def analyze(self, evidence: E, /) -> Iterable[Finding]: ...  # noqa: D102


@runtime_checkable
class Describes(Protocol[E_contra]):
    """An analyzer that also lays out the facts behind its findings, as plain JSON."""

    def describe(self, evidence: E_contra, /) -> JSON: ...  # noqa: D102


class Bundle:
    """Base of the frozen attrs classes that name several pieces of evidence read together.

    Each field's annotation is an evidence type; a field typed ``X | None`` is None where that
    evidence was not given.
    """

    __slots__ = ()
