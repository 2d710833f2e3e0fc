"""How strict a configuration is, and what of that a candidate's no longer is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import attrs

from benchhygiene_plugins.configuration.files.sections import Option
from benchhygiene_plugins.configuration.files.settings import Settings
from benchhygiene_plugins.configuration.files.words import Words
from benchhygiene_plugins.configuration.warnings_filters import (
    Filter,
    categories,
    errors,
    read_filter,
)


@attrs.frozen(eq=False)
class Rigour:
    """The settings and words of a run, and what hooks put in their place."""

    settings: Settings
    words: Words
    overrides: Mapping[str, str] = attrs.field(factory=dict[str, str])

    def option(self, *names: str) -> Option:
        """Return an option as it is in force."""
        for name in names:
            if name in self.overrides:
                text = self.overrides[name]
                return Option(tuple(text.split()), tuple(text.splitlines()), text)
        return self.settings.option(*names)

    def is_on(self, *names: str) -> bool:
        """Return whether one of these boolean options is set."""
        return any(self.option(name).truth is True for name in names)

    def flag(self, *names: str) -> bool:
        """Return whether one of these flags is among the words."""
        return any(
            self.words.has(name) and self.overrides.get(name) not in ("False", "0")
            for name in names
        )

    def blocks(self, *names: str) -> bool:
        """Return whether one of these plugins is blocked."""
        blocked = {one.removeprefix("no:") for one in self.words.every("plugins")}
        more = self.overrides.get("plugins", "").split()
        return bool({*names} & (blocked | {one.removeprefix("no:") for one in more}))


@attrs.frozen
class Drop:
    """One way in which the candidate is less strict: the option, and its values."""

    option: str
    old: str
    new: str
    words: str


def _strict_markers(rigour: Rigour) -> bool:
    said = rigour.option("strict_markers").truth
    if said is not None:
        return said or rigour.flag("strict_markers", "strict")
    return rigour.flag("strict_markers", "strict") or rigour.is_on("strict")


def _strict_config(rigour: Rigour) -> bool:
    said = rigour.option("strict_config").truth
    if said is not None:
        return said or rigour.flag("strict_config")
    return rigour.flag("strict_config") or rigour.is_on("strict")


def _strict_xfail(rigour: Rigour) -> bool:
    said = rigour.option("xfail_strict", "strict_xfail").truth
    return rigour.is_on("strict") if said is None else said


def _strict_ids(rigour: Rigour) -> bool:
    said = rigour.option("strict_parametrization_ids").truth
    return rigour.is_on("strict") if said is None else said


def _empty_sets_fail(rigour: Rigour) -> bool:
    return rigour.option("empty_parameter_set_mark").text.strip() == "fail_at_collect"


def _has(name: str) -> Callable[[Rigour], bool]:
    return lambda rigour: rigour.is_on(name)


def _lacks(*names: str) -> Callable[[Rigour], bool]:
    return lambda rigour: not rigour.flag(*names)


def _keeps(*names: str) -> Callable[[Rigour], bool]:
    return lambda rigour: not rigour.blocks(*names)


def _has_timeout(rigour: Rigour) -> bool:
    said = rigour.words.last("timeout") or rigour.option("timeout").text
    return said.strip() not in ("", "0", "0.0") and not rigour.blocks("timeout", "pytest_timeout")


#: What a strict run is, by the option that says so, in words that follow "no longer".
_FACETS: Mapping[str, tuple[Callable[[Rigour], bool], str]] = {
    "strict_markers": (_strict_markers, "an unregistered mark no longer fails the run"),
    "strict_config": (_strict_config, "an unknown option no longer fails the run"),
    "xfail_strict": (_strict_xfail, "an expected failure that passes no longer fails"),
    "strict_parametrization_ids": (_strict_ids, "equal parameter ids no longer fail the run"),
    "empty_parameter_set_mark": (
        _empty_sets_fail,
        "a test whose parameter sets are all gone no longer fails the run",
    ),
    "faulthandler_exit_on_timeout": (
        _has("faulthandler_exit_on_timeout"),
        "a test that hangs no longer ends the run",
    ),
    "timeout": (_has_timeout, "a test that takes too long no longer fails"),
    "doctest_ignore_import_errors": (
        _lacks("doctest_ignore_import_errors"),
        "a module that cannot be imported no longer fails its doctests",
    ),
    "suppress_exit_code": (
        _lacks("suppress_no_test_exit_code", "suppress_tests_failed_exit_code"),
        "a run without a test, or with failures, no longer fails",
    ),
    "noconftest": (_lacks("noconftest"), "no conftest is loaded any more"),
    "-p no:unraisableexception": (
        _keeps("unraisableexception"),
        "an exception that nothing can catch is no longer noticed",
    ),
    "-p no:threadexception": (
        _keeps("threadexception"),
        "an exception in a thread is no longer noticed",
    ),
    "-p no:timeout": (
        _keeps("timeout", "pytest_timeout"),
        "a test that takes too long no longer fails",
    ),
}


def drops(before: Rigour, after: Rigour) -> Iterator[Drop]:
    """Yield what was strict and no longer is."""
    for option, (is_strict, words) in _FACETS.items():
        if is_strict(before) and not is_strict(after):
            yield Drop(option, _said(before, option), _said(after, option), words)
    yield from _warnings(before, after)
    yield from _plugins(before, after)
    yield from _limits(before, after)


def _said(rigour: Rigour, option: str) -> str:
    """Return what a side says of an option: its line, or the words that are about it."""
    name = "strict_xfail" if option == "xfail_strict" else option
    for one in (option, name, "strict"):
        if one in rigour.overrides or one in rigour.settings.options:
            return f"{one} = {rigour.option(one).text}"
    addopts = rigour.settings.option("addopts").text
    return f"addopts = {addopts}" if addopts else ""


def filters(rigour: Rigour) -> tuple[Filter, ...]:
    """Return the warning filters of a side; those of the words come last, and win."""
    lines = rigour.option("filterwarnings").lines
    return tuple(map(read_filter, (*lines, *rigour.words.every("pythonwarnings"))))


def _warnings(before: Rigour, after: Rigour) -> Iterator[Drop]:
    old, new = filters(before), filters(after)
    asked = categories(old, new)
    were = frozenset[str]() if before.blocks("warnings") else errors(old, asked)
    are = frozenset[str]() if after.blocks("warnings") else errors(new, asked)
    if were - are:
        names = ", ".join(sorted(were - are)[:4])
        yield Drop(
            "filterwarnings",
            _filters_said(before),
            _filters_said(after),
            f"warnings no longer fail a test ({names})",
        )


def _filters_said(rigour: Rigour) -> str:
    return "\n".join(
        (*rigour.option("filterwarnings").lines, *rigour.words.every("pythonwarnings"))
    )


def _plugins(before: Rigour, after: Rigour) -> Iterator[Drop]:
    old, new = (one.option("required_plugins") for one in (before, after))
    gone = {_name(one) for one in old.words} - {_name(one) for one in new.words}
    if gone:
        words = f"a run without {', '.join(sorted(gone))} no longer fails"
        yield Drop("required_plugins", old.text, new.text, words)


def _name(requirement: str) -> str:
    for sign in "<>=!~[;":
        requirement = requirement.partition(sign)[0]
    return requirement.strip().lower().replace("_", "-")


def _limits(before: Rigour, after: Rigour) -> Iterator[Drop]:
    old, new = (_most_warnings(one) for one in (before, after))
    if old is not None and (new is None or new > old):
        words = "more warnings no longer fail the run"
        yield Drop("max_warnings", str(old), "" if new is None else str(new), words)


def _most_warnings(rigour: Rigour) -> int | None:
    text = rigour.words.last("max_warnings") or rigour.option("max_warnings").text
    return int(text) if text.strip().isdecimal() else None
