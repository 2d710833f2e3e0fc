"""How long and how much a server may talk before it is left alone."""

from __future__ import annotations

import attrs

from benchhygiene.errors import InputError


@attrs.frozen(kw_only=True)
class ListingLimits:
    """Bounds of one listing; times in seconds, sizes in bytes.

    ``start`` is how long the first answer may take, ``probe`` the one to a question that older
    servers do not know, ``request`` every other one, ``exit`` how long a server may take to end
    once its input is closed, and again once it was asked to terminate.
    ``sessions`` ask anew, ``rounds`` ask again within the first session: what a server declares
    must be the same each time. Raises InputError for what is not positive.
    """

    start: float = 60.0
    probe: float = 10.0
    request: float = 30.0
    exit: float = 2.0
    pages: int = 1_000
    message: int = 16 * 2**20
    total: int = 64 * 2**20
    noise: int = 100
    sessions: int = 2
    rounds: int = 2

    def __attrs_post_init__(self) -> None:
        for field in attrs.fields(ListingLimits):
            value: float = getattr(self, field.name)
            if not value > 0:
                raise InputError(f"{field.name} {value}: expected more than 0")
