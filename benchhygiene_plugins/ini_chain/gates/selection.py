"""Gates that take tests away: ``-k``, ``-m``, ``--deselect``, ``--ignore``, naming keys.

Rules: ``_pytest/mark/__init__.py``, ``pytest_collection_modifyitems`` and ``pytest_ignore_collect``
in ``_pytest/main.py``.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence

from benchhygiene_plugins.ini_chain.command.expressions import (
    ExpressionError,
    ExpressionUnknown,
    evaluate,
)
from benchhygiene_plugins.ini_chain.command.scanning import Given
from benchhygiene_plugins.ini_chain.command.words import ARGUMENT, Origin, OriginKind
from benchhygiene_plugins.ini_chain.resolution import Effect, EffectKind
from benchhygiene_plugins.ini_chain.situation import Situation
from benchhygiene_plugins.ini_chain.suite.nodes import Node

NO_TESTS = 5
USAGE_ERROR = 4
_NAMING_KEYS = ("python_files", "python_functions", "python_classes", "norecursedirs")

#: Whether a node stays under one parameter id ("" without parameters, None where the id is not
#: known); None where nobody can tell.
Keeps = Callable[[Node, str | None], bool | None]


def effects(situation: Situation) -> Iterator[Effect]:
    """Yield what each selecting option does, and what is left in the end."""
    yield from _missing(situation)
    yield from _other_paths(situation)
    yield from _expressions(situation)
    yield from _deselected(situation)
    yield from _not_collected(situation)
    yield from _left(situation)


def _missing(situation: Situation) -> Iterator[Effect]:
    for argument in situation.suite.missing:
        word = next((w for w in situation.scan.paths if w.text == argument.text), None)
        exists = situation.files.exists(argument.path)
        what = "holds no such test" if exists else "does not exist"
        yield Effect(
            "ini.abort",
            EffectKind.ABORTS,
            argument.text,
            "",
            ARGUMENT if word is None else word.origin,
            f"the path {argument.text!r} {what}, so pytest refuses to run",
            fails=True,
            exit_status=USAGE_ERROR,
        )


def _other_paths(situation: Situation) -> Iterator[Effect]:
    """Find inherited paths, which run instead of, or besides, what the command would collect."""
    inherited = [w for w in situation.scan.paths if w.origin.kind is not OriginKind.ARGUMENT]
    alone = len(inherited) == len(situation.scan.paths)
    for word in inherited:
        kind = EffectKind.HIDES if alone else EffectKind.REORDERS
        what = "only this path is collected" if alone else "this path is collected as well"
        reason = f"an inherited path: {what}"
        yield Effect("ini.hides_tests", kind, word.text, "", word.origin, reason)


def expression_of(situation: Situation, dest: str) -> tuple[Given, str] | None:
    """Return the ``-k`` or ``-m`` in force and its text, None where there is none.

    Only ``-k`` is stripped on the left; a blank ``-m`` deselects everything.
    """
    given = situation.last(dest)
    text = "" if given is None else given.value or ""
    text = text.lstrip() if dest == "keyword" else text
    return None if given is None or not text else (given, text)


def _expressions(situation: Situation) -> Iterator[Effect]:
    for dest, option in (("keyword", "-k"), ("markexpr", "-m")):
        asked = expression_of(situation, dest)
        if asked is None:
            continue
        given, text = asked
        try:
            evaluate(text, lambda _: True)
        except ExpressionError as error:
            reason = f"{option} {text!r} is no valid expression: {error}"
            yield _hides(given, reason, EffectKind.ABORTS, fails=True, status=USAGE_ERROR)
            continue
        except ExpressionUnknown:
            yield _hides(given, f"what {option} {text!r} keeps is not known", fails=None)
            continue
        yield from _unregistered(situation, given, text)
        yield from _by(situation, given, keeps_for(situation, dest, text))


def _unregistered(situation: Situation, given: Given, text: str) -> Iterator[Effect]:
    """Since 9.2, strict markers also refuse unregistered names in ``-m``."""
    if given.option.dest != "markexpr" or situation.pytest < (9, 2, 0) or not is_strict(situation):
        return
    names: list[str] = []

    def note(name: str) -> bool:
        names.append(name)
        return True

    evaluate(text, note)
    unknown = sorted(set(names) - situation.markers)
    if unknown:
        reason = f"-m names {', '.join(unknown)}, which no configuration registers"
        yield _hides(given, reason, EffectKind.ABORTS, fails=True, status=USAGE_ERROR)


def is_strict(situation: Situation) -> bool:
    """Return whether unregistered markers are errors."""
    if situation.pytest >= (9, 0, 0):
        found = situation.settings.find("strict_markers")
        return situation.flag("strict_markers" if found is not None else "strict")
    return bool(situation.given("strict_markers", "strict"))


def keeps_for(situation: Situation, dest: str, text: str) -> Keeps:
    """Return the function that says whether an expression keeps a node."""

    def keyword(node: Node, identifier: str | None) -> bool | None:
        names = [name.lower() for name in _keywords(situation, node, identifier or "")]
        unmatched: list[str] = []

        def matches(word: str) -> bool:
            found = any(word.lower() in name for name in names)
            unmatched.extend([] if found else [word])
            return found

        value = evaluate(text, matches)
        return None if identifier is None and unmatched else value

    def marker(node: Node, _: str | None) -> bool:
        return evaluate(text, node.has_mark)

    return keyword if dest == "keyword" else marker


def instances(node: Node) -> tuple[str | None, ...]:
    """Return the parameter ids under which a node runs: "" without any, None for unknown ones."""
    return (None,) if node.ids is None else node.ids or ("",)


def stays(situation: Situation, node: Node) -> bool | None:
    """Return whether any run of a node is left once everything was deselected."""
    tests = list(_tests(situation))
    answers = [_all(tests, node, identifier) for identifier in instances(node)]
    return True if True in answers else None if None in answers else False


def _all(tests: Sequence[Keeps], node: Node, identifier: str | None) -> bool | None:
    answers = [keeps(node, identifier) for keeps in tests]
    return False if False in answers else None if None in answers else True


def _keywords(situation: Situation, node: Node, identifier: str) -> list[str]:
    """Return the names that ``-k`` looks into."""
    relative = posixpath.relpath(node.path, situation.startup.found.rootdir)
    ids = [f"{node.name}[{identifier}]"] if identifier else []
    marks = [mark.name for mark in node.marks]
    path = relative.split("/") if situation.pytest >= (8, 0, 0) else [relative]
    return [*path[-1:], *path[1:], *node.names, *ids, *marks]


def _deselected(situation: Situation) -> Iterator[Effect]:
    for given in situation.given("deselect"):
        prefix = given.value or ""
        yield from _by(situation, given, _undeselected(situation, prefix))


def _undeselected(situation: Situation, prefix: str) -> Keeps:
    def keeps(node: Node, identifier: str | None) -> bool | None:
        name = situation.node_id(node)
        if identifier is None and prefix.startswith(f"{name}["):
            return None
        return not (f"{name}[{identifier}]" if identifier else name).startswith(prefix)

    return keeps


def _by(situation: Situation, given: Given, keeps: Keeps) -> Iterator[Effect]:
    """Say how many tests one option takes away."""
    nodes = situation.suite.nodes
    answers = [keeps(node, identifier) for node in nodes for identifier in instances(node)]
    gone = answers.count(False)
    total = len(answers)
    if gone or None in answers or situation.suite.doubts:
        number = f"{gone} of the {total} tests found" if total else "some tests"
        yield _hides(given, f"{given.name} {given.value!r} takes {number} out of the run")


def _not_collected(situation: Situation) -> Iterator[Effect]:
    for given in situation.given("ignore", "ignore_glob"):
        yield _hides(given, f"{given.name} {given.value!r} keeps files from being collected")
    yield from _named_otherwise(situation)
    for facts in situation.conftests:
        if facts.empties or facts.ignored or facts.ignored_globs:
            yield conftest_effect(
                facts.path, "the conftest takes tests out of the run", EffectKind.HIDES
            )


def _named_otherwise(situation: Situation) -> Iterator[Effect]:
    """Find naming keys that leave out tests which pytest's defaults would collect."""
    for key in _NAMING_KEYS:
        found = situation.settings.find(key)
        if found is None:
            continue
        usual = situation.without_key(key)
        gone = len(set(usual.nodes) - set(situation.suite.nodes))
        kind = EffectKind.HIDES if gone else EffectKind.REORDERS
        reason = f"{key} decides what counts as a test"
        if gone:
            reason = f"{key} leaves out {gone} test(s) that pytest collects by default"
        origin = situation.key_origin(key)
        yield Effect("ini.hides_tests", kind, key, str(found.value), origin, reason)


