"""Questions that a hook or fixture asks about a test, answered from its source."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable

import attrs

_WORDS = ("item", "metafunc", "pyfuncitem", "function_item", "test_item", "it")
_EACH = ("each of items", "each of session.items", "each of list(items)", "each of items[:]")
_FILES = ("fspath", "path", "location")


@attrs.frozen
class Facts:
    """What a test's source says about it: its names, its file and its marks.

    ``brackets`` are the ids of its parameter sets, None where it has some and nobody knows which.
    """

    name: str
    node_id: str
    path: str
    marks: frozenset[str]
    classes: tuple[str, ...] = ()
    brackets: tuple[str, ...] | None = ()
    arguments: frozenset[str] = frozenset()

    @property
    def keywords(self) -> frozenset[str]:
        """Return what ``item.keywords`` holds, as far as the source says."""
        return self.marks | {self.name, *self.classes, *self.path.split("/")}

    def answer(self, text: str) -> bool | None:
        """Return the answer to a question about the test, None for any other question."""
        if text in _EACH:
            return True
        question = _parsed(text)
        return None if question is None else _answered(question, self)


@functools.lru_cache(maxsize=2048)
def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _answered(node: ast.expr, facts: Facts) -> bool | None:
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _compared(left, operator, right, facts)
        case ast.Call(func=ast.Attribute(value=subject, attr="startswith" | "endswith" as word)):
            return _affix(subject, word, node, facts)
        case ast.Call(func=ast.Name(id="list" | "any" | "bool" | "tuple"), args=[inner]):
            return _answered(inner, facts)
        case ast.Call(func=ast.Name(id="next"), args=[inner, ast.Constant(value=None | False)]):
            return _answered(inner, facts)
        case ast.Call(
            func=ast.Name(id="hasattr"), args=[subject, ast.Constant(value=str() as one)]
        ):
            is_function = isinstance(subject, ast.Attribute) and subject.attr in ("function", "obj")
            return one in facts.marks if is_function and one in facts.marks else None
        case _:
            return _has_mark(node, facts)


def _has_mark(node: ast.expr, facts: Facts) -> bool | None:
    """Answer ``item.get_closest_marker("slow")`` and its kin."""
    match node:
        case ast.Call(
            func=ast.Attribute(
                value=subject, attr="get_closest_marker" | "get_marker" | "iter_markers"
            )
        ) if _is_item(subject):
            given = [*node.args, *(one.value for one in node.keywords if one.arg == "name")]
            if given and isinstance(given[0], ast.Constant):
                return given[0].value in facts.marks
            return None
        case ast.Call(
            func=ast.Attribute(value=ast.Attribute(value=subject, attr="keywords"), attr="get"),
            args=[ast.Constant(value=word), *_],
        ) if _is_item(subject):
            return word in facts.keywords
        case _:
            return None


def _is_item(node: ast.expr) -> bool:
    match node:
        case ast.Name():
            return node.id in _WORDS
        case ast.Subscript(slice=ast.Constant(value=index)):
            return index is ...
        case ast.Attribute(attr="node"):
            return True
        case _:
            return False


def _compared(left: ast.expr, operator: ast.cmpop, right: ast.expr, facts: Facts) -> bool | None:
    if isinstance(operator, ast.In) and isinstance(left, ast.Constant):
        return _contained(left.value, right, facts)
    if isinstance(operator, ast.Is) and isinstance(right, ast.Constant) and right.value is None:
        found = _has_mark(left, facts)
        return None if found is None else not found
    if isinstance(operator, ast.Eq) and isinstance(right, ast.Constant):
        return _equals(left, right.value, facts)
    return None


def _contained(word: object, node: ast.expr, facts: Facts) -> bool | None:
    if not isinstance(word, str):
        return None
    match node:
        case ast.Attribute(value=subject, attr="keywords") if _is_item(subject):
            return word in facts.keywords
        case ast.Attribute(value=subject, attr="fixturenames") if _is_item(subject):
            return word in facts.arguments
        case ast.ListComp() | ast.GeneratorExp() | ast.SetComp() if "iter_markers" in ast.unparse(
            node
        ):
            return word in facts.marks
        case _:
            return _about(node, facts, lambda text: word in text)


def _affix(subject: ast.expr, word: str, call: ast.Call, facts: Facts) -> bool | None:
    given = call.args[0] if call.args else None
    if not isinstance(given, ast.Constant) or not isinstance(given.value, str):
        return None
    affix = given.value
    if word == "startswith":
        return _about(subject, facts, lambda text: text.startswith(affix))
    return _about(subject, facts, lambda text: text.endswith(affix))


def _equals(node: ast.expr, wanted: object, facts: Facts) -> bool | None:
    if not isinstance(wanted, str):
        return None
    if "[" not in wanted:
        return _about(node, attrs.evolve(facts, brackets=()), lambda text: text == wanted)
    return _about(node, facts, lambda text: text == wanted)


def _about(node: ast.expr, facts: Facts, ask: Callable[[str], bool]) -> bool | None:
    """Ask about a text that a test is known by; None where it is no such text.

    One parameter set is enough for a yes.
    """
    text = _text(node, facts)
    if text is None:
        return None
    if ask(text) or not _may_have_brackets(node):
        return ask(text)
    if facts.brackets is None:
        return None
    return any(ask(f"{text}[{one}]") for one in facts.brackets)


def _may_have_brackets(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in ("name", "nodeid")


def _text(node: ast.expr, facts: Facts) -> str | None:
    match node:
        case ast.Call(func=ast.Name(id="str"), args=[inner]):
            return _text(inner, facts)
        case ast.Attribute(value=subject, attr=attr) if _is_item(subject):
            texts = {"name": facts.name, "originalname": facts.name, "nodeid": facts.node_id}
            texts.update(dict.fromkeys(_FILES, facts.path))
            return texts.get(attr)
        case ast.Attribute(value=ast.Attribute(value=subject, attr=attr), attr="__name__"):
            return _name_of(subject, attr, facts)
        case ast.Attribute(value=ast.Attribute(value=subject, attr=attr), attr="name" | "basename"):
            is_file = _is_item(subject) and attr in _FILES
            return facts.path.rpartition("/")[2] if is_file else None
        case _:
            return None


def _name_of(subject: ast.expr, attr: str, facts: Facts) -> str | None:
    if not _is_item(subject):
        return None
    match attr:
        case "function" | "obj":
            return facts.name
        case "cls":
            return facts.classes[-1] if facts.classes else None
        case "module":
            return facts.path.rpartition("/")[2].removesuffix(".py")
        case _:
            return None
