"""Say which conftest files load at start-up, and what each does to the run.

Rules: ``_set_initial_conftests`` and ``_loadconftestmodules`` in ``_pytest/config/__init__.py``.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Mapping, Sequence

import attrs

from benchhygiene.evidence import FileSnapshot
from benchhygiene.inventory.spelling import decorator_call, dotted
from benchhygiene_plugins.ini_chain.configuration.search import lexical, upwards
from benchhygiene_plugins.ini_chain.configuration.shapes import items
from benchhygiene_plugins.ini_chain.starting.host_conftests import host_doubt, is_harmless_import
from benchhygiene_plugins.ini_chain.suite.source import (
    Unparsed,
    constant,
    fixture_names,
    functions,
    import_aliases,
    imported_modules,
    parse,
    resolved,
)
from benchhygiene_plugins.ini_chain.tables import Option

#: Hooks whose mere presence cannot change a passing suite's exit status.
_HARMLESS = frozenset(
    {
        "pytest_addoption",
        "pytest_addhooks",
        "pytest_report_header",
        "pytest_make_parametrize_id",
        "pytest_assertrepr_compare",
        "pytest_terminal_summary",
        "pytest_html_report_title",
        "pytest_plugin_registered",
    }
)


def initial_conftests(
    files: FileSnapshot,
    cwd: str,
    paths: Sequence[str],
    confcutdir: str | None,
    *,
    looks_below_cwd: bool = True,
) -> tuple[str, ...]:
    """Return the conftest files that load before collection, in loading order.

    ``confcutdir`` cuts only the directories above it; None cuts nothing. ``looks_below_cwd`` says
    whether, where no path exists, the ``test*`` directories of the cwd count too (not in 9.1).
    """
    found: dict[str, None] = {}
    for anchor in _anchors(files, cwd, paths, looks_below_cwd=looks_below_cwd):
        directory = anchor if files.is_dir(anchor) else posixpath.dirname(anchor)
        for parent in reversed(tuple(upwards(directory))):
            path = posixpath.join(parent, "conftest.py")
            if not _is_above(parent, confcutdir) and files.is_file(path):
                found[path] = None
    return tuple(found)


def _is_above(directory: str, confcutdir: str | None) -> bool:
    if confcutdir is None or directory == confcutdir:
        return False
    return directory in upwards(confcutdir)


def late_conftests(
    files: FileSnapshot, modules: Sequence[str], confcutdir: str | None, initial: Sequence[str]
) -> tuple[str, ...]:
    """Return the conftest files that collection loads on its way to the test modules."""
    found: dict[str, None] = {}
    for module in modules:
        for parent in reversed(tuple(upwards(posixpath.dirname(module)))):
            path = posixpath.join(parent, "conftest.py")
            if path not in initial and not _is_above(parent, confcutdir) and files.is_file(path):
                found[path] = None
    return tuple(found)


def _anchors(
    files: FileSnapshot, cwd: str, paths: Sequence[str], *, looks_below_cwd: bool
) -> Iterator[str]:
    given = [lexical(cwd, path.split("::", 1)[0]) for path in paths]
    existing = [path for path in given if files.exists(path)]
    for anchor in existing or [cwd]:
        yield anchor
        if files.is_dir(anchor) and (existing or looks_below_cwd):
            yield from _test_directories(files, anchor)


def _test_directories(files: FileSnapshot, directory: str) -> Iterator[str]:
    for path in files.below(directory):
        parent, name = posixpath.split(path)
        if parent == directory and name.startswith("test") and files.is_dir(path):
            yield path


@attrs.frozen(eq=False, repr=False)
class ConftestFacts:
    """What a conftest declares, as far as its source tells.

    ``problem`` says why importing it fails; ``doubt`` why that or its effect is not known.
    ``host_doubt`` says what is not plainly harmless, which matters where the conftest is not the
    suite's own. ``exit_status`` is a status it forces at the end of the session, ``empties`` says
    that it drops every collected test.
    """

    path: str
    problem: str | None = None
    line: int | None = None
    doubt: str | None = None
    host_doubt: str | None = None
    options: tuple[Option, ...] = ()
    ini_keys: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    fixtures: tuple[str, ...] = ()
    modules: tuple[tuple[str, int], ...] = ()
    plugins: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    ignored_globs: tuple[str, ...] = ()
    exit_status: int | None = None
    empties: bool = False


def conftest_facts(files: FileSnapshot, path: str) -> ConftestFacts:
    """Return what a conftest's source tells, without running it."""
    tree = parse(files, path)
    is_package = files.is_file(posixpath.join(posixpath.dirname(path), "__init__.py"))
    if isinstance(tree, Unparsed):
        if tree.broken:
            return ConftestFacts(path, problem=tree.reason)
        return ConftestFacts(path, doubt=f"conftest {posixpath.basename(path)}: {tree.reason}")
    facts = _module_facts(path, tree)
    relative = next((n for n in tree.body if isinstance(n, ast.ImportFrom) and n.level), None)
    if relative is not None and not is_package and facts.problem is None:
        problem = "it imports relatively, outside a package"
        facts = attrs.evolve(facts, problem=problem, line=relative.lineno)
    for function in functions(tree.body):
        facts = _with_hook(facts, function)
    return facts


