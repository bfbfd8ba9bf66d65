#!/usr/bin/env python3
"""The heat simulation by Devito, which compiles stencils to C with OpenMP: the peer of the CPU's kernels.

Usage: heat_devito.py [SIDE [FRAMES]]. Needs NumPy, Devito and a C compiler.
"""

import os
import sys

os.environ.setdefault("DEVITO_LANGUAGE", "openmp")
os.environ.setdefault("DEVITO_LOGGING", "ERROR")

import numpy as np
from devito import Constant, Eq, Grid, Operator, SubDomain, TimeFunction

from heat_grid import STEPS, measure


class Box(SubDomain):
    """Cells x0 to x1 - 1 of rows y0 to y1 - 1 in a grid of that side."""

    def __init__(self, name, side, x0, x1, y0, y1):
        self.name, self.sides = name, ((y0, side - y1), (x0, side - x1))
        super().__init__()

    def define(self, dimensions):
        return {dimension: ("middle", *ends) for dimension, ends in zip(dimensions, self.sides)}


def boxes_of(sources):
    """The rectangles of equal sources: Box's arguments, and the temperature."""
    left, boxes = sources.copy(), []
    while left.any():
        y0, x0 = (int(i) for i in np.argwhere(left)[0])
        t = left[y0, x0]
        x1, y1 = x0, y0
        while x1 < left.shape[1] and left[y0, x1] == t:
            x1 += 1
        while y1 < left.shape[0] and (left[y1, x0:x1] == t).all():
            y1 += 1
        left[y0:y1, x0:x1] = 0
        boxes.append(((x0, x1, y0, y1), t))
    return boxes


def peer_of(sources, start):
    side = len(start)
    boxes = boxes_of(sources)
    domains = [Box(f"source{i}", side, *box) for i, (box, _) in enumerate(boxes)]
    grid = Grid(shape=(side, side), subdomains=domains, dtype=np.float32)
    y, x = grid.dimensions
    t = grid.stepping_dim
    u = TimeFunction(name="u", grid=grid, time_order=1, space_order=2)
    speed = Constant(name="speed", dtype=np.float32, value=0.25)
    # The cells beyond an edge are in u's halo.
    edges = [
        Eq(u[t, -1, x], u[t, 0, x]),
        Eq(u[t, side, x], u[t, side - 1, x]),
        Eq(u[t, y, -1], u[t, y, 0]),
        Eq(u[t, y, side], u[t, y, side - 1]),
    ]
    heated = [Eq(u, temperature, subdomain=domain) for domain, (_, temperature) in zip(domains, boxes)]
    total = ((u.subs(y, y - 1) + u.subs(y, y + 1)) + u.subs(x, x - 1)) + u.subs(x, x + 1)
    operator = Operator([*heated, *edges, Eq(u.forward, u + speed * (total - 4 * u))])
    operator.apply(time_m=0, time_M=0)  # compiles
    u.data[0] = start
    return lambda: operator.apply(time_m=0, time_M=STEPS - 1), lambda: np.array(u.data[STEPS % 2])


arguments = [int(argument) for argument in sys.argv[1:]]
measure("Devito", arguments[0] if arguments else 1024, arguments[1] if len(arguments) > 1 else 5, peer_of)
