"""Coverage floors: ``--cov-fail-under`` and coverage's own ``fail_under``.

Rules: pytest-cov's ``plugin.py`` and coverage.py's ``inorout.py``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import attrs

from benchhygiene_plugins.ini_chain.command.expressions import ExpressionError, ExpressionUnknown
from benchhygiene_plugins.ini_chain.command.scanning import Given
from benchhygiene_plugins.ini_chain.command.words import Origin, OriginKind
from benchhygiene_plugins.ini_chain.coverage.config import (
    RCFILE,
    CoverageConfig,
    CoverageConfigBroken,
    read_coverage_config,
)
from benchhygiene_plugins.ini_chain.gates.selection import instances, stays
from benchhygiene_plugins.ini_chain.resolution import Effect, EffectKind
from benchhygiene_plugins.ini_chain.situation import Situation
from benchhygiene_plugins.ini_chain.suite.nodes import Node
from benchhygiene_plugins.ini_chain.suite.source import Unparsed, parse


@attrs.frozen(eq=False, repr=False)
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
    # Costs start-up time, and only a floor needs it.
    from benchhygiene_plugins.ini_chain.coverage.measure import misses

    sources = _sources(situation, config)
    percent = _measure(situation, config, sources)
    must = f"coverage must reach {floor.percent:g} %"
    if percent is None:
        reason = f"{must}; what it would be is not known"
        fails: bool | None = None
    else:
        low, high = percent
        fails = misses(percent, floor.percent)
        between = f"{low:.0f} %" if low == high else f"between {low:.0f} and {high:.0f} %"
        reason = f"{must}, and would be {between}"
        if sources is None and fails is False:
            # A launcher, a sitecustomize, an editable install: nothing here says what else runs.
            fails, reason = None, f"{reason} if nothing else runs, all of which would be measured"
    kind = EffectKind.FAILS
    return Effect(
        "ini.coverage_gate", kind, floor.option, floor.value, floor.origin, reason, fails, 1
    )


def _measure(
    situation: Situation, config: CoverageConfig, sources: tuple[str, ...] | None
) -> tuple[float, float] | None:
    """Return the range of what would be measured, None where it cannot be known."""
    from benchhygiene_plugins.ini_chain.coverage.measure import Measure
    from benchhygiene_plugins.ini_chain.coverage.reach import reach

    doubts = (*situation.suite.doubts, *situation.imports.doubts)
    if config.filtered or doubts or situation.suite.broken:
        return None
    measure = Measure(
        situation.files,
        situation.cwd,
        reach(situation.files, _loaded_trees(situation), _plugins(situation)),
        _selected_lines(situation),
        config.branch or bool(situation.given("cov_branch")),
    )
    return measure.percent(sources)


def _plugins(situation: Situation) -> Iterator[str]:
    """Yield the names of modules that load by option or variable."""
    values = [given.value or "" for given in situation.given("plugins")]
    values.append(situation.startup.invocation.variable("PYTEST_PLUGINS") or "")
    for value in values:
        yield from value.replace(",", ".").replace(" ", "").split(".")


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


def _selected_lines(situation: Situation) -> dict[str, dict[int, bool | None]]:
    lines: dict[str, dict[int, bool | None]] = {}
    idle = bool(situation.given("setupplan", "setuponly"))
    for path, module in situation.suite.modules.items():
        lines[path] = {node.line: False for node in module.nodes}
    for node in situation.suite.nodes:
        lines[node.path][node.line] = False if idle else _stays(situation, node)
    return lines


def _stays(situation: Situation, node: Node) -> bool | None:
    """Return whether a test is selected, None where nobody knows or where it is in part."""
    try:
        answers = {
            stays(situation, attrs.evolve(node, ids=(identifier,) if identifier else ()))
            if identifier is not None
            else stays(situation, node)
            for identifier in instances(node)
        }
    except (ExpressionError, ExpressionUnknown):
        return None
    return next(iter(answers)) if len(answers) == 1 else None


def _effect(given: Given, kind: EffectKind, reason: str) -> Effect:
    return Effect(
        "ini.coverage_gate", kind, given.name, given.value or "", given.word.origin, reason
    )
