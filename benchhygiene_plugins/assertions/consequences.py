"""What follows from a fact by what kind of value it is about."""

from __future__ import annotations

from collections.abc import Iterator

from benchhygiene_plugins.assertions.checks import Check
from benchhygiene_plugins.assertions.elements import elements
from benchhygiene_plugins.assertions.expressions import relation
from benchhygiene_plugins.assertions.modules import Project, resolve
from benchhygiene_plugins.assertions.records import fields_of
from benchhygiene_plugins.assertions.terms import LENT, Term, constant, term

_LISTED = 64  # elements of a list that are looked at one by one
_MOST = 4_000  # numbers of a range that are looked through
_SPECIAL = frozenset("\\|?*+{}[]()^$.")


def consequences(check: Check, project: Project) -> Iterator[Term]:
    """Yield the facts that an equality has for a consequence, as far as somebody may ask them."""
    if check.fact.kind != "eq":
        return
    left, right = check.fact.children
    for subject, value in ((left, right), (right, left)):
        if subject.kind in ("attr", "item") and value.node is not None:
            yield relation("isnot", subject.children[0], constant(None))
        if value.kind == "list" and value.node != LENT and not subject.is_constant:
            yield from _of_elements(subject, value)
        if subject.kind == "each" and subject.value == "list" and len(subject.children) == 2:
            yield from _of_length(subject, value)
        if value.kind == "call" and value.children[0].kind == "ref":
            yield from _of_fields(subject, value, check.place.path, project)
        if value.kind == "binary" and value.value == "Div":
            yield from _of_path(subject, value)
        if value.kind == "element":
            yield from _of_bounds(subject, value)
        if subject.kind == "call":
            yield from _of_call(subject, value)
        yield from _of_arguments(subject, value)


def _of_elements(subject: Term, value: Term) -> Iterator[Term]:
    """Yield what is at each place of a list, and that it is in the list."""
    known = elements(value, _LISTED)
    for k, one in enumerate(known or ()):
        yield relation("eq", term("item", subject, constant(k)), one)
        yield term("in", one, subject)
    if known:
        yield relation("eq", term("item", subject, constant(-1)), known[-1])
        yield relation("eq", _length_of(subject), constant(len(known)))


def _length_of(one: Term) -> Term:
    return term("call", term("builtin", value="len"), one)


def _of_length(made: Term, value: Term) -> Iterator[Term]:
    """Yield how long what a comprehension runs through is."""
    known = elements(value, _MOST) if value.kind == "list" else None
    if known is not None:
        yield relation("eq", _length_of(made.children[1]), constant(len(known)))


def _of_fields(subject: Term, made: Term, importer: str, project: Project) -> Iterator[Term]:
    """Yield the fields of a data class that a value is equal to."""
    function, *given = made.children
    if not function.value.rpartition(".")[2][:1].isupper():
        return
    found = resolve(project, str(function.node), importer)
    definition = found[0].classes.get(found[1]) if found is not None else None
    if definition is None:
        return
    values = dict(zip(fields_of(definition), given, strict=False))
    values.update((one.value, one.children[0]) for one in given if one.kind == "keyword")
    for name, value in values.items():
        if value.kind == "keyword":
            continue
        held = term("attr", subject, value=name)
        yield relation("eq", held, value)
        if value.kind == "tuple" and value.children:
            for k, one in enumerate(value.children):
                yield relation("eq", term("item", held, constant(k)), one)


def _of_call(subject: Term, value: Term) -> Iterator[Term]:
    """Yield what follows from an object's very type, or from all items of a mapping."""
    function, *given = subject.children
    if function.kind != "builtin" or len(given) != 1:
        return
    if function.value == "type":
        yield term("call", term("builtin", value="isinstance"), given[0], value)
    items = given[0].children[0] if given[0].kind == "call" else given[0]
    if function.value != "list" or items.kind != "attr" or items.value != "items":
        return
    known = elements(value, _LISTED) or ()
    if all(one.kind == "tuple" and len(one.children) == 2 for one in known):
        pairs = [term("pair", *one.children) for one in known]
        keys = {pair.children[0] for pair in pairs if pair.children[0].is_constant}
        if known and len(keys) == len(pairs):
            mapping = items.children[0]
            ordered = [pair.children[0] for pair in pairs]
            pairs.sort(key=lambda one: one.children[0].digest)
            yield relation("eq", mapping, term("dict", *pairs))
            yield relation("eq", term("call", function, mapping), term("list", *ordered))


def _of_path(subject: Term, path: Term) -> Iterator[Term]:
    last = path.children[1].node
    if isinstance(last, str) and last:
        named = term("attr", subject, value="name")
        yield relation("eq", named, constant(last.rpartition("/")[2]))


def _of_bounds(subject: Term, value: Term) -> Iterator[Term]:
    """Yield between which numbers a value is that equals one of a range."""
    over = value.children[0]
    given = [one.node for one in over.children[1:] if isinstance(one.node, int)]
    is_range = over.kind == "call" and over.children[0].value == "range"
    if not is_range or len(given) != len(over.children) - 1 or len(given) not in (1, 2):
        return
    start, stop = (0, given[0]) if len(given) == 1 else given
    if start < stop:
        yield relation("le", constant(start), subject)
        yield relation("le", subject, constant(stop - 1))


def _of_arguments(subject: Term, value: Term) -> Iterator[Term]:
    """Yield each named argument of a call of which all are known."""
    if subject.kind == "attr" and subject.value == "kwargs" and value.kind == "dict":
        for pair in value.children:
            if pair.kind == "pair":
                yield relation("eq", term("item", subject, pair.children[0]), pair.children[1])


def arguments_of(record: Term, call: Term) -> Iterator[Term]:
    """Yield the facts that together say what a mock was called with."""
    given = [one for one in call.children[1:] if one.kind != "keyword"]
    named = [one for one in call.children[1:] if one.kind == "keyword"]
    positional = term("attr", record, value="args")
    for k, one in enumerate(given):
        yield relation("eq", term("item", positional, constant(k)), one)
    if not given:
        yield relation("eq", positional, term("tuple"))
    pairs = [term("pair", constant(one.value), one.children[0]) for one in named]
    pairs.sort(key=lambda one: one.children[0].digest)
    yield relation("eq", term("attr", record, value="kwargs"), term("dict", *pairs))


def says(raised: Term, fact: Term) -> bool:
    """Return whether what must be raised says what its text must hold."""
    kind, pattern, *body = raised.children
    del kind
    text, about = _asked(fact)
    if text is None or about is None or not isinstance(pattern.node, str):
        return False
    plain = pattern.node
    if set(plain) & _SPECIAL or text not in plain:
        return False
    caught = term("attr", term("excinfo", *body), value="value")
    return about == term("call", term("builtin", value="str"), caught)


def _asked(fact: Term) -> tuple[str | None, Term | None]:
    """Return which text must be in what."""
    first, second = fact.children[:2]
    if fact.kind == "in" and isinstance(first.node, str):
        return first.node, second
    if fact.kind == "search" and isinstance(second.node, str) and not set(second.node) & _SPECIAL:
        return second.node, first
    return None, None
