"""Coverage floors: ``--cov-fail-under`` and coverage's own ``fail_under``.

Rules: pytest-cov's ``plugin.py`` and coverage.py's ``inorout.py``.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator

import attrs

from benchhygiene_plugins.ini_chain.coverage_bounds import Bounds, loaded, names_used, unloaded
from benchhygiene_plugins.ini_chain.coverage_config import (
    RCFILE,
    CoverageConfig,
    CoverageConfigBroken,
    read_coverage_config,
)
from benchhygiene_plugins.ini_chain.expressions import ExpressionError, ExpressionUnknown
from benchhygiene_plugins.ini_chain.gates.selection import expression_of, keeps_for
from benchhygiene_plugins.ini_chain.nodes import Node
from benchhygiene_plugins.ini_chain.resolution import Effect, EffectKind
from benchhygiene_plugins.ini_chain.scanning import Given
from benchhygiene_plugins.ini_chain.search import lexical
from benchhygiene_plugins.ini_chain.situation import Situation
from benchhygiene_plugins.ini_chain.source import Unparsed, parse
from benchhygiene_plugins.ini_chain.words import Origin, OriginKind

_PRAGMA = b"pragma: no cover"


@attrs.frozen
class Floor:
    """The coverage a run must reach, in percent, and who says so."""

    percent: float
    option: str
    value: str
    origin: Origin


def effects(situation: Situation) -> Iterator[Effect]:
    """Yield the coverage floor in force, or why coverage stops the run."""
    sources = situation.given("cov_source")
    if not sources or situation.given("no_cov") or not situation.is_loaded("pytest-cov"):
        return
    named = situation.last("cov_config")
    try:
        config = read_coverage_config(
            situation.files,
            situation.cwd,
            None if named is None else named.value,
            situation.startup.invocation.variable(RCFILE),
        )
    except CoverageConfigBroken as broken:
        origin = Origin(OriginKind.FILE, broken.path)
        option = sources[-1].name
        reason = f"coverage cannot read its configuration: {broken.reason}"
        kind = EffectKind.ABORTS
        yield Effect("ini.coverage_gate", kind, option, "", origin, reason, True, 1)
        return
    if config.unread and config.path is not None:
        reason = "a floor may be set in a file whose bytes are not known"
        origin = Origin(OriginKind.FILE, config.path)
        kind = EffectKind.FAILS
        yield Effect("ini.coverage_gate", kind, "fail_under", "", origin, reason, None, 1)
        return
    floor = _floor(situation, config)
    if floor is None or situation.given("collectonly"):
        reason = "coverage is measured, no floor applies"
        yield _effect(sources[-1], EffectKind.REORDERS, reason)
        return
    yield _judged(situation, config, floor)


def _floor(situation: Situation, config: CoverageConfig) -> Floor | None:
    given = situation.last("cov_fail_under")
    if given is not None and given.value is not None:
        percent = float(given.value)
        floor = Floor(percent, given.name, given.value, given.word.origin)
        return floor if percent > 0 else None
    if config.fail_under > 0 and config.path is not None:
        origin = Origin(OriginKind.FILE, config.path)
        return Floor(config.fail_under, "fail_under", f"{config.fail_under:g}", origin)
    return None


def _judged(situation: Situation, config: CoverageConfig, floor: Floor) -> Effect:
    measured = _measure(situation, config)
    if measured is None:
        reason = f"coverage must reach {floor.percent:g} %; what it would be is not known"
        fails: bool | None = None
    else:
        low, high = measured.percent()
        fails = True if high < floor.percent else False if low >= floor.percent else None
        between = f"{low:.0f} %" if low == high else f"between {low:.0f} and {high:.0f} %"
        reason = f"coverage must reach {floor.percent:g} %, and would be {between}"
    kind = EffectKind.FAILS
    return Effect(
        "ini.coverage_gate", kind, floor.option, floor.value, floor.origin, reason, fails, 1
    )


def _measure(situation: Situation, config: CoverageConfig) -> Bounds | None:
    """Return the bounds of what would be measured, None where they cannot be known."""
    branch = config.branch or bool(situation.given("cov_branch"))
    doubts = (*situation.suite.doubts, *situation.imports.doubts)
    if config.filtered or doubts or situation.suite.broken:
        return None
    trees = _loaded_trees(situation)
    sources = _sources(situation, config)
    measured = trees if sources is None else _under(situation, trees, sources)
    if measured is None or any(_has_pragma(situation, path) for path in measured):
        return None
    try:
        bounds = _sum(situation, trees, measured)
    except RecursionError:
        return None  # statements nested deeper than can be followed
    if not measured:
        # Nothing was measured: coverage has no data and the total counts as 0.
        return Bounds(1, 0, 0)
    decided = bounds.certain == bounds.possible and bounds.possible in (0, bounds.total)
    return None if branch and not decided else bounds


def _loaded_trees(situation: Situation) -> dict[str, ast.Module]:
    trees = {path: module.tree for path, module in situation.suite.modules.items()}
    trees |= situation.imports.local
    for facts in situation.conftests:
        tree = parse(situation.files, facts.path)
        if not isinstance(tree, Unparsed):
            trees[facts.path] = tree
    return trees


def _sources(situation: Situation, config: CoverageConfig) -> tuple[str, ...] | None:
    """Return what ``--cov`` names, None for everything that runs."""
    values = [given.value for given in situation.given("cov_source")]
    if None in values:
        return config.source or None
    return tuple(value for value in values if value)


def _under(
    situation: Situation, trees: dict[str, ast.Module], sources: tuple[str, ...]
) -> dict[str, ast.Module] | None:
    """Return the measured files: what loads under the sources, and what merely lies there."""
    measured: dict[str, ast.Module] = {}
    for source in sources:
        directory = lexical(situation.cwd, source)
        if not situation.files.is_dir(directory):
            measured |= _module_files(trees, source)
            continue
        below = _python_files(situation, directory)
        if below is None:
            return None
        # coverage compares physical paths: a test behind a link may lie outside.
        prefix = situation.files.real(directory).rstrip("/") + "/"
        inside = {
            p: tree for p, tree in trees.items() if situation.files.real(p).startswith(prefix)
        }
        measured |= below | inside
    return measured


def _module_files(trees: dict[str, ast.Module], source: str) -> dict[str, ast.Module]:
    tail = source.replace(".", "/")
    return {
        path: tree
        for path, tree in trees.items()
        if path.endswith(f"/{tail}.py") or f"/{tail}/" in path
    }


def _python_files(situation: Situation, directory: str) -> dict[str, ast.Module] | None:
    """Return the files coverage looks for itself: those in the directory and in packages below."""
    found: dict[str, ast.Module] = {}
    if not situation.files.is_listed(directory):
        return None
    for path in situation.files.below(directory):
        if situation.files.is_dir(path) and _is_unseen(situation, directory, path):
            return None
        if not path.endswith(".py") or not situation.files.is_file(path):
            continue
        if not _in_packages(situation, directory, path):
            continue
        tree = parse(situation.files, path)
        if isinstance(tree, Unparsed):
            return None
        found[path] = tree
    return found


def _is_unseen(situation: Situation, top: str, path: str) -> bool:
    """Return whether a package below the source was not wholly looked at."""
    inside = _in_packages(situation, top, posixpath.join(path, "x.py"))
    return inside and not situation.files.is_listed(path)


def _in_packages(situation: Situation, top: str, path: str) -> bool:
    parent = posixpath.dirname(path)
    while parent != top:
        entry = situation.files.entries.get(parent)
        if entry is not None and entry.real is not None:
            return False  # os.walk does not follow links
        if not situation.files.is_file(posixpath.join(parent, "__init__.py")):
            return False
        parent = posixpath.dirname(parent)
    return True


def _has_pragma(situation: Situation, path: str) -> bool:
    return _PRAGMA in situation.files.read(path)


def _sum(
    situation: Situation, trees: dict[str, ast.Module], measured: dict[str, ast.Module]
) -> Bounds:
    named = names_used(trees.values())
    tests = _selected_lines(situation)
    total = Bounds()
    for path, tree in sorted(measured.items()):
        total += loaded(tree, named, tests.get(path, {})) if path in trees else unloaded(tree)
    return total


def _selected_lines(situation: Situation) -> dict[str, dict[int, bool]]:
    lines: dict[str, dict[int, bool]] = {}
    idle = bool(situation.given("setupplan", "setuponly"))
    for path, module in situation.suite.modules.items():
        lines[path] = {node.line: False for node in module.nodes}
    for node in situation.suite.nodes:
        lines[node.path][node.line] = not idle and _stays(situation, node)
    return lines


def _stays(situation: Situation, node: Node) -> bool:
    for dest in ("keyword", "markexpr"):
        asked = expression_of(situation, dest)
        try:
            if asked is not None and keeps_for(situation, dest, asked[1])(node) is False:
                return False
        except (ExpressionError, ExpressionUnknown):
            return False
    return not any(
        situation.node_id(node).startswith(given.value or "")
        for given in situation.given("deselect")
    )


def _effect(given: Given, kind: EffectKind, reason: str) -> Effect:
    return Effect(
        "ini.coverage_gate", kind, given.name, given.value or "", given.word.origin, reason
    )
