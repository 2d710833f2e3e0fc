"""The analyzers there are: unimported plugins, and where they may come from."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias, TypeVar, cast

import attrs

from benchhygiene.core import discovery, trust
from benchhygiene.core.analyzer import Analyzer
from benchhygiene.core.findings import Rule, is_rule_id
from benchhygiene.core.provenance import RefusedPlugin
from benchhygiene.errors import ContractBreach, InputError, RegistryError

E = TypeVar("E")
BUNDLE = "benchhygiene"  # the distribution whose analyzers are bundled
AnyAnalyzer: TypeAlias = Analyzer[Any]
_REFERENCE = re.compile(r"(?P<module>\w+(\.\w+)*)\s*:\s*(?P<attribute>\w+(\.\w+)*)")


@attrs.frozen
class Plugin:
    """An installed analyzer, not imported until ``load`` is called.

    ``distribution`` and ``version`` are None where the analyzer was handed over in code. ``load``
    raises whatever importing the plugin raises, RegistryError where the entry point is malformed
    or leads outside the trusted directories, ContractBreach where it yields no analyzer.
    """

    name: str
    distribution: str | None
    version: str | None
    load: Callable[[], AnyAnalyzer] = attrs.field(eq=False, repr=False)


def _by_name(plugins: Iterable[Plugin]) -> tuple[Plugin, ...]:
    return tuple(sorted(plugins, key=lambda plugin: plugin.name))


def _uniquely_named(_: object, __: object, plugins: tuple[Plugin, ...]) -> None:
    named: dict[str, Plugin] = {}
    for plugin in plugins:
        other = named.setdefault(plugin.name, plugin)
        if other is not plugin:
            claimants = " and ".join(sorted((_claimant(other), _claimant(plugin))))
            raise RegistryError(f"two analyzers are named {plugin.name!r}, by {claimants}")


def _claimant(plugin: Plugin) -> str:
    return f"{plugin.distribution} {plugin.version}" if plugin.distribution else "a call in code"


@attrs.frozen
class Registry:
    """Plugins sorted by name, those that were refused, and notes on the installation.

    Raises RegistryError, naming both distributions, where two plugins have one name.
    """

    plugins: tuple[Plugin, ...] = attrs.field(
        default=(), converter=_by_name, validator=_uniquely_named
    )
    refused: tuple[RefusedPlugin, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def discover(cls, evidence_roots: Iterable[str | os.PathLike[str]] = ()) -> Registry:
        """Return the plugins installed in the interpreter's own site directories.

        What is visible only through the current directory, PYTHONPATH or one of the evidence roots
        (directories whose content is under judgement) is refused and never imported.
        """
        roots = tuple(trust.real_path(os.fspath(root)) for root in evidence_roots)
        site = trust.site_directories()
        found = [_plugin(declaration, site, roots) for declaration in discovery.declared(site)]
        strange = discovery.refused(trust.other_directories(site, roots))
        refused = tuple(one for one in strange if not _is_among(one, found))
        return cls(tuple(found), refused, tuple(_notes(site, roots)))

    def including(self, analyzer: Analyzer[E]) -> Registry:
        """Return a registry that also has this analyzer; raises InputError for a class."""
        if isinstance(analyzer, type):
            name = analyzer.__qualname__
            raise InputError(f"{name}: expected an analyzer such as {name}(), not the class")
        plugin = Plugin(analyzer.name, None, None, _Given(analyzer))
        return attrs.evolve(self, plugins=(*self.plugins, plugin))

    def only(self, *names: str) -> Registry:
        """Return a registry of the named plugins; raises InputError for an unknown name."""
        return attrs.evolve(self, plugins=tuple(self.find(name) for name in sorted(set(names))))

    def find(self, name: str) -> Plugin:
        """Return the plugin of this name; raises InputError where there is none."""
        for plugin in self.plugins:
            if plugin.name == name:
                return plugin
        import difflib  # only for a mistyped name

        close = difflib.get_close_matches(name, self.names, 1)
        known = f"known: {', '.join(self.names)}"
        if is_rule_id(name):
            known += "; this reads like a rule, which the table [severity] of --config lowers"
        hint = f"did you mean {close[0]!r}?" if close else known
        raise InputError(f"there is no analyzer {name!r}; {hint}")

    @property
    def names(self) -> tuple[str, ...]:
        """Return the plugins' names, sorted."""
        return tuple(plugin.name for plugin in self.plugins)

    def __iter__(self) -> Iterator[Plugin]:
        return iter(self.plugins)

    def __len__(self) -> int:
        return len(self.plugins)


