"""The few calls that the standard library has no names for.

After mount(2), mount_setattr(2), prctl(2); the numbers are those of the kernel's headers.
"""

from __future__ import annotations

import ctypes
import os
import struct

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC = 1, 2, 4, 8, 32, 4096, 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER = 1, 4, 24, 36
PR_SET_NO_NEW_PRIVS = 38
_SYS_MOUNT_SETATTR, _AT_FDCWD, _AT_RECURSIVE = 442, -100, 0x8000

libc = ctypes.CDLL(None, use_errno=True)


class Refused(Exception):
    """Say which step the kernel did not allow."""


def checked(result: int, step: str) -> None:
    """Raise Refused with the step where a call did not return 0."""
    if result != 0:
        raise Refused(f"{step}: {os.strerror(ctypes.get_errno())}")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount a file system, or bind a path. Raises Refused."""
    words = [word.encode() for word in (source, target, kind, options)]
    done = libc.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), words[3])
    checked(done, f"mount {kind or 'bind'} {target}")


def freeze(target: str, *, writable: bool) -> None:
    """Take away what a mount and all below it allow: set-user-id, devices and, mostly, writing."""
    attributes = MS_NOSUID | MS_NODEV | (0 if writable else MS_RDONLY)  # as MOUNT_ATTR_*
    asked = struct.pack("QQQQ", attributes, 0, 0, 0)
    long = ctypes.c_long
    done = libc.syscall(
        long(_SYS_MOUNT_SETATTR),
        long(_AT_FDCWD),
        target.encode(),
        long(_AT_RECURSIVE),
        asked,
        long(len(asked)),
    )
    checked(done, f"mount_setattr {target}")


def control(option: int, value: int) -> int:
    """Set one property of this process; return 0 where the kernel did."""
    return int(libc.prctl(option, value, 0, 0, 0))


def write(path: str, text: str) -> None:
    """Write a file of the kernel's, or a new one, at once."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
