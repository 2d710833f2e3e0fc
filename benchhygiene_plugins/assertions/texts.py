"""Texts put together by ``%`` and ``format``, read as the f-strings they could be."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping, Sequence

from benchhygiene_plugins.assertions.terms import Term, constant, term

_LONGEST = 20_000  # characters of a template that are taken apart
_PERCENT = re.compile(r"%(?:\((\w+)\))?([srR%]|[^srR%])")
_CONVERSIONS = {"r": "114", "s": "115", "a": "97"}
_PLAIN = "-1"  # no conversion, as the syntax tree has it
_Piece = str | Term


def interpolated(template: object, given: Term) -> Term | None:
    """Return what ``template % given`` says, None where it is not all ``%s`` and ``%r``."""
    if not isinstance(template, str) or len(template) > _LONGEST:
        return None
    no_names: Mapping[str, Term] = {}
    named = _pairs(given) if given.kind == "dict" else no_names
    rest = list(given.children if given.kind == "tuple" else (given,))
    pieces: list[_Piece] = []
    end = 0
    for found in _PERCENT.finditer(template):
        pieces.append(template[end : found.start()])
        end = found.end()
        name, word = found.groups()
        if word == "%" and name is None:
            pieces.append("%")
            continue
        value = named.get(name) if name else (rest.pop(0) if rest and not named else None)
        if value is None or word not in ("s", "r"):
            return None
        pieces.append(_formatted(value, _PLAIN if word == "s" else _CONVERSIONS["r"]))
    pieces.append(template[end:])
    return _text(pieces) if named or not rest else None


def formatted(function: Term, arguments: Sequence[Term], keywords: Sequence[Term]) -> Term | None:
    """Return what ``template.format(...)`` says, None where a field is more than a name."""
    if function.kind != "attr" or function.value != "format":
        return None
    template = function.children[0].node
    if not isinstance(template, str) or len(template) > _LONGEST:
        return None
    if any(one.kind == "starred" for one in arguments):
        return None
    try:
        fields = [*string.Formatter().parse(template)]
    except ValueError:
        return None
    named = {one.value: one.children[0] for one in keywords if one.value}
    named.update((str(k), one) for k, one in enumerate(arguments))
    counted = map(str, range(len(fields)))
    pieces: list[_Piece] = []
    for text, name, spec, conversion in fields:
        pieces.append(text)
        if name is None:
            continue
        value = named.get(name or next(counted))
        if value is None or "{" in (spec or ""):
            return None
        pieces.append(_formatted(value, _CONVERSIONS.get(conversion or "", _PLAIN), spec))
    return _text(pieces)


def _pairs(given: Term) -> Mapping[str, Term]:
    pairs = (one for one in given.children if one.kind == "pair")
    return {str(one.children[0].node): one.children[1] for one in pairs}


def _formatted(value: Term, conversion: str, spec: str | None = None) -> _Piece:
    if conversion == _PLAIN and not spec and value.kind == "const" and isinstance(value.node, str):
        return value.node
    return term("formatted", value, *([constant(spec)] if spec else []), value=conversion)


def _text(pieces: Sequence[_Piece]) -> Term:
    parts = [*_merged(pieces)]
    if all(isinstance(one, str) for one in parts):
        return constant("".join(map(str, parts)))
    return term("fstring", *(constant(one) if isinstance(one, str) else one for one in parts))


def _merged(pieces: Sequence[_Piece]) -> Iterator[_Piece]:
    """Yield pieces with the texts that stand side by side as one, those spelled out among them."""
    text = ""
    for one in pieces:
        if isinstance(one, Term):
            if text:
                yield text
            yield one
            text = ""
        else:
            text += one
    if text:
        yield text
