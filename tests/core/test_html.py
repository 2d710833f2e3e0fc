from __future__ import annotations

import datetime
import re
from html.parser import HTMLParser

import attrs

from benchhygiene import (
    BaseFinding,
    Completed,
    Crashed,
    Location,
    Outcome,
    Provenance,
    Report,
    Rule,
    Severity,
    Skipped,
    Verdict,
    WaivedFinding,
    WaiverOutcome,
    WaiverState,
)
from benchhygiene.core.provenance import EvidenceDigest, PluginVersion, RefusedPlugin
from tests.core.samples import SHOUTED, shout
from tests.evidence.agreements import WAIVER

HOSTILE = "<img src=x onerror=alert(1)>\"'&\x1b[31m\u202e\udcff\n"
VOID = {"br"}


class Reader(HTMLParser):
    """Collect tags and text, and see that every tag is closed in order."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(markup)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += f"{data} "


def read(report: Report) -> Reader:
    return Reader(report._repr_html_())


def read_styles(report: Report) -> dict[str, str]:
    """Return the style of every piece of code, by its text."""
    found = re.findall(r'<code style="([^"]*)">([^<]*)</code>', report._repr_html_())
    return {text: style for style, text in found}


@attrs.frozen
class Command:
    shell: str
    cost: str


@attrs.frozen(kw_only=True)
class Mended(BaseFinding):
    corrected_command: Command


@attrs.frozen(kw_only=True)
class Simple(BaseFinding):
    @property
    def fix(self) -> str:
        return "lower your voice"


REPORT = Report(
    (
        Outcome(
            "loud",
            Completed(
                (
                    shout("a.txt", 3, "NO WAY"),
                    Mended(
                        rule=SHOUTED,
                        message="worse",
                        corrected_command=Command("pytest -o addopts=", "loses markers"),
                    ),
                    Simple(rule=SHOUTED, message="again", verdict=Verdict.INCONCLUSIVE),
                )
            ),
        ),
        Outcome("unfed", Skipped("needs Text", ("Text",)), required=True),
        Outcome("broken", Crashed("ValueError", "bad", "broken:3")),
    ),
    provenance=Provenance(
        "1.2.3",
        (PluginVersion("loud", "loud-dist", "4.5"), PluginVersion("unfed")),
        (EvidenceDigest("Text", "ab" * 32),),
        (RefusedPlugin("evil", "evil-dist", "lies outside"),),
        ("the environment lies inside the evidence",),
    ),
)


def test_a_person_can_read_all_of_it() -> None:
    text = read(REPORT).text
    for words in (
        "violation 3 findings (2 errors, 1 inconclusive); 1 of 3 analyzers completed",
        "severity rule where what",
        "a.txt:3:1",
        "line 3 shouts",
        "worse Instead: pytest -o addopts= Cost: loses markers",
        "again Instead: lower your voice",
        "inconclusive",
        "unfed (required) was skipped: needs Text",
        "broken crashed: ValueError: bad (in broken:3)",
        "evil of evil-dist was refused: lies outside",
        "the environment lies inside the evidence",
        "benchhygiene 1.2.3; loud (loud-dist 4.5); unfed; Text abababababab",
    ):
        assert words in " ".join(text.split()), words


def waived(text: str, expires: str = "2030-01-02") -> Report:
    waiver = attrs.evolve(WAIVER, reason=text, approved_by=text, path=text)
    found = Report((Outcome("loud", Completed((shout(text, 3, text),))),)).reported[0]
    day = datetime.date.fromisoformat(expires)
    idle = WaiverOutcome(1, waiver, WaiverState.UNUSED)
    excused = WaivedFinding(found, text, text, day)
    return Report((Outcome("loud", Completed()),), (excused,), waivers=(idle,))


def test_what_was_waived_is_counted_and_says_by_whom() -> None:
    text = " ".join(read(waived("calm.txt")).text.split())
    assert "pass 0 findings, 1 waived; 1 of 1 analyzer completed" in text
    assert "line 3 shouts approved by calm.txt until 2030-01-02: calm.txt" in text
    assert "Notes waiver 1 (sample.shouted in calm.txt) excuses nothing" in text


def test_a_flood_of_waived_findings_is_counted_not_shown() -> None:
    report = attrs.evolve(waived("calm.txt"), waived=waived("calm.txt").waived * 1000)
    text = " ".join(read(report).text.split())
    assert text.count("approved by") == 200
    assert "and 800 more findings" in text


def test_nothing_that_was_waived_becomes_markup() -> None:
    assert read(waived(HOSTILE)).tags.isdisjoint({"img", "script"})


def test_nothing_from_the_evidence_becomes_markup() -> None:
    rule = Rule("sample.rule", HOSTILE, Severity.ERROR, help_uri=f"javascript:{HOSTILE}")
    location = Location(HOSTILE, 1, 1, HOSTILE)
    finding = Mended(
        rule=rule,
        message=HOSTILE,
        locations=(location, location),
        corrected_command=Command(HOSTILE, HOSTILE),
    )
    report = Report(
        (
            Outcome(HOSTILE, Completed((finding,))),
            Outcome(HOSTILE, Skipped(HOSTILE)),
            Outcome(HOSTILE, Crashed(HOSTILE, HOSTILE, HOSTILE)),
        ),
        provenance=Provenance("1", (), (), (RefusedPlugin(HOSTILE, HOSTILE, HOSTILE),), (HOSTILE,)),
    )
    markup = report._repr_html_()
    reader = Reader(markup)
    assert reader.tags.isdisjoint({"img", "script", "a"})
    assert reader.attributes <= {"style", "scope"}
    assert markup.isprintable()
    assert "\\x1b[31m\\u202e\\udcff\\n" in reader.text


def test_it_is_self_contained_and_follows_the_notebooks_colours() -> None:
    reader = read(REPORT)
    assert reader.tags.isdisjoint({"script", "style", "link", "iframe"})
    assert reader.attributes <= {"style", "scope", "href", "rel"}


def test_a_fix_that_several_findings_share_is_shown_once() -> None:
    command = Command("pytest -o addopts=", "loses markers")
    found = (Mended(rule=SHOUTED, message=word, corrected_command=command) for word in "abc")
    text = " ".join(read(Report((Outcome("loud", Completed(tuple(found))),))).text.split())
    assert text.count("pytest -o addopts=") == 1
    assert text.count("Instead: the same as above") == 2


def test_long_names_may_break_and_short_ones_stay_whole() -> None:
    names = {name: Location(name) for name in ("pyproject.toml", "deep/" * 100)}
    found = tuple(BaseFinding(rule=SHOUTED, message="", locations=(at,)) for at in names.values())
    markup = read_styles(Report((Outcome("loud", Completed(found)),)))
    assert markup["pyproject.toml"].endswith("white-space:pre")
    assert "overflow-wrap:anywhere" in markup["deep/" * 100]


def test_a_flood_of_findings_is_counted_not_shown() -> None:
    findings = tuple(shout("a.txt", n, f"N{n}") for n in range(1, 1001))
    report = Report((Outcome("loud", Completed(findings)),))
    assert "and 800 more findings" in " ".join(read(report).text.split())
    assert report._repr_html_().count("<tr>") == 1 + 200


def test_the_gravest_come_first() -> None:
    note = BaseFinding(rule=SHOUTED, message="the note", severity=Severity.NOTE)
    error = shout("z.txt", 9, "LAST PLACE")
    text = read(Report((Outcome("loud", Completed((note, error))),))).text
    assert text.index("line 9 shouts") < text.index("the note")


def test_an_empty_report_says_why_it_is_inconclusive() -> None:
    assert "no analyzer is installed" in read(Report()).text
