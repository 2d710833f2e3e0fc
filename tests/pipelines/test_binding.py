"""What becomes of a command's failure is what bash makes of it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchhygiene_plugins.pipelines.binding import commands
from benchhygiene_plugins.pipelines.options import Options
from benchhygiene_plugins.pipelines.simulation import fails
from benchhygiene_plugins.pipelines.tokens import ShellSyntaxError

BASH = shutil.which("bash")
_ONE_LINE = (
    "{} || true",
    "{} || :",
    "{} || exit 3",
    "{} || {{ echo bad; exit 3; }}",
    "{} && true",
    "true && {}",
    "{{ {}; }}",
    "( {} )",
    "{} | cat",
    "echo x | {}",
    "! {}",
    "if {}; then :; fi",
    "if {}; then :; else exit 3; fi",
    "if ! {}; then exit 3; fi",
    "if true; then {}; fi",
    "for one in 1 2; do {}; done",
    "bash -c '{}'",
    "eval '{}'",
)
_SCRIPT = (
    "{}\necho done",
    "echo first\n{}",
    "set +e\n{}\necho done",
    "set -e\n{}\necho done",
    "set -o pipefail\n{}",
    "{}\nrc=$?\necho $rc\nexit $rc",
    "{}\nrc=$?\necho $rc\nexit 0",
    "{}\nexit $?",
    "{} || rc=4\nexit ${{rc:-0}}",
    "run() {{\n{}\n}}\nrun",
    "run() {{\n{}\n}}\nrun || true",
    "run() {{\n{}\n}}\nrun\necho done",
    "cat <<END\npytest\nEND\n{}",
    "# pytest || true\n{}",
    "{} > /dev/null 2>&1",
    "{}; true",
)


def _wrapped(templates: tuple[str, ...], inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    fill: Callable[[str, str], str] = lambda template, text: template.format(text)  # noqa: E731
    plain = inner.filter(lambda text: "'" not in text)
    return st.builds(fill, st.sampled_from(templates), plain)


LINES = st.recursive(st.just("pytest"), lambda inner: _wrapped(_ONE_LINE, inner), max_leaves=4)
SCRIPTS = st.one_of(LINES, _wrapped(_SCRIPT, LINES))


def _fails(script: str, options: Options, status: int) -> bool:
    flags = ["-e"] * options.errexit + ["-o", "pipefail"] * options.pipefail
    whole = f"pytest() {{ return {status}; }}\nexport -f pytest\n{script}"
    done = subprocess.run(
        [str(BASH), "--norc", *flags, "-c", whole],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=30,
        check=False,
    )
    return done.returncode != 0


def _is_binding(script: str, options: Options) -> bool:
    found = [each for each in commands(script, options) if each.words == ("pytest",)]
    assert len(found) == 1
    return fails(script, options, found[0])


@pytest.mark.skipif(BASH is None, reason="asks the real bash")
@settings(max_examples=300, deadline=None)
@given(SCRIPTS, st.booleans(), st.booleans())
def test_bash_agrees(script: str, errexit: bool, pipefail: bool) -> None:
    options = Options(errexit, pipefail)
    assume(not _fails(script, options, 0))  # a script that fails anyway loses nothing
    assert _is_binding(script, options) == _fails(script, options, 1)


@pytest.mark.parametrize(
    "script",
    ["pytest 'tests", 'pytest "tests', "if pytest; then", "(pytest", "case x in", "$(pytest", "fi"],
)
def test_what_no_shell_takes_is_refused(script: str) -> None:
    with pytest.raises(ShellSyntaxError):
        commands(script, Options())


@pytest.mark.parametrize(
    "script", ["(" * 5000, "{ " * 5000, "$(" * 5000, "if " * 5000, "((((" * 20]
)
def test_deep_nesting_is_refused(script: str) -> None:
    with pytest.raises(ShellSyntaxError):
        commands(script, Options())


def test_many_commands_are_read_in_linear_time() -> None:
    script = "\n".join(f"echo {number} || true" for number in range(5_000)) + "\npytest"
    found = [each for each in commands(script, Options()) if each.words == ("pytest",)]
    assert [each.masked for each in found] == [""]
    assert fails(script, Options(), found[0])


@pytest.mark.parametrize(
    ("script", "binds"),
    [
        ("pytest &\nwait $!", True),
        ("pytest &\nwait", False),
        ("pytest | tee log\nexit ${PIPESTATUS[0]}", True),
        ("pytest; rc=$?; if [ $rc -ne 0 ]; then exit 1; fi", True),
        ("pytest; rc=$?; if [ $rc -eq 5 ]; then exit 1; fi; exit 0", False),
        ("pytest; rc=$?; (( rc == 0 )) || exit 9", True),
        ('[ -n "$CI" ] && pytest', True),
        ("((pytest); true)", False),
        ("( (pytest) )", True),
        ("trap 'exit 0' EXIT; pytest", False),
        ("trap 'rm -rf build' EXIT; pytest", True),
        ("until pytest; do echo again; done", False),
        ("for n in 1 2 3; do pytest && break; done", True),
        ("run() { run; }; run; pytest", None),
    ],
)
def test_what_scripts_do_with_the_status(script: str, binds: bool | None) -> None:
    if binds is None:
        with pytest.raises(ShellSyntaxError):
            _is_binding(script, Options())
    else:
        assert _is_binding(script, Options()) is binds
