"""Say where a module of the workspace looks for what it imports, and what it would not find.

Rules: ``sys.path`` as ``python -m pytest``, ``pythonpath``, PYTHONPATH and the import mode make it.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator

import attrs

from benchhygiene.evidence import PytestInvocation
from benchhygiene_plugins.ini_chain.conftests import ConftestFacts
from benchhygiene_plugins.ini_chain.installed import Modules
from benchhygiene_plugins.ini_chain.search import lexical
from benchhygiene_plugins.ini_chain.source import parse


@attrs.frozen(eq=False, repr=False)
class ImportSearch:
    """The local directories that imports are looked up in.

    ``first`` are those that the command puts on the path, ``added`` those of ``pythonpath``.
    """

    invocation: PytestInvocation
    first: tuple[str, ...]
    inifile: str | None
    added: tuple[str, ...]

    def directories(self, path: str) -> tuple[str, ...]:
        """Return where a module loaded from the path looks, its own root first."""
        root = posixpath.dirname(path)
        while self.invocation.files.is_file(posixpath.join(root, "__init__.py")):
            root = posixpath.dirname(root)
        cwd = self.invocation.cwd
        base = cwd if self.inifile is None else posixpath.dirname(self.inifile)
        variable = self.invocation.variable("PYTHONPATH") or ""
        listed = [lexical(cwd, part) for part in variable.split(":") if part]
        return (root, *(lexical(base, word) for word in self.added), *self.first, *listed)

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
