"""Tell whether a conftest of the host can be trusted to do nothing to the tests below it.

A suite was written with its own conftest in mind, so that is taken as part of it. One that lies
above the working directory was not: whatever in it is not plainly harmless is a doubt.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator, Mapping, Sequence

import attrs

from benchhygiene.inventory.spelling import decorator_call
from benchhygiene_plugins.ini_chain.suite.source import constant, import_aliases, resolved

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_SAFE_CALLS_TEXT = """
    bool bytes dict float frozenset int list object print range set str tuple
    collections.OrderedDict collections.defaultdict collections.namedtuple datetime.date
    datetime.datetime datetime.timedelta logging.basicConfig logging.getLogger os.environ.get
    os.environ.setdefault os.fspath os.getcwd os.getenv os.path.abspath os.path.basename
    os.path.dirname os.path.exists os.path.join os.path.realpath pathlib.Path pathlib.PurePath
    re.compile sys.path.append sys.path.insert typing.NewType typing.TypeVar
    config.addinivalue_line parser.addini parser.addoption monkeypatch.setenv monkeypatch.delenv
"""
_SAFE_CALLS = frozenset(_SAFE_CALLS_TEXT.split())
_SAFE_METHODS = frozenset({"resolve", "absolute", "joinpath", "as_posix", "strip", "format"})
_BUILTIN_FIXTURES_TEXT = """
    cache capfd capfdbinary caplog capsys capsysbinary doctest_namespace monkeypatch pytestconfig
    record_property recwarn request tmp_path tmp_path_factory tmpdir tmpdir_factory
"""
_BUILTIN_FIXTURES = frozenset(_BUILTIN_FIXTURES_TEXT.split())
_HOOKS_TEXT = """
    addhooks addoption assertion_pass assertrepr_compare cmdline_main cmdline_parse
    collect_directory collect_file collection collection_finish collection_modifyitems
    collectreport collectstart
    configure deselected enter_pdb exception_interact fixture_post_finalizer fixture_setup
    generate_tests html_report_title html_results_summary ignore_collect internalerror
    itemcollected keyboard_interrupt leave_pdb load_initial_conftests make_collect_report
    make_parametrize_id markeval_namespace plugin_registered plugins pycollect_makeitem
    pycollect_makemodule pyfunc_call report_collectionfinish report_from_serializable report_header
    report_teststatus report_to_serializable runtest_call runtest_logfinish runtest_logreport
    runtest_logstart runtest_makereport runtest_protocol runtest_setup runtest_teardown runtestloop
    sessionfinish sessionstart terminal_summary timeout_cancel_timer timeout_set_timer unconfigure
    warning_recorded xdist_auto_num_workers
"""
_HOOKS = frozenset(f"pytest_{name}" for name in _HOOKS_TEXT.split())


_HOOK_ARGUMENTS_TEXT = """
    argname args call collection_path collector config data early_config excinfo excrepr exitstatus
    expl file_path fixturedef item items left lineno location log manager metafunc module_path name
    nextitem node nodeid obj op orig parent parser path plugin plugin_name pluginmanager pyfuncitem
    report reports request right session start_path startdir terminalreporter val warning_message
    when
