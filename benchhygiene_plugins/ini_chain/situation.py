"""Everything the gates ask about, worked out once: options, keys, tests, imports."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property

import attrs

from benchhygiene.evidence import FileSnapshot
from benchhygiene_plugins.ini_chain.command.scanning import Given, Scan
from benchhygiene_plugins.ini_chain.command.words import ARGUMENT, Origin, OriginKind
from benchhygiene_plugins.ini_chain.configuration.search import lexical
from benchhygiene_plugins.ini_chain.configuration.values import Settings, ValueRefused
from benchhygiene_plugins.ini_chain.starting.conftests import (
    ConftestFacts,
    conftest_facts,
    late_conftests,
)
from benchhygiene_plugins.ini_chain.starting.startup import Startup
from benchhygiene_plugins.ini_chain.suite.collecting import (
    Selection,
    Suite,
    collect,
    parse_argument,
    without_overlap,
    without_passed,
)
from benchhygiene_plugins.ini_chain.suite.imports import Imports
from benchhygiene_plugins.ini_chain.suite.naming import Names
from benchhygiene_plugins.ini_chain.suite.nodes import Node
from benchhygiene_plugins.ini_chain.tables import IniKey


@attrs.frozen(slots=False, eq=False, repr=False)
class Situation:
    """A start-up that went through, seen from the moment before collection."""

    startup: Startup
    scan: Scan

    @property
    def files(self) -> FileSnapshot:
        """Return the file snapshot."""
        return self.startup.invocation.files

    @property
    def cwd(self) -> str:
        """Return the working directory."""
        return self.startup.invocation.cwd

    @property
    def pytest(self) -> tuple[int, int, int]:
        """Return the version of pytest that will run."""
        return self.startup.dialect.pytest

    @property
    def settings(self) -> Settings:
        """Return the keys in force."""
        return self.startup.in_force

    @cached_property
    def conftests(self) -> tuple[ConftestFacts, ...]:
        """Return the conftests that load: at start-up, and on the way to the test modules."""
        return (*self.startup.conftests, *self.late_conftests)

    @cached_property
    def late_conftests(self) -> tuple[ConftestFacts, ...]:
        """Return the conftests that only collection loads."""
        if self.given("noconftest"):
            return ()
        initial = [facts.path for facts in self.startup.conftests]
        cut = self.startup.confcutdir
        reached = (*self._first_suite.modules, *self._first_suite.conftests)
        paths = late_conftests(self.files, reached, cut, initial)
        return tuple(conftest_facts(self.files, path) for path in paths)

    # -- options and keys

    def given(self, *dests: str) -> tuple[Given, ...]:
        """Return every option given with one of the destinations, in pytest's order."""
        if not self._given_dests & set(dests):
            return ()
        return tuple(given for given in self.scan.given if given.option.dest in dests)

    @cached_property
    def _given_dests(self) -> frozenset[str]:
        return frozenset(given.option.dest for given in self.scan.given)

    def last(self, dest: str) -> Given | None:
        """Return the option that wins for a destination, None where it was not given."""
        found = self.given(dest) if dest in self._given_dests else ()
        return found[-1] if found else None

    def flag(self, key: str) -> bool:
        """Return a boolean key, False where it is unset or refused."""
        try:
            return bool(self.settings.flag(key))
        except ValueRefused:
            return False

    def key_origin(self, key: str) -> Origin:
        """Return where a key was set."""
        found = self.settings.find(key)
        if found is None or found.override:
            return self._override_origin(key)
        return Origin(OriginKind.FILE, self.startup.found.inifile or "", found.line)

    def is_overridden(self, key: str) -> bool:
        """Return whether the value in force comes from an option, not from the file."""
        found = self.settings.find(key)
        return found is not None and found.override

    def _override_origin(self, key: str) -> Origin:
        for given in reversed(self.scan.given):
            if (given.value or "").startswith(f"{key}=") or given.option.dest == key:
                return given.word.origin
        return ARGUMENT

    def is_loaded(self, distribution: str) -> bool:
        """Return whether a plugin of the distribution loaded."""
        return any(found.distribution == distribution for found in self.startup.plugins.loaded)

    @cached_property
    def known_keys(self) -> Mapping[str, IniKey]:
        """Return every registered ini key by name and alias."""
        blocked = self.startup.plugins.blocked
        keys = [key for key in self.startup.table.ini if key.plugin not in blocked]
        for plugin in self.startup.plugins.loaded:
            keys.extend(plugin.table.ini if plugin.table is not None else ())
        return {name: key for key in keys for name in (key.name, *key.aliases)}

    @cached_property
    def markers(self) -> frozenset[str]:
        """Return every registered marker."""
        names = set(self.startup.table.markers)
        with suppress(ValueRefused):  # which ends the run, and is said by the gates
            lines = self.settings.lines("markers")
            names |= {line.split(":")[0].split("(")[0].strip() for line in lines}
        for plugin in self.startup.plugins.loaded:
            names |= set(plugin.table.markers if plugin.table is not None else ())
        for facts in self.conftests:
            names |= set(facts.markers)
        return frozenset(names)

    # -- tests

    @property
    def collection_error(self) -> int:
        """Return the exit status of a file that fails to collect: 4 where its nodes were asked for.

        Pytest then finds no such node, which it takes for bad usage.
        """
        return 4 if any("::" in path for path in self.startup.paths) else 2

    @cached_property
    def suite(self) -> Suite:
        """Return the tests that the arguments lead to, before any deselection."""
        if any(facts.ignored or facts.ignored_globs for facts in self.late_conftests):
            return self.suite_with(self._selection(self.conftests))
        return self._first_suite

    @cached_property
    def _first_suite(self) -> Suite:
        return self.suite_with(self._selection(self.startup.conftests))

    def suite_with(self, selection: Selection) -> Suite:
        """Return the tests that the arguments lead to under other naming rules."""
        paths = self.startup.paths
        arguments = tuple(parse_argument(text, self.cwd, self.pytest) for text in paths)
        if self.pytest >= (8, 0, 0) and not self.given("keepduplicates"):
            modern = self.pytest >= (9, 0, 0)
            arguments = (without_overlap if modern else without_passed)(self.files, arguments)
        by_module = bool(self.given("pyargs"))
        return collect(self.files, arguments, selection, by_module=by_module)

    def without_key(self, key: str) -> Suite:
        """Return the tests that would be collected if one naming key were not set."""
        selection, default = self._selection(self.conftests), Selection()
        names = attrs.evolve(
            selection.names,
            functions=default.names.functions
            if key == "python_functions"
            else selection.names.functions,
            classes=default.names.classes if key == "python_classes" else selection.names.classes,
        )
        changed = attrs.evolve(selection, names=names)
        if key == "python_files":
            changed = attrs.evolve(changed, python_files=default.python_files)
        if key == "norecursedirs":
            changed = attrs.evolve(changed, norecursedirs=default.norecursedirs)
        return self.suite_with(changed)

    def _selection(self, conftests: Sequence[ConftestFacts]) -> Selection:
        default = Selection()
        ignored = [lexical(self.cwd, given.value or "") for given in self.given("ignore")]
        globs = [lexical(self.cwd, given.value or "") for given in self.given("ignore_glob")]
        names = Names(
            self._listed("python_functions", default.names.functions),
            self._listed("python_classes", default.names.classes),
        )
        return Selection(
            self._listed("python_files", default.python_files),
            names,
            self._listed("norecursedirs", default.norecursedirs),
            tuple(ignored),
            tuple(globs),
            tuple(map(_ignoring, sorted(conftests, key=lambda facts: -facts.path.count("/")))),
        )

    def _listed(self, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
        if self.settings.find(key) is None:
            return default
        try:
            return self.settings.shell_words(key)
        except ValueRefused:
            return default

    @cached_property
    def imports(self) -> Imports:
        """Return what the collected modules import, and whether it can be found."""
        return Imports.of(self.startup, self.suite, self.import_mode)

    @property
    def import_mode(self) -> str:
        """Return how test modules are imported."""
        given = self.last("importmode")
        return (given.value if given is not None else None) or "prepend"

    def node_id(self, node: Node) -> str:
        """Return the node id: the path relative to the rootdir, then the names."""
        rootdir = self.startup.found.rootdir
        path = posixpath.relpath(node.path, rootdir)
        return "::".join([node.path if path.startswith("..") else path, *node.names])

    def scope_conftests(self, node: Node) -> Iterator[ConftestFacts]:
        """Yield the conftests whose fixtures a node can see."""
        for facts in self.conftests:
            base = posixpath.dirname(facts.path)
            if node.path.startswith(base.rstrip("/") + "/"):
                yield facts


def _ignoring(facts: ConftestFacts) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return a conftest's directory, and the paths and globs that it keeps from collection."""
    base = posixpath.dirname(facts.path)
    paths = tuple(lexical(base, name) for name in facts.ignored)
    return base, paths, tuple(lexical(base, name) for name in facts.ignored_globs)
