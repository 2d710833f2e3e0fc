"""What holds in every table, and which table answers for which version."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from benchhygiene.errors import InputError
from benchhygiene_plugins.ini_chain import tables
from benchhygiene_plugins.ini_chain.starting.versions import release
from benchhygiene_plugins.ini_chain.tables import CoreTable, Option, PluginTable

CORE = [tables.core_table(version) for version in tables.known_versions()]
ROWS = Path(tables.__file__).parent


def newest_plugin_tables() -> list[PluginTable]:
    found = [tables.plugin_table(name) for name in tables.known_plugins()]
    return [table for table in found if table is not None]


def option(version: str, name: str) -> Option | None:
    matching = [each for each in tables.core_table(version).options if name in each.names]
    return matching[0] if matching else None


def repeated(names: list[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


@pytest.mark.parametrize("table", CORE, ids=lambda table: table.version)
class TestCoreTable:
    def test_names_every_option_and_key_once(self, table: CoreTable) -> None:
        options = [name for each in table.options + table.extra_options for name in each.names]
        keys = [key.name for key in table.ini + table.extra_ini]
        aliases = [alias for key in table.ini + table.extra_ini for alias in key.aliases]

        assert len(options) > 90
        assert repeated(options) == []
        assert repeated(keys + aliases) == []

    def test_knows_which_plugin_registers_what(self, table: CoreTable) -> None:
        loaded = {"pytestconfig", *table.default_plugins}
        extra = set(table.builtin_plugins) - loaded

        assert {each.plugin for each in table.options + table.ini} <= loaded
        assert {each.plugin for each in table.extra_options + table.extra_ini} <= extra

    def test_nests_essential_default_and_builtin_plugins(self, table: CoreTable) -> None:
        assert set(table.essential_plugins) < set(table.default_plugins)
        assert set(table.default_plugins) < set(table.builtin_plugins)

    def test_gives_flags_no_value_and_literal_keys_their_choices(self, table: CoreTable) -> None:
        flags = {"store_true", "store_false", "store_const", "count", "help"}

        assert {each.nargs for each in table.options if each.action in flags} == {0}
        assert all(key.choices for key in table.ini if "literal" in key.type.split("|"))


def test_core_tables_cover_every_minor_version_once_in_order() -> None:
    minors = [release(version)[:2] for version in tables.known_versions()]

    assert minors[0] == (6, 2)
    assert minors == sorted(set(minors))
    assert [minor for major, minor in minors if major in (7, 8)] == [0, 1, 2, 3, 4] * 2


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("7.4.0", "7.4.4"),
        ("7.4.4", "7.4.4"),
        ("7.4.99", "7.4.4"),
        ("9.0.2", "9.0.3"),
        ("9.2.0.dev3", "9.2.0"),
        ("5.4.3", "6.2.5"),
        ("99.0", "9.2.0"),
    ],
)
def test_core_table_is_that_of_the_nearest_minor_version(asked: str, answered: str) -> None:
    assert tables.core_table(asked).version == answered


def test_versions_outside_the_tables_are_told_apart() -> None:
    newest = release(tables.newest())
    later_patch = f"{newest[0]}.{newest[1]}.{newest[2] + 1}"
    later_minor = f"{newest[0]}.{newest[1] + 1}.0rc1"

    assert not tables.is_newer_than_known(later_patch)
    assert tables.is_newer_than_known(later_minor)
    assert tables.is_older_than_known("6.1.2")
    assert not tables.is_older_than_known("6.2.0")


def test_core_table_refuses_what_is_no_version() -> None:
    with pytest.raises(InputError, match="'latest' is not a version"):
        tables.core_table("latest")


@pytest.mark.parametrize(
    ("name", "before", "since"),
    [
        ("--no-showlocals", "7.1.3", "7.2.2"),
        ("--config-file", "7.3.2", "7.4.4"),
        ("--disable-plugin-autoload", "8.3.5", "8.4.2"),
        ("--max-warnings", "9.0.3", "9.1.1"),
    ],
)
def test_an_option_is_known_only_since_its_version(name: str, before: str, since: str) -> None:
    assert option(before, name) is None
    assert option(since, name) is not None


def test_debug_swallows_a_word_since_seven() -> None:
    old, new = option("6.2.5", "--debug"), option("7.0.1", "--debug")

    assert old is not None
    assert new is not None
    assert (old.nargs, new.nargs) == (0, "?")


def test_doctest_options_belong_to_the_doctest_plugin() -> None:
    doctest, maxfail = option("8.4.2", "--doctest-modules"), option("8.4.2", "-x")

    assert doctest is not None
    assert maxfail is not None
    assert (doctest.plugin, maxfail.plugin) == ("doctest", "main")
    assert (maxfail.action, maxfail.dest, maxfail.const) == ("store_const", "maxfail", 1)


def test_strict_xfail_has_its_alias_since_nine() -> None:
    keys = {key.name: key.aliases for key in tables.core_table("9.2.0").ini}
    before = {key.name: key.aliases for key in tables.core_table("8.4.2").ini}

    assert keys["strict_xfail"] == ("xfail_strict",)
    assert "xfail_strict" not in keys
    assert before["xfail_strict"] == ()


def test_argument_files_are_read_since_eight_two() -> None:
    prefixes = {table.version: table.fromfile_prefix_chars for table in CORE}

    assert (prefixes["8.1.2"], prefixes["8.2.2"]) == ("", "@")


@pytest.mark.parametrize("table", newest_plugin_tables(), ids=lambda table: table.distribution)
class TestPluginTable:
    def test_registers_only_through_its_entry_points(self, table: PluginTable) -> None:
        points = {point.name for point in table.entry_points}

        assert points
        assert {each.plugin for each in table.options + table.ini} <= points
        assert {point.module.partition(".")[0] for point in table.entry_points} <= set(
            table.modules
        )

    def test_takes_no_name_that_pytest_has(self, table: PluginTable) -> None:
        core = tables.core_table(table.pytest)
        own = [name for each in table.options for name in each.names]
        keys = [key.name for key in table.ini]

        assert repeated(own + [name for each in core.options for name in each.names]) == []
        assert repeated(keys + [key.name for key in core.ini]) == []

    def test_is_found_by_its_canonical_name(self, table: PluginTable) -> None:
        spelling = table.distribution.replace("-", "_").upper()

        assert tables.normalise(table.distribution) == table.distribution
        assert tables.plugin_table(spelling) == table


def test_known_plugins_are_sorted_and_many() -> None:
    names = tables.known_plugins()

    assert list(names) == sorted(names)
    assert {"pytest-cov", "pytest-timeout", "pytest-xdist", "hypothesis"} <= set(names)
    assert tables.plugin_table("pytest-nosuch") is None


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        (None, "7.1.0"),
        ("7.1.0", "7.1.0"),
        ("99", "7.1.0"),
        ("7.0.0", "6.3.0"),
        ("4.1.0", "4.1.0"),
        ("1.0", "2.12.1"),
        ("unreadable", "7.1.0"),
    ],
)
def test_plugin_table_is_that_of_the_nearest_version(asked: str | None, answered: str) -> None:
    table = tables.plugin_table("pytest-cov", asked)

    assert table is not None
    assert table.version == answered


def test_only_randomly_shuffles_by_being_installed() -> None:
    shuffling = [table.distribution for table in newest_plugin_tables() if table.shuffles]

    assert shuffling == ["pytest-randomly"]


def test_cov_takes_an_optional_value_and_its_floor_exactly_one() -> None:
    table = tables.plugin_table("pytest-cov", "7.1.0")
    assert table is not None
    options = {name: each for each in table.options for name in each.names}

    assert (options["--cov"].nargs, options["--cov"].action) == ("?", "append")
    assert options["--cov-fail-under"].nargs is None
    assert options["--cov-fail-under"].type == "validate_fail_under"
    assert table.markers == ("no_cover",)


@pytest.mark.parametrize("file", ["core.jsonl", "plugins.jsonl"])
def test_rows_hold_nothing_of_the_machine_that_asked(file: str) -> None:
    text = (ROWS / file).read_text("utf-8")

    assert re.findall(r"/tmp\b|/home\b|/root\b|site-packages|0x[0-9a-f]{6}|\b20\d{6}_", text) == []


def test_looking_tables_up_opens_no_file() -> None:
    script = """
import sys
from benchhygiene_plugins.ini_chain import tables

def refuse(event, args):
    if event == "open":
        raise RuntimeError(f"opened {args[0]}")

sys.addaudithook(refuse)
found = [tables.core_table(version) for version in tables.known_versions()]
found += [tables.plugin_table(name) for name in tables.known_plugins()]
print(len(found))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert done.stderr == ""
    assert int(done.stdout) == len(CORE) + len(tables.known_plugins())
