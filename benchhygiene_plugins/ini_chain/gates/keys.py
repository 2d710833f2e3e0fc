"""Keys whose value pytest cannot convert: the run ends once something reads them.

Rules: ``_getini`` of each version, and what running it showed about when each key is read.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchhygiene_plugins.ini_chain.configuration.files import ConfigValue
from benchhygiene_plugins.ini_chain.configuration.search import lexical
from benchhygiene_plugins.ini_chain.configuration.shapes import items
from benchhygiene_plugins.ini_chain.configuration.values import Settings, ValueRefused
from benchhygiene_plugins.ini_chain.gates.collection_keys import COLLECTION_KEYS, is_asked
from benchhygiene_plugins.ini_chain.resolution import Effect, EffectKind
from benchhygiene_plugins.ini_chain.situation import Situation
from benchhygiene_plugins.ini_chain.tables import IniKey

#: Read in every run, before or while tests are collected.
_EAGER_TEXT = """
    testpaths usefixtures filterwarnings
    markers console_output_style cache_dir log_level log_cli log_cli_level log_file log_file_level
    log_format log_date_format log_auto_indent consider_namespace_packages tmp_path_retention_policy
    tmp_path_retention_count faulthandler_timeout pythonpath enable_assertion_pass_hook
    empty_parameter_set_mark verbosity_test_cases
