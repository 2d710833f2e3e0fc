"""Find the smallest change to a command that frees it of what it inherits.

Every candidate is judged by resolving it, so what is handed over is known to help.
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

import attrs

from benchhygiene.evidence import PathEntry, PathKind, PytestInvocation
from benchhygiene_plugins.ini_chain.command.words import Origin, OriginKind
from benchhygiene_plugins.ini_chain.configuration.search import lexical
from benchhygiene_plugins.ini_chain.findings import CorrectedCommand
from benchhygiene_plugins.ini_chain.resolution import Effect, EffectKind, Resolution

_NEUTRAL: Mapping[str, str] = {
    "xfail_strict": "false",
    "strict_xfail": "false",
    "strict": "false",
    "strict_markers": "false",
    "strict_config": "false",
    "strict_parametrization_ids": "false",
    "filterwarnings": "",
    "required_plugins": "",
    "usefixtures": "",
    "timeout": "0",
    "session_timeout": "",
    "minversion": "0",
    "python_functions": "test",
    "python_classes": "Test",
    "python_files": "test_*.py *_test.py",
    "norecursedirs": ".* build dist node_modules venv",
    "reruns": "0",
    "retries": "0",
    "addopts": "",
    "pythonpath": "",
}
_NULL = "/dev/null"

Resolve = Callable[[PytestInvocation], Resolution]


@attrs.frozen
class Change:
    """One way to alter a command: words put in front, variables unset, and what that loses.

    ``safe_path`` keeps the working directory off ``sys.path`` (``python -P``, Python 3.11).
    """

    words: tuple[str, ...] = ()
    unset: tuple[str, ...] = ()
    costs: tuple[str, ...] = ()
    safe_path: bool = False

    def __add__(self, other: Change) -> Change:
        """Return both changes together."""
        return Change(
            (*self.words, *other.words),
            tuple(dict.fromkeys((*self.unset, *other.unset))),
            (*self.costs, *other.costs),
            self.safe_path or other.safe_path,
        )


def is_gate(effect: Effect) -> bool:
    """Return whether an effect harms a grade rather than only colouring its report."""
    if effect.is_own:
        return False
    if effect.origin.kind is OriginKind.ARGUMENT:
        return effect.fails is not False
    if effect.kind in (EffectKind.REORDERS, EffectKind.REWRITES):
        return effect.fails is not False
    harmless_if_passing = effect.kind in (EffectKind.FAILS, EffectKind.ABORTS)
    return not harmless_if_passing or effect.fails is not False


def corrected(
    invocation: PytestInvocation, resolution: Resolution, resolve: Resolve
) -> CorrectedCommand | None:
    """Return the smallest known change that leaves no gate, None where none does."""
    fallback: Change | None = None
    is_sick = resolution.fails_passing_suite or any(
        is_gate(effect) and effect.fails is not None for effect in resolution.effects
    )
    for change in _all_candidates(invocation, resolution):
        now = resolve(applied(invocation, change))
        if now.abort is not None or any(e.fails and not e.is_own for e in now.effects):
            continue
        if any(is_gate(effect) and effect.fails is False for effect in now.effects):
            continue
        if now.fails_passing_suite is False or _only_own_failures(now):
            return _command(invocation, change)
        if is_sick and not _is_doubt_of_the_command(now, resolution):
            fallback = fallback or change
    if fallback is None:
        return None
    doubt = Change(costs=("whether this is enough is not known",))
    return attrs.evolve(_command(invocation, fallback + doubt), certain=False)


def _only_own_failures(resolution: Resolution) -> bool:
    answers = [effect for effect in resolution.effects if effect.fails is not False]
    return not resolution.unknown and all(effect.is_own for effect in answers)


def _is_doubt_of_the_command(now: Resolution, before: Resolution) -> bool:
    """Return whether only what the command itself says is in doubt: no isolation can mend that."""
    if set(now.unknown) - set(before.unknown):
        return True
    own = any(
        effect.fails is None and effect.origin.kind is OriginKind.ARGUMENT for effect in now.effects
    )
    return own and not _has_certain_failure(before)


def _has_certain_failure(resolution: Resolution) -> bool:
    return resolution.abort is not None or any(effect.fails for effect in resolution.effects)


def applied(invocation: PytestInvocation, change: Change) -> PytestInvocation:
    """Return the invocation as it would be with the change made."""
    entries = {**invocation.files.entries, _NULL: PathEntry(PathKind.OTHER)}
    kept = tuple((name, value) for name, value in invocation.environ if name not in change.unset)
    return attrs.evolve(
        invocation,
        args=(*change.words, *invocation.args),
        environ=kept,
        files=attrs.evolve(invocation.files, entries=entries),
        safe_path=invocation.safe_path or change.safe_path,
    )


def _all_candidates(invocation: PytestInvocation, resolution: Resolution) -> Iterator[Change]:
    """Yield the changes to try; where modules are shadowed, each with ``-P``."""
    cost = "the working directory is not on sys.path"
    shadowed = any(
        effect.rule == "ini.shadowed_module" and effect.option != "pythonpath"
        for effect in resolution.effects
    )
    safe = Change(costs=(cost,), safe_path=True) if shadowed else Change()
    if shadowed:
        yield safe
    for change in _candidates(invocation, resolution):
        yield change + safe


def _candidates(invocation: PytestInvocation, resolution: Resolution) -> Iterator[Change]:
    """Yield the changes to try, the least costly first."""
    origins = tuple(_origins(resolution))
    variables = _variables(invocation, origins)
    parts = (variables, _without_addopts(resolution), _neutral_keys(resolution))
    partial = [part for part in parts if part is not None and part != Change()]
    for count in range(1, len(partial) + 1):
        for chosen in combinations(partial, count):
            yield sum(chosen, Change())
    anew = _all_variables(invocation)
    if anew != variables:
        yield from (anew, anew + sum(partial, Change()))
    floor = _without_floor(resolution)
    if floor is not None:
        yield from (floor, floor + sum(partial, Change()))
    everything = sum(partial, Change())
    # The suite may need the conftests of the workspace itself, above its own directory.
    cuts = [_cut(directory) for directory in dict.fromkeys((_test_directory(invocation), "."))]
    for cut in cuts:
        yield from (cut, cut + everything)
    for cut in cuts:
        isolated = _isolated(resolution, cut)
        yield from (isolated, isolated + anew)
    isolated = _isolated(resolution, cuts[0])
    yield isolated + anew + Change(("--noconftest",), (), ("every conftest is left out",))


def _origins(resolution: Resolution) -> Iterator[Origin]:
    if resolution.abort is not None and resolution.abort.origin is not None:
        yield resolution.abort.origin
    yield from (effect.origin for effect in resolution.effects)


def _all_variables(invocation: PytestInvocation) -> Change:
    """Return the change that unsets every variable by which the environment speaks to pytest."""
    names = ("PYTEST_ADDOPTS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD", "PYTEST_PLUGINS", "PYTEST_TIMEOUT")
    listed = tuple(name for name in names if invocation.variable(name))
    return Change((), listed, (f"{', '.join(listed)} is ignored",)) if listed else Change()


def _variables(invocation: PytestInvocation, origins: Sequence[Origin]) -> Change:
    names = {origin.name for origin in origins if origin.kind is OriginKind.VARIABLE}
    if invocation.variable("PYTEST_DISABLE_PLUGIN_AUTOLOAD"):
        # It is what makes the options of installed plugins unknown.
        names.add("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    if not names:
        return Change()
    listed = tuple(sorted(names))
    return Change((), listed, (f"{', '.join(listed)} is ignored",))


def _without_addopts(resolution: Resolution) -> Change | None:
    if not resolution.addopts and not _is_addopts_abort(resolution):
        return None
    words = [str(word) for word in resolution.addopts or ()]
    cost = f"all of addopts is dropped ({' '.join(words)})" if words else "addopts is dropped"
    return Change(("-o", "addopts="), (), (cost,))


def _without_floor(resolution: Resolution) -> Change | None:
    """Return the change that sets a coverage floor of 0: the command itself may ask for --cov."""
    if not any(effect.rule == "ini.coverage_gate" for effect in resolution.effects):
        return None
    return Change(("--cov-fail-under=0",), (), ("no coverage is demanded",))


def _is_addopts_abort(resolution: Resolution) -> bool:
    abort = resolution.abort
    return abort is not None and "addopts" in abort.reason


def _neutral_keys(resolution: Resolution) -> Change | None:
    keys = [
        effect.option
        for effect in resolution.effects
        if is_gate(effect) and effect.origin.kind is OriginKind.FILE
    ]
    if resolution.abort is not None:
        keys += [key for key in ("minversion", "required_plugins") if key in _reason(resolution)]
    known = [key for key in dict.fromkeys(keys) if key in _NEUTRAL and key != "addopts"]
    if not known:
        return None
    words = tuple(word for key in known for word in ("-o", f"{key}={_NEUTRAL[key]}"))
    return Change(words, (), (f"the file's {', '.join(known)} is overruled",))


def _reason(resolution: Resolution) -> str:
    abort = resolution.abort
    return "" if abort is None else f"{abort.reason} {abort.rule.replace('plugin', 'plugins')}"


def _test_directory(invocation: PytestInvocation) -> str:
    """Return the directory of the first path among the arguments, relative to the cwd."""
    for word in invocation.args:
        path = lexical(invocation.cwd, word.split("::", 1)[0])
        if not word.startswith("-") and invocation.files.exists(path):
            directory = path if invocation.files.is_dir(path) else posixpath.dirname(path)
            return posixpath.relpath(directory, invocation.cwd)
    return "."


def _cut(directory: str) -> Change:
    above = "the working directory" if directory == "." else directory
    cost = f"conftest files above {above} are left out"
    return Change((f"--confcutdir={directory}",), (), (cost,))


def _isolated(resolution: Resolution, cut: Change) -> Change:
    name = posixpath.basename(resolution.inifile or "") or "the config file"
    cost = f"nothing of {name} counts any more: pythonpath, markers, testpaths, plugin settings"
    return Change(("-c", _NULL, "--rootdir=.", *cut.words), (), (cost, *cut.costs))


def _command(invocation: PytestInvocation, change: Change) -> CorrectedCommand:
    python = ("python", "-P") if change.safe_path else ("python",)
    argv = (*python, "-m", "pytest", *change.words, *invocation.args)
    unset = tuple((name, None) for name in change.unset)
    prefix = ["env", *(f"--unset={name}" for name in change.unset)] if change.unset else []
    shell = " ".join(shlex.quote(word) for word in (*prefix, *argv))
    cost = "; ".join(dict.fromkeys(change.costs))
    sentence = f"{cost[:1].upper()}{cost[1:]}." if cost else ""
    return CorrectedCommand(argv, unset, shell, sentence)
