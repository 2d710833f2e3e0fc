"""Read the YAML of a pipeline: GitHub, GitLab and whatever else keeps scripts in jobs.

Sources: GitHub's "Workflow syntax" (``jobs.<job_id>.steps[*].run``: ``bash -e`` by default, with
``shell: bash`` also ``-o pipefail``), GitLab's "CI/CD YAML syntax" (``allow_failure``, ``when``,
``rules``; a script ends at its first failing line), pre-commit's hook keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import attrs
import yaml

from benchhygiene_plugins.pipelines.gates import Gate, Pipeline, Setting, gates
from benchhygiene_plugins.pipelines.globs import matches
from benchhygiene_plugins.pipelines.options import Options
from benchhygiene_plugins.pipelines.runners import Run
from benchhygiene_plugins.pipelines.tokens import ShellSyntaxError

LARGEST = 1_000_000  # characters of a document that is read
_MOST = 20_000  # values that are looked at: aliases can stand for far more than the file holds
_SCRIPTS = (
    "run",
    "script",
    "before_script",
    "commands",
    "command",
    "cmds",
    "cmd",
    "bash",
    "entry",
    "test_command",
)
_IGNORED = (
    "continue-on-error",
    "continueOnError",
    "allow_failure",
    "allow_failures",
    "ignore_errors",
    "ignore_error",
    "ignoreErrors",
    "soft_fail",
    "failure",
)
_CONDITIONS = (
    "if", "condition", "when", "only", "except", "rules", "stages", "branches", "default_stages",
)  # fmt: skip
_OF_MATRIX = re.compile(r"\$\{\{\s*matrix\.([\w-]{1,80})\s*\}\}")
#: A step that gives every later step of its job options of pytest's.
_LEFT = re.compile(r"(PYTEST_ADDOPTS=[^\n>\"']{0,500})[\"']?\s{0,9}>>\s{0,9}\"?\$\{?GITHUB_ENV")
_LISTED = 1_000  # values of one list that are looked at
_OPAQUE = re.compile(r"pytest|run-?tests?|tox|nox|cibuildwheel|benchhygiene", re.IGNORECASE)
#: Actions that run tests; one that is named for a runner may only install it.
_TESTS = re.compile(r"run-?(?:py)?tests?|pytest|cibuildwheel|(?:tests?|check)\.ya?ml|benchhygiene")
_HONEST = re.compile(r"(?:\$\{\{)?\s*(?:!?\s*(?:always|success|cancelled)\(\)|true)\s*(?:\}\})?")
Mapping_ = dict[str, tuple[yaml.Node, int]]


class _TooMany(Exception):
    """Aliases make more of a document than is looked at."""


def read(path: str, data: bytes, starts: Callable[[str, Keys], bool]) -> Pipeline:
    """Return the gates of a document; ``starts`` says whether filters of an event let it start."""
    text = data.decode("utf-8", errors="replace")
    if len(text) > LARGEST:
        return Pipeline(doubts=(f"longer than {LARGEST} characters",))
    try:
        root = yaml.compose(text, Loader=_LOADER)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        return Pipeline(doubts=(f"no YAML: {str(error).splitlines()[0]}",))
    if not isinstance(root, yaml.MappingNode):
        return Pipeline()
    reader = _Reader(path, path.startswith((".gitlab", "gitlab")) or "gitlab-ci" in path)
    try:
        found = tuple(reader.document(root))
    except RecursionError:
        return Pipeline(doubts=("nests too deeply",))
    except _TooMany:
        return Pipeline(doubts=(f"more than {_MOST} values",))
    events = _events(root, starts)
    return Pipeline(
        tuple(attrs.evolve(gate, events=events) for gate in found), tuple(reader.doubts)
    )


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@attrs.frozen
class Keys:
    """The pairs of a YAML mapping by key, merge keys filled in."""

    pairs: Mapping_

    def text(self, key: str) -> str:
        """Return a scalar's text, empty where there is none."""
        found = self.pairs.get(key)
        return found[0].value if found and isinstance(found[0], yaml.ScalarNode) else ""

    def texts(self, key: str) -> tuple[str, ...] | None:
        """Return a scalar or the scalars of a list, None where the key is not there."""
        found = self.pairs.get(key)
        return None if found is None else _texts(found[0])


