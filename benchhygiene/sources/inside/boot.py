"""Start pytest where nothing of the source under test has a say in how it starts."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
from collections.abc import Mapping
from typing import NoReturn, cast

_CHANNEL, _MESSAGE = 3, 4


def main() -> NoReturn:
    """Run the tests, say what happened, and end before anything else can have its say."""
    key = _told_secret()
    with open(sys.argv[1], encoding="utf-8") as file:
        config = cast("Mapping[str, object]", json.load(file))
    for name in _texts(config, "preload"):  # before the source's own path is searched
        with contextlib.suppress(Exception):  # what is not there is missed by the tests themselves
            importlib.import_module(name)
    _search(_texts(config, "paths"))
    _end(_run(config, key))


def _told_secret() -> bytes:
    secret = os.read(_MESSAGE, 64)
    os.close(_MESSAGE)
    return secret


def _search(paths: list[str]) -> None:
    """Let imports find the source after the standard library, before installed packages."""
    places = [n for n, path in enumerate(sys.path) if path.endswith(("-packages",))]
    where = places[0] if places else len(sys.path)
    sys.path[where:where] = paths
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)  # for what the tests start themselves


def _run(config: Mapping[str, object], key: bytes) -> int:
    import pytest

    from benchhygiene.sources.inside import census, channel, deeds, places, reach, reporter

    where = places.Places(str(config["root"]), tuple(_texts(config, "tests")))
    seen = deeds.Deeds(where, _CHANNEL)
    send = channel.opened(_CHANNEL, key)
    budgets = cast("Mapping[str, Mapping[str, float]]", config["budgets"])
    plugins = _texts(config, "plugins")
    for name in plugins:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    one = reporter.Reporter(send, census.Census(), seen, budgets, int(str(config["seed"])))
    words = reporter.arguments(config, _texts(config, "args"))
    measured = reach.Reach(where) if config["reach"] else None
    places.forget_own_modules()
    seen.listen()
    if measured is not None:
        measured.start()
    status = int(pytest.main(words, plugins=[one]))
    if measured is not None:
        send({"t": "reach", "lines": measured.stop()})
    one.close(status)
    return status


def _end(status: int) -> NoReturn:
    """End at once: what was registered for the end of the process never runs."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _texts(config: Mapping[str, object], name: str) -> list[str]:
    return [str(one) for one in cast("list[object]", config[name])]


if __name__ == "__main__":
    main()