def _module_facts(path: str, tree: ast.Module) -> ConftestFacts:
    aliases = import_aliases(tree)
    raising = next((node for node in tree.body if isinstance(node, ast.Raise | ast.Assert)), None)
    facts = ConftestFacts(
        path,
        fixtures=tuple(fixture_names(tree.body, aliases)),
        modules=tuple(imported_modules(tree)),
        plugins=_texts(tree, "pytest_plugins"),
        ignored=_texts(tree, "collect_ignore"),
        ignored_globs=_texts(tree, "collect_ignore_glob"),
        doubt=_module_doubt(tree) or _autouse_doubt(tree, aliases),
        host_doubt=host_doubt(tree),
    )
    if isinstance(raising, ast.Raise):
        return attrs.evolve(facts, problem="it raises when imported", line=raising.lineno)
    return facts


def _texts(tree: ast.Module, name: str) -> tuple[str, ...]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(dotted(target) == name for target in node.targets):
            known, value = constant(node.value)
            if known and isinstance(value, str):
                return (value,)
            listed = items(value)
            if known and listed is not None:
                return tuple(sorted(str(item) for item in listed))
    return ()


def _module_doubt(tree: ast.Module) -> str | None:
    """Say which statement runs at import and may do anything."""
    for node in tree.body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            name = dotted(node.value.func)
            if name not in ("sys.path.insert", "sys.path.append", "print"):
                return f"it calls {name or 'something'} when imported"
        if isinstance(node, ast.If | ast.For | ast.While | ast.With | ast.Assert):
            return f"what line {node.lineno} does when imported is not known"
    return None


def _autouse_doubt(tree: ast.Module, aliases: Mapping[str, str]) -> str | None:
    """Say which fixture runs for every test and may fail it."""
    for function in functions(tree.body):
        for decorator in function.decorator_list:
            named, call = decorator_call(decorator)
            words = call.keywords if call is not None else []
            autouse = any(word.arg == "autouse" and constant(word.value)[1] for word in words)
            if autouse and resolved(named, aliases) == "pytest.fixture" and _may_fail(function):
                return f"its fixture {function.name} runs for every test and may fail it"
    return None


