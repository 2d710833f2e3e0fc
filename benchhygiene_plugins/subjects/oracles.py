"""Where the product reads the tests, or what they expect."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator

from benchhygiene.evidence import SourceTree
from benchhygiene.inventory.meanings import Scope
from benchhygiene.inventory.python import PythonFile
from benchhygiene_plugins.subjects.facts import Fact, fact
from benchhygiene_plugins.subjects.products import Product
from benchhygiene_plugins.subjects.sides import Sides
from benchhygiene_plugins.subjects.units import Unit

RULE = "source.reads_oracle"
_READERS = frozenset(
    (
        "open",
        "exists",
        "isdir",
        "isfile",
        "is_dir",
        "is_file",
        "read_text",
        "read_bytes",
        "read",
        "load",
        "loads",
        "iterdir",
        "glob",
        "iglob",
        "rglob",
        "listdir",
        "walk",
        "scandir",
        "import_module",
        "__import__",
        "exec",
        "eval",
        "compile",
        "run_path",
        "run_module",
        "exec_module",
        "spec_from_file_location",
        "parse",
        "getsource",
        "getsourcelines",
        "getlines",
        "getline",
        "read_csv",
        "read_json",
        "loadtxt",
        "read_file",
        "get_data",
        "files",
        "safe_load",
        "reader",
        "DictReader",
        "connect",
        "copyfile",
        "readlines",
        "getsourcefile",
        "findsource",
        "fileinput",
        "readline",
        "load_source",
        "read_parquet",
    )
)
_ORACLES = frozenset(
    (
        "golden",
        "goldens",
        "expected",
        "expectations",
        "snapshots",
        "__snapshots__",
        "cassettes",
        "oracle",
        "oracles",
        "witness",
        "answers",
        "answer_key",
        "fixtures",
        "approved",
        "pack",
    )
)
_TEST_FILE = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test\.py|conftest(?:\.py)?)$")
_CALLER = frozenset(("co_filename", "filename", "f_code", "f_globals", "tb_frame"))
_STACK = ("inspect.stack", "inspect.currentframe", "sys._getframe", "inspect.getouterframes")
WORDS = frozenset(one.encode() for one in (*_READERS, "import", "modules"))


def oracles(unit: Unit, product: Product) -> Iterator[Fact]:
    """Yield where a unit reads what belongs to the tests."""
    file = product.evaluator.file(unit.path)
    seen: set[str] = set()
    nodes = [*unit.walk(product.evaluator)]
    for node, detail, said in (*_imported(nodes, unit, product), *_read(nodes, unit, product)):
        if detail not in seen:
            seen.add(detail)
            yield fact(RULE, unit, file, node, detail, said)


def _imported(
    nodes: list[tuple[ast.AST, Scope]], unit: Unit, product: Product
) -> Iterator[tuple[ast.stmt | ast.expr, str, str]]:
    modules, sides = product.evaluator.modules, product.sides
    for node, scope in nodes:
        names: list[tuple[str, int]] = []
        if isinstance(node, ast.Import):
            names = [(one.name, 0) for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            inner = (f"{base}.{one.name}".lstrip(".") for one in node.names if one.name != "*")
            names = [(one, node.level) for one in (base, *inner) if one]
        elif isinstance(node, ast.Call | ast.Subscript):
            yield from _by_name(node, scope, product)
            continue
        if not isinstance(node, ast.stmt):
            continue
        for name, level in names:
            home = modules.locate(unit.path, name, level)
            if home is not None and _is_of_tests(home, sides):
                yield node, f"imports {name}", f"imports {name}, which belongs to the tests"


def _by_name(
    node: ast.Call | ast.Subscript, scope: Scope, product: Product
) -> Iterator[tuple[ast.expr, str, str]]:
    asked = node.func if isinstance(node, ast.Call) else node.value
    names = product.texts.names(asked, scope)
    loads = ("importlib.import_module", "__import__", "sys.modules", "runpy.run_module")
    if not any(name.startswith(loads) for name in names):
        return
    given = node.args[:1] if isinstance(node, ast.Call) else [node.slice]
    for part in given:
        for text in sorted(product.texts.text(part, scope)):
            home = product.evaluator.modules.locate(scope.path, text) if text else None
            known = home is not None and _is_of_tests(home, product.sides)
            last = text.rpartition(".")[2]
            if known or _TEST_FILE.search(last):
                yield node, f"imports {text}", f"asks for the module {text}, which holds tests"


def _is_of_tests(path: str, sides: Sides) -> bool:
    is_served = "/testing/" in f"/{path}" or posixpath.basename(path).endswith("testing.py")
    return sides.is_test_code(path) and not is_served


def _read(
    nodes: list[tuple[ast.AST, Scope]], unit: Unit, product: Product
) -> Iterator[tuple[ast.expr, str, str]]:
    reads = _reads(nodes) or (unit.function is None and _file_reads(unit, product))
    for node, scope in nodes if reads else ():
        if not isinstance(node, ast.Constant | ast.BinOp | ast.JoinedStr | ast.Call | ast.Name):
            continue
        for text in sorted(product.texts.text(node, scope)):
            why = _belongs(text, product.tree, product.sides)
            if why and _is_path(node, text, nodes):
                yield node, f"reads {text}", f"reads {text!r}, {why}"
    yield from _caller(nodes, product)


def _reads(nodes: list[tuple[ast.AST, Scope]]) -> bool:
    return any(isinstance(one, ast.Call) and _last(one.func) in _READERS for one, _ in nodes)


def _file_reads(unit: Unit, product: Product) -> bool:
    return product.evaluator.file(unit.path).derived(_file_has_reader)


def _file_has_reader(file: PythonFile) -> bool:
    inside = ast.walk(file.module) if file.module is not None else ()
    return any(isinstance(one, ast.Call) and _last(one.func) in _READERS for one in inside)


def _caller(
    nodes: list[tuple[ast.AST, Scope]], product: Product
) -> Iterator[tuple[ast.expr, str, str]]:
    """Yield where the file of a caller is opened."""
    stack = any(
        name.startswith(_STACK)
        for node, scope in nodes
        if isinstance(node, ast.Attribute | ast.Call)
        for name in product.texts.names(node, scope)
    )
    for node, _ in nodes if stack else ():
        if isinstance(node, ast.Call) and _last(node.func) in _READERS:
            inner = (one for given in node.args for one in ast.walk(given))
            names = {one.attr for one in inner if isinstance(one, ast.Attribute)}
            is_source = _last(node.func).startswith(("getsource", "getline", "findsource"))
            if names & _CALLER or is_source:
                yield node, "reads its caller", "reads the source of whoever calls it"


def _belongs(text: str, tree: SourceTree, sides: Sides) -> str:
    """Say why a path belongs to the tests; empty where it does not."""
    if not text or len(text) > 300 or "\n" in text or " " in text:
        return ""
    plain = text.replace("\\", "/").removeprefix("./")
    parts = [one for one in plain.split("/") if one not in ("", ".", "..", "*", "**")]
    if not parts:
        return ""
    if _TEST_FILE.search(parts[-1]) and ("." in parts[-1] or "*" in parts[-1] or len(parts) > 1):
        return "where tests stand"
    there = tree.surveyed(_Folders.of)
    if any(one in there.tests for one in parts):
        return "which is below the tests"
    if parts[-1] in there.names and "." in parts[-1]:
        return "which is a file of the tests"
    oracle = any(one in _ORACLES for one in parts[:-1]) or parts[-1] in _ORACLES
    if oracle and any(one in there.oracles for one in parts):
        return "which holds what is expected"
    return ""


class _Folders:
    """The names of a tree's folders of tests and of expectations, and of files in the former."""

    def __init__(self, tree: SourceTree) -> None:
        tests, names, others, oracles = set[str](), set[str](), set[str](), set[str]()
        for path in tree.entries:
            *folders, name = path.split("/")
            among = [index for index, one in enumerate(folders) if _is_test_folder(one)]
            if among:
                tests.update(folders[at] for at in among)
                names.add(name)
            else:
                others.add(name)
            is_package = any(
                f"{'/'.join(folders[:1])}/__init__.py" in tree.entries for _ in folders
            )
            if not is_package and folders[:1] not in (["src"], ["lib"]):
                oracles.update(one for one in folders if one in _ORACLES)
        self.tests = frozenset(tests)
        self.names = frozenset(names - others) - {"__init__.py", "README.md"}
        self.oracles = frozenset(oracles)

    @classmethod
    def of(cls, tree: SourceTree) -> _Folders:
        """Return the folders of a tree; made for ``tree.surveyed``."""
        return cls(tree)


