"""Say which pytest plugins are installed, what they register, and which modules can be imported."""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Iterator

import attrs

from benchhygiene.errors import InputError
from benchhygiene.evidence import Distribution, PytestInvocation
from benchhygiene_plugins.ini_chain.tables import Option, PluginTable, normalise, plugin_table
from benchhygiene_plugins.ini_chain.versions import Dialect, release

_ALWAYS = frozenset({"pytest", "_pytest", "pluggy", "iniconfig", "packaging", "py", "pygments"})
#: Companions of pytest and its plugins, and the modules they provide (their wheels' RECORD).
_COMPANIONS = {
    "attrs": ("attr", "attrs"),
    "colorama": ("colorama",),
    "coverage": ("coverage",),
    "exceptiongroup": ("exceptiongroup",),
    "execnet": ("execnet",),
    "iniconfig": ("iniconfig",),
    "packaging": ("packaging",),
    "pip": ("pip",),
    "pluggy": ("pluggy",),
    "psutil": ("psutil",),
    "py": ("py",),
    "pygments": ("pygments",),
    "pytest": ("pytest", "_pytest"),
    "setuptools": ("setuptools", "pkg_resources", "_distutils_hack"),
    "tomli": ("tomli",),
    "typing-extensions": ("typing_extensions",),
    "wheel": ("wheel",),
}


@attrs.frozen(eq=False, repr=False)
class InstalledPlugin:
    """One ``pytest11`` entry point; ``table`` is None where its options are not known to us."""

    name: str
    module: str
    distribution: str
    version: str
    table: PluginTable | None

    @property
    def options(self) -> tuple[Option, ...]:
        """Return the options that this entry point, of all of its distribution's, registers."""
        if self.table is None:
            return ()
        names = {entry.name for entry in self.table.entry_points if entry.module == self.module}
        return tuple(option for option in self.table.options if option.plugin in names)


def dialect_of(invocation: PytestInvocation) -> Dialect:
    """Return the versions whose rules hold for an invocation."""
    named = {normalise(dist.name): dist.version for dist in invocation.distributions}
    iniconfig = named.get("iniconfig")
    return Dialect(
        release(invocation.pytest),
        release(invocation.python),
        _metadata_release(iniconfig),
    )


def _metadata_release(version: str | None) -> tuple[int, int, int] | None:
    """Return a version that metadata states, None where it states none that can be read."""
    try:
        return None if version is None else release(version)
    except InputError:
        return None


def installed_plugins(invocation: PytestInvocation) -> tuple[InstalledPlugin, ...]:
    """Return every installed pytest plugin, in the order of their distributions."""
    found = [
        plugin
        for dist in sorted(invocation.distributions, key=lambda dist: normalise(dist.name))
        for plugin in _plugins_of(dist)
    ]
    return tuple(found)


def _plugins_of(dist: Distribution) -> Iterator[InstalledPlugin]:
    name = normalise(dist.name)
    table = plugin_table(name, dist.version)
    if dist.plugins is not None:
        for entry in dist.plugins:
            yield InstalledPlugin(entry.name, entry.module, dist.name, dist.version, table)
    elif table is not None:
        for entry in table.entry_points:
            yield InstalledPlugin(entry.name, entry.module, dist.name, dist.version, table)
    elif name.startswith("pytest-"):
        guess = name.replace("-", "_")
        yield InstalledPlugin(guess, guess, dist.name, dist.version, None)


@attrs.frozen(eq=False, repr=False)
class Modules:
    """What an ``import`` in the target environment would find.

    ``directories`` are searched first, as ``sys.path`` would; ``complete`` says that nothing else
    is installed than what is named.
    """

    invocation: PytestInvocation
    directories: tuple[str, ...]

    def has(self, name: str) -> bool | None:
        """Return whether the top-level module can be imported, None where nobody can tell."""
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names or top in _ALWAYS or self.local(top) is not None:
            return True
        known, complete = False, self.invocation.complete
        for dist in self.invocation.distributions:
            modules = _modules_of(dist)
            known = known or top in modules
            complete = complete and (dist.modules is not None or _is_described(dist))
        if known:
            return True
        return False if complete else None

    def is_standard(self, name: str) -> bool:
        """Return whether the module belongs to Python or to pytest itself."""
        return name in sys.stdlib_module_names or name in _ALWAYS

    def local(self, name: str) -> str | None:
        """Return the file in the search directories that shadows or provides a module."""
        for directory in self.directories:
            for tail in (f"{name}/__init__.py", f"{name}.py"):
                path = posixpath.join(directory, tail)
                if self.invocation.files.is_file(path):
                    return path
        return None


def _is_described(dist: Distribution) -> bool:
    name = normalise(dist.name)
    return name in _COMPANIONS or plugin_table(name, dist.version) is not None


def _modules_of(dist: Distribution) -> tuple[str, ...]:
    if dist.modules is not None:
        return dist.modules
    name = normalise(dist.name)
    table = plugin_table(name, dist.version)
    guess = name.replace("-", "_")
    return (guess, *_COMPANIONS.get(name, ()), *(table.modules if table is not None else ()))
