"""Files that Python or pytest loads without being asked: site hooks, .pth files, entry points."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import cast

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.inventory.toml_text import TomlRefused, parse_toml
from benchhygiene_plugins.harness.deeds import Act, Deed, Place, Weight
from benchhygiene_plugins.harness.roles import SITE

_GROUP = "pytest11"
_LISTED = re.compile(r"pytest11[\"']?\s*[:=]\s*[\[{(]?(?P<body>[^\])}]{0,4000})")
_SECTION = re.compile(r"^\s*\[(?P<name>[^\]]*)\]\s*$")
_ENTRY = re.compile(r"(?P<name>[\w.-]{1,200})\s{0,20}=\s{0,20}(?P<target>[\w.:-]{1,300})")


def planted(change: Change) -> Iterator[Deed]:
    """Yield what a candidate adds that is loaded without being asked for."""
    for path in change.differing():
        if not change.candidate.is_file(path):
            continue
        name = posixpath.basename(path)
        yield from _site(change, path, name)
        if name.endswith(".pth"):
            yield from _paths(change, path)
        if _may_declare(name):
            yield from _declared(change, path)


def _site(change: Change, path: str, name: str) -> Iterator[Deed]:
    folder = posixpath.basename(posixpath.dirname(path))
    is_package = name == "__init__.py" and f"{folder}.py" in SITE
    if name not in SITE and not is_package:
        return
    is_new = not change.parent.is_file(path)
    says = f"Python runs {name if name in SITE else folder} at each start, before any test"
    weight = Weight.GRAVE if is_new else Weight.PLAUSIBLE
    text = _text(change.candidate, path)[:1_000]
    yield Deed(Act.PATCH, "site", says, Place(path, text=text), weight=weight)


def _paths(change: Change, path: str) -> Iterator[Deed]:
    after, before = _text(change.candidate, path), _text(change.parent, path)
    if after.strip() and after.split() != before.split():
        says = "Python reads this at each start: it runs its imports and searches its paths"
        yield Deed(Act.PATCH, ".pth", says, Place(path, text=after[:1_000]))


def _may_declare(name: str) -> bool:
    return name in ("pyproject.toml", "setup.cfg", "setup.py", "entry_points.txt", "hatch.toml")


def _declared(change: Change, path: str) -> Iterator[Deed]:
    before, after = _plugins(change.parent, path), _plugins(change.candidate, path)
    for name, target in sorted(after.items()):
        if before.get(name) == target:
            continue
        says = f"pytest loads {target} wherever the distribution is installed"
        weight = Weight.PLAUSIBLE if before else Weight.GRAVE
        text = f"{name} = {target}"
        yield Deed(Act.PATCH, f"pytest11 {name}", says, Place(path, text=text), weight=weight)


def _plugins(tree: SourceTree, path: str) -> Mapping[str, str]:
    """Return the plugins of pytest that a file declares, by their names."""
    text = _text(tree, path)
    if _GROUP not in text:
        return {}
    if path.endswith(".toml"):
        try:
            return dict(_in_toml(parse_toml(text)))
        except (TomlRefused, ValueError):
            return {}
    return dict(_in_text(text))


def _in_toml(document: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    pending: list[tuple[object, int]] = [(document, 0)]
    while pending:
        table, depth = pending.pop()
        if not isinstance(table, dict) or depth > 8:
            continue
        for key, value in cast("Mapping[str, object]", table).items():
            if key == _GROUP and isinstance(value, dict):
                rows = cast("Mapping[str, object]", value)
                yield from ((name, str(target)) for name, target in rows.items())
            elif isinstance(value, dict):
                pending.append((cast("object", value), depth + 1))


def _in_text(text: str) -> Iterator[tuple[str, str]]:
    for found in _LISTED.finditer(text):
        body = found["body"].split("\n[")[0]
        yield from ((one["name"], one["target"]) for one in _ENTRY.finditer(body))
    is_group = False
    for line in text.splitlines():
        section = _SECTION.match(line)
        if section is not None:
            is_group = section["name"].strip().endswith(_GROUP)
        elif is_group:
            yield from ((one["name"], one["target"]) for one in _ENTRY.finditer(line[:600]))


def _text(tree: SourceTree, path: str) -> str:
    """Return a file's text; nothing for what is missing or binary, as weights of a model are."""
    if not tree.is_file(path):
        return ""
    try:
        data = tree.read(path)
        return "" if len(data) > 1_000_000 or b"\x00" in data else data.decode("utf-8")
    except (EvidenceUnavailable, UnicodeDecodeError):
        return ""
