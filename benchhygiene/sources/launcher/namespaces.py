"""Namespaces of one's own: user, mount, network, process, IPC and host name.

After unshare(2) and user_namespaces(7).
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
from collections.abc import Iterator

from benchhygiene.sources.launcher.kernel import Refused, libc, write

_NAMESPACES = 0x10000000 | 0x00020000 | 0x40000000 | 0x20000000 | 0x08000000 | 0x04000000
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1
_INSIDE = 1000  # the user and group that an ordinary user's own become
_FIRST_OF_RANGE = 1_000_000_000  # where root, who may map any, looks for a user nobody is


def enter_namespaces() -> int:
    """Leave the outside's namespaces; return the user, as seen inside, that the command gets."""
    user, group = os.geteuid(), os.getegid()
    told, tell = os.pipe()
    owner = os.getpid()
    mapper = os.fork()
    if mapper == 0:
        os.close(tell)
        os.read(told, 1)
        os._exit(_map_identities(owner, user, group))
    done = libc.unshare(_NAMESPACES)
    error = ctypes.get_errno()
    os.close(tell)
    _, status = os.waitpid(mapper, 0)
    if done != 0:
        raise Refused(f"unshare: {os.strerror(error)}")
    if status != 0:
        raise Refused("uid_map: the user cannot be mapped")
    return _unused_user() if user == 0 else _INSIDE


def _map_identities(process: int, user: int, group: int) -> int:
    """Write the maps from outside; root maps everybody, anybody else only himself."""
    place = f"/proc/{process}"
    try:
        if user == 0:
            for name in ("uid_map", "gid_map"):
                write(f"{place}/{name}", "".join(f"{s} {s} {n}\n" for s, n in _extents(name)))
        else:
            write(f"{place}/setgroups", "deny")
            write(f"{place}/uid_map", f"{_INSIDE} {user} 1\n")
            write(f"{place}/gid_map", f"{_INSIDE} {group} 1\n")
    except OSError:
        return 1
    return 0


def _extents(name: str) -> Iterator[tuple[int, int]]:
    with open(f"/proc/self/{name}", encoding="ascii") as lines:
        for line in lines:
            start, _, length = map(int, line.split())
            yield start, length


def _unused_user() -> int:
    """Return a user that owns nothing, so that limits count only what runs in here."""
    wanted = (_FIRST_OF_RANGE + os.getpid(), 60_000 + os.getpid() % 5_000, 65_534)
    extents = tuple(_extents("uid_map"))
    for uid in wanted:
        if any(start <= uid < start + length for start, length in extents):
            return uid
    raise Refused("uid_map: no unused user is mapped")


def raise_loopback() -> None:
    """Turn on the only network there is: to itself."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        asked = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(one, _SIOCGIFFLAGS, asked))[1]
        fcntl.ioctl(one, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | _IFF_UP))
