"""Gates that turn warnings into failures: ``-W``, ``filterwarnings``, ``max_warnings``.

Rules: ``parse_warning_filter`` in ``_pytest/config/__init__.py``, ``_pytest/warnings.py`` and the
standard library's ``warnings`` module.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene_plugins.ini_chain.command.words import Origin, OriginKind
from benchhygiene_plugins.ini_chain.configuration.values import ValueRefused
from benchhygiene_plugins.ini_chain.gates.strictness import unknown_keys, unregistered_marks
from benchhygiene_plugins.ini_chain.resolution import Effect, EffectKind
from benchhygiene_plugins.ini_chain.situation import Situation
from benchhygiene_plugins.ini_chain.suite.source import import_aliases, resolved

_ACTIONS = ("default", "always", "ignore", "module", "once", "error")
_UNKNOWN_MARK = "pytest.PytestUnknownMarkWarning"
_CONFIG = "pytest.PytestConfigWarning"
#: Standard modules whose use in a test raises no warning on a supported Python.
_QUIET_TEXT = """
    __future__ abc bisect collections contextlib copy dataclasses decimal enum fractions
    functools hashlib heapq io itertools json math operator os pathlib pytest random re
    statistics string sys textwrap time typing unittest uuid warnings
"""
_QUIET = frozenset(_QUIET_TEXT.split())


@attrs.frozen(eq=False, repr=False)
class Filter:
    """One warning filter in force; ``narrow`` says that it looks at message, module or line."""

    action: str
    category: str
    narrow: bool
    text: str
    option: str
    origin: Origin


@attrs.frozen(eq=False, repr=False)
class Refused:
    """A filter that ends the run."""

    reason: str
    text: str
    option: str
    origin: Origin


def filters(situation: Situation) -> tuple[Filter | Refused, ...]:
    """Return the filters in the order pytest applies them; the last that matches wins."""
    found: list[Filter | Refused] = []
    variable = situation.startup.invocation.variable("PYTHONWARNINGS") or ""
    for text in filter(None, variable.split(",")):
        found.append(_filter(text, "PYTHONWARNINGS", Origin(OriginKind.VARIABLE, "PYTHONWARNINGS")))
    try:
        lines = situation.settings.lines("filterwarnings")
    except ValueRefused:
        lines = ()
    for text in lines:
        found.append(_filter(text, "filterwarnings", situation.key_origin("filterwarnings")))
    for given in situation.given("pythonwarnings"):
        found.append(_filter(given.value or "", given.name, given.word.origin))
    return tuple(found)


def _filter(text: str, option: str, origin: Origin) -> Filter | Refused:
    parts = [part.strip() for part in text.split(":")]
    action = next((name for name in _ACTIONS if name.startswith(parts[0])), None)
    action = {"": "default", "all": "always"}.get(parts[0], action)
    if action is None or len(parts) > 5:
        return Refused(f"{text!r} is no warning filter", text, option, origin)
    category = parts[2] if len(parts) > 2 and parts[2] else "Warning"
    if "." not in category and not _is_builtin_warning(category):
        return Refused(f"{category!r} is no built-in warning", text, option, origin)
    narrow = any(part for index, part in enumerate(parts) if index in (1, 3, 4))
    return Filter(action, category, narrow, text, option, origin)


def _is_builtin_warning(name: str) -> bool:
    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, Warning)


def covers(category: str, warning: str) -> bool | None:
    """Return whether a filter for a category sees a warning, None where that is not known."""
    if category in (warning, "Warning"):
        return True
    if "." not in category:
        base = "UserWarning" if warning.startswith("pytest.") else warning
        known = getattr(builtins, base, None)
        wanted = getattr(builtins, category)
        return isinstance(known, type) and issubclass(known, wanted)
    if category in ("pytest.PytestWarning", "_pytest.warning_types.PytestWarning"):
        return warning.startswith("pytest.")
    return None if "." in warning and not warning.startswith("pytest.") else False


def verdict_on(warning: str, found: Sequence[Filter]) -> tuple[Filter | None, bool | None]:
    """Return the filter that decides about a warning, and whether it makes it an error.

    A filter that looks at the message or the module may or may not decide; where it and what stands
    below it disagree, the answer is None.
    """
    decisive: Filter | None = None
    answer: bool | None = False
    for candidate in found:
        seen = covers(candidate.category, warning)
        is_error = candidate.action == "error"
        if seen is False:
            continue
        if seen and not candidate.narrow:
            decisive, answer = candidate, is_error
        elif answer is not is_error:
            decisive, answer = candidate, None
    return decisive, answer


def effects(situation: Situation) -> Iterator[Effect]:
    """Yield what the filters do to these tests."""
    if "warnings" in situation.startup.plugins.blocked:
        return
    found = filters(situation)
    refused = [item for item in found if isinstance(item, Refused)]
    for item in refused:
        if item.option != "PYTHONWARNINGS":
            yield _effect(item, item.reason, fails=True, status=4, kind=EffectKind.ABORTS)
    usable = [item for item in found if isinstance(item, Filter)]
    yield from _foreign_categories(situation, usable)
    yield from _deprecated(situation, usable)
    if any(item.action == "error" for item in usable):
        yield from _raised(situation, usable)
    yield from _limit(situation)


def _foreign_categories(situation: Situation, found: Sequence[Filter]) -> Iterator[Effect]:
    """Find categories in modules that are not installed, which end older runs."""
    for item in found:
        module = item.category.rpartition(".")[0]
        if not module or situation.pytest >= (9, 0, 0):
            continue
        available = situation.startup.plugins.modules.has(module)
        if available is not True:
            fails = True if available is False else None
            reason = f"the warning category {item.category} cannot be imported"
            yield _effect(item, reason, fails=fails, status=4, kind=EffectKind.ABORTS)


def _deprecated(situation: Situation, found: Sequence[Filter]) -> Iterator[Effect]:
    """Find ``--strict`` before pytest 8, which warns while the command line is parsed."""
    if situation.pytest >= (8, 0, 0) or not situation.given("strict"):
        return
    modern = situation.pytest >= (7, 0, 0)
    warning = "pytest.PytestRemovedIn8Warning" if modern else "pytest.PytestDeprecationWarning"
    decisive, is_error = verdict_on(warning, found)
    if decisive is not None and is_error is not False:
        reason = "--strict is deprecated and warns, which is an error before anything is collected"
        yield _effect(decisive, reason, fails=is_error, status=1, kind=EffectKind.ABORTS)


def _raised(situation: Situation, found: Sequence[Filter]) -> Iterator[Effect]:
    answers: list[tuple[Filter, bool | None]] = []
    for warning, status, reason in _certain_warnings(situation):
        decisive, is_error = verdict_on(warning, found)
        if decisive is not None and is_error is not False:
            answers.append((decisive, is_error))
            yield _effect(decisive, reason, fails=is_error, status=status)
    if any(fails for _, fails in answers):
        return
    broad = next((item for item in reversed(found) if item.action == "error"), None)
    if broad is None:
        return
    doubt = may_warn(situation)
    fails = None if doubt and _is_live(found, broad) else False
    reason = f"warnings become errors{f'; {doubt}' if fails is None else ''}"
    yield _effect(broad, reason, fails=fails, status=1)


def _is_live(found: Sequence[Filter], item: Filter) -> bool:
    """Return whether an error filter still decides about anything."""
    return verdict_on(item.category, found)[1] is not False


def _certain_warnings(situation: Situation) -> Iterator[tuple[str, int, str]]:
    """Yield each warning that certainly arises: its category, the exit status, what it is."""
    marks = sorted(unregistered_marks(situation))
    if marks:
        status = situation.collection_error
        yield (
            _UNKNOWN_MARK,
            status,
            f"the unregistered mark {marks[0]} warns, and warnings are errors",
        )
    keys = unknown_keys(situation)
    if keys:
        reason = f"the unknown key {keys[0]} warns, and as an error that is an internal error"
        yield _CONFIG, 3, reason
    for category in sorted(_warned(situation)):
        yield category, 1, f"a test raises {category}, and warnings are errors"


def _warned(situation: Situation) -> Iterator[str]:
    """Yield the category of every ``warnings.warn`` that a test certainly reaches."""
    for node in situation.suite.nodes:
        module = situation.suite.modules[node.path]
        for statement in node.body:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                call = statement.value
                if resolved(call.func, module.aliases) == "warnings.warn":
                    yield _category(call)


def _category(call: ast.Call) -> str:
    given = call.args[1] if len(call.args) > 1 else None
    for keyword in call.keywords:
        given = keyword.value if keyword.arg == "category" else given
    if given is None:
        return "UserWarning"
    return given.id if isinstance(given, ast.Name) else "Warning"


def may_warn(situation: Situation) -> str | None:
    """Say what could raise a warning unseen, None where nothing can."""
    if situation.suite.unseen or situation.imports.doubts:
        return (*situation.suite.unseen, *situation.imports.doubts)[0]
    foreign = sorted(situation.imports.foreign)
    if foreign:
        return f"{foreign[0]} may warn"
    trees = [module.tree for module in situation.suite.modules.values()]
    for tree in (*trees, *situation.imports.local.values()):
        aliases = import_aliases(tree)
        loud = sorted({name.partition(".")[0] for name in aliases.values()} - _QUIET)
        local = {path.rpartition("/")[2].removesuffix(".py") for path in situation.imports.local}
        unknown = [name for name in loud if name not in local and name not in _packages(situation)]
        if unknown:
            return f"{unknown[0]} may warn"
    return None


def _packages(situation: Situation) -> frozenset[str]:
    return frozenset(
        part for path in situation.imports.local for part in path.split("/") if "." not in part
    )


def _limit(situation: Situation) -> Iterator[Effect]:
    if situation.pytest < (9, 1, 0):
        return
    given = situation.last("max_warnings")
    found = situation.settings.find("max_warnings")
    text = given.value if given is not None else str(found.value) if found is not None else ""
    origin = situation.key_origin("max_warnings") if given is None else given.word.origin
    if not (text or "").strip().isdigit():
        if found is not None and text and not text.strip().lstrip("-").isdigit():
            reason = f"max_warnings: {text!r} is no whole number"
            kind = EffectKind.FAILS  # it is read when the tests have run
            yield Effect("ini.malformed", kind, "max_warnings", text, origin, reason, True, 1)
        return
    certain = len(list(_warned(situation))) + len(unregistered_marks(situation))
    exceeded = certain > int(text or 0)
    fails = True if exceeded else None if may_warn(situation) else False
    reason = f"more than {text} warning(s) end the run with status 6"
    option = "max_warnings" if given is None else given.name
    kind = EffectKind.FAILS
    yield Effect("ini.warnings_as_errors", kind, option, text or "", origin, reason, fails, 6)


def _effect(
    item: Filter | Refused,
    reason: str,
    *,
    fails: bool | None,
    status: int | None,
    kind: EffectKind = EffectKind.FAILS,
) -> Effect:
    rule = "ini.abort" if kind is EffectKind.ABORTS else "ini.warnings_as_errors"
    return Effect(rule, kind, item.option, item.text, item.origin, reason, fails, status)
