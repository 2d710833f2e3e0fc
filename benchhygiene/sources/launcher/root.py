"""A root file system of nothing but what is named.

After mount_namespaces(7) and pivot_root(2).
"""

from __future__ import annotations

import contextlib
import os
import shutil

from benchhygiene.sources.launcher.kernel import (
    MNT_DETACH,
    MS_BIND,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_PRIVATE,
    MS_RDONLY,
    MS_REC,
    MS_REMOUNT,
    Refused,
    checked,
    freeze,
    libc,
    mount,
    write,
)
from benchhygiene.sources.launcher.spec import Spec

_DEVICES = ("null", "zero", "full", "random", "urandom")
_FILES = {
    "etc/passwd": "root:x:0:0::/root:/bin/sh\ntester:x:{uid}:{uid}::/home/tester:/bin/sh\n",
    "etc/group": "root:x:0:\ntester:x:{uid}:\n",
    "etc/hosts": "127.0.0.1 localhost\n::1 localhost\n",
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}


def build_root(spec: Spec, user: int) -> None:
    """Make a root of nothing but what the specification names, and stand in it."""
    base = spec["base"]
    mount("none", "/", "", MS_REC | MS_PRIVATE)
    frozen = MS_RDONLY | MS_NOSUID | MS_NODEV
    size = f"size={spec['disk_bytes']},nr_inodes={spec['disk_files']},mode=755"
    mount("tmpfs", base, "tmpfs", MS_NOSUID | MS_NODEV, size)
    for name in ("new", "old"):
        os.mkdir(f"{base}/{name}")
    checked(libc.pivot_root(base.encode(), f"{base}/old".encode()), "pivot_root")
    os.chdir("/")
    mount("tmpfs", "/new", "tmpfs", MS_NOSUID | MS_NODEV, "size=4m,mode=755")
    _lay_devices()
    _lay_scratch(user)
    _lay_mounts(spec, user)
    _lay_links(spec)
    _lay_files(user)
    mount("proc", _directory("proc"), "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    mount("none", "/new", "", MS_BIND | MS_REMOUNT | frozen)
    os.chdir("/new")
    checked(libc.pivot_root(b".", b"."), "pivot_root")
    checked(libc.umount2(b".", MNT_DETACH), "umount")  # the last way back to the outside
    os.chdir("/")


def _directory(path: str) -> str:
    made = os.path.join("/new", path.lstrip("/"))
    os.makedirs(made, 0o755, exist_ok=True)
    return made


def _lay_mounts(spec: Spec, user: int) -> None:
    """Bind every source, the outermost first; a copy is written to, and forgotten."""
    for number, (source, target, mode) in enumerate(sorted(spec["mounts"], key=lambda m: m[1])):
        origin, place = f"/old{source}", os.path.join("/new", target.lstrip("/"))
        if mode == "copy":
            origin = f"/scratch/copies/{number}"
            shutil.copytree(f"/old{source}", origin, symlinks=True)
            _give_away(origin, user)
        if os.path.isdir(origin):
            os.makedirs(place, 0o755, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(place), 0o755, exist_ok=True)
            if not os.path.lexists(place):
                write(place, "")
        mount(origin, place, "", MS_BIND | MS_REC)
        freeze(place, writable=mode == "copy")


def _give_away(root: str, user: int) -> None:
    _own(root, user)
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            _own(os.path.join(folder, name), user)


def _own(path: str, user: int) -> None:
    os.chown(path, user, user, follow_symlinks=False)


def _lay_links(spec: Spec) -> None:
    for path, target in spec["links"]:
        place = os.path.join("/new", path.lstrip("/"))
        os.makedirs(os.path.dirname(place), 0o755, exist_ok=True)
        if not os.path.lexists(place):
            os.symlink(target, place)


def _lay_files(user: int) -> None:
    _directory("etc")
    for path, text in _FILES.items():
        write(f"/new/{path}", text.format(uid=user))


def _lay_devices() -> None:
    _directory("dev")
    for name in _DEVICES:
        write(f"/new/dev/{name}", "")
        mount(f"/old/dev/{name}", f"/new/dev/{name}", "", MS_BIND)
    for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        os.symlink(f"/proc/self/fd{target}", f"/new/dev/{name}")
    with contextlib.suppress(Refused):  # without it there are no pseudo-terminals, and no harm
        options = "newinstance,ptmxmode=0666,mode=0620"
        mount("devpts", _directory("dev/pts"), "devpts", MS_NOSUID | MS_NOEXEC, options)
        os.symlink("pts/ptmx", "/new/dev/ptmx")


def _lay_scratch(user: int) -> None:
    """Give the command what it may write: on one file system, so that one limit holds for all."""
    for name, target in (("tmp", "tmp"), ("home", "home/tester"), ("shm", "dev/shm")):
        os.makedirs(f"/scratch/{name}")
        os.chmod(f"/scratch/{name}", 0o700 if name == "home" else 0o1777)
        if name == "home":
            _own(f"/scratch/{name}", user)
        mount(f"/scratch/{name}", _directory(target), "", MS_BIND)
