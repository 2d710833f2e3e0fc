"""What nobody trusts, run in the sandbox: every limit is met by a real process that tries."""

from __future__ import annotations

import os
import pathlib
import pickle
import socket
import subprocess
import sys
import threading

import pytest

from benchhygiene import SandboxUnavailable
from benchhygiene.sources.sandbox import Command, Isolation, Mount, RunEnd, Sandbox, environment
from tests.sandbox.inside import SMALL, run, said

ROOT = pathlib.Path(__file__).parents[2]


def test_a_command_ends_as_it_ends() -> None:
    ended = run("import sys; print('out'); print('err', file=sys.stderr); sys.exit(7)")
    assert (ended.end, ended.code) == (RunEnd.EXITED, 7)
    assert (ended.stdout, ended.stderr) == (b"out\n", b"err\n")


def test_a_message_goes_in_and_the_channel_leads_out() -> None:
    ended = run("import os; os.write(3, os.read(4, 100) + b'!')", message=b"word")
    assert ended.channel == b"word!"


def test_nothing_of_the_callers_environment_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHHYGIENE_SECRET", "1")
    names = said("import os; print(*sorted(os.environ))").split()
    assert set(names) - {"LC_CTYPE"} == set(environment())


def test_the_command_is_nobody_and_may_become_nobody_else() -> None:
    told = said(
        """
        import os
        print(os.getuid() != 0, os.geteuid() != 0, os.getgroups() in ([], [os.getgid()]))
        lines = open('/proc/self/status').read().splitlines()
        print([line.split()[1] for line in lines if line.startswith(('Cap', 'NoNew'))])
        for attempt in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0])):
            try:
                attempt()
            except OSError as error:
                print(type(error).__name__)
        """
    )
    assert "True True True" in told
    assert f"{['0' * 16] * 5 + ['1']}" in told
    assert told.count("PermissionError") == 3


def test_a_set_user_id_program_gives_nothing() -> None:
    told = said(
        """
        import os, shutil
        flags = os.statvfs('/usr/bin').f_flag, os.statvfs('/tmp').f_flag
        print(all(flag & os.ST_NOSUID for flag in flags))
        shutil.copy('/bin/sh', '/tmp/sh'); os.chmod('/tmp/sh', 0o4755)
        os.spawnv(os.P_WAIT, '/tmp/sh', ['sh', '-c', 'test "$(id -u)" != 0 && echo harmless'])
        """
    )
    assert told.split() == ["harmless", "True"] or told.split() == ["True", "harmless"]


def test_no_further_namespace_can_be_made() -> None:
    told = said(
        """
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        print(libc.unshare(0x10000000), libc.unshare(0x00020000))
        """
    )
    assert told == "-1 -1\n"


def test_only_what_is_named_is_there(tmp_path: pathlib.Path) -> None:
    (tmp_path / "named").write_text("seen")
    (tmp_path / "other").write_text("hidden")
    told = said(
        f"""
        import os
        print(open('/given/one').read())
        hidden = ('/etc/shadow', '/root/.ssh', '/var', '/sys', '/mnt')
        for path in ({str(tmp_path / "other")!r}, *hidden):
            print(os.path.lexists(path))
        """,
        Mount(str(tmp_path / "named"), "/given/one"),
    )
    assert told.split() == ["seen", *["False"] * 6]


