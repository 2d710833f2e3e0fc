"""How much and how long a client may ask."""

from __future__ import annotations

import attrs


@attrs.frozen(kw_only=True)
class Limits:
    """Bounds of one server: sizes in bytes, times in seconds.

    ``head`` is how long the headers of a request may take, ``body`` how long its body,
    ``connections`` how many may be open at once.
    """

    request_bytes: int = 4 * 2**20
    head: float = 10.0
    body: float = 20.0
    connections: int = 512