def conftest_effect(
    path: str,
    reason: str,
    kind: EffectKind,
    *,
    fails: bool | None = False,
    status: int | None = None,
) -> Effect:
    """Return an effect that a conftest is to blame for."""
    origin = Origin(OriginKind.FILE, path)
    return Effect("ini.conftest", kind, "conftest.py", "", origin, reason, fails, status)


def remaining(situation: Situation) -> tuple[int, bool]:
    """Return how many tests certainly stay, and whether more may."""
    tests = list(_tests(situation))
    answers = [
        _all(tests, node, identifier)
        for node in situation.suite.nodes
        for identifier in instances(node)
    ]
    return answers.count(True), None in answers


def _tests(situation: Situation) -> Iterator[Keeps]:
    """Yield what every run of a test must pass to be left."""
    for given in situation.given("deselect"):
        yield _undeselected(situation, given.value or "")
    for dest in ("keyword", "markexpr"):
        asked = expression_of(situation, dest)
        if asked is not None:
            yield keeps_for(situation, dest, asked[1])


def _left(situation: Situation) -> Iterator[Effect]:
    """Say that nothing is left to run, which pytest reports as a failure."""
    suite = situation.suite
    if suite.missing or suite.broken or situation.imports.missing:
        return
    if any(facts.empties for facts in situation.conftests):
        certain, maybe = 0, False
    else:
        try:
            certain, maybe = remaining(situation)
        except (ExpressionError, ExpressionUnknown):
            return
    if certain:
        return
    doubtful = maybe or bool(suite.doubts) or bool(situation.given("doctestmodules"))
    yield _nothing(situation, fails=None if doubtful else True)