"""
_HOOK_ARGUMENTS = frozenset(_HOOK_ARGUMENTS_TEXT.split())


def host_doubt(tree: ast.Module) -> str | None:
    """Return the first thing that may do harm, None where everything is plainly harmless."""
    return next(_Look(import_aliases(tree)).statements(tree.body, set(dir(builtins))), None)


@attrs.frozen(eq=False, repr=False)
class _Look:
    aliases: Mapping[str, str]

    def statements(self, body: Sequence[ast.stmt], names: set[str]) -> Iterator[str]:
        """Yield each statement that is not plainly harmless; ``names`` are those bound so far."""
        names |= {node.name for node in body if isinstance(node, _Function | ast.ClassDef)}
        names.add("__file__")
        for node in body:
            if not self._is_harmless(node, names):
                yield f"what its line {node.lineno} does is not known"
            if isinstance(node, ast.ClassDef):
                yield from self.statements(node.body, set(names))
            elif isinstance(node, _Function):
                yield from self._function(node, body)

    def _is_harmless(self, node: ast.stmt, names: set[str]) -> bool:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
            return _is_known_import(node)
        if isinstance(node, ast.Assign | ast.AnnAssign):
            return self._assigns(node, names)
        if isinstance(node, ast.Expr):
            return self._is_safe(node.value, names)
        if isinstance(node, ast.If):
            return resolved(node.test, self.aliases).endswith("TYPE_CHECKING")
        return isinstance(node, _Function | ast.ClassDef | ast.Pass)

    def _assigns(self, node: ast.Assign | ast.AnnAssign, names: set[str]) -> bool:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        safe = node.value is None or self._is_safe(node.value, names)
        for target in targets:
            if isinstance(target, ast.Name):
                names.add(target.id)
            else:
                owner = target.value if isinstance(target, ast.Subscript) else target
                safe = safe and resolved(owner, self.aliases) == "os.environ"
        return safe

    def _is_safe(self, node: ast.expr, names: set[str]) -> bool:
        if isinstance(node, ast.Constant | ast.Lambda):
            return True
        if isinstance(node, ast.Name):
            return node.id in names
        if isinstance(node, ast.Attribute):
            return self._is_safe(node.value, names)
        if isinstance(node, ast.Call):
            return self._is_safe_call(node, names)
        if isinstance(node, ast.BinOp):
            joins = isinstance(node.op, ast.Div | ast.Add) and not constant(node.left)[0]
            return joins and self._is_safe(node.left, names) and self._is_safe(node.right, names)
        if isinstance(node, ast.Dict | ast.List | ast.Set | ast.Tuple | ast.JoinedStr):
            parts = [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr)]
            return all(self._is_safe(part, names) for part in parts)
        return isinstance(node, ast.FormattedValue) and self._is_safe(node.value, names)

    def _is_safe_call(self, node: ast.Call, names: set[str]) -> bool:
        name = resolved(node.func, self.aliases)
        known = name in _SAFE_CALLS or name.startswith("pytest.mark.")
        if not known and isinstance(node.func, ast.Attribute):
            known = node.func.attr in _SAFE_METHODS and self._is_safe(node.func.value, names)
        values = [*node.args, *(word.value for word in node.keywords)]
        return known and all(self._is_safe(value, names) for value in values)

    def _function(self, node: _Function, body: Sequence[ast.stmt]) -> Iterator[str]:
        defaults = [value for value in node.args.kw_defaults if value is not None]
        if not all(constant(value)[0] for value in (*node.args.defaults, *defaults)):
            yield f"what its line {node.lineno} does is not known"
        if node.name.startswith("pytest_") and node.name not in _HOOKS:
            yield f"{node.name} is no hook that is known here"
        arguments = {argument.arg for argument in node.args.args}
        if node.name in _HOOKS and not arguments <= _HOOK_ARGUMENTS:
            yield f"{node.name} asks for an argument that is not known here"
        for decorator in node.decorator_list:
            named, call = decorator_call(decorator)
            name = resolved(named, self.aliases)
            if name == "pytest.fixture":
                yield from self._fixture(node, call, body)
            elif name not in ("pytest.hookimpl", "staticmethod", "classmethod", "property"):
                yield f"what {name or 'a decorator'} does in line {node.lineno} is not known"

    def _fixture(
        self, node: _Function, call: ast.Call | None, body: Sequence[ast.stmt]
    ) -> Iterator[str]:
        given = {word.arg: constant(word.value)[1] for word in call.keywords} if call else {}
        if given.get("scope", "function") not in ("function", "class", "module", "session"):
            yield f"the fixture {node.name} has a scope that is not known"
        if not given.get("autouse"):
            return
        arguments = {argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)}
        fixtures = {other.name for other in body if isinstance(other, _Function)}
        names = {*dir(builtins), *self.aliases, *arguments}
        plain = isinstance(node, ast.FunctionDef) and "params" not in given
        unknown = arguments - _BUILTIN_FIXTURES - fixtures
        plain = plain and (not arguments or given.get("scope", "function") == "function")
        plain = plain and sum(isinstance(part, ast.Yield) for part in ast.walk(node)) < 2
        if unknown or not plain or not all(self._is_idle(part, names) for part in node.body):
            yield f"its fixture {node.name} runs for every test, and what it does is not known"

    def _is_idle(self, node: ast.stmt, names: set[str]) -> bool:
        if isinstance(node, ast.Return):
            return node.value is None or self._is_safe(node.value, names)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield):
            return node.value.value is None or self._is_safe(node.value.value, names)
        return self._is_harmless(node, names)


def _is_known_import(node: ast.Import | ast.ImportFrom) -> bool:
    """Return whether an import is of the standard library or pytest: it does nothing to tests."""
    if isinstance(node, ast.ImportFrom):
        modules = [node.module or "."]
    else:
        modules = [alias.name for alias in node.names]
    known = {*sys.stdlib_module_names, "pytest"}
    return all(module.partition(".")[0] in known for module in modules)


def is_harmless_import(node: ast.stmt) -> bool:
    """Return whether a statement only imports from the standard library or pytest."""
    return isinstance(node, ast.Import | ast.ImportFrom) and _is_known_import(node)
