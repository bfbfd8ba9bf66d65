"""The book's room, and the measurement of a peer that simulates it."""

import json
import statistics
import time

import numpy as np

STEPS = 90  # in a frame


def book_scene(side):
    """The sources and the start of the book's room: see heat_notexture/scene.hpp."""

    def at(book):
        return book * side // 1024

    sources = np.zeros((side, side), np.float32)
    sources[at(310) + 1 : at(601), at(300) + 1 : at(600)] = 1
    sources[at(100), at(100)] = (np.float32(1) + np.float32(0.0001)) / 2
    sources[at(700), at(100)] = sources[at(300), at(300)] = sources[at(200), at(700)] = 0.0001
    sources[at(800) : at(900), at(400) : at(500)] = 0.0001
    start = sources.copy()
    start[at(800) :, : at(200)] = 1
    return sources, start


def stepped(grid, sources, steps):
    """The grid after so many steps at speed 0.25, in double where the formula has an fma."""
    for _ in range(steps):
        grid = np.where(sources != 0, sources, grid)
        wide = np.pad(grid, 1, mode="edge")
        total = ((wide[:-2, 1:-1] + wide[2:, 1:-1]) + wide[1:-1, :-2]) + wide[1:-1, 2:]
        inner = (total.astype(np.float64) - 4 * grid.astype(np.float64)).astype(np.float32)
        grid = (0.25 * inner.astype(np.float64) + grid.astype(np.float64)).astype(np.float32)
    return grid


def measure(kernel, side, frames, peer_of):
    """Prints, as JSON, the median time of a frame of a peer, and the largest difference of a smaller grid from the formula's.

    peer_of(sources, grid) gives two functions: one that does a frame, one that gives the grid.
    """
    sources, start = book_scene(256)
    do_frame, grid_of = peer_of(sources, start.copy())
    do_frame()
    difference = float(np.abs(grid_of() - stepped(start, sources, STEPS)).max())
    if not difference < 1e-6:
        raise SystemExit(f"{kernel}: the grid differs by {difference} from the formula's")
    do_frame, _ = peer_of(*book_scene(side))
    ms = []
    for _ in range(frames):
        begin = time.perf_counter()
        do_frame()
        ms.append((time.perf_counter() - begin) * 1000)
    median = statistics.median(ms)
    print(
        json.dumps(
            {
                "kernel": kernel,
                "width": side,
                "height": side,
                "largest_difference": difference,
                "ms": round(median, 1),
                "gcells_per_s": round(side * side * STEPS / median / 1e6, 3),
            }
        )
    )
