"""Resolve an invocation: where pytest roots the run, what it inherits, and what that does."""

from __future__ import annotations

from benchhygiene.evidence import PytestInvocation
from benchhygiene_plugins.ini_chain.effects import effects_of
from benchhygiene_plugins.ini_chain.plugins import Stopped
from benchhygiene_plugins.ini_chain.resolution import Abort, Effect, Resolution
from benchhygiene_plugins.ini_chain.situation import Situation
from benchhygiene_plugins.ini_chain.startup import Startup


def resolve(invocation: PytestInvocation) -> Resolution:
    """Return what ``python -m pytest ARGS`` would inherit, for pytest 6.2 to 9.2."""
    startup = Startup.of(invocation)
    abort: Abort | None = None
    effects: tuple[Effect, ...] = ()
    try:
        startup.run()
    except Stopped as stopped:
        abort = stopped.abort
    if abort is None and startup.scan is not None:
        effects = effects_of(Situation(startup, startup.scan))
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
        unknown=tuple(startup.unknown),
    )
