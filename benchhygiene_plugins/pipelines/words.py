"""The words of a simple command: assignments before it, and scripts it hands on."""

from __future__ import annotations

import re

from benchhygiene_plugins.pipelines.tokens import Word

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=", re.ASCII)
_SHELLS = ("sh", "bash", "zsh", "dash", "ksh")


def assignments(words: tuple[Word, ...]) -> tuple[tuple[str, ...], tuple[Word, ...]]:
    """Return the assignments before a command, and its own words."""
    count = 0
    while count < len(words) and _ASSIGNMENT.match(words[count].text):
        count += 1
    return tuple(word.text for word in words[:count]), words[count:]


def inner_script(words: tuple[str, ...]) -> str:
    """Return the script that ``bash -c`` or ``eval`` runs."""
    if words[0] == "eval":
        return " ".join(words[1:])
    if words[0].rpartition("/")[2] in _SHELLS:
        for index, word in enumerate(words[1:-1], 1):
            if re.fullmatch(r"-[a-z]*c", word):
                return words[index + 1]
    return ""