def _plugin(
    declaration: discovery.Declaration, site: tuple[str, ...], roots: tuple[str, ...]
) -> Plugin:
    load = _EntryPoint(declaration.name, declaration.reference, declaration.project, site, roots)
    return Plugin(declaration.name, declaration.distribution, declaration.version, load)


def _is_among(refused: RefusedPlugin, plugins: Iterable[Plugin]) -> bool:
    """Return whether the plugin is also installed, as a project's own checkout shows it twice."""
    name = discovery.normalised(refused.distribution)
    return any(
        refused.name == one.name and name == discovery.normalised(one.distribution or "")
        for one in plugins
    )


def _notes(site: Iterable[str], roots: tuple[str, ...]) -> Iterator[str]:
    ours = (*site, os.path.dirname(__file__))
    if any(trust.is_inside(trust.real_path(directory), roots) for directory in ours):
        yield (
            "the environment that runs benchhygiene lies inside the evidence: "
            "whoever wrote the evidence could have changed the plugins"
        )


@attrs.frozen(eq=False, repr=False)
class _Given:
    """Load an analyzer that was handed over in code."""

    analyzer: AnyAnalyzer

    def __call__(self) -> AnyAnalyzer:
        return conforming(self.analyzer.name, self.analyzer)


@attrs.frozen(eq=False, repr=False)
class _EntryPoint:
    """Load what an entry point refers to, once it is known where it would come from."""

    name: str
    reference: str
    project: str | None
    site: tuple[str, ...]
    roots: tuple[str, ...]

    def __call__(self) -> AnyAnalyzer:
        match = _REFERENCE.fullmatch(self.reference)
        if match is None:
            raise RegistryError(
                f"the entry point {self.name} = {self.reference!r} is malformed: "
                "expected module:attribute"
            )
        trust.require_trusted_module(match["module"], self._directories())
        found: Any = importlib.import_module(match["module"])
        for attribute in match["attribute"].split("."):
            found = getattr(found, attribute)
        return conforming(self.name, found() if isinstance(found, type) else found)

    def _directories(self) -> tuple[str, ...]:
        """Return the directories the code may come from: its project's, if that is not judged."""
        if self.project is None:
            return self.site
        if trust.is_inside(trust.real_path(self.project), self.roots) and not _is_ours(
            self.project
        ):
            raise RegistryError(
                f"the entry point {self.name} is an editable install whose code is under judgement"
            )
        return (*self.site, self.project)


def _is_ours(project: str) -> bool:
    """Return whether this very library runs from the project: then refusing it protects nobody."""
    return trust.is_inside(trust.real_path(__file__), (trust.real_path(project),))


def conforming(name: str, value: object) -> AnyAnalyzer:
    """Return the value as an analyzer of this name, or raise ContractBreach."""
    given = getattr(value, "name", None)
    if given != name:
        raise ContractBreach(f"the analyzer is registered as {name!r} but its name is {given!r}")
    rules = getattr(value, "rules", None)
    if not isinstance(rules, tuple) or not all(isinstance(r, Rule) for r in cast(Any, rules)):
        raise ContractBreach(f"{name}.rules: expected a tuple of Rule")
    if not isinstance(getattr(value, "consumes", None), type):
        raise ContractBreach(f"{name}.consumes: expected an evidence type")
    if not callable(getattr(value, "analyze", None)):
        raise ContractBreach(f"{name}.analyze: expected a method")
    return cast(AnyAnalyzer, value)
