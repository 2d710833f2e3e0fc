"""The commands of ``benchhygiene ledger``."""

from __future__ import annotations

from collections.abc import Mapping

from benchhygiene.cli import ledger_grammars as grammars
from benchhygiene.cli.app import Command, Group
from benchhygiene.cli.parsing import Given


def _check(given: Given) -> int:
    from benchhygiene.cli import ledger_checking

    return ledger_checking.run(given)


def _add(given: Given) -> int:
    from benchhygiene.cli import ledger_editing

    return ledger_editing.add(given)


def _prune(given: Given) -> int:
    from benchhygiene.cli import ledger_editing

    return ledger_editing.prune(given)


def _propose(given: Given) -> int:
    from benchhygiene.cli import ledger_proposing

    return ledger_proposing.run(given)


COMMANDS: Mapping[str, Command | Group] = {
    "check": Command(grammars.CHECK, _check),
    "add": Command(grammars.ADD, _add),
    "prune": Command(grammars.PRUNE, _prune),
    "propose": Command(grammars.PROPOSE, _propose),
}