@pytest.mark.parametrize(
    "attempt",
    [
        "open('/given/file', 'w')",
        "open('/given/new', 'w')",
        "os.unlink('/given/file')",
        "os.rename('/given/file', '/given/renamed')",
        "os.chmod('/given/file', 0o777)",
        "os.utime('/given/file')",
        "os.link('/given/file', '/tmp/link')",
        "os.open('/given/file', os.O_RDONLY | os.O_TRUNC)",
        "open('/usr/bin/planted', 'w')",
        "open('/planted', 'w')",
        "os.symlink('/tmp', '/given/link')",
        "open('/proc/1/mem', 'rb')",
        "os.readlink('/proc/1/exe')",
        "os.listdir('/proc/1/fd')",
        "os.chroot('/tmp')",
        "os.mknod('/tmp/disk', 0o60600, os.makedev(8, 0))",
        "open('/proc/sys/kernel/core_pattern', 'w')",
        "open('/dev/mem', 'rb')",
    ],
)
def test_what_must_not_be_is_refused(attempt: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").write_text("kept")
    ended = run(
        f"""
        import os
        try:
            {attempt}
        except OSError as error:
            print('refused')
        """,
        Mount(str(tmp_path), "/given"),
    )
    assert ended.stdout == b"refused\n", ended
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "kept"


def test_a_copy_may_be_written_and_is_forgotten(tmp_path: pathlib.Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "file").write_text("old")
    told = said(
        """
        open('/copy/below/file', 'a').write('+new')
        open('/copy/own', 'w').write('x')
        print(open('/copy/below/file').read())
        """,
        Mount(str(tmp_path), "/copy", is_copy=True),
    )
    assert told == "old+new\n"
    assert (tmp_path / "below" / "file").read_text() == "old"
    assert not (tmp_path / "own").exists()


def test_a_link_that_leads_out_leads_nowhere(tmp_path: pathlib.Path) -> None:
    tree, secret = tmp_path / "tree", tmp_path / "secret"
    tree.mkdir()
    secret.write_text("secret")
    (tree / "link").symlink_to(secret)
    (tree / "up").symlink_to("../secret")
    told = said(
        "import os; print(os.path.exists('/tree/link'), os.path.exists('/tree/up'))",
        Mount(str(tree), "/tree"),
    )
    assert told == "False False\n"


def test_the_machines_own_services_are_out_of_reach() -> None:
    heard: list[object] = []
    abstract = f"\0benchhygiene-{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        local.bind(abstract)
        local.listen()
        listener = threading.Thread(target=_heard, args=(server, heard))
        listener.start()
        told = said(
            f"""
            import socket
            for family, address in (
                (socket.AF_INET, ('127.0.0.1', {server.getsockname()[1]})),
                (socket.AF_INET, ('192.0.2.1', 80)),
                (socket.AF_INET6, ('2001:db8::1', 80)),
                (socket.AF_UNIX, {abstract!r}),
            ):
                with socket.socket(family) as one:
                    one.settimeout(5)
                    try:
                        one.connect(address)
                        print('connected')
                    except OSError as error:
                        print('refused')
            """
        )
        listener.join()
    assert told.split() == ["refused"] * 4
    assert heard == []


def _heard(server: socket.socket, heard: list[object]) -> None:
    server.settimeout(1)
    try:
        heard.append(server.accept())
    except TimeoutError:
        return


def test_a_loopback_of_its_own_works() -> None:
    told = said(
        """
        import socket
        with socket.create_server(('127.0.0.1', 0)) as server:
            with socket.create_connection(server.getsockname(), 5) as one:
                one.sendall(b'hello')
                print(server.accept()[0].recv(5).decode())
        """
    )
    assert told == "hello\n"


def test_no_process_of_the_machine_is_seen() -> None:
    told = said(
        f"""
        import os, signal
        seen = {{int(name) for name in os.listdir('/proc') if name.isdecimal()}}
        print(seen == {{1, os.getpid()}})
        for pid in (os.getppid(), {os.getpid()}, -1):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError as error:
                print(type(error).__name__)
        print(os.getppid())
        """
    )
    lines = told.split()
    assert lines[0] == "True"
    assert "ProcessLookupError" in lines
    assert lines[-1] == "1"


@pytest.mark.parametrize("number", ["SIGKILL", "SIGSTOP", "SIGTERM", "SIGSEGV"])
def test_the_watching_process_cannot_be_stopped(number: str) -> None:
    ended = run(
        f"""
        import contextlib, os, signal, time
        with contextlib.suppress(PermissionError):  # of another user, it is not even asked
            os.kill(1, signal.{number})
        time.sleep(.2)
        print('on')
        """
    )
    assert (ended.end, ended.stdout) == (RunEnd.EXITED, b"on\n")


def test_a_signal_is_told_apart_from_an_exit() -> None:
    ended = run("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert (ended.end, ended.code) == (RunEnd.SIGNALLED, 9)


def test_a_stopped_command_runs_out_of_time() -> None:
    ended = run("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", wall_seconds=1)
    assert (ended.end, ended.code) == (RunEnd.TIMED_OUT, None)


def test_time_on_the_processor_is_bounded() -> None:
    ended = run("while True: pass", cpu_seconds=1)
    assert ended.end is RunEnd.SIGNALLED


@pytest.mark.parametrize("isolation", Isolation)
def test_no_orphan_survives(isolation: Isolation) -> None:
    mark = f"benchhygiene-orphan-{os.getpid()}-{isolation.value}"
    ended = run(
        f"""
        import os, subprocess, sys
        sleep = 'import time; time.sleep(300) # {mark}'
        for _ in range(3):
            subprocess.Popen([sys.executable, '-c', sleep], start_new_session=True)
        os._exit(0)
        """,
        isolation=isolation,
    )
    assert ended.code == 0
    alive = subprocess.run(["pgrep", "-f", mark], capture_output=True, text=True, check=False)
    assert alive.stdout == ""


def test_forking_without_end_is_bounded() -> None:
    told = said(
        """
        import os, time
        made = 0
        for _ in range(200):
            try:
                if os.fork() == 0:
                    time.sleep(60)
                    os._exit(0)
                made += 1
            except BlockingIOError:
                break
        print(made)
        """
    )
    assert int(told) < SMALL.processes


def test_the_memory_of_one_process_is_bounded() -> None:
    ended = run("bytearray(1 << 30)")
    assert b"MemoryError" in ended.stderr


def test_the_memory_of_all_processes_together_is_bounded() -> None:
    ended = run(
        """
        import os, time
        for _ in range(6):
            if os.fork() == 0:
                held = bytearray(os.urandom(1 << 20) * 100)
                time.sleep(30)
        time.sleep(30)
        """
    )
    assert ended.end is RunEnd.OUT_OF_MEMORY


@pytest.mark.parametrize("place", ["/tmp", "/home/tester", "/dev/shm"])
def test_filling_the_disk_fills_what_is_private(place: str) -> None:
    told = said(
        f"""
        import errno, os
        written = 0
        try:
            for number in range(40):
                with open(f'{place}/{{number}}', 'wb', buffering=0) as file:
                    written += file.write(bytes(1 << 20))
        except OSError as error:
            print(errno.errorcode[error.errno])
        print(written <= 16 << 20)
        """
    )
    assert told.split() == ["ENOSPC", "True"]


def test_the_number_of_files_is_bounded() -> None:
    told = said(
        """
        import errno
        try:
            for number in range(1000):
                open(f'/tmp/{number}', 'w').close()
        except OSError as error:
            print(errno.errorcode[error.errno], number < 200)
        """
    )
    assert told == "ENOSPC True\n"


def test_one_file_is_bounded() -> None:
    ended = run("open('/tmp/one', 'wb').write(bytes(8 << 20))")
    assert ended.end is RunEnd.SIGNALLED or b"File too large" in ended.stderr


def test_output_without_end_is_read_and_dropped() -> None:
    ended = run("import os\nfor _ in range(400): os.write(1, b'x' * 10000)\nos.write(2, b'done')")
    assert ended.stdout == b"x" * SMALL.output_bytes
    assert ended.dropped == 4_000_000 - SMALL.output_bytes
    assert ended.stderr == b"done"


def test_a_channel_without_end_ends_the_command() -> None:
    ended = run("import os\nwhile True: os.write(3, bytes(10000))", wall_seconds=60)
    assert ended.end is RunEnd.OVERFLOWED
    assert len(ended.channel) == SMALL.channel_bytes


def test_a_program_that_is_not_there_is_no_run() -> None:
    with pytest.raises(SandboxUnavailable, match="/nowhere"):
        Sandbox(SMALL).run(Command(argv=("/nowhere",), environ={}))


def test_the_error_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(SandboxUnavailable("because")))
    assert str(error) == "no sandbox: because"


def test_without_isolation_the_limits_still_hold() -> None:
    ended = run("bytearray(1 << 30)", isolation=Isolation.NONE)
    assert b"MemoryError" in ended.stderr


def test_where_namespaces_are_forbidden_it_says_what_to_do() -> None:
    code = f"""
import sys
sys.path[:0] = {[path for path in sys.path if path]!r}
from benchhygiene.errors import SandboxUnavailable
from benchhygiene.sources.sandbox import Command, Sandbox
try:
    Sandbox().run(Command(argv=("/bin/true",)))
except SandboxUnavailable as error:
    print(error)
"""
    # The sandbox itself is a place where no further one can be made.
    ended = run(code, *map(Mount.at_home, sorted({str(ROOT), *_sites()})))
    assert b"no sandbox: unshare" in ended.stdout, ended
    assert b"sysctl" in ended.stdout
    assert b"--no-sandbox" in ended.stdout


def _sites() -> list[str]:
    return [path for path in sys.path if path.endswith("site-packages")]


@pytest.mark.skipif(os.geteuid() != 0, reason="who is no root is the ordinary user already")
def test_an_ordinary_user_needs_no_rights() -> None:
    code = f"""
import sys
sys.path += {[str(ROOT), *_sites()]!r}
from benchhygiene.sources.sandbox import Command, Sandbox, environment
argv = ("/bin/sh", "-c", "id -u; touch /usr/x || echo refused; touch /tmp/x && echo ok; ls /proc")
ended = Sandbox().run(Command(argv=argv, environ=environment()))
print(ended.stdout.decode())
"""
    done = subprocess.run(
        [_python_of_all(), "-I", "-B", "-c", code],
        user=54_321,
        group=54_321,
        extra_groups=[],
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split()[:3] == ["1000", "refused", "ok"], done
    assert len([word for word in done.stdout.split()[3:] if word.isdecimal()]) <= 3


def _python_of_all() -> str:
    """Return an interpreter of ours that any user may start."""
    for python in (sys.executable, f"/usr/bin/python{sys.version_info[0]}.{sys.version_info[1]}"):
        if os.path.exists(python) and _is_open(python):
            return python
    return pytest.skip("no interpreter that any user may start")


def _is_open(path: str) -> bool:
    real = pathlib.Path(os.path.realpath(path))
    return all(above.stat().st_mode & 0o001 for above in real.parents)
