"""Put the words of ``@file`` arguments in their place, as argparse does (pytest 8.2 and newer)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import FileSnapshot
from benchhygiene_plugins.ini_chain.command.scanning import ScanError
from benchhygiene_plugins.ini_chain.command.words import Origin, OriginKind, Word
from benchhygiene_plugins.ini_chain.configuration.search import lexical

#: How deep one file may name another, and how many words they may hold in all.
_DEPTH = 16
_WORDS = 10_000


def _is_linked(word: Word, files: FileSnapshot, cwd: str) -> bool:
    """Return whether a word names an argument file behind a link, whose words are not repeated.

    A link may lead to a secret outside the workspace.
    """
    if not word.text.startswith("@"):
        return False
    path = lexical(cwd, word.text[1:])
    return files.exists(path) and files.real(path) != path


def expanded(
    words: Sequence[Word], files: FileSnapshot, cwd: str
) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Return the words with every ``@file`` replaced by that file's lines, and those left out.

    Raises ScanError where the file cannot be read, which pytest answers with a usage error.
    """
    linked = tuple(word for word in words if _is_linked(word, files, cwd))
    seen = [word for word in words if word not in linked] if linked else words
    found = tuple(_expanded(seen, files, cwd, 0))
    if len(found) > _WORDS:
        raise ScanError(words[0], f"argument files hold more than {_WORDS} words")
    return found, linked


def _expanded(words: Sequence[Word], files: FileSnapshot, cwd: str, depth: int) -> Iterator[Word]:
    for word in words:
        if not word.text.startswith("@"):
            yield word
        elif depth >= _DEPTH:
            raise ScanError(word, f"argument files name each other more than {_DEPTH} deep")
        else:
            yield from _expanded(_lines(word, files, cwd), files, cwd, depth + 1)


def _lines(word: Word, files: FileSnapshot, cwd: str) -> list[Word]:
    path = lexical(cwd, word.text[1:])
    if _is_linked(word, files, cwd):
        raise ScanError(word, f"the argument file {word.text[1:]!r} is a link and is not read")
    try:
        text = files.read(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ScanError(word, f"the argument file {word.text[1:]!r} is not UTF-8", 1) from error
    except EvidenceUnavailable as error:
        raise ScanError(word, f"the argument file {word.text[1:]!r} cannot be read") from error
    origin = word.origin
    if origin.kind is not OriginKind.ARGUMENT:
        origin = Origin(OriginKind.FILE, path)
    return [Word(line, origin) for line in text.splitlines()]
