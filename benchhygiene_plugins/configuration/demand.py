"""How much of a tree an edit makes it necessary to look at."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import Change, SourceTree
from benchhygiene.inventory.importers import import_words, stem
from benchhygiene.inventory.index import words
from benchhygiene.inventory.rules import CONFIG_FILES
from benchhygiene.inventory.touched import rules_of
from benchhygiene_plugins.configuration.files.environment import names_environment
from benchhygiene_plugins.configuration.side import Side

#: Options of a configuration file that decide which tests run.
SELECTING = (
    "addopts",
    "testpaths",
    "python_files",
    "python_classes",
    "python_functions",
    "norecursedirs",
    "collect_imported_tests",
    "asyncio_mode",
    "env",
    "confcutdir",
)
_NAMES = frozenset(
    (
        b"collect_ignore",
        b"collect_ignore_glob",
        b"pytest_plugins",
        b"argv",
        b"PYTEST_ADDOPTS",
        b"specname",
    )
)
_HOOKS = (
    b"pytest_collect",
    b"pytest_ignore_collect",
    b"pytest_pycollect",
    b"pytest_make_collect",
    b"pytest_generate_tests",
    b"pytest_itemcollected",
    b"pytest_configure",
    b"pytest_cmdline",
    b"pytest_load_initial",
    b"pytest_addoption",
    b"pytest_sessionstart",
    b"pytest_runtestloop",
    b"pytest_plugin_registered",
    b"pytest_deselected",
)
#: Options of pytest and of usual plugins that no hook of a tree's own asks about.
_OWN = frozenset(
    (
        "markers",
        "minversion",
        "pythonpath",
        "filterwarnings",
        "xfail_strict",
        "strict_xfail",
        "strict_markers",
        "strict_config",
        "strict",
        "log_cli",
        "log_level",
        "log_cli_level",
        "log_format",
        "junit_family",
        "console_output_style",
        "cache_dir",
        "required_plugins",
        "usefixtures",
        "doctest_optionflags",
        "empty_parameter_set_mark",
        "timeout",
        "DJANGO_SETTINGS_MODULE",
        "asyncio_default_fixture_loop_scope",
    )
)
_DEFINING = (b"def ", b"class ", b"async def ")
_MARKING = (b"mark", b"pytest", b"param", b"skip", b"setattr", b"__", b"tag", b"decorat")
_SELECTING_WORDS = ("keyword", "markexpr", "deselect", "ignore", "ignore_glob", "override_ini")


@attrs.frozen
class Demand:
    """What is to be judged: everything, only these test files, or nothing at all."""

    is_wide: bool = False
    paths: tuple[str, ...] = ()


def steers(data: bytes) -> bool:
    """Return whether a module holds a word by which it may steer a session.

    Made for ``tree.derived``.
    """
    held = words(data)
    return (
        bool(_NAMES & held)
        or any(word.startswith(_HOOKS) for word in held)
        or (
            # A name may be put together from parts.
            b"pytest_" in data and (b"setattr" in held or b"globals" in held)
        )
    )


def demand(change: Change, before: Side, after: Side) -> Demand:
    """Return what an edit makes it necessary to look at."""
    differing = change.differing()
    if any(_steers_everything(change, path, before, after) for path in differing):
        return Demand(is_wide=True)
    if not (_selects(before) or _selects(after)):
        return Demand()
    rules = rules_of(change)
    paths = (path for path in differing if path.endswith(".py") and rules.is_test_file(path))
    return Demand(paths=tuple(path for path in paths if _is_held_otherwise(change, path)))


def _is_held_otherwise(change: Change, path: str) -> bool:
    """Return whether a hook may see another test than before: its name, marks or module.

    What stands in the bodies of functions, a hook does not ask about.
    """
    sides = (change.parent, change.candidate)
    if not all(side.is_file(path) for side in sides):
        return True
    try:
        before, after = (side.derived(path, _heads) for side in sides)
    except EvidenceUnavailable:
        return True
    return before != after


def _heads(data: bytes) -> tuple[bytes, ...]:
    """Return the lines of a file that are no function's body; made for ``tree.derived``."""
    found: list[bytes] = []
    is_decorating = False
    for line in data.splitlines():
        bare = line.strip()
        is_definition = bare.startswith(_DEFINING)
        is_decorating = (is_decorating or bare.startswith(b"@")) and not is_definition
        if is_definition or is_decorating or line == bare or any(w in line for w in _MARKING):
            found.append(bare)
    return tuple(found)


def _steers_everything(change: Change, path: str, before: Side, after: Side) -> bool:
    name = posixpath.basename(path)
    if name in CONFIG_FILES:
        return "/" not in path and _settings_differ(before, after)
    if names_environment(path):
        return before.variables != after.variables
    if name in ("conftest.py", "__init__.py"):
        sides = (change.parent, change.candidate)
        return any(_is_steering(tree, path) for tree in sides) or _is_used(path, before, after)
    return _is_used(path, before, after)


def _settings_differ(before: Side, after: Side) -> bool:
    old, new = before.settings, after.settings
    changed = {
        name
        for name in {*old.options, *new.options}
        if old.option(name).words != new.option(name).words
    }
    if before.plugins != after.plugins or changed & {*SELECTING}:
        return True
    # A conftest may have options of its own.
    own = changed - _OWN
    return bool(own) and any(any(_steering(one.tree, one)) for one in (before, after))


def _is_steering(tree: SourceTree, path: str) -> bool:
    """Return whether a module steers a session, by itself or with what it imports by a star."""
    if not tree.is_file(path):
        return False
    try:
        if tree.derived(path, steers):
            return True
        imports = tree.derived(path, import_words)
        if b"*" not in imports:
            return False
        named = (one for one in tree.files(".py") if stem(one).encode() in imports)
        return any(tree.derived(one, steers) for one in named)
    except EvidenceUnavailable:
        return True


def _is_used(path: str, before: Side, after: Side) -> bool:
    """Return whether a conftest that steers may import the file, or read it by its name."""
    name = posixpath.basename(path).encode()
    word = stem(path).encode() if path.endswith(".py") else b""
    for side in (before, after):
        for conftest in _steering(side.tree, side):
            try:
                if word and word in side.tree.derived(conftest, import_words):
                    return True
                if not word and name in side.tree.read(conftest):
                    return True
            except EvidenceUnavailable:
                continue
        if word and word in _plugin_words(side):
            return True
    return False


def _steering(tree: SourceTree, side: Side) -> Iterator[str]:
    yield from (path for path in side.conftests() if _is_steering(tree, path))


def _plugin_words(side: Side) -> frozenset[bytes]:
    named = (*side.words.every("plugins"), *side.plugins)
    names = (one for one in named if not one.startswith("no:"))
    return frozenset(one.rpartition(".")[2].encode() for one in names)


def _selects(side: Side) -> bool:
    """Return whether anything but the names of files and tests decides what is run."""
    return side.words.has(*_SELECTING_WORDS) or any(_steering(side.tree, side))
