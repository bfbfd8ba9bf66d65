#!/usr/bin/env python3
"""A step of heat in Numba's CUDA simulator, which runs kernels without a GPU: the peer of --device emulated.

Usage: NUMBA_ENABLE_CUDASIM=1 heat_numba.py [SIDE [STEPS]]. Prints, as JSON, the CRC-32 of the grid after the
steps, the seconds that they took, and the cells per second. The kernels are those of kernel `book`
(heat_notexture/kernels/1_copy_const.cuh, 2_blend.cuh): Numba has no textures.
"""

import json
import sys
import time
import zlib

import numpy as np
from numba import cuda

from heat_grid import book_scene

BLOCK = (16, 16)


@cuda.jit
def copy_const(grid, sources):
    x, y = cuda.grid(2)
    if x < grid.shape[1] and y < grid.shape[0] and sources[y, x] != 0:
        grid[y, x] = sources[y, x]


@cuda.jit
def blend(out, grid, speed):
    x, y = cuda.grid(2)
    if x < grid.shape[1] and y < grid.shape[0]:
        cell = grid[y, x]
        left = grid[y, max(x - 1, 0)]
        right = grid[y, min(x + 1, grid.shape[1] - 1)]
        top = grid[max(y - 1, 0), x]
        bottom = grid[min(y + 1, grid.shape[0] - 1), x]
        total = ((top + bottom) + left) + right
        # The simulator has no fma. In double, each of the two results is exact before it is rounded.
        inner = np.float32(np.float64(-4) * np.float64(cell) + np.float64(total))
        out[y, x] = np.float32(np.float64(speed) * np.float64(inner) + np.float64(cell))


def main():
    side = int(sys.argv[1]) if len(sys.argv) > 1 else 64
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    sources, grid = book_scene(side)
    out = np.zeros_like(grid)
    blocks = ((side + BLOCK[0] - 1) // BLOCK[0], (side + BLOCK[1] - 1) // BLOCK[1])
    begin = time.perf_counter()
    for _ in range(steps):
        copy_const[blocks, BLOCK](grid, sources)
        blend[blocks, BLOCK](out, grid, np.float32(0.25))
        grid, out = out, grid
    seconds = time.perf_counter() - begin
    print(
        json.dumps(
            {
                "width": side,
                "height": side,
                "steps": steps,
                "checksum": f"{zlib.crc32(grid.tobytes()):08x}",
                "seconds": round(seconds, 3),
                "cells_per_s": round(side * side * steps / seconds),
            }
        )
    )


main()
