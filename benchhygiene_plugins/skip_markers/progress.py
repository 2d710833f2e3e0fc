"""How far the reading of functions that call one another has come."""

from __future__ import annotations

import ast

import attrs

from benchhygiene.inventory.python import FunctionNode
from benchhygiene_plugins.skip_markers.exemptions import Exemption


@attrs.frozen(eq=False)
class Shape:
    """What a function does, and how deep the calls were when that was seen."""

    node: FunctionNode | ast.Lambda
    found: tuple[Exemption, ...]
    depth: int


@attrs.define(eq=False)
class Progress:
    """The functions that are being read, whether a circle was cut, and what it has cost.

    ``blocks`` are being read inside one another; ``begun`` is what the evaluator had done before.
    ``held`` is what was seen of functions while a circle was cut: read again inside the same circle
    they would be cut as well, and functions that all call one another would never come to an end.
    """

    running: set[tuple[int, int]] = attrs.field(factory=set[tuple[int, int]])
    is_cut: bool = False
    spent: int = 0
    blocks: int = 0
    begun: int = 0
    held: dict[tuple[int, int], Shape] = attrs.field(factory=dict[tuple[int, int], Shape])
