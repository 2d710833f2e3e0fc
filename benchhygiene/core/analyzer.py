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
    ``consumes = EvidenceType``.
    """

    @property
    def name(self) -> str:
        """Return the name it is registered under, in kebab-case."""
        ...

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Return everything it may report."""
        ...

    @property
    def consumes(self) -> type[E]:
        """Return one evidence type, or a Bundle of several."""
        ...

    def analyze(self, evidence: E, /) -> Iterable[Finding]:
        """Yield findings of the declared rules, reading nothing but the evidence."""
        ...


@runtime_checkable
class Describes(Protocol[E_contra]):
    """An analyzer that also lays out the facts behind its findings, as plain JSON."""

    def describe(self, evidence: E_contra, /) -> JSON:
        """Return facts that formats show beside the findings."""
        ...


class Bundle:
    """Base of the frozen attrs classes that name several pieces of evidence read together.

    Each field's annotation is an evidence type; a field typed ``X | None`` is None where that
    evidence was not given.
    """

    __slots__ = ()
