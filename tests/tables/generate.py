"""Write the option tables by asking the real pytest and the real plugins.

    python tests/tables/generate.py            ask everything in plan.toml
    python tests/tables/generate.py pytest-cov ask only these distributions, keep the other rows

Every question gets a directory of its own, filled by ``pip install --target``, so what a plugin
registers cannot come from its neighbour. Answers that cannot be had are named at the end and leave
the rows as they were; the exit status is then 1.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
TABLES = HERE.parents[1] / "benchhygiene_plugins" / "ini_chain" / "tables"
PYTEST_OF = {"old": "7.4.4", "versions": "8.4.2", "new": "9.2.0"}
PYTHON = "3.11"
FAULT = re.compile(r"ERROR:|[\w.]*(Error|Exception)\b")

Row = dict[str, object]


class Asked(NamedTuple):
    """One question: which distribution, at which version, beside which pytest and Python."""

    distribution: str
    version: str
    pytest: str
    python: str = PYTHON
    beside: tuple[str, ...] = ()
    shuffles: bool = False


class CannotAsk(Exception):
    """Say why a question got no answer: no such Python, no install, no start."""


def find_python(version: str) -> str:
    """Return an interpreter of this minor version: this one, one on PATH, or one of pyenv's."""
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        return sys.executable
    found = shutil.which(f"python{version}")
    # A version manager's shim may stand on PATH for a version that it will not start.
    if found and not subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode:
        return found
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for folder in sorted(root.glob(f"versions/{version}.*")):
        return str(folder / "bin" / "python")
    raise CannotAsk(f"no Python {version} found")


def run(command: list[str], environ: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        command, env=environ, capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise CannotAsk(next((line for line in lines if FAULT.match(line)), "no answer"))


def ask(asked: Asked) -> Row:
    """Install and ask in a scratch directory; the interpreter sees nothing but that directory."""
    python = find_python(asked.python)
    pinned = {f"pytest=={asked.pytest}", f"{asked.distribution}=={asked.version}"}
    with tempfile.TemporaryDirectory() as scratch:
        site, answer = f"{scratch}/site", f"{scratch}/answer.json"
        run(
            [python, "-m", "pip", "install", "-q", "--target", site, *sorted(pinned), *asked.beside]
        )
        environ = os.environ | {"PYTHONPATH": site}
        names = [] if asked.distribution == "pytest" else [asked.distribution]
        if not names:
            environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
            environ.pop(name, None)
        run([python, "-S", str(HERE / "ask.py"), answer, *names], environ)
        row: Row = json.loads(Path(answer).read_text("utf-8"))
    return row | {"shuffles": True} if asked.shuffles else row


def compact(value: object) -> object:
    """Drop what the loader fills in: null, and empty lists of an option or ini key."""
    if isinstance(value, dict):
        kept = {key: compact(item) for key, item in value.items()}
        return {
            key: item
            for key, item in kept.items()
            if item is not None and not (key == "aliases" and not item)
        }
    return [compact(item) for item in value] if isinstance(value, list) else value


def key(row: Row) -> tuple[str, tuple[int, ...]]:
    name, version = str(row.get("distribution", "pytest")), str(row["version"])
    return name, tuple(int(part) for part in version.split(".") if part.isdigit())


def read(path: Path) -> dict[tuple[str, tuple[int, ...]], Row]:
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return {key(row): row for row in map(json.loads, lines)}


def write(path: Path, rows: Iterable[Row]) -> None:
    lines = [json.dumps(row, separators=(",", ":")) for row in sorted(rows, key=key)]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def regenerate(path: Path, questions: Iterable[Asked], keep: bool) -> Iterator[str]:
    """Ask, write, and yield one line for each question without an answer."""
    before = read(path)
    after = dict(before) if keep else {}
    for asked in questions:
        print(f"asking {asked.distribution} {asked.version}", flush=True)
        try:
            row = compact(ask(asked))
        except CannotAsk as error:
            yield f"{asked.distribution} {asked.version}: {error}"
            same = {"distribution": asked.distribution, "version": asked.version}
            row = before.get(key(dict(same)))
        if isinstance(row, dict):
            after[key(row)] = row
    write(path, after.values())


def core_questions(plan: dict[str, list[str]]) -> Iterator[Asked]:
    for python, versions in plan.items():
        for version in versions:
            yield Asked("pytest", version, version, python)


def plugin_questions(plan: dict[str, dict[str, list[str]]]) -> Iterator[Asked]:
    for name, entry in plan.items():
        beside, shuffles = tuple(entry.get("beside", ())), bool(entry.get("shuffles"))
        for age, pytest in PYTEST_OF.items():
            for version in entry.get(age, ()):
                yield Asked(name, version, pytest, beside=beside, shuffles=shuffles)


def main(only: list[str]) -> int:
    plan = tomllib.loads((HERE / "plan.toml").read_text("utf-8"))
    if unknown := set(only) - {"pytest", *plan["plugins"]}:
        print(f"not in plan.toml: {', '.join(sorted(unknown))}")
        return 2
    core, plugins = core_questions(plan["pytest"]), plugin_questions(plan["plugins"])
    failed: list[str] = []
    for file, questions in (("core.jsonl", core), ("plugins.jsonl", plugins)):
        chosen = [each for each in questions if not only or each.distribution in only]
        if chosen:
            failed += regenerate(TABLES / file, chosen, keep=bool(only))
    print("\n".join(f"no answer: {line}" for line in failed) or "all answered")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
