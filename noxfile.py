"""Every check of the project, one session each: ``nox --list`` shows them."""

from __future__ import annotations

import pathlib
import tomllib

import nox

HERE = pathlib.Path(__file__).parent
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]

nox.options.default_venv_backend = "virtualenv"
nox.options.error_on_missing_interpreters = False
nox.options.reuse_existing_virtualenvs = True
nox.options.sessions = ["lint", "typing", "docs", "tests"]


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run the test suite on every supported Python that is found here."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "pytest", "-q", *session.posargs)


@nox.session(python=PYTHONS[0])
def lowest(session: nox.Session) -> None:
    """Run the test suite with every direct dependency at its lower bound."""
    # Not session.create_tmp(): it would move every test's directory below this project's files.
    constraints = pathlib.Path(session.virtualenv.location) / "lowest.txt"
    constraints.write_text("\n".join(_lower_bounds()) + "\n", encoding="utf-8")
    session.install("-e", ".[test]", "-c", str(constraints))
    session.run("python", "-m", "pytest", "-q", *session.posargs)


def _lower_bounds() -> list[str]:
    """Return ``name==bound`` for every ``name>=bound`` that an installed library needs."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    direct = [*project["dependencies"]]
    direct += [one for name in ("notebook", "sign", "store") for one in extras[name]]
    return [requirement.replace(">=", "==") for requirement in direct]


@nox.session(python=PYTHONS[0])
def lint(session: nox.Session) -> None:
    """Check style, formatting, the floors between modules and the declared dependencies."""
    session.install(".[lint]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports", "--no-cache")
    session.run("deptry", ".")


@nox.session(python=PYTHONS[0])
def typing(session: nox.Session) -> None:
    """Check types with mypy --strict and pyright."""
    session.install("-e", ".[typing]")
    session.run("mypy")
    session.run("pyright", "--warnings")


@nox.session(python=PYTHONS[0])
def docs(session: nox.Session) -> None:
    """Build the documentation; a warning is an error."""
    session.install(".[docs]")
    session.run("sphinx-build", "-W", "--keep-going", "-q", "-b", "html", "docs", "docs/_build")


@nox.session(python=PYTHONS[0])
def doctests(session: nox.Session) -> None:
    """Execute every block of the README and the documentation."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "pytest", "-q", "tests/docs", *session.posargs)


@nox.session(python=PYTHONS[0])
def tables(session: nox.Session) -> None:
    """Regenerate the option tables by asking every pytest minor version."""
    session.install("-e", ".[test]")
    session.run("python", "tests/tables/generate.py", *session.posargs)


@nox.session(python=PYTHONS[0])
def truth(session: nox.Session) -> None:
    """Compare predictions with what the real pytest does in generated workspaces."""
    session.install("-e", ".[test]")
    chosen = ["-m", "full", "-rP", "tests/truth", "tests/surface"]
    session.run("python", "-m", "pytest", "-q", *chosen, *session.posargs)


@nox.session(python=PYTHONS[0])
def benchmarks(session: nox.Session) -> None:
    """Measure speed as ratios within one run and print a table."""
    session.install(".", "pytest>=9.1")  # as users install it: compiled, not editable
    session.run("python", "benchmarks/speed.py", *session.posargs)


@nox.session(python=PYTHONS[0])
def full(session: nox.Session) -> None:
    """Run every test there is, the slow ones too."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "pytest", "-q", "-m", "full or not full", *session.posargs)