def _is_test_folder(name: str) -> bool:
    return name in ("test", "tests", "unittests", "e2e", "spec", "specs") or (
        name.startswith("test_") or name.endswith("_tests")
    )


def _is_path(node: ast.expr, text: str, nodes: list[tuple[ast.AST, Scope]]) -> bool:
    """Return whether a string is used as a path: it reads like one, or is put into one."""
    if "/" in text or text.endswith((".py", ".json", ".yaml", ".yml", ".txt", ".csv", ".toml")):
        return not isinstance(node, ast.Name) or _is_taken(node, nodes)
    return _is_taken(node, nodes)


_TAKERS = frozenset(
    ("Path", "PurePath", "join", "joinpath", "with_name", "exists", "isfile", "isdir", "is_file")
) | {"is_dir", "abspath", "relpath", "realpath", "normpath"}


def _is_taken(node: ast.expr, nodes: list[tuple[ast.AST, Scope]]) -> bool:
    return any(any(x is node for x in _taken(one)) for one, _ in nodes)


def _taken(node: ast.AST) -> list[ast.expr]:
    """Return the parts of a division or a call that are paths."""
    match node:
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return [left, right]
        case ast.Call(func=func, args=args) if _last(func) in _READERS | _TAKERS:
            return args
        case _:
            return []


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
