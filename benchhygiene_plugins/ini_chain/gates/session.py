"""Gates that decide how a run begins, stops and reports.

Rules: ``_pytest/main.py``, ``_pytest/helpconfig.py``, ``_pytest/terminal.py``, and the facts that
running the real pytest gave for each option.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from benchhygiene_plugins.ini_chain.command.expressions import ExpressionError, ExpressionUnknown
from benchhygiene_plugins.ini_chain.command.scanning import Given
from benchhygiene_plugins.ini_chain.command.words import Origin, OriginKind
from benchhygiene_plugins.ini_chain.configuration.search import lexical
from benchhygiene_plugins.ini_chain.gates.selection import remaining
from benchhygiene_plugins.ini_chain.resolution import Effect, EffectKind
from benchhygiene_plugins.ini_chain.situation import Situation
from benchhygiene_plugins.ini_chain.starting.conftests import ConftestFacts

_NOTHING: Mapping[str, str] = {
    "collectonly": "only lists the tests",
    "setupplan": "only shows which fixtures would run",
    "setuponly": "sets fixtures up and runs no test",
    "showfixtures": "only lists fixtures",
    "show_fixtures_per_test": "only lists fixtures",
    "markers": "only lists markers",
    "cacheshow": "only shows the cache",
    "version": "only prints a version",
    "benchmark_only": "skips every test that is no benchmark",
}
_MASKS: Mapping[str, str] = {
    "reruns": "runs a failing test again until it passes",
    "retries": "runs a failing test again until it passes",
    "force_flaky": "runs every failing test again",
    "suppress_no_test_exit_code": "turns an empty run into a success",
    "suppress_tests_failed_exit_code": "turns failed tests into a success",
}
_REPORTS: Mapping[str, str] = {
    "no_summary": "drops the summary lines that log parsers read",
    "count": "runs every test several times",
}
_REORDERS: Mapping[str, str] = {
    "failedfirst": "runs earlier failures first",
    "newfirst": "runs new files first",
    "randomly_seed": "shuffles the tests",
}


def effects(situation: Situation) -> Iterator[Effect]:
    """Yield what stops, empties, masks or rewrites the run."""
    yield from _nothing_runs(situation)
    yield from _stops_early(situation)
    yield from _debugger(situation)
    yield from _masks(situation)
    yield from _cached_failures(situation)
    yield from _reports(situation)
    yield from _swallowed(situation)
    yield from _conftests(situation)
    yield from _plugins_off(situation)


def runs_nothing(situation: Situation) -> bool:
    """Return whether no test body will be executed."""
    return any(True for _ in _nothing_runs(situation))


def exits_at_once(situation: Situation) -> Effect | None:
    """Return the effect of an option that answers a question before anything is collected."""
    for effect in _nothing_runs(situation):
        if effect.option in ("--version", "-V", "--markers", "--cache-show"):
            return effect
    return None


def _nothing_runs(situation: Situation) -> Iterator[Effect]:
    for dest, what in _NOTHING.items():
        given = situation.last(dest)
        if given is None or (dest == "version" and _is_ignored_version(situation)):
            continue
        yield _effect(given, "ini.nothing_runs", EffectKind.RUNS_NOTHING, f"{given.name} {what}")


def _is_ignored_version(situation: Situation) -> bool:
    """Since 9.0 a lone ``--version`` counts only on the command line itself."""
    return situation.pytest >= (9, 0, 0) and len(situation.given("version")) < 2


def _stops_early(situation: Situation) -> Iterator[Effect]:
    given = situation.last("maxfail")
    if given is not None:
        limit = "1" if given.value is None else given.value
        if limit.strip().lstrip("+") != "0":
            when = "the first failure" if limit == "1" else f"{limit} failures"
            reason = f"the run stops after {when}, so later tests get no result"
            kind = EffectKind.STOPS_EARLY
            if _is_single(situation):
                kind, reason = EffectKind.REORDERS, f"{reason}; there is only one test here"
            yield _effect(given, "ini.stops_early", kind, reason)
    for dest, what in (
        ("stepwise", "stops at the first failure and skips ahead next time"),
        ("stepwise_skip", "stops at the second failure"),
    ):
        found = situation.last(dest)
        if found is not None:
            reason = f"{found.name} {what}"
            yield _effect(found, "ini.stops_early", EffectKind.STOPS_EARLY, reason)


def _is_single(situation: Situation) -> bool:
    """Return whether at most one test runs, so that none can come later."""
    try:
        certain, maybe = remaining(situation)
    except (ExpressionError, ExpressionUnknown):
        return False
    counted = all(node.ids is not None for node in situation.suite.nodes)
    return certain <= 1 and counted and not maybe and not situation.suite.doubts


def _debugger(situation: Situation) -> Iterator[Effect]:
    given = situation.last("usepdb") or situation.last("trace")
    if given is None:
        return
    workers = situation.last("numprocesses")
    clash = workers is not None and (workers.value or "0") != "0"
    if clash and situation.is_loaded("pytest-xdist"):
        reason = f"{given.name} cannot be used with workers ({workers.name if workers else '-n'})"
        yield _effect(given, "ini.abort", EffectKind.ABORTS, reason, fails=True, status=4)
        return
    reason = f"{given.name} waits in a debugger at a failure"
    fails: bool | None = False if given.option.dest == "usepdb" else None
    yield _effect(given, "ini.stops_early", EffectKind.STOPS_EARLY, reason, fails=fails)


def _cached_failures(situation: Situation) -> Iterator[Effect]:
    """``--lf`` runs what failed before; without a cache that is everything or nothing."""
    given = situation.last("lf")
    if given is None:
        return
    path = posixpath.join(situation.startup.found.rootdir, ".pytest_cache/v/cache/lastfailed")
    reason = f"{given.name} runs only the tests that failed before, where a cache exists"
    empty = situation.last("last_failed_no_failures")
    if situation.files.exists(path):
        yield _effect(given, "ini.hides_tests", EffectKind.HIDES, reason, fails=None)
    elif empty is not None and empty.value == "none":
        reason = "no test failed before, and --lfnf=none runs nothing then"
        yield _effect(given, "ini.hides_tests", EffectKind.HIDES, reason, fails=True, status=5)
    else:
        yield _effect(given, "ini.rewrites_report", EffectKind.REORDERS, reason)


def _masks(situation: Situation) -> Iterator[Effect]:
    for dest, what in _MASKS.items():
        given = situation.last(dest)
        if given is not None and given.value != "0":
            yield _effect(given, "ini.masks_failure", EffectKind.MASKS, f"{given.name} {what}")
    for key, distribution in (("reruns", "pytest-rerunfailures"), ("retries", "pytest-retry")):
        found = situation.settings.find(key)
        if found is not None and situation.is_loaded(distribution):
            reason = f"{key} runs a failing test again until it passes"
            yield Effect(
                "ini.masks_failure",
                EffectKind.MASKS,
                key,
                str(found.value),
                situation.key_origin(key),
                reason,
            )


def _reports(situation: Situation) -> Iterator[Effect]:
    for dest, what in _REPORTS.items():
        given = situation.last(dest)
        if given is not None:
            reason = f"{given.name} {what}"
            yield _effect(given, "ini.rewrites_report", EffectKind.REWRITES, reason)
    for dest, what in _REORDERS.items():
        given = situation.last(dest)
        if given is not None:
            reason = f"{given.name} {what}"
            yield _effect(given, "ini.rewrites_report", EffectKind.REORDERS, reason)
    colour = situation.last("color")
    if colour is not None and colour.value == "yes":
        reason = "--color=yes puts escape sequences into the log, which hides lines from parsers"
        yield _effect(colour, "ini.rewrites_report", EffectKind.REWRITES, reason)
    yield from _quiet(situation)


def _quiet(situation: Situation) -> Iterator[Effect]:
    level = 0
    last: Given | None = None
    for given in situation.given("verbose"):
        if given.option.action == "count" or given.name in ("-v", "--verbose"):
            level += 1
        elif given.name in ("-q", "--quiet"):
            level -= 1
        elif given.value is not None:
            level = int(given.value)
        last = given if given.name in ("-q", "--quiet", "--verbosity") else last
    if level <= -2 and last is not None:
        reason = "twice quiet: the line that counts passed tests is left out"
        yield _effect(last, "ini.rewrites_report", EffectKind.REWRITES, reason)


def _swallowed(situation: Situation) -> Iterator[Effect]:
    """Find an inherited option whose optional value is a path of the command line."""
    for given in situation.scan.given:
        value = given.value_word
        if given.option.nargs != "?" or value is None:
            continue
        own = given.word.origin.kind is OriginKind.ARGUMENT
        if (own and given.option.dest != "debug") or (
            not own and value.origin == given.word.origin
        ):
            continue
        if value.origin.kind is OriginKind.ARGUMENT:
            yield _swallowed_word(situation, given, value.text)


def _swallowed_word(situation: Situation, given: Given, word: str) -> Effect:
    reason = (
        f"{given.name} takes the command line's {word!r} as its own value: "
        "that path is not tested, and other tests may run instead"
    )
    path = lexical(situation.cwd, word)
    kind = EffectKind.SWALLOWS
    if given.option.dest == "debug" and path in situation.suite.modules:
        reason = f"{given.name} overwrites {word!r} with its log, and then collects it"
        return _effect(given, "ini.swallows_path", kind, reason, fails=True, status=2)
    if given.option.dest == "debug" and situation.files.is_dir(path):
        reason = f"{given.name} takes the directory {word!r} for its log file"
        return _effect(given, "ini.swallows_path", kind, reason, fails=True, status=1)
    return _effect(given, "ini.swallows_path", kind, reason)


def _conftests(situation: Situation) -> Iterator[Effect]:
    for facts in situation.conftests:
        origin = Origin(OriginKind.FILE, facts.path)
        if facts.exit_status is not None:
            reason = f"the conftest forces exit status {facts.exit_status}"
            forced = facts.exit_status != 0
            kind = EffectKind.FAILS if forced else EffectKind.MASKS
            yield Effect(
                "ini.conftest", kind, "conftest.py", "", origin, reason, forced, facts.exit_status
            )
        elif (doubt := _doubt(situation, facts)) is not None:
            reason = f"the conftest's effect is not known: {doubt}"
            yield Effect("ini.conftest", EffectKind.FAILS, "conftest.py", "", origin, reason, None)


def _doubt(situation: Situation, facts: ConftestFacts) -> str | None:
    """Return what is in doubt about a conftest; the suite's own gets the benefit of it."""
    own = facts.path.startswith(situation.cwd.rstrip("/") + "/")
    return facts.doubt if own else facts.doubt or facts.host_doubt


_NEEDED: Mapping[str, str] = {
    "python": "pytest collects no Python tests without it",
    "terminal": "nothing is reported without it",
    "skipping": "skip and xfail marks lose their meaning without it",
    "unittest": "unittest classes are not collected without it",
}


def _plugins_off(situation: Situation) -> Iterator[Effect]:
    for given in situation.given("plugins"):
        name = (given.value or "").strip().removeprefix("no:")
        if not (given.value or "").strip().startswith("no:") or name not in _NEEDED:
            continue
        reason = f"-p no:{name}: {_NEEDED[name]}"
        if name == "python":
            yield _effect(given, "ini.abort", EffectKind.ABORTS, reason, fails=True, status=4)
        elif name == "terminal":
            yield _effect(given, "ini.rewrites_report", EffectKind.REWRITES, reason)
        else:
            yield _effect(given, "ini.abort", EffectKind.FAILS, reason, fails=None)


def _effect(
    given: Given,
    rule: str,
    kind: EffectKind,
    reason: str,
    *,
    fails: bool | None = False,
    status: int | None = None,
) -> Effect:
    return Effect(
        rule, kind, given.name, given.value or "", given.word.origin, reason, fails, status
    )
