"""What a test command selects, and whether another one selects less.

Rules: pytest's command line (``--help`` of pytest 9.2, pytest-cov 6, pytest-xdist 3),
``python -m unittest --help``, tox 4 and nox 2024 on their ``-e`` and ``-s``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import attrs

from benchhygiene_plugins.pipelines.runners import Run

#: Options that take away tests, with how many words each takes.
_NARROWING = {
    "-k": 1,
    "-m": 1,
    "--keyword": 1,
    "--ignore": 1,
    "--ignore-glob": 1,
    "--deselect": 1,
    "--lf": 0,
    "--last-failed": 0,
    "--sw": 0,
    "--stepwise": 0,
    "--collect-only": 0,
    "--co": 0,
    "--setup-plan": 0,
    "--setup-only": 0,
    "--fixtures": 0,
    "--markers": 0,
    "--version": 0,
    "-V": 0,
    "--help": 0,
    "-h": 0,
    "--noconftest": 0,
    "--pyargs": 0,
    "--suppress-no-test-exit-code": 0,
    "--testmon": 0,
    "--picked": 0,
    "--splits": 1,
    "--shard-id": 1,
    "--num-shards": 1,
    "--reruns": 1,
    "--no-cov": 0,
}
#: Options that make a run stricter or wider.
_STRICT = {
    "--strict": 0,
    "--strict-markers": 0,
    "--strict-config": 0,
    "--doctest-modules": 0,
    "--doctest-glob": 1,
    "--cov-fail-under": 1,
    "--fail-under": 1,
    "--runslow": 0,
    "--run-slow": 0,
    "--runxfail": 0,
    "--hypothesis-profile": 1,
}
_VALUED = re.compile(
    r"-c|-n|-o|-r|-W|-p|--tb|--color|--cov|--cov-report|--cov-config|--junitxml|"
    r"--junit-xml|--durations|--maxfail|--rootdir|--basetemp|--log-level|--timeout|--dist|"
    r"--import-mode|--numprocesses|--confcutdir|--override-ini|--html|--capture|"
    r"--show-capture|-s|-t|--seed"
)
_CONJUNCTION = re.compile(r"\s+and\s+")


@attrs.frozen
class Selection:
    """The paths that are named, the options that narrow or tighten, and the floor in per cent."""

    paths: tuple[str, ...] = ()
    narrowing: tuple[tuple[str, str], ...] = ()
    strict: tuple[tuple[str, str], ...] = ()

    @property
    def floor(self) -> float | None:
        """Return the coverage in per cent below which the command fails."""
        for name, value in self.strict:
            if name in ("--cov-fail-under", "--fail-under"):
                try:
                    return float(value)
                except ValueError:
                    return None
        return None


def selection(run: Run) -> Selection:
    """Return what the words of a test command select."""
    if run.kind in ("tox", "nox"):
        return _sessions(run)
    paths, narrowing, strict = list[str](), list[tuple[str, str]](), list[tuple[str, str]]()
    for name, value in _options(run.words, run.kind):
        if name == "":
            paths.append(_path(value))
        elif name in _STRICT or (name == "-W" and value.startswith("error")):
            strict.append((name, value))
        elif _is_narrowing(name, value, run.kind):
            narrowing.append((name, value))
    return Selection(tuple(sorted(paths)), tuple(sorted(narrowing)), tuple(sorted(strict)))


def _is_narrowing(name: str, value: str, kind: str) -> bool:
    if name == "-p":  # unittest's pattern of file names, pytest's plugins
        return kind == "unittest" or value.startswith("no:")
    return name in _NARROWING


def _options(words: tuple[str, ...], kind: str) -> Iterator[tuple[str, str]]:
    """Yield option and value; a positional word has the name ""."""
    pending = list(words)
    while pending:
        word = pending.pop(0)
        name, is_joined, value = word.partition("=")
        if not word.startswith("-") or word == "-":
            yield ("", word)
        elif _VALUED.fullmatch(name) or (_NARROWING | _STRICT).get(name):
            yield name, value if is_joined else (pending.pop(0) if pending else "")
        elif name in _NARROWING or name in _STRICT or kind == "unittest":
            yield name, value
        elif word[:2] in ("-k", "-m", "-W", "-p", "-c", "-o", "-n") and not word.startswith("--"):
            yield word[:2], word[2:].lstrip("=")


def _path(word: str) -> str:
    plain = re.sub(r"^(?:\./)+", "", word).rstrip("/")
    return "" if plain in (".", "") else plain


def _sessions(run: Run) -> Selection:
    named, words = list[str](), list(run.words)
    while words:
        word = words.pop(0)
        if word == "--":
            inner = selection(Run("pytest", tuple(words)))
            return attrs.evolve(inner, paths=tuple(sorted((*named, *inner.paths))))
        name, is_joined, value = word.partition("=")
        if name in ("-e", "-s", "-t", "--session", "--sessions", "--env", "-k", "-m", "--skip-env"):
            value = value if is_joined else (words.pop(0) if words else "")
            if name == "-k" or name == "--skip-env":
                return Selection(tuple(sorted(named)), ((name, value),))
            named.extend(re.split(r"[,\s]+", value))
            while name in ("-s", "--session", "--sessions") and words and words[0][:1] != "-":
                named.append(words.pop(0))
    return Selection(tuple(sorted(named)))


def narrowed(old: Selection, new: Selection) -> Iterator[str]:
    """Yield what options of the new selection take away from the old one, in words."""
    for name, value in new.narrowing:
        before = [given for option, given in old.narrowing if option == name]
        if value in before or (name == "-p" and ("-p", value) in old.narrowing):
            continue
        if name in ("-k", "-m") and before and _is_wider(before[0], value):
            continue
        yield f"{name} {value}".rstrip() + (
            f" instead of {name} {before[0]}" if before else " is new"
        )
    yield from _loosened(old, new)


def _is_wider(before: str, after: str) -> bool:
    """Return whether the new expression asks for less: its conjuncts are among the old ones."""
    return {*_CONJUNCTION.split(after)} <= {*_CONJUNCTION.split(before)}


def _loosened(old: Selection, new: Selection) -> Iterator[str]:
    for name, value in old.strict:
        after = [given for option, given in new.strict if option == name]
        if after and name in ("--cov-fail-under", "--fail-under"):
            if old.floor is not None and new.floor is not None and new.floor < old.floor:
                yield f"{name} {new.floor:g} instead of {old.floor:g}"
        elif not after:
            yield f"{name} {value}".rstrip() + " is gone"


def covers(paths: Iterable[str], path: str) -> bool:
    """Return whether one of the paths is the path, or a directory above it; none is everything."""
    given = [each.partition("::")[0] for each in paths]
    return not given or any(
        each in ("", path) or path.startswith(f"{each}/") or ("*" in each) or "$" in each
        for each in given
    )
