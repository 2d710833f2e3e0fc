"""Work out which tests a run would collect, from the file snapshot alone.

Rules: ``_pytest/main.py`` (arguments, ``norecursedirs``, ``--ignore``) and ``_pytest/python.py``.
"""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Iterator, Mapping, Sequence

import attrs

from benchhygiene.evidence import FileSnapshot
from benchhygiene_plugins.ini_chain.configuration.search import lexical
from benchhygiene_plugins.ini_chain.suite.naming import Names
from benchhygiene_plugins.ini_chain.suite.nodes import ModuleFacts, Node, module_facts
from benchhygiene_plugins.ini_chain.suite.source import MOST_MODULES, Unparsed, parse

_NORECURSE = ("*.egg", ".*", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}")


@attrs.frozen(eq=False, repr=False)
class Selection:
    """What decides which files are collected, all as pytest spells it."""

    python_files: tuple[str, ...] = ("test_*.py", "*_test.py")
    names: Names = attrs.field(factory=Names)
    norecursedirs: tuple[str, ...] = _NORECURSE
    ignored: tuple[str, ...] = ()
    ignored_globs: tuple[str, ...] = ()
    conftests: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = ()


@attrs.frozen(eq=False, repr=False)
class Argument:
    """One path argument: what it leads to and which node of the file it names."""

    text: str
    path: str
    names: tuple[str, ...]
    parameters: str | None


@attrs.frozen(eq=False, repr=False)
class Suite:
    """The tests that would be collected.

    ``missing`` lists arguments that lead nowhere, ``broken`` files that fail to import, with why.
    ``doubts`` says what may make the list wrong: empty means it is exact. ``unseen`` are those
    among them by which whole files may have gone unseen. ``conftests`` lie in the directories that
    collection walks through.
    """

    nodes: tuple[Node, ...]
    modules: Mapping[str, ModuleFacts]
    missing: tuple[Argument, ...]
    broken: tuple[tuple[str, str], ...]
    doubts: tuple[str, ...]
    unseen: tuple[str, ...] = ()
    conftests: tuple[str, ...] = ()


def parse_argument(text: str, cwd: str, pytest: tuple[int, int, int] = (9, 2, 0)) -> Argument:
    """Split ``path::Class::name[id]`` as the given pytest does.

    6.2 takes a ``::`` inside the brackets for another level; 7 and 8 drop brackets behind a bare
    path.
    """
    if pytest < (7, 0, 0) and "::" in text.partition("[")[2]:
        path, *names = text.split("::")
        return Argument(text, lexical(cwd, path), tuple(names), None)
    base, bracket, rest = text.partition("[")
    parts = base.split("::")
    if len(parts) == 1 and bracket:
        # Without "::" a bracket belongs to the file name.
        dropped = (7, 0, 0) <= pytest < (9, 0, 0)
        return Argument(text, lexical(cwd, base if dropped else text), (), None)
    parameters = rest.removesuffix("]") if bracket else None
    return Argument(text, lexical(cwd, parts[0]), tuple(parts[1:]), parameters)


