"""What the words of ``addopts`` and its kin ask pytest for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

#: Options that take a value, by the name under which the value is kept.
_VALUED: Mapping[str, str] = {
    "-k": "keyword",
    "-m": "markexpr",
    "--deselect": "deselect",
    "--ignore": "ignore",
    "--ignore-glob": "ignore_glob",
    "-p": "plugins",
    "-W": "pythonwarnings",
    "--pythonwarnings": "pythonwarnings",
    "-o": "override_ini",
    "--override-ini": "override_ini",
    "--maxfail": "maxfail",
    "--doctest-glob": "doctestglob",
    "--cov-fail-under": "cov_fail_under",
    "--cov-config": "cov_config",
    "--reruns": "reruns",
    "--reruns-delay": "reruns_delay",
    "--only-rerun": "only_rerun",
    "--retries": "retries",
    "--max-runs": "max_runs",
    "--max-warnings": "max_warnings",
    "--confcutdir": "confcutdir",
    "--rootdir": "rootdir",
    "-c": "inifilename",
    "--config-file": "inifilename",
    "--lfnf": "last_failed_no_failures",
    "--last-failed-no-failures": "last_failed_no_failures",
    "--import-mode": "importmode",
    "--asyncio-mode": "asyncio_mode",
    "--timeout": "timeout",
    "--tb": "tbstyle",
    "-r": "reportchars",
    "-n": "numprocesses",
    "--numprocesses": "numprocesses",
    "--dist": "dist",
    "--junitxml": "xmlpath",
    "--junit-xml": "xmlpath",
    "--durations": "durations",
    "--durations-min": "durations_min",
    "--color": "color",
    "--capture": "capture",
    "--basetemp": "basetemp",
    "--log-level": "log_level",
    "--log-file": "log_file",
    "--log-cli-level": "log_cli_level",
    "--cov-report": "cov_report",
    "--cov-context": "cov_context",
    "--assert": "assertmode",
    "--splits": "splits",
    "--group": "group",
    "--test-group": "test_group",
    "--test-group-count": "test_group_count",
    "--shard-id": "shard_id",
    "--num-shards": "num_shards",
    "--html": "htmlpath",
    "--hypothesis-profile": "hypothesis_profile",
    "--hypothesis-seed": "hypothesis_seed",
    "--strict-tests-timeout": "timeout",
}
#: Options whose every value counts.
ADDED = frozenset(
    (
        "deselect",
        "ignore",
        "ignore_glob",
        "plugins",
        "pythonwarnings",
        "override_ini",
        "doctestglob",
        "cov_source",
        "only_rerun",
        "cov_report",
    )
)
#: Options without a value.
_PLAIN: Mapping[str, str] = {
    "--collect-only": "collectonly",
    "--collectonly": "collectonly",
    "--co": "collectonly",
    "--setup-only": "setuponly",
    "--setuponly": "setuponly",
    "--setup-plan": "setupplan",
    "--setupplan": "setupplan",
    "--fixtures": "showfixtures",
    "--funcargs": "showfixtures",
    "--fixtures-per-test": "show_fixtures_per_test",
    "--markers": "markers",
    "-h": "help",
    "--help": "help",
    "--version": "version",
    "-V": "version",
    "--lf": "lf",
    "--last-failed": "lf",
    "--ff": "failedfirst",
    "--failed-first": "failedfirst",
    "--nf": "newfirst",
    "--new-first": "newfirst",
    "--sw": "stepwise",
    "--stepwise": "stepwise",
    "--sw-skip": "stepwise_skip",
    "--stepwise-skip": "stepwise_skip",
    "--noconftest": "noconftest",
    "--strict": "strict",
    "--strict-markers": "strict_markers",
    "--strict-config": "strict_config",
    "--runxfail": "runxfail",
    "--doctest-modules": "doctestmodules",
    "--doctest-ignore-import-errors": "doctest_ignore_import_errors",
    "--doctest-continue-on-failure": "doctest_continue_on_failure",
    "--no-cov": "no_cov",
    "--cov-branch": "cov_branch",
    "--no-cov-on-fail": "no_cov_on_fail",
    "--disable-warnings": "disable_warnings",
    "--disable-pytest-warnings": "disable_warnings",
    "--continue-on-collection-errors": "continue_on_collection_errors",
    "--force-flaky": "force_flaky",
    "--no-flaky-report": "no_flaky_report",
    "--benchmark-only": "benchmark_only",
    "--benchmark-skip": "benchmark_skip",
    "--benchmark-disable": "benchmark_disable",
    "--testmon": "testmon",
    "--picked": "picked",
    "--suppress-no-test-exit-code": "suppress_no_test_exit_code",
    "--suppress-tests-failed-exit-code": "suppress_tests_failed_exit_code",
    "--keep-duplicates": "keepduplicates",
    "--pyargs": "pyargs",
    "--pdb": "usepdb",
    "--trace": "trace",
}
_SHORT_PLAIN = "xvqslhV"
_SHORT_VALUED = "kmpWocrn"


@attrs.frozen
class Words:
    """What words ask for: ``values`` by pytest's own names, in the order given.

    ``positional`` are the words that are no option's, ``others`` the options nobody knows here.
    """

    values: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict[str, tuple[str, ...]])
    positional: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def last(self, name: str) -> str:
        """Return the value that wins, empty where there is none."""
        return self.values[name][-1] if self.values.get(name) else ""

    def has(self, *names: str) -> bool:
        """Return whether one of these was asked for."""
        return any(name in self.values for name in names)

    def every(self, name: str) -> tuple[str, ...]:
        """Return every value of an option that adds up."""
        return self.values.get(name, ())


@attrs.define
class _Reader:
    values: dict[str, tuple[str, ...]] = attrs.field(factory=dict[str, tuple[str, ...]])
    positional: list[str] = attrs.field(factory=list[str])
    others: list[str] = attrs.field(factory=list[str])

    def put(self, name: str, value: str) -> None:
        before = self.values.get(name, ()) if name in ADDED else ()
        self.values[name] = (*before, value)

    def read(self, words: Iterator[str]) -> None:
        for word in words:
            if word.startswith("--"):
                self.long(word, words)
            elif word.startswith("-") and len(word) > 1:
                self.short(word[1:], words)
            else:
                self.positional.append(word)

    def long(self, word: str, words: Iterator[str]) -> None:
        name, sign, value = word.partition("=")
        if name in _PLAIN:
            self.put(_PLAIN[name], "true")
        elif name == "--exitfirst":
            self.put("maxfail", "1")
        elif name == "--cov":
            self.put("cov_source", value)
        elif name in _VALUED:
            self.put(_VALUED[name], value if sign else next(words, ""))
        else:
            self.others.append(word)

    def short(self, cluster: str, words: Iterator[str]) -> None:
        """Read ``-xvk EXPR``: flags until one that takes the rest of the word, or the next."""
        for index, letter in enumerate(cluster):
            name = _VALUED.get(f"-{letter}")
            if letter in _SHORT_VALUED and name is not None:
                rest = cluster[index + 1 :].removeprefix("=")
                self.put(name, rest or next(words, ""))
                return
            if letter == "x":
                self.put("maxfail", "1")
            elif f"-{letter}" in _PLAIN:
                self.put(_PLAIN[f"-{letter}"], "true")
            elif letter not in _SHORT_PLAIN:
                self.others.append(f"-{cluster[index:]}")
                return


def read_words(words: Sequence[str]) -> Words:
    """Return what the words ask for; the last of several values wins, where they do not add up."""
    reader = _Reader()
    reader.read(iter(words))
    return Words(reader.values, tuple(reader.positional), tuple(reader.others))


def overrides(words: Words) -> Iterator[tuple[str, str]]:
    """Yield what ``-o name=value`` sets."""
    for one in words.every("override_ini"):
        name, sign, value = one.partition("=")
        if sign:
            yield name.strip(), value


def joined(*several: Iterable[str]) -> tuple[str, ...]:
    """Return the words of all of them, one after the other."""
    return tuple(word for words in several for word in words)