def _nothing(situation: Situation, *, fails: bool | None) -> Effect:
    blamed = [
        given
        for dest in ("keyword", "markexpr", "deselect", "ignore", "ignore_glob")
        for given in situation.given(dest)
    ]
    reason = "no test is left to run, which pytest ends with status 5"
    kind = EffectKind.HIDES
    if blamed:
        return _hides(blamed[0], reason, fails=fails, status=NO_TESTS)
    emptying = next(
        (one for one in situation.conftests if one.empties or one.ignored or one.ignored_globs),
        None,
    )
    if emptying is not None:
        return conftest_effect(emptying.path, reason, kind, fails=fails, status=NO_TESTS)
    keys = [key for key in _NAMING_KEYS if situation.settings.find(key) is not None]
    origin = situation.key_origin(keys[0]) if keys else ARGUMENT
    key = keys[0] if keys else ""
    return Effect("ini.hides_tests", kind, key, "", origin, reason, fails, NO_TESTS)


def _hides(
    given: Given,
    reason: str,
    kind: EffectKind = EffectKind.HIDES,
    *,
    fails: bool | None = False,
    status: int | None = None,
) -> Effect:
    rule = "ini.abort" if kind is EffectKind.ABORTS else "ini.hides_tests"
    return Effect(
        rule, kind, given.name, given.value or "", given.word.origin, reason, fails, status
    )
