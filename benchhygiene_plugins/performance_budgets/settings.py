"""The options that a tree's pytest configuration sets for benchmarks and timeouts.

Sources: the command lines of pytest-benchmark 5.1 and pytest-timeout 2.4.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from typing import cast

import attrs

from benchhygiene import SourceTree
from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.inventory.ini_syntax import IniSyntaxError, parse_ini
from benchhygiene.inventory.rules import CONFIG_FILES
from benchhygiene.inventory.toml_text import TomlRefused, parse_toml
from benchhygiene_plugins.performance_budgets.losses import Loss, Lost
from benchhygiene_plugins.performance_budgets.terms import Place

_LOWER_IS_LESS = {
    "--benchmark-min-rounds": 5.0,
    "--benchmark-max-time": 1.0,
    "--benchmark-min-time": 0.000005,
    "--benchmark-warmup-iterations": 100_000.0,
    "--benchmark-calibration-precision": 10.0,
}
_OFF = ("--benchmark-disable", "--benchmark-skip")
_WALL_CLOCKS = ("time.perf_counter", "time.time", "time.monotonic")
_COMPARE = "--benchmark-compare-fail"
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_STATISTICS = {"max": 100.0, "mean": 55.0, "median": 50.0, "min": 0.0}
_LONGEST = 300


@attrs.frozen
class Settings:
    """Options by their names; ``path`` is the file that sets them, ``error`` why there are none."""

    path: str = ""
    options: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict[str, tuple[str, ...]])
    error: str | None = None

    def place(self, name: str) -> Place:
        """Return where an option stands."""
        given = self.options.get(name)
        text = name if not given or given == ("",) else f"{name}={' '.join(given)}"
        return Place(self.path, 1, 1, text[:_LONGEST] if given is not None else "")

    def number(self, name: str, default: float | None = None) -> float | None:
        """Return an option as a number, the default where it is not set."""
        given = self.options.get(name)
        if not given:
            return default
        found = _NUMBER.match(given[-1].strip())
        return float(found[0]) if found is not None else None


def settings(tree: SourceTree) -> Settings:
    """Return the options of the file that configures pytest."""
    for path in CONFIG_FILES:
        if not tree.is_file(path):
            continue
        try:
            text = tree.read(path).decode("utf-8")
            found = _toml(text, path) if path.endswith(".toml") else _ini(text, path)
        except (EvidenceUnavailable, UnicodeDecodeError, IniSyntaxError, TomlRefused) as error:
            return Settings(path, error=type(error).__name__)
        except tomllib.TOMLDecodeError:
            return Settings(path, error="not valid TOML")
        if found is not None:
            return Settings(path, dict(_options(found)))
    return Settings()


def _ini(text: str, path: str) -> Mapping[str, object] | None:
    sections = parse_ini(text)
    section = "tool:pytest" if path == "setup.cfg" else "pytest"
    if section in sections:
        return {key: value.text for key, value in sections[section].items()}
    return {} if path in ("pytest.ini", ".pytest.ini") else None


def _toml(text: str, path: str) -> Mapping[str, object] | None:
    document = parse_toml(text)
    if path != "pyproject.toml":
        return _table(document.get("pytest")) or {}
    tool = _table(_table(document.get("tool")).get("pytest"))
    return _table(tool.get("ini_options")) or tool or None


def _table(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _options(found: Mapping[str, object]) -> Iterator[tuple[str, tuple[str, ...]]]:
    if "timeout" in found:
        yield "timeout", (str(found["timeout"]),)
    given: dict[str, tuple[str, ...]] = {}
    words = [*_words(found.get("addopts", ""))]
    for at, word in enumerate(words):
        name, sign, value = word.partition("=")
        if not name.startswith(("--benchmark", "--timeout")):
            continue
        following = words[at + 1] if at + 1 < len(words) else "-"
        if not sign and not following.startswith("-"):
            value = following
        given[name] = (*given.get(name, ()), value)
    yield from given.items()


def _words(value: object) -> Iterator[str]:
    if isinstance(value, list):
        yield from (str(one) for one in cast("list[object]", value))
        return
    try:
        yield from shlex.split(str(value))
    except ValueError:
        yield from str(value).split()


def lost_settings(old: Settings, new: Settings) -> Iterator[Lost]:
    """Yield what the candidate's options ask less of."""
    yield from _fewer(old, new)
    for name in _OFF:
        if name in new.options and name not in old.options:
            reason = "benchmarks are run once, or not at all"
            yield Lost(Loss.SAMPLES, reason, old.place(name), new.place(name))
    if _warm(old) and not _warm(new):
        reason = "benchmarks are no longer warmed up"
        name = "--benchmark-warmup"
        yield Lost(Loss.SAMPLES, reason, old.place(name), new.place(name))
    timer = new.options.get("--benchmark-timer")
    if timer is not None and not timer[-1].startswith(_WALL_CLOCKS):
        name = "--benchmark-timer"
        if timer != old.options.get(name):
            reason = "benchmarks read another clock"
            yield Lost(Loss.CLOCK, reason, old.place(name), new.place(name))
    yield from _timeouts(old, new)
    yield from _comparisons(old, new)


def _warm(one: Settings) -> bool:
    given = one.options.get("--benchmark-warmup")
    return given is not None and given[-1] in ("", "on", "auto")


def _fewer(old: Settings, new: Settings) -> Iterator[Lost]:
    for name, default in _LOWER_IS_LESS.items():
        before, after = old.number(name, default), new.number(name, default)
        if before is not None and after is not None and after < before:
            reason = "benchmarks measure less often"
            yield Lost(Loss.SAMPLES, reason, old.place(name), new.place(name), before, after)


def _timeouts(old: Settings, new: Settings) -> Iterator[Lost]:
    for name in ("timeout", "--timeout"):
        before, after = old.number(name), new.number(name)
        if not before:
            continue
        if name == "timeout" and after is None:
            after = new.number("--timeout")
        if not after or after > before:
            reason = "a test may run longer" if after else "a test may run for ever"
            yield Lost(Loss.THRESHOLD, reason, old.place(name), new.place(name), before, after, "s")


def _comparisons(old: Settings, new: Settings) -> Iterator[Lost]:
    """Compare the regressions that benchmarks may show against a saved run."""
    before, after = (_limits(one) for one in (old, new))
    where = (old.place(_COMPARE), new.place(_COMPARE))
    for key, limit in sorted(before.items()):
        if key in after:
            if after[key] > limit:
                yield Lost(Loss.THRESHOLD, "more regression passes", *where, limit, after[key])
            continue
        others = [stat for stat, unit in after if unit == key[1]]
        if not others:
            yield Lost(Loss.THRESHOLD, "any regression passes", *where, limit, None)
        elif max(_STATISTICS.get(one, 50.0) for one in others) < _STATISTICS.get(key[0], 50.0):
            yield Lost(Loss.PERCENTILE, "another statistic is compared", *where)


def _limits(one: Settings) -> dict[tuple[str, str], float]:
    found: dict[tuple[str, str], float] = {}
    for text in one.options.get(_COMPARE, ()):
        name, _, limit = text.partition(":")
        number = _NUMBER.match(limit)
        if number is not None:
            found[name, "%" if limit.endswith("%") else "s"] = float(number[0])
    return found
