"""The names by which clocks, statistics, timeouts and other means of measuring go.

Sources: the documentation of ``time``, ``timeit``, ``statistics`` and ``asyncio`` (Python 3.13),
pytest-benchmark 5.1, pytest-timeout 2.4, freezegun 1.5, time-machine 2.16 and NumPy 2.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

#: What a clock counts to the second.
CLOCKS: Mapping[str, float] = {
    "time.time": 1.0,
    "time.perf_counter": 1.0,
    "time.monotonic": 1.0,
    "time.process_time": 1.0,
    "time.thread_time": 1.0,
    "time.clock": 1.0,
    "time.time_ns": 1e9,
    "time.perf_counter_ns": 1e9,
    "time.monotonic_ns": 1e9,
    "time.process_time_ns": 1e9,
    "time.thread_time_ns": 1e9,
    "timeit.default_timer": 1.0,
    "datetime.datetime.now": 1.0,
    "datetime.datetime.utcnow": 1.0,
    "os.times": 1.0,
}
#: These stand still while the code waits.
PROCESSOR_CLOCKS = frozenset(
    f"time.{kind}_time{suffix}" for kind in ("process", "thread") for suffix in ("", "_ns")
)
CLOCK_WORDS = frozenset(
    name.rpartition(".")[2] for name in CLOCKS if name.startswith(("time.", "timeit."))
)
SLEEPS = frozenset(("time.sleep", "asyncio.sleep", "trio.sleep", "anyio.sleep"))
FREEZERS = frozenset(
    (
        "freezegun.freeze_time",
        "freezegun.api.freeze_time",
        "time_machine.travel",
        "libfaketime.fake_time",
    )
)
FREEZER_FIXTURES = frozenset(("freezer", "time_machine", "frozen_time"))
MEMORY = frozenset(
    (
        "tracemalloc.get_traced_memory",
        "resource.getrusage",
        "sys.getsizeof",
        "memory_profiler.memory_usage",
        "psutil.Process",
    )
)

#: Reductions of samples, by the percentile they stand for: most times lie below their mean.
REDUCTIONS: Mapping[str, float | None] = {
    "max": 100.0,
    "min": 0.0,
    "sum": None,
    "math.fsum": None,
    "median": 50.0,
    "mean": 55.0,
    "statistics.mean": 55.0,
    "statistics.fmean": 55.0,
    "statistics.geometric_mean": 54.0,
    "statistics.harmonic_mean": 53.0,
    "statistics.median": 50.0,
    "statistics.median_low": 50.0,
    "statistics.median_high": 50.0,
    "statistics.mode": 45.0,
    "numpy.max": 100.0,
    "numpy.amax": 100.0,
    "numpy.min": 0.0,
    "numpy.amin": 0.0,
    "numpy.mean": 55.0,
    "numpy.average": 55.0,
    "numpy.median": 50.0,
    "numpy.sum": None,
}
PERCENTILES: Mapping[str, float] = {
    "numpy.percentile": 1.0,
    "numpy.nanpercentile": 1.0,
    "numpy.quantile": 100.0,
    "numpy.nanquantile": 100.0,
}
#: Fields of ``benchmark.stats``.
STATISTICS: Mapping[str, float | None] = {
    "max": 100.0,
    "q3": 75.0,
    "mean": 55.0,
    "median": 50.0,
    "q1": 25.0,
    "min": 0.0,
    "hd15iqr": 90.0,
    "ld15iqr": 10.0,
    "total": None,
    "stddev": None,
    "iqr": None,
    "ops": None,
}
#: Where the number of seconds stands among the arguments of what gives up after them.
TIMEOUTS: Mapping[str, int] = {
    "asyncio.wait_for": 1,
    "asyncio.wait": 9,
    "asyncio.timeout": 0,
    "async_timeout.timeout": 0,
    "anyio.fail_after": 0,
    "anyio.move_on_after": 0,
    "trio.fail_after": 0,
    "trio.move_on_after": 0,
    "signal.alarm": 0,
    "signal.setitimer": 1,
    "func_timeout.func_timeout": 0,
    "concurrent.futures.wait": 1,
    "concurrent.futures.as_completed": 1,
    "subprocess.run": 9,
    "subprocess.check_output": 9,
    "subprocess.check_call": 9,
}
#: Methods that give up after ``timeout``.
WAITING_METHODS = frozenset(("result", "join", "wait", "communicate", "acquire", "get"))
#: What bounds how many queries are made, by where the bound stands among its arguments.
BOUNDS: Mapping[str, int] = {
    "assertNumQueries": 0,
    "assertMaxQueries": 0,
    "django_assert_num_queries": 0,
    "django_assert_max_num_queries": 0,
    "limit_memory": 0,
    "limit_leaks": 0,
}
HANDED_ON = frozenset(
    (
        "list",
        "tuple",
        "set",
        "reversed",
        "iter",
        "np.array",
        "numpy.array",
        "numpy.asarray",
        "deque",
    )
)
QUIET = frozenset(("print", "isinstance", "len", "repr", "type", "id", "gc.collect", "gc.disable"))
DEMANDS = {
    "assertLess": "<",
    "assertLessEqual": "<=",
    "assertGreater": ">",
    "assertGreaterEqual": ">=",
    "assert_array_less": "<",
}
FRAMEWORKS = (
    "pytest",
    "unittest",
    "mock",
    "statistics",
    "os.environ",
    "random",
    "logging",
    "warnings",
)
RUN_NOW = frozenset(
    ("asyncio.run", "asyncio.gather", "asyncio.create_task", "asyncio.ensure_future", "anyio.run")
)
SETUPS = (
    "setUpModule",
    "setup_module",
    "setUpClass",
    "setup_class",
    "setUp",
    "asyncSetUp",
    "setup_method",
    "setup",
)
HOOKS = (
    "pytest_configure",
    "pytest_sessionstart",
    "pytest_runtest_setup",
    "pytest_runtest_call",
    "pytest_runtest_protocol",
    "setup_function",
)

_MEASURED = re.compile(
    r"latenc(y|ies)|elapsed|durations?|took|throughput|rps|qps|tps|ops|iops|queries|quer(y|ies)"
    r"|calls?|memory|mem|rss|peak|allocations?|allocated|comparisons|visits|lookups|roundtrips"
    r"|requests|millis|milliseconds|msecs?|runtime|percentile|p50|p90|p95|p99|p999"
)
_TIMES = re.compile(
    r"(elapsed|total|run|wall|response|cpu|mean|avg|average|max|min|median|best|worst|execution"
    r"|exec|build|load|query|parse)_?time|time_?(taken|spent|elapsed|ms|per|used)|total_seconds"
)
_NAMED = re.compile(
    r"perf|performance|benchmark|bench|latency|speed|fast|throughput|load|stress|scal\w*|memory"
    r"|timing|duration|quick\w*|slow|budget|efficient|linear|quadratic"
)


def is_measured(name: str) -> bool:
    """Return whether a name says that it holds something measured."""
    lowered = name.lower()[:200]
    if _TIMES.search(lowered):
        return True
    return any(_MEASURED.fullmatch(word) for word in lowered.split("_"))


def is_named_for_it(name: str) -> bool:
    """Return whether the name of a test says that it measures."""
    return any(_NAMED.fullmatch(word) for word in name.lower()[:200].split("_"))


def identifiers(node: ast.expr) -> list[str]:
    """Return every name, attribute and key in an expression."""
    found: list[str] = []
    for one in ast.walk(node):
        match one:
            case ast.Name():
                found.append(one.id)
            case ast.Attribute():
                found.append(one.attr)
            case ast.Subscript(slice=ast.Constant(value=str() as key)):
                found.append(key)
            case _:
                pass
    return found
