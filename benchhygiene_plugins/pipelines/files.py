"""Which files of a tree are pipelines, and the gates of each."""

from __future__ import annotations

import itertools
import posixpath
import re

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import SourceTree
from benchhygiene_plugins.pipelines import python_scripts, scripts, task_tables
from benchhygiene_plugins.pipelines.gates import Gate, Pipeline
from benchhygiene_plugins.pipelines.tokens import LARGEST

_YAML = re.compile(
    r"\.github/(?:workflows|actions)/.*\.ya?ml|(?:.*/)?action\.ya?ml|(?:.*/)?\.?gitlab-ci.*\.ya?ml|\.gitlab/.*\.ya?ml"
    r"|\.circleci/.*\.ya?ml|\.?azure-pipelines.*\.ya?ml|\.azure.*\.ya?ml|\.travis\.ya?ml|\.?appveyor\.ya?ml"
    r"|\.drone\.ya?ml|\.woodpecker.*\.ya?ml|bitbucket-pipelines\.ya?ml|\.buildkite/.*\.ya?ml|\.cirrus\.ya?ml"
    r"|\.gitea/workflows/.*\.ya?ml|\.forgejo/workflows/.*\.ya?ml|\.semaphore/.*\.ya?ml|buildspec.*\.ya?ml"
    r"|cloudbuild.*\.ya?ml|(?:.*/)?Taskfile\.ya?ml|\.pre-commit-(?:config|hooks)\.ya?ml|ci/.*\.ya?ml|\.ci/.*\.ya?ml"
    r"|(?:.*/)?docker-compose.*\.ya?ml|compose\.ya?ml|lefthook\.ya?ml"
)
_MAKE = ("makefile", "gnumakefile")
_SHELL = (".sh", ".bash", ".zsh", ".ksh")
_PYTHON = ("noxfile.py", "tasks.py", "dodo.py", "fabfile.py", "duties.py", "conftest.py")
_RUNS_TESTS = re.compile(
    r"(?:^|[-_./])(?:run|ci|check|checks|verify|test|tests|runtests|make|build|tools?)(?:[-_.]|$)"
)
_HOOKS = re.compile(r"\.(?:husky|githooks|hooks)/[^/]+|(?:.*/)?git-hooks/[^/]+")


def is_pipeline(path: str) -> bool:
    """Return whether a file may decide whether the tests' failure counts."""
    name = posixpath.basename(path)
    return bool(_YAML.fullmatch(path)) or _kind(path, name) != ""


def _kind(path: str, name: str) -> str:
    if name.lower() in _MAKE or name.endswith((".mk", ".mak")):
        return "make"
    if name.lower() == "justfile":
        return "just"
    if name in ("tox.ini", "setup.cfg"):
        return "tox"
    if name in ("pyproject.toml", "tox.toml", "hatch.toml", "pixi.toml"):
        return "toml"
    if name.startswith("Dockerfile") or name.endswith(".dockerfile"):
        return "docker"
    if name.endswith(_SHELL) or name == "Jenkinsfile" or _HOOKS.fullmatch(path):
        return "jenkins" if name == "Jenkinsfile" else "shell"
    return _kind_of_script(path, name)


def _kind_of_script(path: str, name: str) -> str:
    if name.endswith(".py"):
        is_test = name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py"
        is_near = path.count("/") <= 1
        named = name in _PYTHON or _RUNS_TESTS.search(name.removesuffix(".py")) is not None
        return "python" if named and is_near and not is_test else ""
    folder = posixpath.dirname(path)
    if "." not in name and folder in ("bin", "scripts", "script", "ci", ".ci", "tools", "dev", ""):
        return "shell" if folder or _RUNS_TESTS.search(name) else ""
    return ""


def pipeline(tree: SourceTree, path: str) -> Pipeline:
    """Return the gates of one file; a file whose bytes cannot be had is a doubt."""
    try:
        data = tree.read(path)
    except EvidenceUnavailable as error:
        return Pipeline(doubts=(str(error).removeprefix(f"{path}: "),))
    if b"\0" in data[:8000] or len(data) > LARGEST * 5:
        return Pipeline(doubts=("no text that can be read",))
    return _of(tree, path, data)


def _of(tree: SourceTree, path: str, data: bytes) -> Pipeline:
    name = posixpath.basename(path)
    if _YAML.fullmatch(path):
        # Nothing but pipelines needs it, and it takes as long to import as a small analysis.
        from benchhygiene_plugins.pipelines import workflows

        sources = tuple(itertools.islice(tree.files(".py"), _MOST_FILES))
        return workflows.read(path, data, lambda event, keys: workflows.filtered(sources, keys))
    match _kind(path, name):
        case "make":
            return scripts.makefile(path, data)
        case "just":
            return scripts.makefile(path, _with_tabs(data))
        case "tox":
            return scripts.tox(path, data)
        case "toml":
            return task_tables.toml(path, data)
        case "docker":
            return scripts.docker(path, data)
        case "jenkins":
            return _jenkins(path, data)
        case "shell":
            return scripts.shell(path, data)
        case "python":
            return python_scripts.read(path, data)
        case _:
            return Pipeline()


_MOST_FILES = 2_000  # a filter that lets none of so many start the workflow lets nothing start it


def _with_tabs(data: bytes) -> bytes:
    """Return a justfile in make's form: its recipes are indented with blanks."""
    return re.sub(
        rb"^[ ]+", b"\t", data.replace(b"{{", b"$(").replace(b"}}", b")"), flags=re.MULTILINE
    )


def _jenkins(path: str, data: bytes) -> Pipeline:
    """Return the gates of the ``sh`` steps of a Jenkinsfile."""
    text = data.decode("utf-8", errors="replace")
    found: list[Gate] = []
    for match in re.finditer(r"\bsh\s*\(?\s*(?:script:\s*)?('''|\"\"\"|'|\")", text):
        end = text.find(match[1], match.end())
        line = text.count("\n", 0, match.start()) + 1
        inner = scripts.shell(path, text[match.end() : max(end, match.end())].encode())
        if inner.doubts:
            return Pipeline(tuple(found), inner.doubts)
        masked = _jenkins_mask(text[: match.start()], text[end : end + 60].partition("\n")[0])
        found += [
            attrs.evolve(gate, line=line + gate.line - 1, masked=masked or gate.masked)
            for gate in inner.gates
        ]
    return Pipeline(tuple(found))


def _jenkins_mask(before: str, behind: str) -> str:
    if re.search(r"returnStatus:\s*true", behind):
        return "returnStatus: true"
    opened = re.search(r"catchError[^{}]*\{[^{}]*$", before[-500:])
    return "catchError" if opened else ""