def keys(node: yaml.Node | None) -> Keys:
    """Return the pairs of a mapping, none for every other node."""
    pairs: Mapping_ = {}
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value == "<<":
                merged = value.value if isinstance(value, yaml.SequenceNode) else [value]
                for each in merged:
                    if each is not node:
                        pairs = {**keys(each).pairs, **pairs}
            elif isinstance(key, yaml.ScalarNode):
                pairs[key.value] = (value, key.start_mark.line + 1)
    return Keys(pairs)


@attrs.define
class _Reader:
    path: str
    is_gitlab: bool
    doubts: list[str] = attrs.field(factory=list[str])
    seen: int = 0

    def document(self, root: yaml.MappingNode) -> Iterator[Gate]:
        options = Options(errexit=True, pipefail=self.is_gitlab)
        yield from self.mapping(root, Setting(self.path, (), options), "")

    def mapping(self, node: yaml.Node, setting: Setting, name: str) -> Iterator[Gate]:
        """Yield the gates of one mapping, a job, a step or a hook, and of what is inside."""
        self._step()
        given = keys(node)
        setting = self._within(given, setting, name)
        for key, (value, line) in given.pairs.items():
            if key == "after_script":
                yield from self.scripts(
                    value, line, attrs.evolve(setting, masked="after_script cannot fail a job")
                )
            elif key in _SCRIPTS or key.upper().endswith("TEST_COMMAND"):
                yield from self.scripts(value, line, setting)
            elif key == "uses" and _TESTS.search(given.text("uses").partition("/")[2]):
                yield self._action(given, line, setting)
            elif key == "id" and _is_hook(given):
                yield self._hook(given, line, setting)
            else:
                yield from self.inside(value, setting, key)

    def _step(self) -> None:
        self.seen += 1
        if self.seen > _MOST:
            raise _TooMany

    def inside(self, value: yaml.Node, setting: Setting, key: str) -> Iterator[Gate]:
        self._step()
        if isinstance(value, yaml.MappingNode):
            yield from self.mapping(value, setting, key)
        elif isinstance(value, yaml.SequenceNode) and key not in _CONDITIONS:
            for each in value.value:
                if isinstance(each, yaml.MappingNode):
                    yield from self.mapping(each, setting, "")
                    left = _LEFT.findall(keys(each).text("run"))
                    if left and key == "steps":
                        setting = attrs.evolve(setting, environment=(*setting.environment, *left))
                elif isinstance(each, yaml.SequenceNode):
                    yield from self.inside(each, setting, key)

    def _action(self, given: Keys, line: int, setting: Setting) -> Gate:
        name = given.text("uses").partition("@")[0]
        return Gate(
            self.path,
            line,
            setting.place,
            Run("gate", (name,)),
            f"uses: {given.text('uses')}",
            setting.masked,
            setting.conditions,
        )

    def _hook(self, given: Keys, line: int, setting: Setting) -> Gate:
        text = f"id: {given.text('id')}"
        return Gate(
            self.path,
            line,
            setting.place,
            Run("gate", (text,)),
            text,
            setting.masked,
            setting.conditions,
        )

    def scripts(self, value: yaml.Node, line: int, setting: Setting) -> Iterator[Gate]:
        """Yield the gates of a script: one text, or a list whose items run in one shell."""
        self._step()
        if isinstance(value, yaml.MappingNode):
            yield from self.mapping(value, setting, "")
        elif isinstance(value, yaml.ScalarNode):
            yield from self.script(value, setting)
        elif isinstance(value, yaml.SequenceNode):
            for each in value.value:
                yield from self.scripts(each, line, setting)

    def script(self, value: yaml.ScalarNode, setting: Setting) -> Iterator[Gate]:
        line = value.start_mark.line + 1 + (value.style in ("|", ">"))
        try:
            yield from gates(value.value, line, setting)
        except (ShellSyntaxError, RecursionError) as error:
            if _OPAQUE.search(value.value):
                self.doubts.append(f"line {line}: no shell script that can be read: {error}")

    def _within(self, given: Keys, setting: Setting, name: str) -> Setting:
        label = given.text("name") or given.text("id") or given.text("alias")
        place = (*setting.place, *((name,) if name else ()), *((label,) if label else ()))
        if self.is_gitlab and len(place) == 1 and name.startswith("."):
            setting = attrs.evolve(setting, conditions=(*setting.conditions, f"{name} is hidden"))
        return attrs.evolve(
            setting,
            place=place,
            options=self._options(given, setting.options),
            masked=setting.masked or _mask(given),
            conditions=(*setting.conditions, *_conditions(given)),
            environment=(*setting.environment, *_environment(given)),
        )

    def _options(self, given: Keys, options: Options) -> Options:
        shell = given.text("shell")
        run = (
            keys(keys(given.pairs["defaults"][0]).pairs["run"][0])
            if self._has_default(given)
            else None
        )
        shell = shell or (run.text("shell") if run else "")
        if not shell:
            return options
        if "{0}" in shell:
            words = shell.split()
            return Options(
                any(re.fullmatch(r"-\w*e\w*", word) for word in words), "pipefail" in words
            )
        return Options(errexit=True, pipefail=shell == "bash")

    def _has_default(self, given: Keys) -> bool:
        return "defaults" in given.pairs and "run" in keys(given.pairs["defaults"][0]).pairs


