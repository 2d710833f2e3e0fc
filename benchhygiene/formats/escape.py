"""Make text that came from a hostile workspace safe to show."""

from __future__ import annotations

_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def escape(text: str) -> str:
    r"""Replace every character a terminal or a reader's eye could be fooled by.

    Control characters, escape sequences, bidirectional controls, line separators, invisible
    format characters and undecodable bytes become ``\n``, ``\xNN`` or ``\uNNNN``. What Python calls
    printable stays, so the result is one line that any encoder accepts.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _spell(char) for char in text)


def replace_undecodable(text: str) -> str:
    r"""Spell bytes that were not UTF-8 in a file name or value as ``\xNN``, keep the rest.

    For formats that escape control characters themselves but must stay well-formed Unicode.
    """
    if text.isascii():
        return text
    return "".join(_spell(char) if "\ud800" <= char <= "\udfff" else char for char in text)


def _spell(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # a raw byte, as os.fsdecode smuggles it through (PEP 383)
        return f"\\x{code - 0xDC00:02x}"
    if code <= 0xFF:
        return _NAMED.get(char, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
