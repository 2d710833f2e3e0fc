"""The examples of a file's docstrings and texts, and what each expects.

Rules: Python's ``doctest`` (what an example is, option directives), pytest's ``doctest.py``.
"""

from __future__ import annotations

import ast
import doctest
import posixpath
from collections.abc import Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.doctests import documented, module_name
from benchhygiene.inventory.python import PythonFile, parse
from benchhygiene.inventory.spelling import dotted

TEXTS = (".txt", ".rst", ".md")
_LONGEST = 1_000_000  # characters of a text that is searched for examples


@attrs.frozen
class Example:
    """One example: the node it belongs to, its code and expected output, and what loosens it.

    ``source`` has no directives; ``options`` are the names of those it switches on. ``line`` counts
    from 1.
    """

    node_id: str
    path: str
    line: int
    source: str
    want: str
    options: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """Return the example as it stands in a docstring, without directives."""
        first, *rest = self.source.split("\n")
        return "\n".join((f">>> {first}", *(f"... {line}" for line in rest), self.want)).rstrip()


def examples(tree: SourceTree, path: str) -> tuple[Example, ...]:
    """Return the examples of one file; none where its bytes cannot be had."""
    try:
        if path.endswith(".py"):
            found = tree.derived(path, _of_python)
            prefix = module_name(tree, path)
        elif path.endswith(TEXTS):
            found, prefix = tree.derived(path, _of_text), posixpath.basename(path)
        else:
            return ()
    except EvidenceUnavailable:
        return ()
    return tuple(
        attrs.evolve(one, path=path, node_id=f"{path}::{prefix}{one.node_id}") for one in found
    )


def is_broken(tree: SourceTree, path: str) -> bool:
    """Return whether a Python file has no syntax tree to find docstrings in."""
    try:
        return path.endswith(".py") and tree.derived(path, parse).module is None
    except EvidenceUnavailable:
        return True


def _of_text(data: bytes) -> tuple[Example, ...]:
    return tuple(_read(data.decode(errors="replace"), 1, ""))


def _of_python(data: bytes) -> tuple[Example, ...]:
    if b">>>" not in data:
        return ()
    file = parse(data)
    return tuple(one for name, text, line in _docstrings(file) for one in _read(text, line, name))


def _docstrings(file: PythonFile) -> Iterator[tuple[str, str, int]]:
    """Yield the docstrings and the texts of ``__test__``, by what follows the module's name."""
    rebound = _rebound(file)
    for qualname, node in documented(file):
        text = ast.get_docstring(node, clean=False)
        if qualname in rebound:
            text = rebound[qualname]
        if text is not None:
            yield f".{qualname}" if qualname else "", text, node.body[0].lineno
    given = file.constants.get("__test__")
    if isinstance(given, ast.Dict):
        for key, value in zip(given.keys, given.values, strict=True):
            name, text = _text(key), _text(value)
            if name is not None and text is not None:
                yield f".__test__.{name}", text, value.lineno


def _rebound(file: PythonFile) -> dict[str, str | None]:
    """Return the texts that the module binds to ``__doc__`` later, None where it is none."""
    found: dict[str, str | None] = {}
    for statement in file.body:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                name = dotted(target)
                if name == "__doc__" or name.endswith(".__doc__"):
                    found[name.removesuffix("__doc__").removesuffix(".")] = _text(statement.value)
    return found


def _text(node: ast.expr | None) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None


def _read(text: str, line: int, name: str) -> Iterator[Example]:
    if ">>>" not in text or len(text) > _LONGEST:
        return
    bare, options = _without_directives(text)
    try:
        found = doctest.DocTestParser().get_examples(bare)
    except ValueError:  # pytest makes it an error of the item: nothing is silent
        return
    for one in found:
        source = one.source.strip()
        held = range(one.lineno, one.lineno + one.source.count("\n"))
        on = frozenset(option for at in held for option in options.get(at, ()))
        yield Example(name, "", line + one.lineno, source, one.want.rstrip(), on)


def _without_directives(text: str) -> tuple[str, dict[int, tuple[str, ...]]]:
    """Return the text without option directives, and by line which options they switch on.

    doctest knows only options that are registered: pytest's NUMBER and others' would be errors.
    """
    lines, options = text.split("\n"), dict[int, tuple[str, ...]]()
    for at, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...")):
            continue
        code, sign, directive = line.partition("# doctest:")
        if not sign:
            code, sign, directive = line.partition("#doctest:")
        if sign:
            lines[at] = code.rstrip()
            words = directive.replace(",", " ").split()
            options[at] = tuple(word[1:] for word in words if word.startswith("+"))
    return "\n".join(lines), options
