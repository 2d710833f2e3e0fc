"""The doctests pytest would collect, where the parent's options ask for them."""

from __future__ import annotations

import ast
import fnmatch
import posixpath
from collections.abc import Iterator

from benchhygiene.evidence.tree import SourceTree
from benchhygiene.inventory.nodes import Doctest
from benchhygiene.inventory.python import FunctionNode, PythonFile, parse
from benchhygiene.inventory.rules import CollectionRules


def doctests(tree: SourceTree, path: str, rules: CollectionRules) -> Iterator[Doctest]:
    """Yield the doctest items of one file. Raises EvidenceUnavailable."""
    if path.endswith(".py"):
        if rules.doctest_modules and _is_read(path) and rules.is_reached(path):
            yield from _of_module(path, module_name(tree, path), tree.derived(path, parse))
    elif _is_text(path, rules) and rules.is_reached(path):
        text = tree.read(path).decode("utf-8", errors="replace")
        examples, line = _examples(text)
        if examples:
            yield Doctest(f"{path}::{posixpath.basename(path)}", path, line, examples)


def _is_read(path: str) -> bool:
    return posixpath.basename(path) not in ("setup.py", "__main__.py", "conftest.py")


def _is_text(path: str, rules: CollectionRules) -> bool:
    name = posixpath.basename(path)
    return any(fnmatch.fnmatchcase(name, glob) for glob in rules.doctest_globs)


def module_name(tree: SourceTree, path: str) -> str:
    """Return the name pytest imports a file under: its package's parent is put on the path."""
    package = posixpath.dirname(path)
    while package and tree.is_file(posixpath.join(package, "__init__.py")):
        package = posixpath.dirname(package)
    inside = path[len(package) + 1 :] if package else path
    return posixpath.splitext(inside)[0].replace("/", ".").removesuffix(".__init__")


def _of_module(path: str, module: str, file: PythonFile) -> Iterator[Doctest]:
    for qualname, node in documented(file):
        text = ast.get_docstring(node, clean=False)
        examples, line = _examples(text or "")
        if examples:
            name = f"{module}.{qualname}" if qualname else module
            at = node.body[0].lineno + line - 1
            yield Doctest(f"{path}::{name}", path, at, examples)


def documented(
    file: PythonFile,
) -> Iterator[tuple[str, ast.Module | ast.ClassDef | FunctionNode]]:
    """Yield whatever of a module can have a docstring, by its qualified name."""
    if file.module is not None:
        yield "", file.module
        yield from _inside(file.module, "")


def _inside(
    holder: ast.Module | ast.ClassDef, prefix: str
) -> Iterator[tuple[str, ast.ClassDef | FunctionNode]]:
    for node in holder.body:
        if isinstance(node, FunctionNode):
            yield f"{prefix}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield f"{prefix}{node.name}", node
            yield from _inside(node, f"{prefix}{node.name}.")


def _examples(text: str) -> tuple[int, int]:
    """Return how many examples a text has, and the line of the first."""
    if ">>>" not in text:
        return 0, 1
    import doctest  # it brings a debugger and a test runner along, and most files have no example

    try:
        found = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return text.count(">>>"), 1  # pytest reports it as an error of the item
    return len(found), (found[0].lineno + 1 if found else 1)