def _may_fail(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    failing = ("pytest.fail", "pytest.skip", "pytest.exit", "pytest.xfail", "sys.exit", "os._exit")
    return any(
        isinstance(node, ast.Raise | ast.Assert)
        or (isinstance(node, ast.Call) and dotted(node.func) in failing)
        for node in ast.walk(function)
    )


def _with_hook(
    facts: ConftestFacts, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> ConftestFacts:
    name = function.name
    if name == "pytest_addoption":
        return _with_options(facts, function)
    if not name.startswith("pytest_") or name in _HARMLESS:
        return facts
    statements = [node for node in function.body if not _is_idle(node)]
    forced = [found for node in statements if (found := _forced_status(node)) is not None]
    status = forced[-1] if forced else None
    if status is not None and name in ("pytest_sessionfinish", "pytest_unconfigure"):
        return attrs.evolve(facts, exit_status=status)
    if any(_empties_items(node) for node in statements):
        return attrs.evolve(facts, empties=True)
    markers = tuple(mark for node in statements for mark in _registered_marker(node))
    if all(_registered_marker(node) or _is_option_write(node) for node in statements):
        return attrs.evolve(facts, markers=(*facts.markers, *markers))
    doubt = f"what its {name} does is not known"
    return attrs.evolve(facts, markers=(*facts.markers, *markers), doubt=facts.doubt or doubt)


def _is_idle(node: ast.stmt) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return is_harmless_import(node)
    return isinstance(node, ast.Pass) or (
        isinstance(node, ast.Expr)
        and (isinstance(node.value, ast.Constant) or _is_call_to(node.value, "print"))
    )


def _is_call_to(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and dotted(node.func) == name


def _forced_status(node: ast.stmt) -> int | None:
    """Return N for ``session.exitstatus = N``, None where that is not what is done."""
    if not isinstance(node, ast.Assign):
        return None
    known, value = constant(node.value)
    forced = any(dotted(target).endswith(".exitstatus") for target in node.targets)
    return value if forced and known and isinstance(value, int) else None


def _empties_items(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return dotted(node.value.func) == "items.clear"
    if not isinstance(node, ast.Assign):
        return False
    target = node.targets[0]
    whole = (
        isinstance(target, ast.Subscript)
        and dotted(target.value) == "items"
        and isinstance(target.slice, ast.Slice)
        and target.slice.lower is None
        and target.slice.upper is None
    )
    return whole and constant(node.value) == (True, [])


def _registered_marker(node: ast.stmt) -> tuple[str, ...]:
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        return ()
    call = node.value
    known, first = constant(call.args[0]) if call.args else (False, None)
    line = constant(call.args[1])[1] if len(call.args) > 1 else None
    if dotted(call.func).endswith(".addinivalue_line") and known and first == "markers":
        return (str(line).split(":")[0].split("(")[0].strip(),)
    return ()


def _is_option_write(node: ast.stmt) -> bool:
    """Return whether a statement only sets how early a failing run stops."""
    if not isinstance(node, ast.Assign):
        return False
    names = {dotted(target) for target in node.targets}
    return names <= {"config.option.maxfail", "config.option.verbose", "config.option.tbstyle"}


def _with_options(
    facts: ConftestFacts, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> ConftestFacts:
    options: list[Option] = []
    keys: list[str] = []
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr in ("addoption", "_addoption"):
            options.extend(_option(node))
        elif node.func.attr == "addini" and node.args:
            known, name = constant(node.args[0])
            keys.extend([str(name)] if known else [])
    return attrs.evolve(facts, options=tuple(options), ini_keys=tuple(keys))


def _option(call: ast.Call) -> Iterator[Option]:
    names = [value for known, value in map(constant, call.args) if known and isinstance(value, str)]
    if not names:
        return
    given: Mapping[str, object] = {
        keyword.arg: constant(keyword.value)[1] for keyword in call.keywords if keyword.arg
    }
    action = str(given.get("action") or "store")
    nargs = given.get("nargs")
    takes = None if action in ("store", "append", "extend") else 0
    yield Option(
        names=tuple(names),
        dest=str(given.get("dest") or names[-1].lstrip("-").replace("-", "_")),
        nargs=nargs if isinstance(nargs, int | str) else takes,
        action=action,
        choices=None,
        type=None,
        const=None,
        plugin="conftest",
    )
