"""Read the configuration that coverage.py would use in the working directory.

Rules: ``config_files_to_try`` and ``CoverageConfig.from_file`` in coverage.py 7.
"""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Iterator, Mapping

import attrs

from benchhygiene.errors import EvidenceUnavailable
from benchhygiene.evidence import FileSnapshot
from benchhygiene.inventory.toml_text import TomlRefused, parse_toml
from benchhygiene_plugins.ini_chain.configuration.search import lexical
from benchhygiene_plugins.ini_chain.configuration.shapes import items, table

#: The environment variable that names a configuration file.
RCFILE = "COVERAGE_RCFILE"
_SECTIONS = ("run", "report", "paths", "html", "xml", "json", "lcov")


class CoverageConfigBroken(ValueError):
    """Say which file coverage cannot read; the run ends with a traceback."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(reason)
        self.path = path
        self.reason = reason


@attrs.frozen(eq=False, repr=False)
class CoverageConfig:
    """The settings that decide a coverage floor.

    ``path`` is None where no file has any. ``filtered`` says that files or lines are left out of
    the measure by rules not followed here, ``unread`` that the file's bytes are not known.
    """

    path: str | None = None
    fail_under: float = 0.0
    branch: bool = False
    source: tuple[str, ...] = ()
    filtered: bool = False
    unread: bool = False


def read_coverage_config(
    files: FileSnapshot, cwd: str, named: str | None, variable: str | None = None
) -> CoverageConfig:
    """Return the settings of the first file that has any.

    ``named`` is the value of ``--cov-config``, ``variable`` that of COVERAGE_RCFILE. Raises
    CoverageConfigBroken where coverage stops.
    """
    if named in (None, ".coveragerc"):
        named = variable
    specified = bool(named)
    names = [named or ".coveragerc", ".coveragerc.toml", "setup.cfg", "tox.ini", "pyproject.toml"]
    for index, name in enumerate(names):
        path = lexical(cwd, name)
        if files.is_file(path):
            found = _read(files, path, own=index < 2)
            if found is not None:
                return found
        elif index == 0 and specified:
            raise CoverageConfigBroken(path, f"the coverage configuration {name!r} cannot be read")
    return CoverageConfig()


def _read(files: FileSnapshot, path: str, *, own: bool) -> CoverageConfig | None:
    try:
        text = files.read(path).decode("utf-8")
    except EvidenceUnavailable:
        return CoverageConfig(path, filtered=True, unread=True)
    except UnicodeDecodeError as error:
        raise CoverageConfigBroken(path, f"not UTF-8: {error.reason}") from error
    is_toml = posixpath.splitext(path)[1] == ".toml"
    try:
        sections = (
            _toml_sections(path, text, own=own) if is_toml else _ini_sections(path, text, own=own)
        )
    except TomlRefused:
        return CoverageConfig(path, filtered=True, unread=True)
    if not own and not any(sections.values()):
        return None
    return _settings(path, sections)


def _ini_sections(path: str, text: str, *, own: bool) -> dict[str, Mapping[str, object]]:
    import configparser  # costs start-up time, and only coverage needs it

    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        reason = str(error).splitlines()[0]
        raise CoverageConfigBroken(path, reason) from error
    prefixes = ("coverage:", "") if own else ("coverage:",)
    return {
        name: dict(parser.items(prefix + name))
        for name in _SECTIONS
        for prefix in prefixes
        if parser.has_section(prefix + name)
    }


def _toml_sections(path: str, text: str, *, own: bool) -> dict[str, Mapping[str, object]]:
    try:
        document = parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise CoverageConfigBroken(path, str(error)) from error
    found: Mapping[str, object] = document
    for key in ("tool", "coverage"):
        inner = table(found.get(key, {}))
        if inner is None:
            # coverage looks a section up in whatever it meets, which is a TypeError here.
            raise CoverageConfigBroken(path, f"{key!r} is not a table")
        found = inner
    if own and not found:
        # coverage's own TOML file may leave "tool.coverage" out.
        found = document
    return {name: part for name in found if (part := table(found[name])) is not None}


def _settings(path: str, sections: Mapping[str, Mapping[str, object]]) -> CoverageConfig:
    run, report = sections.get("run", {}), sections.get("report", {})
    try:
        fail_under = float(str(report.get("fail_under", 0)))
    except ValueError as error:
        raise CoverageConfigBroken(path, f"fail_under: {error}") from error
    left_out = {"omit", "include", "plugins", "source_pkgs", "exclude_lines", "exclude_also"}
    branch = str(run.get("branch", "false")).strip().lower() in ("true", "yes", "on", "1")
    return CoverageConfig(
        path,
        fail_under,
        branch,
        tuple(_listed(run.get("source"))),
        bool(left_out & (run.keys() | report.keys())),
    )


def _listed(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield from value.replace(",", "\n").split()
    else:
        yield from (str(item) for item in items(value) or ())