@attrs.define(eq=False, repr=False)
class _Collector:
    files: FileSnapshot
    selection: Selection
    by_module: bool = False
    modules: dict[str, ModuleFacts] = attrs.field(factory=dict[str, ModuleFacts])
    nodes: dict[Node, None] = attrs.field(factory=dict[Node, None])
    missing: list[Argument] = attrs.field(factory=list[Argument])
    broken: list[tuple[str, str]] = attrs.field(factory=list[tuple[str, str]])
    doubts: list[str] = attrs.field(factory=list[str])
    unseen: list[str] = attrs.field(factory=list[str])
    conftests: list[str] = attrs.field(factory=list[str])

    def take(self, argument: Argument) -> None:
        if self.files.is_dir(argument.path):
            for path in self._walk(argument.path):
                self._take_module(path)
        elif self.files.is_file(argument.path):
            self._take_file(argument)
        elif self.by_module:
            self.unseen.append(f"{argument.text} may name a module")
        else:
            self.missing.append(argument)

    def _take_file(self, argument: Argument) -> None:
        if not argument.path.endswith(".py"):
            self.unseen.append(f"{argument.text} is no Python file")
            return
        module = self._module(argument.path)
        if module is None:
            return
        chosen = [node for node in module.nodes if _is_named(node, argument)]
        if argument.names and not chosen:
            if module.doubt is None:
                self.missing.append(argument)
            return
        self.nodes |= dict.fromkeys(chosen)

    def _take_module(self, path: str) -> None:
        module = self._module(path)
        if module is not None:
            self.nodes |= dict.fromkeys(module.nodes)

    def _module(self, path: str) -> ModuleFacts | None:
        if path in self.modules:
            return self.modules[path]
        if len(self.modules) >= MOST_MODULES:
            self.unseen.append(f"more than {MOST_MODULES} test files: the rest is not looked at")
            return None
        tree = parse(self.files, path)
        if isinstance(tree, Unparsed):
            if tree.broken:
                self.broken.append((path, tree.reason))
            else:
                self.unseen.append(f"{posixpath.basename(path)}: {tree.reason}")
            return None
        facts = module_facts(path, tree, self.selection.names)
        if facts.doubt is not None:
            self.doubts.append(f"{posixpath.basename(path)}: {facts.doubt}")
        self.modules[path] = facts
        return facts

    def _walk(self, directory: str) -> Iterator[str]:
        """Yield the test files below a directory, in pytest's order of names."""
        if not self.files.is_listed(directory):
            self.unseen.append(f"not all of {posixpath.basename(directory)}/ was looked at")
        for path in self.files.below(directory):
            relative = path[len(directory.rstrip("/")) + 1 :]
            if self.files.is_dir(path) and not self._is_skipped(directory, relative, last=True):
                if not self.files.is_listed(path):
                    self.unseen.append(f"not all of {relative}/ was looked at")
            elif posixpath.basename(path) == "conftest.py":
                if not self._is_skipped(directory, relative, conftest=True):
                    self.conftests.append(path)
            elif self._is_test_file(path) and not self._is_skipped(directory, relative):
                yield path

    def _is_test_file(self, path: str) -> bool:
        name = posixpath.basename(path)
        patterns = self.selection.python_files
        matched = any(
            fnmatch.fnmatchcase(path if "/" in pattern else name, pattern) for pattern in patterns
        )
        return name.endswith(".py") and self.files.is_file(path) and matched

    def _is_skipped(
        self, top: str, relative: str, *, last: bool = False, conftest: bool = False
    ) -> bool:
        """Return whether the path is ignored, or lies in a directory that is not entered."""
        parts = relative.split("/")
        path = top
        for index, part in enumerate(parts):
            path = posixpath.join(path, part)
            is_directory = last or index < len(parts) - 1
            ignored = self._is_ignored(path) and (is_directory or not conftest)
            if ignored or (is_directory and self._is_not_entered(path, part)):
                return True
        return False

    def _is_not_entered(self, path: str, name: str) -> bool:
        if name == "__pycache__" or self.files.is_file(posixpath.join(path, "pyvenv.cfg")):
            return True
        return any(
            fnmatch.fnmatchcase(path if "/" in pattern else name, pattern)
            for pattern in self.selection.norecursedirs
        )

    def _is_ignored(self, path: str) -> bool:
        selection = self.selection
        if _is_listed(path, selection.ignored, selection.ignored_globs):
            return True
        parent = posixpath.dirname(path)
        above = [
            one
            for one in selection.conftests
            if parent == one[0] or parent.startswith(one[0] + "/")
        ]
        # The nearest conftest that has such a list decides, the others are not asked.
        paths = next((ignored for _, ignored, _ in above if ignored), ())
        globs = next((globs for _, _, globs in above if globs), ())
        return _is_listed(path, paths, globs)


def _is_listed(path: str, paths: Sequence[str], globs: Sequence[str]) -> bool:
    return path in paths or any(fnmatch.fnmatchcase(path, pattern) for pattern in globs)


def _is_named(node: Node, argument: Argument) -> bool:
    if node.names[: len(argument.names)] != argument.names:
        return False
    if argument.parameters is None or node.ids is None:
        return True
    return argument.parameters in node.ids


def without_passed(files: FileSnapshot, arguments: tuple[Argument, ...]) -> tuple[Argument, ...]:
    """Return the arguments that pytest 8 collects.

    A directory that it passes on its way to another argument counts as collected already, and so
    nothing but that other argument is.
    """
    return tuple(
        one
        for one in arguments
        if not files.is_dir(one.path)
        or not any(other.path.startswith(f"{one.path.rstrip('/')}/") for other in arguments)
    )


def without_overlap(files: FileSnapshot, given: Sequence[Argument]) -> tuple[Argument, ...]:
    """Drop every argument that another one already covers, as pytest 9 does.

    What does not exist stays: it is refused before overlaps are looked for.
    """
    arguments = [argument for argument in given if files.exists(argument.path)]
    missing = [argument for argument in given if not files.exists(argument.path)]
    kept = [
        argument
        for index, argument in enumerate(arguments)
        if not any(
            _covers(other, argument) and (other_index < index or not _covers(argument, other))
            for other_index, other in enumerate(arguments)
            if other_index != index
        )
    ]
    return (*kept, *missing)


def _covers(outer: Argument, inner: Argument) -> bool:
    if outer.path != inner.path:
        return not outer.names and inner.path.startswith(outer.path.rstrip("/") + "/")
    if inner.names[: len(outer.names)] != outer.names:
        return False
    return outer.parameters is None or (
        outer.parameters == inner.parameters and outer.names == inner.names
    )


def collect(
    files: FileSnapshot,
    arguments: Sequence[Argument],
    selection: Selection,
    *,
    by_module: bool = False,
) -> Suite:
    """Return the suite that the arguments lead to; ``by_module`` is ``--pyargs``."""
    collector = _Collector(files, selection, by_module)
    for argument in arguments:
        collector.take(argument)
    return Suite(
        tuple(collector.nodes),
        collector.modules,
        tuple(collector.missing),
        tuple(collector.broken),
        tuple(dict.fromkeys((*collector.unseen, *collector.doubts))),
        tuple(dict.fromkeys(collector.unseen)),
        tuple(dict.fromkeys(collector.conftests)),
    )
