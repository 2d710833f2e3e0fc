"""Modules whose assert statements pytest was asked to rewrite, and is not any more."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchhygiene.evidence import Change
from benchhygiene_plugins.harness.deeds import Act, Deed, Place
from benchhygiene_plugins.harness.reading import Reader
from benchhygiene_plugins.harness.units import units

_WORD = b"register_assert_rewrite"


def lost_rewrites(change: Change, old: Reader, new: Reader) -> Iterator[tuple[Deed, str]]:
    """Yield the modules of the tree that are no longer rewritten, with the call that asked."""
    before = dict(_asked(change, old))
    if not before:
        return
    after = dict(_asked(change, new))
    for name, (path, text) in sorted(before.items()):
        home = new.names.evaluator.modules.locate(path, name)
        home = home or new.names.evaluator.modules.locate(f"tests/{path}", name)
        if name in after or home is None:
            continue
        says = f"pytest is no longer asked to rewrite the assert statements of {name}"
        yield Deed(Act.ASSERTS, f"rewrite of {name}", says, Place(path)), text


def _asked(change: Change, reader: Reader) -> Iterator[tuple[str, tuple[str, str]]]:
    for path in change.differing():
        if not path.endswith(".py") or not reader.tree.is_file(path):
            continue
        file = reader.names.evaluator.file(path)
        if _WORD.decode() not in file.text:
            continue
        for unit in units(reader.names.evaluator, path):
            for _, one in unit.calls:
                word = getattr(one.call.func, "attr", getattr(one.call.func, "id", ""))
                if word == _WORD.decode():
                    text = file.segment(one.call)
                    for arg in one.call.args:
                        yield from (
                            (name, (path, text))
                            for each in _flat(arg)
                            for name in reader.names.texts(each, unit.scope)
                        )


def _flat(node: ast.expr) -> list[ast.expr]:
    inner = node.value if isinstance(node, ast.Starred) else node
    return inner.elts if isinstance(inner, ast.List | ast.Tuple) else [inner]
