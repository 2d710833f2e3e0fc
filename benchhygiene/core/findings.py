"""What an analyzer says: rules, findings, where they point and what they amount to."""

from __future__ import annotations

import enum
import hashlib
import json
import re
from collections.abc import Iterable
from typing import Protocol, runtime_checkable

import attrs

from benchhygiene.core.json import JSON, fields_to_json
from benchhygiene.errors import InputError

DOCUMENTATION = "https://benchhygiene.readthedocs.io/en/stable"
_RULE_ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+")


class Verdict(enum.Enum):
    """What a report, or one finding in it, amounts to."""

    PASS = "pass"
    VIOLATION = "violation"
    INCONCLUSIVE = "inconclusive"
    NOT_APPLICABLE = "not_applicable"

    @classmethod
    def worst(cls, verdicts: Iterable[Verdict]) -> Verdict:
        """Return the verdict that decides; of nothing it is INCONCLUSIVE.

        VIOLATION beats INCONCLUSIVE, which beats PASS, which beats NOT_APPLICABLE.
        """
        given = frozenset(verdicts)
        order = (cls.VIOLATION, cls.INCONCLUSIVE, cls.PASS, cls.NOT_APPLICABLE)
        return next((verdict for verdict in order if verdict in given), cls.INCONCLUSIVE)

    @property
    def exit_status(self) -> int:
        """Return the process exit status: 0, 1 for VIOLATION, 3 for INCONCLUSIVE."""
        return {Verdict.VIOLATION: 1, Verdict.INCONCLUSIVE: 3}.get(self, 0)


class Severity(enum.Enum):
    """How much a finding weighs, in SARIF's words: only an ERROR makes a violation."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"


class SymbolKind(enum.Enum):
    """What a location's symbol names: a pytest node, an MCP tool or an option."""

    NODE = "node"
    TOOL = "tool"
    OPTION = "option"


def _at_least_one(_: object, attribute: attrs.Attribute[int | None], value: int | None) -> None:
    if value is not None and value < 1:
        raise InputError(f"{attribute.name} {value}: lines and columns are counted from 1")


@attrs.frozen
class Location:
    """A place a finding points at: a path with ``/``, and how closely it is known.

    Lines and columns count from 1, columns in characters.
    """

    path: str
    line: int | None = attrs.field(default=None, validator=_at_least_one)
    column: int | None = attrs.field(default=None, validator=_at_least_one)
    symbol: str | None = None
    symbol_kind: SymbolKind | None = None

    @property
    def node_id(self) -> str | None:
        """Return the pytest node id, None where the symbol is not a node."""
        return self.symbol if self.symbol_kind is SymbolKind.NODE else None


def is_rule_id(text: str) -> bool:
    """Return whether the text reads ``family.detail`` in snake case."""
    return _RULE_ID.fullmatch(text) is not None


def _dotted(_: object, attribute: attrs.Attribute[str], value: str) -> None:
    if not is_rule_id(value):
        raise InputError(f"{attribute.name} {value!r}: a rule id reads family.detail in snake case")


def _page(rule: Rule) -> str:
    return f"{DOCUMENTATION}/rules/{rule.family}.html#{re.sub('[._]', '-', rule.id)}"


@attrs.frozen
class Rule:
    """One thing an analyzer can report; a module constant.

    ``id`` reads ``family.detail``, unique across every analyzer. ``help_uri`` is the page that
    explains the rule: by default the family's page in this project's documentation, None where
    there is no page. ``edit`` says what an agent does, ``seen`` how the analyzer knows it, and
    ``unseen`` what it cannot see. Raises InputError for a malformed id.
    """

    id: str = attrs.field(validator=_dotted)
    summary: str
    severity: Severity
    help_uri: str | None = attrs.field(default=attrs.Factory(_page, takes_self=True))
    tags: tuple[str, ...] = ()
    edit: str = attrs.field(default="", kw_only=True)
    seen: str = attrs.field(default="", kw_only=True)
    unseen: str = attrs.field(default="", kw_only=True)

    @property
    def family(self) -> str:
        """Return the id's first part."""
        return self.id.partition(".")[0]


@runtime_checkable
class Finding(Protocol):
    """What an analyzer says about one place; conformed to by shape."""

    @property
    def rule(self) -> Rule:
        """Return what kind of thing was found."""
        ...

    @property
    def message(self) -> str:
        """Return one sentence for the person who can mend it."""
        ...

    @property
    def severity(self) -> Severity:
        """Return how much it weighs."""
        ...

    @property
    def verdict(self) -> Verdict:
        """Return what it alone amounts to."""
        ...

    @property
    def locations(self) -> tuple[Location, ...]:
        """Return the place itself first, then related ones."""
        ...

    @property
    def old_text(self) -> str:
        """Return the text an edit removed, empty where no edit is judged."""
        ...

    @property
    def new_text(self) -> str:
        """Return the text an edit added, empty where no edit is judged."""
        ...


@runtime_checkable
class Fixable(Protocol):
    """A finding that also says how to mend it."""

    @property
    def fix(self) -> str:
        """Return one line to paste."""
        ...


@attrs.frozen(kw_only=True)
class BaseFinding:
    """The fields every finding has; subclass with ``@attrs.frozen(kw_only=True)`` to add detail.

    ``severity`` is the rule's unless the finding is given another. ``verdict`` is VIOLATION for an
    ERROR and PASS for anything milder, unless the finding is given one: INCONCLUSIVE is doubt.
    Both follow when ``attrs.evolve`` changes the rule or the severity.
    """

    rule: Rule
    message: str
    locations: tuple[Location, ...] = ()
    # Read through properties: a subclass that gives `rule` a default moves it behind these two,
    # so their defaults cannot be computed from it while the instance is being built.
    _severity: Severity | None = attrs.field(default=None, alias="severity", repr=False)
    _verdict: Verdict | None = attrs.field(default=None, alias="verdict", repr=False)
    old_text: str = ""
    new_text: str = ""

    @property
    def severity(self) -> Severity:
        """Return how much this finding weighs."""
        return self._severity or self.rule.severity

    @property
    def verdict(self) -> Verdict:
        """Return what this finding alone amounts to."""
        by_severity = Verdict.VIOLATION if self.severity is Severity.ERROR else Verdict.PASS
        return self._verdict or by_severity


_BASE_FIELDS = frozenset(field.name for field in attrs.fields(BaseFinding))


def detail(finding: Finding) -> dict[str, JSON]:
    """Return what a finding's own class adds to BaseFinding, as plain JSON.

    A finding that is no attrs class has no detail. Raises TypeError where a field's value has no
    JSON form.
    """
    if not attrs.has(type(finding)):
        return {}
    return fields_to_json(finding, without=_BASE_FIELDS)


def place(finding: Finding) -> Location:
    """Return the first location, or one with an empty path where the finding has none."""
    return finding.locations[0] if finding.locations else Location("")


def effective_verdict(finding: Finding) -> Verdict:
    """Return what the finding contributes: only an ERROR makes a VIOLATION."""
    if finding.verdict is Verdict.VIOLATION and finding.severity is not Severity.ERROR:
        return Verdict.PASS
    return finding.verdict


def fingerprint(finding: Finding, ordinal: int = 0) -> str:
    """Return the name that stays with a finding while lines move around it.

    It is made of the rule, the first location's path and symbol, the old and the new text, and the
    ordinal that tells findings alike in all of these apart.
    """
    at = place(finding)
    parts = (finding.rule.id, at.path, at.symbol, finding.old_text, finding.new_text, ordinal)
    # ASCII JSON is unambiguous and has a form for names that are not valid Unicode.
    return f"v1:{hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]}"
