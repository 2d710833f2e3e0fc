"""The options of a shell that decide what a failure does."""

from __future__ import annotations

import attrs


@attrs.frozen
class Options:
    """What ``set -e`` and ``set -o pipefail`` are while a command runs."""

    errexit: bool = False
    pipefail: bool = False

    def after(self, words: tuple[str, ...]) -> Options:
        """Return the options once ``set`` has been given these words."""
        found = self
        for index, word in enumerate(words):
            on = word.startswith("-")
            if not on and not word.startswith("+"):
                continue
            names = words[index + 1 : index + 2] if word.endswith("o") else ()
            if "e" in word[1:] or "errexit" in names:
                found = attrs.evolve(found, errexit=on)
            if "pipefail" in names:
                found = attrs.evolve(found, pipefail=on)
        return found
