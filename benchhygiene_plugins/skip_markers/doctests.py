"""Examples in docstrings and text files that are no longer run."""

from __future__ import annotations

import ast
import posixpath
from collections import Counter
from collections.abc import Iterator, Mapping

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.python import FunctionNode, PythonFile, parse

_TEXTS = (".txt", ".rst", ".md")
_LONGEST = 1_000_000  # characters of a text that is searched for examples
_SKIPPERS = ("skip", "xfail", "importorskip", "SkipTest")


@attrs.frozen
class Example:
    """One example: its source without directives, the line it stands on, and whether it runs."""

    source: str
    line: int
    runs: bool
    text: str


@attrs.frozen
class Lost:
    """An example that ran in the parent: the doctest's node id, and both texts."""

    node_id: str
    line: int
    old_text: str
    new_text: str


def lost(parent: SourceTree, candidate: SourceTree, path: str) -> Iterator[Lost]:
    """Yield the examples of a file that ran in the parent and are skipped in the candidate."""
    before, after = _examples(parent, path), _examples(candidate, path)
    for name in sorted(before.keys() & after.keys()):
        node_id = f"{path}::{_prefix(candidate, path)}{name}"
        for old, new in _skipped(before[name], after[name]):
            yield Lost(node_id, new.line, old.text, new.text)


def _skipped(
    before: tuple[Example, ...], after: tuple[Example, ...]
) -> Iterator[tuple[Example, Example]]:
    ran = Counter(one.source for one in before if one.runs)
    ran -= Counter(one.source for one in after if one.runs)
    were = {one.source: one for one in before}
    quiet = sum(not one.runs for one in before)
    for one in (one for one in after if not one.runs):
        if ran[one.source] > 0:
            ran[one.source] -= 1
            yield were[one.source], one
        elif one.source in were:
            quiet -= 1
        elif quiet <= 0 and +ran:  # reworded and skipped in one go
            gone = next(iter(+ran))
            ran[gone] -= 1
            yield were[gone], one


def _examples(tree: SourceTree, path: str) -> Mapping[str, tuple[Example, ...]]:
    try:
        if path.endswith(".py"):
            return tree.derived(path, _of_python)
        return tree.derived(path, _of_text) if path.endswith(_TEXTS) else {}
    except EvidenceUnavailable:
        return {}


def _of_text(data: bytes) -> Mapping[str, tuple[Example, ...]]:
    found = _read(data.decode(errors="replace"), 1)
    return {"": found} if found else {}


def _of_python(data: bytes) -> Mapping[str, tuple[Example, ...]]:
    if b">>>" not in data:
        return {}
    source = parse(data)
    unrun = set(_switched_off(source))
    found: dict[str, tuple[Example, ...]] = {}
    for name, text, line in _docstrings(source):
        examples = _read(text, line)
        if unrun & {"*", ".", name.lstrip(".")}:
            examples = tuple(attrs.evolve(one, runs=False) for one in examples)
        if examples:
            found[name] = examples
    return found


def _switched_off(source: PythonFile) -> Iterator[str]:
    """Yield the names in ``__doctest_skip__``, which pytest-doctestplus goes by."""
    given = source.constants.get("__doctest_skip__")
    if isinstance(given, ast.List | ast.Tuple):
        yield from (str(one.value) for one in given.elts if isinstance(one, ast.Constant))


def _docstrings(source: PythonFile) -> Iterator[tuple[str, str, int]]:
    """Yield each definition's dotted name, docstring and the docstring's line."""
    pending: list[tuple[str, ast.Module | FunctionNode | ast.ClassDef]] = []
    if source.module is not None:
        pending.append(("", source.module))
    while pending:
        name, node = pending.pop()
        first = node.body[0] if node.body else None
        text = ast.get_docstring(node, clean=False)
        if text is not None and first is not None:
            yield name, text, first.lineno
        if isinstance(node, FunctionNode):
            continue
        for inner in node.body:
            if isinstance(inner, FunctionNode | ast.ClassDef):
                pending.append((f"{name}.{inner.name}", inner))


def _read(text: str, line: int) -> tuple[Example, ...]:
    if ">>>" not in text or len(text) > _LONGEST:
        return ()
    import doctest  # it brings a debugger and a test runner along, and most files have no example

    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return ()
    lines = text.split("\n")
    stopped = _plus_skips(lines)
    found: list[Example] = []
    ended = False
    for one in examples:
        ended = ended or _skips_rest(one.source)
        runs = not (one.options.get(doctest.SKIP) or ended or one.lineno in stopped)
        shown = lines[one.lineno].strip() if one.lineno < len(lines) else one.source.strip()
        found.append(Example(_bare(one.source), line + one.lineno, runs, shown))
    return tuple(found)


def _bare(source: str) -> str:
    kept = (line.partition("# doctest:")[0].rstrip() for line in source.split("\n"))
    return "\n".join(kept).strip()


def _skips_rest(source: str) -> bool:
    """Return whether an example skips the ones after it: ``>>> pytest.skip("no network")``."""
    if not any(word in source for word in _SKIPPERS):
        return False
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    for node in ast.walk(tree):
        called = node.func if isinstance(node, ast.Call) else None
        raised = node.exc if isinstance(node, ast.Raise) else None
        for one in (called, raised):
            name = one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "")
            if name in _SKIPPERS:
                return True
    return False


def _plus_skips(lines: list[str]) -> frozenset[int]:
    """Return the lines below a directive that skips a whole block, as doctest extensions have."""
    found: set[int] = set()
    depth: int | None = None
    for number, line in enumerate(lines):
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        if text.startswith((".. doctest-skip", ".. doctest-requires", ".. skip:")):
            depth = indent
        elif text and depth is not None and indent <= depth and not text.startswith(">>>"):
            depth = None
        if depth is not None:
            found.add(number)
    return frozenset(found)


def _prefix(tree: SourceTree, path: str) -> str:
    """Return the name pytest gives a file's doctests: the module's, or the text file's own."""
    folder, name = posixpath.split(path)
    if not path.endswith(".py"):
        return name
    parts = [] if name == "__init__.py" else [name.removesuffix(".py")]
    while folder and tree.is_file(posixpath.join(folder, "__init__.py")):
        folder, package = posixpath.split(folder)
        parts.insert(0, package)
    return ".".join(parts)
