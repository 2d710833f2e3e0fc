"""Whether nothing differs in a test file but tests, and helpers that cannot exempt any of them."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Collection, Mapping

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.inventory.bodies import UNASKED
from benchhygiene.inventory.outline import outline
from benchhygiene.inventory.python import FunctionNode, PythonFile, parse, statements
from benchhygiene.inventory.touched import Touched
from benchhygiene_plugins.skip_markers.differences import does_no_more, has_same_head
from benchhygiene_plugins.skip_markers.resting import resting

_DYNAMIC = re.compile(r"\b(?:getattr|eval|exec|globals|locals|vars|__dict__|attrgetter)\b")


def unsettled(change: Change, path: str) -> frozenset[bytes] | None:
    """Return the words by which a test may use what differs in its file and is no test of it.

    None where it may use that without a word. A test is judged by itself, as long as nothing in the
    file names it but where it is defined: it could exempt another one. What a helper does does not
    count where it does no more than it did, and nobody asks what it gives back: conditions are
    compared by the bodies of what they call.
    """
    trees = (change.parent, change.candidate)
    try:
        names = _differing(*trees, path)
        if not names:
            return frozenset()
        files = tuple(tree.derived(path, parse) for tree in trees)
    except EvidenceUnavailable:
        return None
    tests = _tests(change, path)
    functions = tuple(_functions(file) for file in files)
    left = {
        name
        for name in names
        if not (_is_test(name, functions, tests, files) or _is_helper(name, functions, files))
    }
    if not left:
        return frozenset()
    if not all(_may_be_named(name, functions) for name in left):
        return None
    return resting((name.rpartition(".")[2] for name in left), files)


def _may_be_named(name: str, functions: tuple[Mapping[str, tuple[FunctionNode, ...]], ...]) -> bool:
    """Return whether nothing uses what goes by this name, on either side, but by the name."""
    several = [one for each in functions for one in each.get(name, ())]
    is_called = name.rpartition(".")[2].startswith(UNASKED)
    return bool(several) and not is_called and not any(one.decorator_list for one in several)


def _differing(old: SourceTree, new: SourceTree, path: str) -> frozenset[str]:
    was, now = (outline(tree, path).digests for tree in (old, new))
    return frozenset(name for name in {*was, *now} if was.get(name) != now.get(name))


def _tests(change: Change, path: str) -> tuple[Collection[int], ...]:
    """Return the lines in which the tests of each side are defined, inherited ones included."""
    touched = change.surveyed(Touched.by)
    return tuple(
        {one.definition.lineno for one in side.nodes if one.definition_path == path}
        for side in (touched.parent, touched.candidate)
    )


def _functions(file: PythonFile) -> Mapping[str, tuple[FunctionNode, ...]]:
    """Return the functions and methods at the top of a file by their qualified names."""
    found: dict[str, tuple[FunctionNode, ...]] = {}
    for one in file.body:
        inner = one.body if isinstance(one, ast.ClassDef) else [one]
        prefix = f"{one.name}." if isinstance(one, ast.ClassDef) else ""
        for each in inner:
            if isinstance(each, FunctionNode):
                name = prefix + each.name
                found[name] = (*found.get(name, ()), each)
    return found


def _is_test(
    name: str,
    functions: tuple[Mapping[str, tuple[FunctionNode, ...]], ...],
    tests: tuple[Collection[int], ...],
    files: tuple[PythonFile, ...],
) -> bool:
    named = [several.get(name, ()) for several in functions]
    collected = (
        one.lineno in lines for lines, several in zip(tests, named, strict=True) for one in several
    )
    last = name.rpartition(".")[2]
    if last.startswith(UNASKED):
        return False
    return any(named) and all(collected) and all(_mentions(last, file) == 0 for file in files)


def _is_helper(
    name: str,
    functions: tuple[Mapping[str, tuple[FunctionNode, ...]], ...],
    files: tuple[PythonFile, ...],
) -> bool:
    was, now = (several.get(name, ()) for several in functions)
    last = name.rpartition(".")[2]
    if len(was) != 1 or len(now) != 1 or last.startswith(UNASKED) or now[0].decorator_list:
        return False
    if not has_same_head(was[0], now[0], *files) or not does_no_more(was[0], now[0], *files):
        return False
    return all(
        _DYNAMIC.search(file.text) is None and _mentions(last, file) == _calls(last, file)
        for file in files
    )


def _mentions(name: str, file: PythonFile) -> int:
    """Return how often a file names a function, in texts and comments too, but to define it.

    Letters that Python takes for others, as it does beyond ASCII, could hide a name.
    """
    text = file.text if file.text.isascii() else unicodedata.normalize("NFKC", file.text)
    if text.count(name) == text.count(f"def {name}"):
        return 0
    word = re.escape(name)
    return len(re.findall(rf"\b{word}\b", text)) - len(re.findall(rf"\bdef +{word}\b", text))


def _calls(name: str, file: PythonFile) -> int:
    """Return how often a file calls a function in a statement of its own."""
    called = (
        one.value.func
        for one in statements(file.body)
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)
    )
    return sum(
        (one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "")) == name
        for one in called
    )
