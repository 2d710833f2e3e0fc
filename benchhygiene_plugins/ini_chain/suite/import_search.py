"""Say where a module of the workspace looks for what it imports, and what it would not find.

Rules: ``sys.path`` as ``python -m pytest``, ``pythonpath``, PYTHONPATH and the import mode make it.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator
from contextlib import suppress

import attrs

from benchhygiene.evidence import PytestInvocation
from benchhygiene_plugins.ini_chain.configuration.search import lexical
from benchhygiene_plugins.ini_chain.configuration.values import Settings, ValueRefused
from benchhygiene_plugins.ini_chain.starting.conftests import ConftestFacts
from benchhygiene_plugins.ini_chain.starting.installed import Modules, dialect_of
from benchhygiene_plugins.ini_chain.suite.source import parse


@attrs.frozen(eq=False, repr=False)
class ImportSearch:
    """The local directories that imports are looked up in.

    ``first`` are those that the command puts on the path, ``added`` those of ``pythonpath``.
    ``namespaces`` says that ``consider_namespace_packages`` is in force.
    """

    invocation: PytestInvocation
    first: tuple[str, ...]
    inifile: str | None
    added: tuple[str, ...]
    namespaces: bool = False

    @classmethod
    def by(
        cls,
        invocation: PytestInvocation,
        first: tuple[str, ...],
        inifile: str | None,
        settings: Settings,
    ) -> ImportSearch:
        """Return the search by the keys in force."""
        added: tuple[str, ...] = ()
        namespaces = False
        with suppress(ValueRefused):  # which ends the run, and is said by the gates
            added = settings.shell_words("pythonpath")
            if dialect_of(invocation).pytest >= (8, 2, 0):
                namespaces = settings.flag("consider_namespace_packages") is True
        return cls(invocation, first, inifile, added, namespaces)

    def directories(self, path: str) -> tuple[str, ...]:
        """Return where a module loaded from the path looks, its own root first."""
        listed = self._listed()
        return (self._root(path, listed), *listed)

    def _listed(self) -> tuple[str, ...]:
        """Return the local directories on the path before anything of the workspace loads."""
        cwd = self.invocation.cwd
        base = cwd if self.inifile is None else posixpath.dirname(self.inifile)
        variable = self.invocation.variable("PYTHONPATH") or ""
        further = [lexical(cwd, part) for part in variable.split(":") if part]
        return (*(lexical(base, word) for word in self.added), *self.first, *further)

    def _root(self, path: str, listed: tuple[str, ...]) -> str:
        """Return the directory that pytest puts on the path for a module.

        With ``consider_namespace_packages`` that is the first one, from the package's own upwards,
        which the module could be imported from already (``_pytest/pathlib.py`` of 8.2 and newer).
        """
        start = posixpath.dirname(path)
        while self.invocation.files.is_file(posixpath.join(start, "__init__.py")):
            start = posixpath.dirname(start)
        above = start
        while self.namespaces and above != posixpath.dirname(above):
            if above in listed and self._leads_to(path, above, listed):
                return above
            above = posixpath.dirname(above)
        return start

    def _leads_to(self, path: str, directory: str, listed: tuple[str, ...]) -> bool:
        name = path.removeprefix(f"{directory.rstrip('/')}/").removesuffix(".py")
        if "." in name:
            return False
        modules = Modules(self.invocation, listed)
        is_standard = modules.is_standard(name.partition("/")[0])
        return not is_standard and modules.file(name.replace("/", ".")) == path

    def modules(self, path: str) -> Modules:
        """Return what a module loaded from the path can import."""
        return Modules(self.invocation, self.directories(path))

    def conftest_problem(self, facts: ConftestFacts) -> tuple[str | None, int | None]:
        """Return why importing a conftest fails and in which line, None where it does not."""
        if facts.problem is not None:
            return f"the conftest fails: {facts.problem}", facts.line
        modules = self.modules(facts.path)
        for module, line in facts.modules:
            if modules.has(module) is False:
                return f"the conftest imports {module}, which is not installed", line
            if self._raises(modules.local(module.partition(".")[0])):
                return f"the conftest imports {module}, which raises", line
        return None, None

    def conftest_doubts(self, facts: ConftestFacts) -> Iterator[str]:
        """Yield what cannot be told about a conftest's imports."""
        modules = self.modules(facts.path)
        for module, _ in facts.modules:
            if modules.has(module) is None:
                yield f"whether {module}, which a conftest imports, is installed"

    def _raises(self, path: str | None) -> bool:
        tree = None if path is None else parse(self.invocation.files, path)
        return isinstance(tree, ast.Module) and any(isinstance(n, ast.Raise) for n in tree.body)
