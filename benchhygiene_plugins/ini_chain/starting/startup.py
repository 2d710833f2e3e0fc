"""Follow pytest from its command line to the moment before collection, or to where it stops.

The order of the steps is that of ``Config.parse`` in ``_pytest/config/__init__.py``.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn, TypeVar

import attrs

from benchhygiene.evidence import PytestInvocation
from benchhygiene_plugins.ini_chain.command.argument_files import expanded
from benchhygiene_plugins.ini_chain.command.given import (
    by_name,
    core_options,
    has_option,
    last_value,
    override_text,
    override_value,
)
from benchhygiene_plugins.ini_chain.command.option_values import HelpAsked, value_problem
from benchhygiene_plugins.ini_chain.command.scanning import (
    Given,
    Scan,
    ScanError,
    scan_final,
    scan_known,
)
from benchhygiene_plugins.ini_chain.command.words import (
    ARGUMENT,
    Origin,
    OriginKind,
    Word,
    expand_variables,
    shell_split,
)
from benchhygiene_plugins.ini_chain.configuration.files import TRACEBACK, USAGE_ERROR
from benchhygiene_plugins.ini_chain.configuration.requirements import (
    check_minversion,
    check_required_plugins,
)
from benchhygiene_plugins.ini_chain.configuration.search import Search, SearchAbort, Setup, lexical
from benchhygiene_plugins.ini_chain.configuration.values import (
    Settings,
    ValueRefused,
    parse_overrides,
)
from benchhygiene_plugins.ini_chain.coverage.starting import coverage_abort
from benchhygiene_plugins.ini_chain.resolution import Abort
from benchhygiene_plugins.ini_chain.starting.conftests import (
    ConftestFacts,
    conftest_facts,
    initial_conftests,
)
from benchhygiene_plugins.ini_chain.starting.installed import Modules, dialect_of, installed_plugins
from benchhygiene_plugins.ini_chain.starting.plugins import PluginLoad, Stopped, search_abort
from benchhygiene_plugins.ini_chain.starting.versions import Dialect
from benchhygiene_plugins.ini_chain.suite.globbing import expand
from benchhygiene_plugins.ini_chain.suite.import_search import ImportSearch
from benchhygiene_plugins.ini_chain.tables import CoreTable, Option, core_table, owner_of

T = TypeVar("T")


@attrs.define(eq=False, repr=False)
class Startup:
    """The state of one start-up; ``run`` fills it in step by step."""

    invocation: PytestInvocation
    dialect: Dialect
    table: CoreTable
    search: Search
    plugins: PluginLoad
    words: tuple[Word, ...] = ()
    setup: Setup | None = None
    settings: Settings | None = None
    addopts: tuple[object, ...] | None = None
    options: Mapping[str, Option] = attrs.field(factory=dict[str, Option])
    scan: Scan | None = None
    conftests: tuple[ConftestFacts, ...] = ()
    paths: tuple[str, ...] = ()
    confcutdir: str | None = None
    unknown: list[str] = attrs.field(factory=list[str])
    _asked: tuple[Sequence[Word], Mapping[str, Option], Scan] | None = None

    @classmethod
    def of(cls, invocation: PytestInvocation) -> Startup:
        """Return the state before the first step."""
        dialect = dialect_of(invocation)
        table = core_table(invocation.pytest)
        directories = () if invocation.safe_path else (invocation.cwd,)
        modules = Modules(invocation, directories)
        load = PluginLoad(dialect, table, installed_plugins(invocation), modules)
        search = Search(invocation.files, dialect, invocation.cwd)
        return cls(invocation, dialect, table, search, load)

    def run(self) -> None:
        """Go through every step. Raises Stopped where pytest ends the run."""
        given = tuple(Word(text) for text in self.invocation.args)
        self._answer_version(given)
        first = self._read_command_line(given)
        self._find_setup(first)
        self._read_addopts()
        self._guard(lambda: check_minversion(self.in_force, self.invocation.pytest), "minversion")
        self._load_plugins()
        loaded = self.plugins.loaded
        self._guard(lambda: check_required_plugins(self.in_force, loaded), "required_plugins")
        self._load_conftests()
        self._parse_for_good()

    def _answer_version(self, given: Sequence[Word]) -> None:
        """Pytest 9 answers a lone ``--version`` before it looks at anything else."""
        asked = [word for word in given if word.text in ("--version", "-V")]
        if len(asked) == 1 and self.dialect.pytest >= (9, 0, 0):
            self._stop(0, "pytest prints its version, runs nothing", "ini.nothing_runs", asked[0])

    def _read_command_line(self, given: tuple[Word, ...]) -> Scan:
        self.plugins.block_early(given)
        self.options = core_options(self.table.version, frozenset(self.plugins.blocked))
        self.words = (*self._variable_words(), *given)
        return self._known(self.words)

    def _variable_words(self) -> tuple[Word, ...]:
        value = self.invocation.variable("PYTEST_ADDOPTS") or ""
        origin = Origin(OriginKind.VARIABLE, "PYTEST_ADDOPTS")
        try:
            words = tuple(
                Word(split.text, attrs.evolve(origin, line=1, column=split.offset + 1))
                for split in shell_split(value)
            )
        except ValueError as error:
            reason = f"PYTEST_ADDOPTS: {error}"
            raise Stopped(Abort(TRACEBACK, reason, "ini.environment", origin)) from error
        self._known(words)
        return words

    def _find_setup(self, first: Scan) -> None:
        modern = self.dialect.pytest >= (9, 0, 0)
        read = override_text if modern else override_value
        overrides = [text for given in first.given if (text := read(given)) is not None]
        inifile, rootdir = last_value(first, "inifilename"), last_value(first, "rootdir")
        root = None if rootdir is None else expand_variables(rootdir, self.invocation.variable)
        try:
            setup = self.search.setup([word.text for word in first.paths], inifile, root)
        except SearchAbort as error:
            raise Stopped(search_abort(error)) from error
        if modern:
            # A malformed -o is noticed before the rootdir is handed over.
            self._guard(lambda: parse_overrides(overrides))
        self.setup = setup
        self._apply_overrides(overrides)

    def _apply_overrides(self, texts: Sequence[str]) -> None:
        overrides = self._guard(lambda: parse_overrides(texts))
        aliases = {key.name: key.aliases for key in self.table.ini if key.aliases}
        self.settings = Settings(self.found.values, overrides, self.dialect, aliases)

    def _read_addopts(self) -> None:
        inifile = self.found.inifile
        self.addopts, words = self._guard(lambda: self.in_force.addopts(inifile), "addopts")
        if len(words) != len(self.addopts):
            reason = "addopts holds something that is not text"
            origin = self._key_origin("addopts")
            raise Stopped(Abort(TRACEBACK, reason, "ini.malformed", origin))
        self._known(words)
        self.words = (*words, *self.words)
        known = self._known(self.words)
        if self.dialect.pytest >= (9, 1, 0):
            # From here on, what addopts says with -o and the strict flags counts as well.
            texts = [text for given in known.given if (text := override_text(given)) is not None]
            self._apply_overrides(texts)

    def _load_plugins(self) -> None:
        self.plugins.load_named(self.words)
        if not self._autoload_is_off():
            self.plugins.autoload()
        self.plugins.load_environment(self.invocation.variable("PYTEST_PLUGINS") or "")
        options = dict(self.options)
        for plugin in self.plugins.loaded:
            options |= by_name(plugin.options)
        if "pytester" in self.plugins.registered:
            options |= by_name(self.table.extra_options)
        self.options = options
        self._known(self.words)

    def _autoload_is_off(self) -> bool:
        name = "--disable-plugin-autoload"
        flagged = name in self.options and any(word.text == name for word in self.words)
        return flagged or bool(self.invocation.variable("PYTEST_DISABLE_PLUGIN_AUTOLOAD"))

    def _load_conftests(self) -> None:
        known = self._known(self.words)
        modern = self.dialect.pytest >= (9, 0, 0)
        early = known if modern else attrs.evolve(known, paths=known.leading)
        self.paths = self._decided_paths(known)
        self.confcutdir = self._cut(known)
        self._start_coverage(known)
        if has_option(known, "noconftest"):
            return
        files, cwd = self.invocation.files, self.invocation.cwd
        only_asks = has_option(known, "help") or has_option(known, "version")
        below = not (9, 1, 0) <= self.dialect.pytest < (9, 2, 0)
        paths = self._decided_paths(early)
        cut = self.confcutdir
        for path in initial_conftests(files, cwd, paths, cut, looks_below_cwd=below):
            facts = conftest_facts(files, path)
            if not only_asks:
                self._import_conftest(facts)
            self._refuse_duplicates(facts)
            self._load_conftest_plugins(facts)
            self.conftests = (*self.conftests, facts)
            self.options = {**self.options, **by_name(facts.options)}

    def _start_coverage(self, known: Scan) -> None:
        """Stop where pytest-cov, which starts before any conftest, cannot read its settings."""
        registered = "pytest_cov" in self.plugins.registered
        if not registered or not has_option(known, "cov_source") or has_option(known, "no_cov"):
            return
        abort = coverage_abort(self.invocation, last_value(known, "cov_config"))
        if abort is not None:
            raise Stopped(abort)

    def _cut(self, known: Scan) -> str | None:
        given = last_value(known, "confcutdir")
        if given is not None:
            return lexical(self.invocation.cwd, given)
        if self.found.inifile is not None:
            return posixpath.dirname(self.found.inifile)
        return self.found.rootdir if self.dialect.pytest >= (7, 0, 0) else None

    def _import_conftest(self, facts: ConftestFacts) -> None:
        """Stop where importing the conftest certainly fails; note where it may."""
        problem, line = self.imports.conftest_problem(facts)
        self.unknown.extend(self.imports.conftest_doubts(facts))
        if problem is not None:
            origin = Origin(OriginKind.FILE, facts.path, line)
            raise Stopped(Abort(USAGE_ERROR, problem, "ini.conftest", origin))

    def _load_conftest_plugins(self, facts: ConftestFacts) -> None:
        before = len(self.plugins.loaded)
        for name in facts.plugins:
            self.plugins.load_for_conftest(name, facts.path)
        for plugin in self.plugins.loaded[before:]:
            self.options = {**self.options, **by_name(plugin.options)}

    def _refuse_duplicates(self, facts: ConftestFacts) -> None:
        names = [name for option in facts.options for name in option.names]
        repeated = [name for name in names if name in self.options]
        if repeated:
            origin = Origin(OriginKind.FILE, facts.path)
            reason = f"the conftest adds the option {repeated[0]}, which is there already"
            raise Stopped(Abort(TRACEBACK, reason, "ini.conftest", origin))

    @property
    def imports(self) -> ImportSearch:
        """Return where modules of the workspace look for what they import."""
        first = self.plugins.modules.directories
        return ImportSearch.by(self.invocation, first, self.found.inifile, self.in_force)

    def _parse_for_good(self) -> None:
        try:
            words = self._expanded_words(self.words)
            self.scan = scan_final(words, self.options, self.dialect, self._check_final)
        except HelpAsked as asked:
            self._stop(0, "pytest prints help and runs nothing", "ini.nothing_runs", asked.word)
        except ScanError as error:
            self._stop(error.exit_status, error.reason, "ini.abort", error.word)
        self.paths = self._decided_paths(self.scan)
        for word in self.scan.unknown:
            if self.plugins.has_unknown_options or any(found.doubt for found in self.conftests):
                self.unknown.append(f"whether anything that loads knows the option {word.text}")
                continue
            owner = owner_of(word.text)
            hint = f"; it is an option of {owner}, which is not among them" if owner else ""
            reason = f"no plugin that loads knows the option {word.text}{hint}"
            self._stop(USAGE_ERROR, reason, "ini.unknown_option", word)

    def _known(self, words: Sequence[Word]) -> Scan:
        asked = self._asked  # the step before may have asked the same
        if asked is None or asked[0] is not words or asked[1] is not self.options:
            asked = self._asked = (words, self.options, self._scanned(words))
        return asked[2]

    def _scanned(self, words: Sequence[Word]) -> Scan:
        try:
            expanded_words = self._expanded_words(words)
            return scan_known(expanded_words, self.options, self.dialect, self._check)
        except ScanError as error:
            self._stop(error.exit_status, error.reason, "ini.abort", error.word)

    def _expanded_words(self, words: Sequence[Word]) -> Sequence[Word]:
        if not self.dialect.reads_argument_files:
            return words
        found, linked = expanded(words, self.invocation.files, self.invocation.cwd)
        self.unknown += [f"what the argument file {w.text} says: it is a link" for w in linked]
        return found

    def _check(self, given: Given) -> str | None:
        return value_problem(self.invocation.files, self.invocation.cwd, given)

    def _check_final(self, given: Given) -> str | None:
        if given.option.dest == "help":
            raise HelpAsked(given.word)
        return self._check(given)

    def _decided_paths(self, scan: Scan) -> tuple[str, ...]:
        """Return the paths the run will collect: arguments, else testpaths, else the cwd."""
        cwd = self.invocation.cwd
        if scan.paths:
            return tuple(word.text for word in scan.paths)
        if self.found.rootdir != cwd:
            return (cwd,)
        patterns = self._guard(lambda: self.in_force.shell_words("testpaths"), "testpaths")
        found = [path for text in patterns for path in expand(self.invocation.files, cwd, text)]
        return tuple(found) or (cwd,)

    def _guard(self, read: Callable[[], T], key: str | None = None) -> T:
        """Turn a refused value into the end of the run."""
        try:
            return read()
        except ValueRefused as error:
            origin = ARGUMENT if key is None else self._key_origin(key)
            rule = {"minversion": "ini.minversion", "required_plugins": "ini.required_plugin"}
            blamed = rule.get(key or "", "ini.malformed")
            raise Stopped(Abort(error.exit_status, error.reason, blamed, origin)) from error

    def _key_origin(self, key: str) -> Origin:
        found = self.in_force.find(key)
        if found is None or found.override:
            return ARGUMENT
        return Origin(OriginKind.FILE, self.found.inifile or "", found.line)

    def _stop(self, status: int, reason: str, rule: str, word: Word) -> NoReturn:
        raise Stopped(Abort(status, reason, rule, word.origin, word))

    @property
    def found(self) -> Setup:
        """Return the setup. Raises AssertionError before it is decided."""
        assert self.setup is not None
        return self.setup

    @property
    def in_force(self) -> Settings:
        """Return the keys in force. Raises AssertionError before they are known."""
        assert self.settings is not None
        return self.settings
