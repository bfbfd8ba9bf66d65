#!/usr/bin/env python3
"""The heat simulation as plain loops in Numba, on all cores: the peer of the CPU's kernels for Python's users.

Usage: heat_numba_cpu.py [SIDE [FRAMES]]. Needs NumPy and Numba.
"""

import sys

import numpy as np
from numba import njit, prange

from heat_grid import STEPS, measure


@njit(parallel=True)
def step(out, grid, sources, speed):
    height, width = grid.shape
    for y in prange(height):
        for x in range(width):
            if sources[y, x] != 0:
                grid[y, x] = sources[y, x]
    for y in prange(height):
        top = max(y - 1, 0)
        bottom = min(y + 1, height - 1)
        for x in range(1, width - 1):
            inner = ((grid[top, x] + grid[bottom, x]) + grid[y, x - 1]) + grid[y, x + 1]
            out[y, x] = grid[y, x] + speed * (inner - np.float32(4) * grid[y, x])
        for x, left, right in ((0, 0, 1), (width - 1, width - 2, width - 1)):
            inner = ((grid[top, x] + grid[bottom, x]) + grid[y, left]) + grid[y, right]
            out[y, x] = grid[y, x] + speed * (inner - np.float32(4) * grid[y, x])


def peer_of(sources, grid):
    grids = [grid, np.zeros_like(grid)]

    def do_frame():
        for _ in range(STEPS):
            step(grids[1], grids[0], sources, np.float32(0.25))
            grids.reverse()

    return do_frame, lambda: grids[0]


arguments = [int(argument) for argument in sys.argv[1:]]
measure("Numba", arguments[0] if arguments else 1024, arguments[1] if len(arguments) > 1 else 5, peer_of)