"""
_EAGER = frozenset(_EAGER_TEXT.split())
_LEVELS = ("log_level", "log_cli_level", "log_file_level")
_LEVEL_NAMES = frozenset(
    {"CRITICAL", "FATAL", "ERROR", "WARN", "WARNING", "INFO", "DEBUG", "NOTSET"}
)
#: Converted by their own plugins, so a bad value is an internal error in every version.
_INTERNAL = frozenset({"faulthandler_timeout", "tmp_path_retention_count", "log_file"})
#: Read before plugins load: a bad value is a traceback.
_AT_START = frozenset({"pythonpath", "testpaths", "consider_namespace_packages"})
_EMPTY_SETS = ("", "skip", "xfail", "fail_at_collect")
_FAMILIES = ("legacy", "xunit1", "xunit2")
_RETENTION = ("all", "failed", "none")


def effects(situation: Situation) -> Iterator[Effect]:
    """Yield each key or logging option with a value that ends the run."""
    yield from _logging_options(situation)
    for name in sorted({*situation.settings.keys(), *situation.settings.overrides}):
        key = situation.known_keys.get(name)
        found = situation.settings.find(name)
        if key is None or found is None:
            continue
        reason = _problem(situation.settings, key, name, found)
        text = str(found.value).strip()
        if name == "log_file" and text and situation.files.is_dir(lexical(situation.cwd, text)):
            reason = f"log_file {text!r} is a directory"
        if name == "junit_family" and not situation.given("xmlpath"):
            reason = None  # read only where a report is asked for
        if reason is not None:
            yield _effect(situation, key, name, found, reason)


def _logging_options(situation: Situation) -> Iterator[Effect]:
    for dest in (*_LEVELS, "log_file"):
        given = situation.last(dest)
        value = "" if given is None else (given.value or "").strip()
        if given is None or not value:
            continue
        is_file = dest == "log_file"
        if is_file:
            bad = situation.files.is_dir(lexical(situation.cwd, value))
            reason = f"{given.name} {value!r} is a directory"
        else:
            bad = not value.isdigit() and value.upper() not in _LEVEL_NAMES
            reason = f"{given.name}: {value!r} is no logging level"
        if bad:
            kind, origin = EffectKind.ABORTS, given.word.origin
            status = 3 if is_file else 4
            yield Effect("ini.abort", kind, given.name, value, origin, reason, True, status)


def _effect(
    situation: Situation, key: IniKey, name: str, found: ConfigValue, reason: str
) -> Effect:
    eager = key.name in _EAGER
    typed = situation.pytest >= (9, 2, 0) and key.name not in _INTERNAL
    usage = (*_LEVELS, "empty_parameter_set_mark")
    status = 4 if typed or key.name in usage else 3
    if not typed and key.name in _AT_START:
        status = 1
    late = name == "junit_family"  # the report is written when the tests have run
    if key.name == "enable_assertion_pass_hook":
        eager, late, status = False, True, 2
    fails = True if eager or late else None
    if key.name in COLLECTION_KEYS:
        fails, status = is_asked(situation, key.name)
        eager = fails is True
    if key.name in ("xfail_strict", "strict_xfail"):
        marked = any(node.has_mark("xfail") for node in situation.suite.nodes)
        fails, status = True if marked else None if situation.suite.unseen else False, 1
    kind = EffectKind.ABORTS if eager else EffectKind.FAILS
    origin = situation.key_origin(name)
    return Effect("ini.malformed", kind, name, str(found.value), origin, reason, fails, status)


def _problem(settings: Settings, key: IniKey, name: str, found: ConfigValue) -> str | None:
    """Return what is wrong with a value, None where pytest takes it."""
    try:
        if key.type in ("args", "paths", "pathlist"):
            settings.shell_words(name)
        elif key.type == "linelist":
            settings.lines(name)
        elif key.type == "bool":
            settings.flag(name)
        elif key.type == "string":
            settings.text(name)
    except ValueRefused as refused:
        return refused.reason
    return (
        _number_problem(key, name, found)
        or _union_problem(key, name, found)
        or _choice_problem(settings, key, name, found)
    )


def _number_problem(key: IniKey, name: str, found: ConfigValue) -> str | None:
    if key.type not in ("int", "float"):
        return None
    if found.native:
        right = isinstance(found.value, int | float) and not isinstance(found.value, bool)
        return None if right else f"{name} expects a number, got {found.value!r}"
    try:
        float(str(found.value)) if key.type == "float" else int(str(found.value))
    except ValueError:
        return f"{name} expects a number, got {found.value!r}"
    return None


def _union_problem(key: IniKey, name: str, found: ConfigValue) -> str | None:
    """Say why a native value is of none of the types a key takes (pytest 9.2)."""
    kinds = key.type.split("|")
    if not found.native or len(kinds) < 2 or any(_fits(found.value, k, key) for k in kinds):
        return None
    return f"{name} expects one of {' | '.join(kinds)}, got {found.value!r}"


def _fits(value: object, kind: str, key: IniKey) -> bool:
    if kind == "literal":
        return key.choices is not None and value in key.choices
    types = {"string": (str,), "bool": (bool,), "int": (int,), "float": (int, float)}[kind]
    return isinstance(value, types) and (kind == "bool" or not isinstance(value, bool))


def _choice_problem(settings: Settings, key: IniKey, name: str, found: ConfigValue) -> str | None:
    text = str(found.value).strip()
    if key.type == "literal" and key.choices is not None and found.value not in key.choices:
        return f"{name} expects one of {', '.join(key.choices)}, got {found.value!r}"
    if name == "empty_parameter_set_mark" and text not in _EMPTY_SETS:
        return f"{name} expects one of {', '.join(_EMPTY_SETS[1:])}, got {text!r}"
    if name == "junit_family" and text not in _FAMILIES:
        return f"{name} expects one of {', '.join(_FAMILIES)}, got {text!r}"
    if name in _LEVELS and text and not text.isdigit() and text.upper() not in _LEVEL_NAMES:
        return f"{name}: {text!r} is no logging level"
    if name == "tmp_path_retention_policy" and text not in _RETENTION:
        return f"{name} expects one of {', '.join(_RETENTION)}, got {text!r}"
    if name == "tmp_path_retention_count" and items(found.value) is None and not text.isdigit():
        return f"{name} expects a whole number, got {text!r}"
    if name == "faulthandler_timeout" and not _is_number(text):
        return f"{name} expects a number of seconds, got {text!r}"
    del settings
    return None


def _is_number(text: str) -> bool:
    try:
        float(text or "0")
    except ValueError:
        return False
    return True
