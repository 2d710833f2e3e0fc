"""Resolve an invocation: where pytest roots the run, what it inherits, and what that does."""

from __future__ import annotations

from collections.abc import Iterator

from benchhygiene.evidence import PytestInvocation
from benchhygiene_plugins.ini_chain.command.words import Word
from benchhygiene_plugins.ini_chain.configuration.files import USAGE_ERROR
from benchhygiene_plugins.ini_chain.effects import effects_of
from benchhygiene_plugins.ini_chain.gates.session import runs_nothing
from benchhygiene_plugins.ini_chain.resolution import Abort, Effect, Resolution
from benchhygiene_plugins.ini_chain.situation import Situation
from benchhygiene_plugins.ini_chain.starting.plugins import Stopped
from benchhygiene_plugins.ini_chain.starting.startup import Startup
from benchhygiene_plugins.ini_chain.tables import (
    is_newer_than_known,
    is_older_than_known,
    known_versions,
    newest,
)


def resolve(invocation: PytestInvocation) -> Resolution:
    """Return what ``python -m pytest ARGS`` would inherit, for pytest 6.2 to 9.2."""
    startup = Startup.of(invocation)
    abort: Abort | None = None
    effects: tuple[Effect, ...] = ()
    unseen: tuple[str, ...] = ()
    try:
        startup.run()
    except Stopped as stopped:
        abort = stopped.abort
    if abort is None and startup.scan is not None:
        situation = Situation(startup, startup.scan)
        effects = effects_of(situation)
        unseen = () if runs_nothing(situation) else situation.suite.unseen
        abort = next((_as_abort(effect) for effect in effects if effect.is_early), None)
    setup = startup.setup
    return Resolution(
        rootdir=None if setup is None else setup.rootdir,
        inifile=None if setup is None else setup.inifile,
        addopts=startup.addopts,
        arguments=tuple(word.text for word in startup.words),
        abort=abort,
        conftests=tuple(facts.path for facts in startup.conftests),
        chain=tuple(startup.search.chain),
        effects=effects,
        unknown=tuple(dict.fromkeys((*_unknown(startup), *unseen))),
    )


def _as_abort(effect: Effect) -> Abort:
    """Return the abort that an effect amounts to where it strikes before collection."""
    status = effect.exit_status if effect.exit_status is not None else USAGE_ERROR
    return Abort(status, effect.reason, effect.rule, effect.origin, Word(effect.option))


def _unknown(startup: Startup) -> Iterator[str]:
    """Yield everything that the evidence does not tell."""
    invocation = startup.invocation
    if is_newer_than_known(invocation.pytest):
        yield f"pytest {invocation.pytest} is newer than {newest()}, by whose rules it was judged"
    if is_older_than_known(invocation.pytest):
        oldest = known_versions()[0]
        yield f"pytest {invocation.pytest} is older than {oldest}, by whose rules it was judged"
    if startup.search.unread is not None:
        yield f"a config file that pytest would read: {startup.search.unread}"
    yield from startup.unknown
    yield from startup.plugins.unknown
    for plugin in startup.plugins.loaded:
        if plugin.table is None and plugin.distribution:
            yield f"what the plugin {plugin.name} of {plugin.distribution} does to a run"
    yield from invocation.unseen
