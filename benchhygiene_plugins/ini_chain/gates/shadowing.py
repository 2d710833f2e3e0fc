"""Files in the working directory that are imported in place of what pytest needs.

``python -m pytest`` puts the working directory first on ``sys.path``.
"""

from __future__ import annotations

import ast
import posixpath
import sys
from collections.abc import Iterator

from benchhygiene_plugins.ini_chain.command.words import Origin, OriginKind
from benchhygiene_plugins.ini_chain.resolution import Effect, EffectKind
from benchhygiene_plugins.ini_chain.situation import Situation
from benchhygiene_plugins.ini_chain.suite.source import Unparsed, parse

#: Imported before the working directory is on the path, or harmless to shadow.
_SAFE_TEXT = """
    __future__ __main__ _abc _codecs _collections_abc _frozen_importlib _frozen_importlib_external
    _imp _io _signal _sitebuiltins _stat _thread _warnings _weakref abc builtins codecs encodings
    genericpath importlib io marshal nt ntpath os posix posixpath runpy site stat sys test time
    this antigravity winreg zipimport
"""
_SAFE = frozenset(_SAFE_TEXT.split())
_PYTEST = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "py", "pygments")


def effects(situation: Situation) -> Iterator[Effect]:
    """Yield each file that shadows a module which pytest, or a plugin that loads, imports."""
    if situation.startup.invocation.safe_path:
        return
    plugins = {found.module.partition(".")[0] for found in situation.startup.plugins.loaded}
    needed = {*_PYTEST, *plugins}
    for path in _importable(situation):
        name = _module_name(path)
        if name == "pytest":
            yield _instead(situation, path)
        elif name in needed or (name in sys.stdlib_module_names and name not in _SAFE):
            yield _effect(path, name, certain=name in needed)


def _instead(situation: Situation, path: str) -> Effect:
    """Describe a file that ``python -m pytest`` runs in place of pytest."""
    tree = parse(situation.files, path)
    idle = not isinstance(tree, Unparsed) and all(
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in tree.body
    )
    reason = "python -m pytest runs this file and not pytest, so no test is run"
    origin = Origin(OriginKind.FILE, path)
    kind = EffectKind.RUNS_NOTHING
    return Effect(
        "ini.shadowed_module", kind, "pytest", "", origin, reason, False if idle else None
    )


def _importable(situation: Situation) -> Iterator[str]:
    """Yield the modules and packages directly in the working directory."""
    prefix = situation.cwd.rstrip("/") + "/"
    for path in situation.files.below(situation.cwd):
        parts = path[len(prefix) :].split("/")
        is_module = len(parts) == 1 and path.endswith(".py")
        is_package = len(parts) == 2 and parts[1] == "__init__.py"
        if (is_module or is_package) and situation.files.is_file(path):
            yield path


def _module_name(path: str) -> str:
    name = posixpath.basename(path)
    if name == "__init__.py":
        return posixpath.basename(posixpath.dirname(path))
    return name.removesuffix(".py")


def _effect(path: str, name: str, *, certain: bool) -> Effect:
    who = "pytest or a plugin that loads" if certain else "the standard library's users"
    reason = f"{who} would import this file as {name!r}; what it does is not known"
    origin = Origin(OriginKind.FILE, path)
    return Effect("ini.shadowed_module", EffectKind.FAILS, name, "", origin, reason, None)
