"""What a module's imports hand on to who imports from it, from its text where that will do."""

from __future__ import annotations

import importlib.util
import re

from benchhygiene.inventory.python import parse
from benchhygiene_plugins.assertions.module import Module

# An import in an example in a docstring: this is code nowhere.
_QUOTED = re.compile(r">>> (?:from [\w.]+ )?import\b")
_IMPORT = re.compile(r"\bimport\b")
# What comes behind the word: names in brackets, comments among them, or the rest of the line. A
# bracket that is not closed is a group.
_NAMES = re.compile(r"(?:[ \t\f]|\\\n)*(?:\((?:[^()#]|#[^\n]*)*(?:\)|())|(?!\()(?:[^\n\\]|\\\n?)*)")
_WORD = re.compile(r"[*\w]+")


def imported_words(data: bytes) -> frozenset[str] | None:
    """Return words among which is every name that an import in a source binds.

    None where only the syntax tree can tell. Made for ``tree.derived``: in most files that are
    asked about the name is defined, which the text tells in a fraction of the time.
    """
    try:
        text = importlib.util.decode_source(data)
    except (SyntaxError, UnicodeError, LookupError):
        return None
    if not text.isascii():
        return None  # Python knows a name by other spellings, too
    found: set[str] = set()
    for piece in _IMPORT.split(_QUOTED.sub("", text))[1:]:
        names = _NAMES.match(piece)
        if names is None or names[1] is not None:
            return None  # the word is in brackets, by which a statement may go on behind it
        found.update(_WORD.findall(names[0]))
    return frozenset(found)


def handed_on(data: bytes) -> str | None:
    """Return what imports of a module bind and it does not define, as ``name=dotted`` lines.

    None where the module has no syntax tree. Made for ``tree.derived``: a plain text is remembered
    far longer than the tree it takes to make it.
    """
    source = parse(data)
    if source.module is None:
        return None
    module = Module("", source)
    own = (module.functions, module.classes, source.constants)
    names = (name for name in source.aliases if not any(name in one for one in own))
    return "\n".join(["", *(f"{name}={source.aliases[name]}" for name in names), ""])
