"""Gates that hold tests to a stricter standard than they were written for.

Rules: ``_pytest/mark/structures.py``, ``_pytest/skipping.py``, ``_pytest/python.py`` and
``_validate_config_options`` in ``_pytest/config/__init__.py``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from benchhygiene_plugins.ini_chain.command.words import Origin
from benchhygiene_plugins.ini_chain.gates.selection import is_strict
from benchhygiene_plugins.ini_chain.resolution import Effect, EffectKind
from benchhygiene_plugins.ini_chain.situation import Situation
from benchhygiene_plugins.ini_chain.suite.nodes import Node
from benchhygiene_plugins.ini_chain.suite.source import constant, walked


def effects(situation: Situation) -> Iterator[Effect]:
    """Yield each strictness switch that is on, and whether it fails these tests."""
    yield from _markers(situation)
    yield from _config(situation)
    yield from _xfail(situation)
    yield from _run_xfail(situation)
    yield from _duplicate_ids(situation)
    yield from _empty_sets(situation)
    yield from _doctests(situation)


def _strict_effect(
    switch: tuple[str, str, Origin],
    reason: str,
    *,
    fails: bool | None,
    status: int | None = None,
    kind: EffectKind = EffectKind.FAILS,
) -> Effect:
    option, value, origin = switch
    return Effect("ini.strict", kind, option, value, origin, reason, fails, status)


def _switch(situation: Situation, key: str, *flags: str) -> tuple[str, str, Origin] | None:
    """Return the option or key that turns a check on, None where it is off.

    Before pytest 9 the flags are plain options and the keys mean nothing.
    """
    if situation.pytest < (9, 0, 0):
        given = next((last for flag in flags if (last := situation.last(flag))), None)
        return None if given is None else (given.name, "", given.word.origin)
    found = situation.settings.find(key)
    name = key if found is not None else "strict"
    if not situation.flag(name):
        return None
    flag = next((given for given in reversed(situation.given(name)) if given.value is None), None)
    if flag is not None and situation.is_overridden(name):
        return flag.name, "", flag.word.origin
    return situation.settings.spelling(name), "true", situation.key_origin(name)


def _markers(situation: Situation) -> Iterator[Effect]:
    switch = _switch(situation, "strict_markers", "strict_markers", "strict")
    if switch is None or not is_strict(situation):
        return
    unknown = sorted(unregistered_marks(situation))
    if unknown:
        reason = f"the tests use {', '.join(unknown)}, which no configuration registers"
        yield _strict_effect(switch, reason, fails=True, status=situation.collection_error)
        return
    doubtful = bool(situation.suite.unseen) or _has_unknown_plugin(situation)
    reason = "unregistered marks are refused; the tests found use none"
    if doubtful:
        reason = "unregistered marks are refused, and not every mark could be seen"
    yield _strict_effect(switch, reason, fails=None if doubtful else False)


def _has_unknown_plugin(situation: Situation) -> bool:
    return any(plugin.table is None for plugin in situation.startup.plugins.loaded)


def unregistered_marks(situation: Situation) -> frozenset[str]:
    """Return the marks that collected modules use and nothing registers."""
    used = {name for module in situation.suite.modules.values() for name in _marks_in(module.tree)}
    known = situation.markers | {"parametrize", "skip", "skipif", "xfail", "usefixtures"}
    if _has_unknown_plugin(situation):
        return frozenset()
    return frozenset(used - known)


def _marks_in(tree: ast.Module) -> Iterator[str]:
    """Yield ``X`` for every ``pytest.mark.X``: naming it is enough to need registering."""
    for node in walked(tree):
        inner = node.value if isinstance(node, ast.Attribute) else None
        if not isinstance(node, ast.Attribute) or node.attr.startswith("_"):
            continue
        holder = inner.attr if isinstance(inner, ast.Attribute) else None
        holder = inner.id if isinstance(inner, ast.Name) else holder
        if holder == "mark":
            yield node.attr


def _config(situation: Situation) -> Iterator[Effect]:
    switch = _switch(situation, "strict_config", "strict_config")
    if switch is None:
        return
    unknown = unknown_keys(situation)
    if unknown is None:
        yield _strict_effect(switch, "whether every key is known cannot be told", fails=None)
    elif unknown:
        reason = f"the config file sets {', '.join(unknown)}, which nothing that loads knows"
        yield _strict_effect(switch, reason, fails=True, status=4, kind=EffectKind.ABORTS)
    else:
        yield _strict_effect(switch, "unknown keys are refused; every key is known", fails=False)


def unknown_keys(situation: Situation) -> tuple[str, ...] | None:
    """Return the keys that nothing registers, None where that cannot be told."""
    known = {name for facts in situation.conftests for name in facts.ini_keys}
    unknown = situation.settings.keys() - known - situation.known_keys.keys()
    # Registered by Config itself once it looks for them.
    unknown -= {"addopts", "minversion", "required_plugins", "pythonpath"}
    if unknown and _has_unknown_plugin(situation):
        return None
    return tuple(sorted(unknown))


def _xfail(situation: Situation) -> Iterator[Effect]:
    key = "strict_xfail" if situation.pytest >= (9, 0, 0) else "xfail_strict"
    by_key = situation.settings.find(key) is not None
    name = key if by_key or situation.pytest < (9, 0, 0) else "strict"
    if not situation.flag(name) or situation.given("runxfail"):
        return
    switch = (situation.settings.spelling(name), "true", situation.key_origin(name))
    answers = [_passes_xfail(node) for node in situation.suite.nodes]
    if not _names_xfail(situation) and not situation.suite.unseen:
        answers = [False]
    if True in answers:
        reason = "an xfail test that passes is reported as failed"
        yield _strict_effect(switch, reason, fails=True, status=1)
        return
    doubtful = None in answers or (bool(situation.suite.doubts) and answers != [False])
    reason = "an xfail test that passes is reported as failed"
    yield _strict_effect(switch, reason, fails=None if doubtful else False)


def _names_xfail(situation: Situation) -> bool:
    """Return whether anything that loads so much as names xfail."""
    trees = [module.tree for module in situation.suite.modules.values()]
    trees += situation.imports.local.values()
    return any(
        (isinstance(node, ast.Attribute) and node.attr == "xfail")
        or (isinstance(node, ast.alias | ast.Name) and "xfail" in ast.dump(node))
        or (isinstance(node, ast.Attribute) and node.attr == "expectedFailure")
        for tree in trees
        for node in walked(tree)
    )


def _run_xfail(situation: Situation) -> Iterator[Effect]:
    """``--runxfail`` counts an xfail test that fails, as it is expected to, as a failure."""
    given = situation.last("runxfail")
    if given is None:
        return
    answers = [_fails_unmarked(node) for node in situation.suite.nodes]
    doubtful = None in answers or bool(situation.suite.doubts)
    fails = True if True in answers else None if doubtful else False
    switch = (given.name, "", given.word.origin)
    reason = "xfail marks are ignored, so a test that is expected to fail counts as failed"
    yield _strict_effect(switch, reason, fails=fails, status=1)


def _fails_unmarked(node: Node) -> bool | None:
    """Return whether a test of a passing suite fails once its xfail marks are ignored."""
    marks = [mark for mark in node.marks if mark.name == "xfail"]
    if not marks:
        return False
    if any(mark.strict and not mark.conditional for mark in marks):
        return True
    return False if certainly_passes(node.body) else None


def _passes_xfail(node: Node) -> bool | None:
    """Return whether an xfail mark without ``strict`` sits on a test that passes."""
    marks = [mark for mark in node.marks if mark.name == "xfail"]
    if not marks or all(mark.strict is not None for mark in marks):
        return False
    if any(mark.conditional for mark in marks):
        return None
    return True if certainly_passes(node.body) else None


def certainly_passes(body: Sequence[ast.stmt]) -> bool:
    """Return whether a body holds nothing but true literal asserts."""
    return all(_is_true_literal(node) for node in body)


def _is_true_literal(node: ast.stmt) -> bool:
    if isinstance(node, ast.Pass) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ):
        return True
    if not isinstance(node, ast.Assert):
        return False
    known, value = constant(node.test)
    return known and bool(value)


def _duplicate_ids(situation: Situation) -> Iterator[Effect]:
    if situation.pytest < (9, 0, 0):
        return
    switch = _switch(situation, "strict_parametrization_ids")
    if switch is None:
        return
    nodes = situation.suite.nodes
    if any(node.parameters.repeats for node in nodes):
        reason = "two parameter sets share one id, which strict ids refuse"
        yield _strict_effect(switch, reason, fails=True, status=situation.collection_error)
        return
    doubtful = any(node.parameters.repeats is None for node in nodes)
    doubtful = doubtful or bool(situation.suite.doubts)
    reason = "parameter sets that share an id are refused"
    yield _strict_effect(switch, reason, fails=None if doubtful else False)


def _empty_sets(situation: Situation) -> Iterator[Effect]:
    key = "empty_parameter_set_mark"
    found = situation.settings.find(key)
    if found is None or found.value != "fail_at_collect":
        return
    switch = (key, "fail_at_collect", situation.key_origin(key))
    empty = any(node.parameters.is_empty for node in situation.suite.nodes)
    doubtful = any(node.parameters.repeats is None for node in situation.suite.nodes)
    fails = True if empty else None if doubtful or situation.suite.doubts else False
    reason = "a parametrize mark without values stops the collection"
    yield _strict_effect(switch, reason, fails=fails, status=situation.collection_error)


def _doctests(situation: Situation) -> Iterator[Effect]:
    given = situation.last("doctestmodules")
    if given is None:
        return
    switch = (given.name, "", given.word.origin)
    trees = [module.tree for module in situation.suite.modules.values()]
    found = any(">>>" in text for tree in trees for text in _docstrings(tree))
    broad = any(situation.files.is_dir(_absolute(situation, p)) for p in situation.startup.paths)
    flags = situation.settings.find("doctest_optionflags") is not None
    doubtful = found or broad or flags or bool(situation.suite.doubts)
    reason = "doctests of every module run as tests too"
    yield _strict_effect(switch, reason, fails=None if doubtful else False)


def _absolute(situation: Situation, path: str) -> str:
    from benchhygiene_plugins.ini_chain.configuration.search import lexical

    return lexical(situation.cwd, path.split("::", 1)[0])


def _docstrings(tree: ast.Module) -> Iterator[str]:
    for node in walked(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
