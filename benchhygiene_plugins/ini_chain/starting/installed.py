"""Say which pytest plugins are installed, what they register, and which modules can be imported."""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Iterator, Sequence

import attrs

from benchhygiene.errors import InputError
from benchhygiene.evidence import Distribution, PytestInvocation
from benchhygiene_plugins.ini_chain.starting.versions import Dialect, release
from benchhygiene_plugins.ini_chain.tables import Option, PluginTable, normalise, plugin_table

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
        """Return whether a module can be imported, None where nobody can tell.

        Below the top-level name only namespace packages are asked: others may make up what they
        hold.
        """
        top = name.partition(".")[0]
        if self.is_standard(top) or self.local(top) is not None:
            return True
        known, complete = False, self.invocation.complete
        for dist in self.invocation.distributions:
            modules = _modules_of(dist)
            known = known or top in modules
            complete = complete and (dist.modules is not None or _is_described(dist))
        if known:
            return True
        local = self._has_local(name)
        return None if local is False and not complete else local

    def _has_local(self, name: str) -> bool | None:
        """Return whether directories without ``__init__`` hold the module, compiled ones included.

        None where such a directory is not known in whole.
        """
        homes = self.directories
        for part in name.split("."):
            found, below = self._step(homes, part)
            if found is not None:
                return True
            if not below:
                return self._holds_compiled(homes, part)
            homes = below
        return True

    def _holds_compiled(self, homes: Sequence[str], name: str) -> bool | None:
        files = self.invocation.files
        compiled = (
            path
            for home in homes
            for path in files.below(home)
            if path.endswith((".so", ".pyd")) and posixpath.dirname(path) == home
        )
        if any(posixpath.basename(path).partition(".")[0] == name for path in compiled):
            return True
        return False if homes == self.directories or all(map(files.is_listed, homes)) else None

    def is_standard(self, name: str) -> bool:
        """Return whether the module belongs to Python or to pytest itself."""
        return name in sys.stdlib_module_names or name in _ALWAYS

    def local(self, name: str) -> str | None:
        """Return the file in the search directories that shadows or provides a module."""
        return self._step(self.directories, name)[0]

    def is_local(self, name: str) -> bool:
        """Return whether a module comes from the search directories, compiled ones included."""
        top = name.partition(".")[0]
        return self.local(top) is not None or self._has_local(name) is not False

    def file(self, name: str) -> str | None:
        """Return the local file of a dotted name, with or without ``__init__`` on the way to it."""
        found: str | None = None
        homes = self.directories
        for part in name.split("."):
            found, homes = self._step(homes, part)
        return found

    def _step(self, homes: Sequence[str], name: str) -> tuple[str | None, tuple[str, ...]]:
        """Return the file of a name in some directories, and the directories to look on in.

        Directories alone make a namespace package, where none of them holds a module of the name.
        """
        files = self.invocation.files
        for home in homes:
            package = posixpath.join(home, name, "__init__.py")
            if files.is_file(package):
                return package, (posixpath.dirname(package),)
            module = posixpath.join(home, f"{name}.py")
            if files.is_file(module):
                return module, ()
        below = (posixpath.join(home, name) for home in homes)
        return None, tuple(path for path in below if files.is_dir(path))


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
