"""Read XML that nobody vouches for, an element at a time: no document types, bounded in depth.

junitparser hands the file to lxml, or to ElementTree, as it is: both read a document type, and with
it entities whose text grows without bound. Expat alone lets us refuse that before it is read.
"""

from __future__ import annotations

from collections.abc import Callable
from xml.parsers import expat

import attrs

from benchhygiene.errors import InputError

_DEEPEST = 64
_LONGEST_TEXT = 20_000  # characters of one element's own text that are kept
_MOST_ATTRIBUTES = 64


@attrs.define
class Element:
    """One element: its name, attributes and own text, and those of its children that were kept."""

    name: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: list[Element] = attrs.field(factory=list["Element"])


def read_elements(
    data: bytes, name: str, keep: Callable[[str], bool], take: Callable[[Element, bool], None]
) -> None:
    """Call ``take`` with each element, when it begins (True) and when it has ended (False).

    Only the children whose name ``keep`` is for stay with their parent, so that a file of any size
    needs little memory. Raises InputError with the line: not well-formed, cut off, with a document
    type, too deep.
    """
    reading = _Reading(name, expat.ParserCreate(), keep, take)
    reading.parse(data)


@attrs.define
class _Reading:
    name: str
    parser: expat.XMLParserType
    keep: Callable[[str], bool]
    take: Callable[[Element, bool], None]
    open: list[Element] = attrs.field(factory=list[Element])

    def parse(self, data: bytes) -> None:
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise InputError(
                f"{self.name}: line {error.lineno}, column {error.offset}: not XML: {reason}"
            ) from error
        except (LookupError, ValueError) as error:  # an encoding that Python does not know
            raise InputError(f"{self.name}: not XML that can be read: {error}") from error

    def _here(self) -> str:
        return f"{self.name}: line {self.parser.CurrentLineNumber}"

    def _doctype(self, *_: object) -> None:
        raise InputError(f"{self._here()}: has a document type, which no record of a run needs")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= _DEEPEST:
            raise InputError(f"{self._here()}: elements are nested deeper than {_DEEPEST}")
        if len(attributes) > _MOST_ATTRIBUTES:
            raise InputError(f"{self._here()}: more than {_MOST_ATTRIBUTES} attributes")
        local = name.rpartition(":")[2]
        kept = {key: value[:_LONGEST_TEXT] for key, value in attributes.items()}
        element = Element(local, kept, self.parser.CurrentLineNumber)
        self.open.append(element)
        self.take(element, True)

    def _end(self, _: str) -> None:
        element = self.open.pop()
        if self.open and self.keep(element.name):
            self.open[-1].children.append(element)
        self.take(element, False)

    def _text(self, text: str) -> None:
        element = self.open[-1]
        left = _LONGEST_TEXT - len(element.text)
        if left > 0 and self.keep(element.name):
            element.text += text[:left]
