"""A real virtual environment to plant distributions in, and around."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sysconfig
import textwrap
import venv
from collections.abc import Iterable

import attrs

LIBRARY = pathlib.Path(__file__).parents[2]

PLUGIN = """
import pathlib
pathlib.Path({mark!r}).touch()
import attrs
from benchhygiene import Location, BaseFinding, PytestInvocation, Rule, Severity

RULE = Rule("planted.rule", "Something was planted.", Severity.ERROR, help_uri=None)

@attrs.frozen
class Analyzer:
    name = {name!r}
    rules = (RULE,)
    consumes = PytestInvocation

    def analyze(self, invocation, /):
        yield BaseFinding(rule=RULE, message={name!r}, locations=(Location("."),))
"""

RUN = """
import json
from benchhygiene import Crashed, Orchestrator, PytestInvocation, Registry, RegistryError
registry = Registry.discover({roots!r})
report = Orchestrator(registry).run(PytestInvocation("/w"))
states = {{o.analyzer: str(o.state) if isinstance(o.state, Crashed) else
           type(o.state).__name__ for o in report.outcomes}}
print(json.dumps({{
    "states": states,
    "found": [finding.message for finding in report.findings],
    "verdict": report.verdict.value,
    "refused": [[r.name, r.distribution] for r in report.provenance.refused],
    "notes": list(report.provenance.notes),
}}))
"""


@attrs.frozen
class Answer:
    """What a run in the environment reported."""

    states: dict[str, str]
    found: list[str]
    verdict: str
    refused: list[list[str]]
    notes: list[str]


@attrs.frozen
class Environment:
    """A virtual environment that sees what this library needs through a ``.pth`` file."""

    root: pathlib.Path

    @classmethod
    def create(cls, root: pathlib.Path) -> Environment:
        venv.create(root, with_pip=False, symlinks=os.name != "nt")
        made = cls(root)
        made._link_dependencies(pathlib.Path(attrs.__file__).parents[1])
        made.put_on_path("dependencies", root / "dependencies")
        return made

    def put_on_path(self, name: str, directory: pathlib.Path) -> None:
        (self.site / f"{name}.pth").write_text(f"{directory}\n")

    def _link_dependencies(self, installed: pathlib.Path) -> None:
        """Link the packages without their metadata, which would be visible but not trusted."""
        (self.root / "dependencies").mkdir()
        for path in installed.iterdir():
            is_code = path.suffix in ("", ".py", ".so", ".pyd")
            if is_code and not path.name.startswith(("benchhygiene", "__")):
                (self.root / "dependencies" / path.name).symlink_to(path)

    @property
    def site(self) -> pathlib.Path:
        scheme = "nt" if os.name == "nt" else "posix_prefix"
        paths = {"base": str(self.root), "platbase": str(self.root)}
        return pathlib.Path(sysconfig.get_path("purelib", scheme, paths))

    @property
    def python(self) -> pathlib.Path:
        return self.root / ("Scripts" if os.name == "nt" else "bin") / "python"

    def run(self, cwd: pathlib.Path, *, roots: Iterable[str] = (), pythonpath: str = "") -> Answer:
        """Discover and run in a fresh process whose current directory is on ``sys.path``."""
        answer = subprocess.run(
            (self.python, "-c", RUN.format(roots=tuple(roots))),
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": pythonpath},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        if answer.returncode:
            raise RuntimeError(answer.stderr)
        return Answer(**json.loads(answer.stdout))


def plant(
    directory: pathlib.Path,
    mark: pathlib.Path,
    *,
    name: str = "planted",
    distribution: str = "planted-dist",
    reference: str = "planted_module:Analyzer",
    code: pathlib.Path | None = None,
) -> None:
    """Put a distribution into a directory; importing its module touches the mark."""
    metadata = directory / f"{distribution.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir(parents=True)
    header = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n"
    (metadata / "METADATA").write_text(header)
    points = f"[console_scripts]\nx = y:z\n\n[benchhygiene.analyzers]\n{name} = {reference}\n"
    (metadata / "entry_points.txt").write_text(points)
    if code is not None:
        url = {"url": code.as_uri(), "dir_info": {"editable": True}}
        (metadata / "direct_url.json").write_text(json.dumps(url))
    write_module((code or directory) / "planted_module.py", mark, name)


def write_module(path: pathlib.Path, mark: pathlib.Path, name: str = "planted") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(PLUGIN.format(mark=str(mark), name=name)))