def _is_hook(given: Keys) -> bool:
    return (
        "entry" not in given.pairs
        and re.search(r"pytest|unittest|run-?tests", given.text("id")) is not None
    )


def _mask(given: Keys) -> str:
    for key in _IGNORED:
        value = given.text(key).strip().lower()
        if (
            key in given.pairs
            and value not in ("false", "", "never", "no")
            and ("matrix." not in value or _is_always(given, value))
        ):
            return f"{key}: {given.text(key)}"
        if key in ("allow_failure", "soft_fail") and isinstance(
            given.pairs.get(key, (None,))[0], yaml.CollectionNode
        ):
            return f"{key}: {' '.join(_texts(given.pairs[key][0]))}"
    return ""


def _is_always(given: Keys, value: str) -> bool:
    """Return whether a value of the job's own matrix is true in every one of its runs."""
    name = _OF_MATRIX.fullmatch(value)
    strategy = keys(given.pairs.get("strategy", (None,))[0])
    matrix = keys(strategy.pairs.get("matrix", (None,))[0])
    values = matrix.texts(name[1]) if name else None
    return bool(values) and {*(values or ())} == {"true"}


def _texts(node: yaml.Node) -> tuple[str, ...]:
    """Return the scalars of a node, keys included, as many as anybody lists."""
    found, pending = list[str](), [node]
    for _ in range(_LISTED):
        if not pending:
            break
        one = pending.pop()
        if isinstance(one, yaml.ScalarNode):
            found.append(one.value)
        elif isinstance(one, yaml.MappingNode):
            pending.extend(each for pair in reversed(one.value) for each in reversed(pair))
        else:
            pending.extend(reversed(one.value))
    return tuple(found)


def _conditions(given: Keys) -> Iterator[str]:
    for key in _CONDITIONS:
        if key not in given.pairs:
            continue
        node = given.pairs[key][0]
        if key in ("stages", "branches") and "id" not in given.pairs and "entry" not in given.pairs:
            continue
        text = " ".join(_texts(node))
        if key == "default_stages" and ("commit" in text or "push" in text):
            continue
        if not _HONEST.fullmatch(text) and not (key == "when" and text in ("on_success", "always")):
            yield f"{key}: {text}"


def _environment(given: Keys) -> Iterator[str]:
    for key in ("env", "environment", "variables"):
        if key in given.pairs:
            inner = keys(given.pairs[key][0])
            yield from (f"{name}={inner.text(name)}" for name in inner.pairs)


def _events(root: yaml.Node, starts: Callable[[str, Keys], bool]) -> tuple[str, ...] | None:
    given = keys(root)
    if "on" not in given.pairs or "jobs" not in given.pairs:
        return None
    node = given.pairs["on"][0]
    if not isinstance(node, yaml.MappingNode):
        return tuple(sorted(_texts(node)))
    named = keys(node)
    return tuple(sorted(name for name in named.pairs if starts(name, keys(named.pairs[name][0]))))


def filtered(paths: Iterable[str], given: Keys) -> bool:
    """Return whether the path filters of an event let a change of one of the files start it.

    Source: "Workflow syntax", ``paths`` and ``paths-ignore``; ``**`` is any number of folders.
    """
    wanted, unwanted = given.texts("paths"), given.texts("paths-ignore")
    if wanted is None and unwanted is None:
        return True
    for path in paths:
        if wanted is not None:
            last = [each for each in wanted if matches(path, each.lstrip("!"))]
            if last and not last[-1].startswith("!"):
                return True
        elif not any(matches(path, each) for each in unwanted or ()):
            return True
    return False
