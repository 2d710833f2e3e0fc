"""The way out for results: each message carries a number that only its sender can know."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping

SIZE, MAC = 4, 16  # bytes of a message's length, and of what authenticates it


def successor(key: bytes) -> bytes:
    """Return the key for the next message: who learns one cannot make up earlier messages."""
    return hashlib.blake2b(key, person=b"successor").digest()


def sealed(key: bytes, payload: bytes) -> bytes:
    """Return what authenticates a payload under a key."""
    return hashlib.blake2b(payload, key=key, digest_size=MAC).digest()


def opened(descriptor: int, key: bytes) -> Callable[[Mapping[str, object]], None]:
    """Return the function that sends one message; a forked child's sends nothing."""
    # Bound here, before any code under test is imported: replacing them later changes nothing.
    encode, write, seal, follow = json.JSONEncoder().encode, os.write, sealed, successor
    state = [key]

    def send(message: Mapping[str, object]) -> None:
        if not state:
            return
        payload = encode(message).encode("utf-8", "backslashreplace")
        framed = len(payload).to_bytes(SIZE, "big") + seal(state[0], payload) + payload
        state[0] = follow(state[0])
        while framed:
            framed = framed[write(descriptor, framed) :]

    os.set_inheritable(descriptor, False)
    os.register_at_fork(after_in_child=state.clear)
    return send
