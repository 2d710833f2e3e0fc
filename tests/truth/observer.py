"""Run pytest as ``python -m pytest`` would, and write down what it decided on its way.

The judge passes this file's text to ``python -c``: compiled under the name ``<string>``, coverage
never measures it. It must run on every Python and pytest that is judged, and imports nothing of
this project. One JSON request per line on standard input, one JSON answer per line on standard
output; every request is served by a forked child in a session of its own.

The child alters nothing: it watches the public methods ``Config.parse`` and ``Config.getini``, and
``runner.call_and_report``, by which every test runs.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
import time
import traceback

sys.dont_write_bytecode = True
# python -c puts the empty string first; the child puts its own directory there.
sys.path[:] = [entry for entry in sys.path if entry]

import _pytest.config
import _pytest.runner
import pytest

Record = dict


def watch(record: Record) -> None:
    """Replace three functions by ones that note what passes through."""
    config = _pytest.config.Config
    parse, getini, call = config.parse, config.getini, _pytest.runner.call_and_report

    def noting_getini(self, name):
        if name != "addopts" or "rootdir" in record:
            return getini(self, name)
        record["rootdir"] = str(self.rootpath)
        record["inifile"] = None if self.inipath is None else str(self.inipath)
        value = getini(self, name)
        record["addopts"] = [word if isinstance(word, str) else repr(word) for word in value]
        return value

    def noting_parse(self, *args, **kwargs):
        try:
            answer = parse(self, *args, **kwargs)
        except BaseException as error:
            record["error"] = "%s: %s" % (type(error).__name__, error)
            raise
        record["parsed"] = True
        return answer

    def noting_call(item, when, *args, **kwargs):
        if when == "call":
            path = str(getattr(item, "path", None) or item.fspath)
            record["ran"].append(path + "::" + item.name)
        return call(item, when, *args, **kwargs)

    config.getini = noting_getini
    config.parse = noting_parse
    _pytest.runner.call_and_report = noting_call


def redirect(output: str) -> None:
    """Give the child an empty standard input and a file for all it prints."""
    null = os.open(os.devnull, os.O_RDONLY)
    written = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    for target, descriptor in ((0, null), (1, written), (2, written)):
        os.dup2(descriptor, target)
    sys.stdin = open(0, closefd=False)
    sys.stdout = sys.__stdout__ = open(1, "w", closefd=False)
    sys.stderr = sys.__stderr__ = open(2, "w", closefd=False)


def serve(request: Record, answer: str) -> None:
    """Become ``cd CWD; env ENVIRON python -m pytest ARGS`` and exit with its status."""
    redirect(request["output"])
    os.environ.clear()
    os.environ.update(request["environ"])
    os.chdir(request["cwd"])
    sys.path.insert(0, os.getcwd())
    sys.argv = ["-m"] + request["args"]
    record = {"parsed": False, "ran": []}
    watch(record)
    status = 1
    try:
        runpy.run_module("pytest", run_name="__main__", alter_sys=True)
        status = 0
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    finally:
        # Python itself would print what is uncaught and exit with 1.
        if sys.exc_info()[1] is not None:
            traceback.print_exception(*sys.exc_info())
        finish(record, answer, int(status) & 0xFF)


def finish(record: Record, answer: str, status: int) -> None:
    """Write the record down and end the child at once."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass
    with open(answer, "w") as file:
        json.dump(record, file)
    os._exit(status)


def wait(pid: int, seconds: float):
    """Return the exit status, None where the child had to be killed."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
        time.sleep(0.002)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def main() -> None:
    """Answer requests until standard input ends."""
    replies = os.fdopen(os.dup(1), "w")
    modules = sorted({name.partition(".")[0] for name in sys.modules})
    hello = {"pytest": pytest.__version__, "modules": modules}
    replies.write(json.dumps(hello) + "\n")
    replies.flush()
    for line in iter(sys.stdin.readline, ""):
        request = json.loads(line)
        answer = request["output"] + ".json"
        pid = os.fork()
        if pid == 0:
            os.setsid()
            serve(request, answer)
        status = wait(pid, request["seconds"])
        record = {}
        if os.path.exists(answer):
            with open(answer) as file:
                record = json.load(file)
            os.unlink(answer)
        replies.write(json.dumps({"status": status, **record}) + "\n")
        replies.flush()


if __name__ == "__main__":
    main()
