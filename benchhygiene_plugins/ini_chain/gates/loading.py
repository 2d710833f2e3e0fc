"""Find tests that cannot be imported or set up under this configuration."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from benchhygiene_plugins.ini_chain.command.words import ARGUMENT, Origin, OriginKind
from benchhygiene_plugins.ini_chain.configuration.values import ValueRefused
from benchhygiene_plugins.ini_chain.resolution import Effect, EffectKind
from benchhygiene_plugins.ini_chain.situation import Situation
from benchhygiene_plugins.ini_chain.suite.nodes import Node


def effects(situation: Situation) -> Iterator[Effect]:
    """Yield what keeps a test module or a fixture from loading."""
    yield from _broken(situation)
    yield from _late_conftests(situation)
    yield from _imports(situation)
    yield from _failing(situation)
    yield from _fixtures(situation)
    yield from _used_fixtures(situation)


def _broken(situation: Situation) -> Iterator[Effect]:
    for path, reason in situation.suite.broken:
        origin = Origin(OriginKind.FILE, path)
        name = posixpath.basename(path)
        yield Effect(
            "ini.abort",
            EffectKind.ABORTS,
            name,
            "",
            origin,
            reason,
            fails=True,
            exit_status=situation.collection_error,
            is_own=True,
        )


def _late_conftests(situation: Situation) -> Iterator[Effect]:
    """Find conftests that fail when collection reaches them."""
    startup = situation.startup
    for facts in situation.late_conftests:
        problem, line = startup.imports.conftest_problem(facts)
        repeated = [name for opt in facts.options for name in opt.names if name in startup.options]
        if problem is None and repeated:
            problem = f"the conftest adds the option {repeated[0]}, which is there already"
        if problem is None and facts.plugins:
            problem = "the conftest names pytest_plugins, which only a top-level one may"
        if problem is not None:
            origin = Origin(OriginKind.FILE, facts.path, line)
            name = posixpath.basename(facts.path)
            kind = EffectKind.ABORTS
            yield Effect(
                "ini.conftest", kind, name, "", origin, problem, True, situation.collection_error
            )


def _imports(situation: Situation) -> Iterator[Effect]:
    for path, module, line in situation.imports.missing:
        mode = situation.last("importmode")
        origin = Origin(OriginKind.FILE, path, line)
        if mode is not None and mode.value == "importlib":
            origin = mode.word.origin
        reason = f"{posixpath.basename(path)} imports {module}, which this command does not find"
        option = "import" if mode is None else mode.name
        yield Effect(
            "ini.abort",
            EffectKind.ABORTS,
            option,
            module,
            origin,
            reason,
            fails=True,
            exit_status=situation.collection_error,
            is_own=not _exists_somewhere(situation, module),
        )


def _exists_somewhere(situation: Situation, module: str) -> bool:
    """Return whether the workspace has a module of this name, so that the command is to blame."""
    top, whole = module.partition(".")[0], module.replace(".", "/")
    tails = (f"/{top}.py", f"/{top}/__init__.py", f"/{whole}.py")
    return any(
        path.endswith(tails) or (f"/{whole}/" in path and path.endswith(".py"))
        for path in situation.files.entries
    )


def _failing(situation: Situation) -> Iterator[Effect]:
    """Find local modules that raise, or that ``pythonpath`` puts in the place of others."""
    for path, line in situation.imports.failing:
        origin = Origin(OriginKind.FILE, path, line)
        name = posixpath.basename(path)
        reason = f"{name}, which the tests import, raises when it is imported"
        kind = EffectKind.ABORTS
        own = not situation.imports.shadowed
        status, option = situation.collection_error, name
        if not own:
            origin, option = situation.key_origin("pythonpath"), "pythonpath"
        yield Effect("ini.abort", kind, option, "", origin, reason, True, status, is_own=own)
    for name in situation.imports.shadowed:
        origin = situation.key_origin("pythonpath")
        reason = f"pythonpath decides which {name} the tests import; there is more than one"
        kind = EffectKind.FAILS
        yield Effect("ini.shadowed_module", kind, "pythonpath", name, origin, reason, None)


def _fixtures(situation: Situation) -> Iterator[Effect]:
    """Find fixtures that only a conftest defines which does not load."""
    for node in situation.suite.nodes:
        loaded = {name for facts in situation.scope_conftests(node) for name in facts.fixtures}
        own = set(situation.suite.modules[node.path].fixtures)
        for name in node.fixtures:
            if name in loaded | own:
                continue
            hidden = _hidden_conftest(situation, node, name)
            if hidden is not None and _suffers(node):
                yield _hidden_effect(situation, name, hidden)
                return


def _hidden_effect(situation: Situation, name: str, conftest: str) -> Effect:
    given = situation.last("noconftest") or situation.last("confcutdir")
    origin = ARGUMENT if given is None else given.word.origin
    option = "confcutdir" if given is None else given.name
    value = "" if given is None else given.value or ""
    reason = (
        f"the fixture {name} is in a conftest that does not load ({posixpath.basename(conftest)})"
    )
    return Effect("ini.conftest", EffectKind.FAILS, option, value, origin, reason, True, 1)


def _hidden_conftest(situation: Situation, node: Node, name: str) -> str | None:
    from benchhygiene_plugins.ini_chain.configuration.search import upwards
    from benchhygiene_plugins.ini_chain.starting.conftests import conftest_facts

    loaded = {facts.path for facts in situation.conftests}
    late = not situation.given("noconftest")
    for directory in upwards(posixpath.dirname(node.path)):
        path = posixpath.join(directory, "conftest.py")
        if path in loaded or not situation.files.is_file(path):
            continue
        if late and _loads_later(situation, path):
            return None
        if name in conftest_facts(situation.files, path).fixtures:
            return path
    return None


def _loads_later(situation: Situation, path: str) -> bool:
    """Return whether collection itself will load a conftest on its way down."""
    from benchhygiene_plugins.ini_chain.configuration.search import lexical

    directory = posixpath.dirname(path)
    for text in situation.startup.paths:
        start = lexical(situation.cwd, text.split("::", 1)[0])
        if directory.startswith(start.rstrip("/") + "/"):
            return True
    return False


def _used_fixtures(situation: Situation) -> Iterator[Effect]:
    """``usefixtures`` asks every test for fixtures that may not exist here."""
    try:
        names = situation.settings.shell_words("usefixtures")
    except ValueRefused:
        return
    for name in names:
        known = {found for facts in situation.conftests for found in facts.fixtures}
        known |= {found for mod in situation.suite.modules.values() for found in mod.fixtures}
        if name in known or not situation.suite.nodes:
            continue
        answers = {_suffers(node) for node in situation.suite.nodes}
        fails = True if True in answers else None if None in answers else False
        fails = None if fails and _may_exist(situation, name) else fails
        origin = situation.key_origin("usefixtures")
        reason = f"every test is asked for the fixture {name}, which nothing that loads defines"
        yield Effect("ini.strict", EffectKind.FAILS, "usefixtures", name, origin, reason, fails, 1)


def _suffers(node: Node) -> bool | None:
    """Return whether an error while a node is set up fails the run: an xfail mark expects it."""
    marks = [mark for mark in node.marks if mark.name == "xfail"]
    if not marks:
        return True
    return None if all(mark.conditional for mark in marks) else False


_BUILTIN_TEXT = """
    cache capfd capfdbinary caplog capsys capsysbinary capteesys doctest_namespace
    monkeypatch pytestconfig pytester record_property record_testsuite_property
    record_xml_attribute recwarn request subtests testdir tmp_path tmp_path_factory tmpdir
    tmpdir_factory
"""
_BUILTIN = frozenset(_BUILTIN_TEXT.split())


def _may_exist(situation: Situation, name: str) -> bool:
    plugins = situation.startup.plugins
    known = {"pytest-cov", "pytest-timeout", "pytest-xdist"}
    foreign = any(found.distribution not in known for found in plugins.loaded)
    return name in _BUILTIN or foreign or bool(plugins.unknown)
