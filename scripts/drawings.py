#!/usr/bin/env python3
"""Makes the drawings of the pages, docs/drawings/*.svg. With --check it writes nothing and fails if they are not what it makes.

The sizes of tiles, halos and so on are read from the kernels' sources, so that a drawing cannot say what its kernel no longer does.
Each drawing has a white ground of its own, for light and dark pages, and is 1280 wide; its text is so large that it can be read at half that size. What
colours say (Okabe and Ito's, which the colour-blind can tell apart), hatching, outlines or words say too.
"""
import argparse
import html
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs/drawings"

BLACK, GREY, PALE, WHITE = "#1a1a1a", "#6b6b6b", "#e4e4e4", "#ffffff"
BLUE, SKY, ORANGE, VERMILLION = "#0072b2", "#b8dff5", "#f7d28a", "#d55e00"
LATER, BROWN = "#8fcbee", "#7a4b00"
TEXT = 26  # of plain text; nothing is smaller than SMALL
SMALL = 24
SECTOR_WORDS = 8  # 32 bytes
WARP = 32


def constant(file, name):
    """An integer constant of a source file: `constexpr int name = 16;`."""
    values = re.findall(rf"constexpr \w+ {name} = (\d+);", (ROOT / file).read_text(encoding="utf-8"))
    if len(values) != 1:
        sys.exit(f"drawings.py: {file} has {len(values)} constants {name}, not one")
    return int(values[0])


def number(value):
    return f"{value:.1f}".removesuffix(".0")


class Drawing:
    def __init__(self, height, title, description):
        self.height = height
        self.parts = []
        self.title = title
        self.description = description
        self.text(40, 58, title, size=34, weight="bold")

    def add(self, element, content=None, **attributes):
        written = "".join(f' {name.rstrip("_").replace("_", "-")}="{number(value) if isinstance(value, (int, float)) else value}"'
                          for name, value in attributes.items() if value is not None)
        self.parts.append(f"<{element}{written}/>" if content is None else f"<{element}{written}>{content}</{element}>")

    def box(self, x, y, width, height, fill=WHITE, line=BLACK, thick=2.0, dashes=None):
        self.add("rect", x=x, y=y, width=width, height=height, fill=fill, stroke=line, stroke_width=thick, stroke_dasharray=dashes)

    def text(self, x, y, words, size=TEXT, anchor="start", colour=BLACK, weight=None, code=False):
        """`y` is the line that letters stand on. `code`: in letters of one width."""
        self.add("text", html.escape(words, quote=False), x=x, y=y, font_size=size, text_anchor=None if anchor == "start" else anchor,
                 fill=None if colour == BLACK else colour, font_weight=weight, class_="c" if code else None)

    def lines(self, x, y, lines, size=TEXT, step=36, **how):
        for i, line in enumerate(lines):
            self.text(x, y + step * i, line, size, **how)

    def line(self, x0, y0, x1, y1, colour=BLACK, thick=3.0, dashes=None, arrow=False):
        self.add("line", x1=x0, y1=y0, x2=x1, y2=y1, stroke=colour, stroke_width=thick, stroke_dasharray=dashes,
                 marker_end=f"url(#{'blue' if colour == BLUE else 'black'})" if arrow else None)

    def path(self, d, colour=BLACK, thick=3.0, fill="none", arrow=False, dashes=None):
        self.add("path", d=d, fill=fill, stroke=colour, stroke_width=thick, stroke_dasharray=dashes, stroke_linejoin="round",
                 marker_end=f"url(#{'blue' if colour == BLUE else 'black'})" if arrow else None)

    def polyline(self, points, colour=BLACK, thick=3.0):
        self.add("polyline", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), fill="none", stroke=colour, stroke_width=thick,
                 stroke_linejoin="round")

    def dot(self, x, y, radius=8.0, fill=BLACK, line=BLACK, thick=2.0):
        self.add("circle", cx=x, cy=y, r=radius, fill=fill, stroke=line, stroke_width=thick)

    def grid(self, x, y, columns, rows, cell, line=GREY, thick=1.0, high=None):
        """The lines between cells, as one path."""
        high = high or cell
        down = "".join(f"M{number(x + cell * i)} {number(y)}v{number(high * rows)}" for i in range(columns + 1))
        across = "".join(f"M{number(x)} {number(y + high * i)}h{number(cell * columns)}" for i in range(rows + 1))
        self.path(down + across, line, thick)

    def brace(self, x0, x1, y, words=""):
        """A bracket under what lies between x0 and x1, and words."""
        self.path(f"M{number(x0)} {number(y)}v12H{number(x1)}v-12", BLACK, 3)
        if words:
            self.text((x0 + x1) / 2, y + 42, words, anchor="middle")

    def svg(self):
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 {self.height}" width="1280" height="{self.height}" role="img" '
            'aria-labelledby="title description">',
            f'<title id="title">{html.escape(self.title, quote=False)}</title>',
            f'<desc id="description">{html.escape(self.description, quote=False)}</desc>',
            f"<style>text{{font-family:Arial,Helvetica,'Liberation Sans','DejaVu Sans',sans-serif;fill:{BLACK}}}"
            ".c{font-family:Menlo,Consolas,'Liberation Mono','DejaVu Sans Mono',monospace}</style>",
            "<defs>",
            f'<pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="8" height="8" '
            f'fill="{PALE}"/><rect width="3" height="8" fill="#9a9a9a"/></pattern>',
            f'<pattern id="halo" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect width="10" height="10" '
            f'fill="{ORANGE}"/><rect width="3" height="10" fill="#c98a00"/></pattern>',
            *(f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="16" markerHeight="16" markerUnits="userSpaceOnUse" '
              f'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="{colour}"/></marker>' for name, colour in (("black", BLACK), ("blue", BLUE))),
            "</defs>",
            f'<rect x="2" y="2" width="1276" height="{self.height - 4}" rx="14" fill="{WHITE}" stroke="#b0b0b0" stroke-width="2"/>',
            *self.parts, "</svg>", ""])


HATCH, HALO = "url(#hatch)", "url(#halo)"


def heat_stencil():
    d = Drawing(640, "A step of a cell",
                "A cell and its four neighbours, numbered in the order in which they are added: top, bottom, left, right. At the left edge of the room "
                "there is no left neighbour; the cell stands in for it.")
    side = 124
    places = [("top", "1", 0, -1), ("bottom", "2", 0, 1), ("left", "3", -1, 0), ("right", "4", 1, 0)]

    def cross(x, y, without=None):
        for word, order, dx, dy in places:
            if word == without:
                continue
            d.box(x + dx * side, y + dy * side, side, side, SKY, BLACK, 3)
            d.text(x + dx * side + side / 2, y + dy * side + 56, word, 28, "middle")
            d.dot(x + dx * side + side / 2, y + dy * side + 88, 19, WHITE, BLACK, 2)
            d.text(x + dx * side + side / 2, y + dy * side + 97, order, 26, "middle", weight="bold")
        d.box(x, y, side, side, ORANGE, BLACK, 5)
        d.text(x + side / 2, y + 70, "cell", 30, "middle", weight="bold")

    d.text(300, 112, "inside the room", 28, "middle")
    cross(238, 258)
    d.text(900, 112, "at its left edge", 28, "middle")
    cross(838, 258, "left")
    d.box(812, 134, 22, 3 * side, HATCH, BLACK, 2)
    d.path("M838 292C740 262 740 378 832 348", BLUE, 4, arrow=True)
    d.lines(560, 262, ["left is", "the cell", "itself"], 28)
    d.dot(720, 316, 19, WHITE, BLACK, 2)
    d.text(720, 325, "3", 26, "middle", weight="bold")
    d.text(40, 566, "sum = ((top + bottom) + left) + right", 28, code=True)
    d.text(40, 610, "new = fma(speed, fma(-4, cell, sum), cell)", 28, code=True)
    return d


def heat_tile():
    file = "heat_notexture/kernels/4_tiled.cuh"
    width, height = constant(file, "tiled_width"), constant(file, "tiled_height")
    d = Drawing(620, f"tiled: a tile of {width} × {height} cells and its halo",
                f"A grid of {width + 2} by {height + 2} cells in shared memory. The outer ring is the halo, which is read only; the inner {width} by "
                f"{height} cells are written, one by each thread. The four corners of the halo are loaded and never used.")
    cell = 24
    x, y = 40, 100
    d.box(x, y, cell * (width + 2), cell * (height + 2), HALO, BLACK, 2)
    d.box(x + cell, y + cell, cell * width, cell * height, SKY, BLACK, 2)
    for cx in (0, width + 1):
        for cy in (0, height + 1):
            d.box(x + cx * cell, y + cy * cell, cell, cell, WHITE, BLACK, 1)
            d.path(f"M{x + cx * cell} {y + cy * cell}l{cell} {cell}m0 {-cell}l{-cell} {cell}", BLACK, 2)
    d.grid(x, y, width + 2, height + 2, cell)
    d.box(x + cell, y + cell, cell * width, cell * height, "none", BLACK, 5)
    for cx, cy in ((0, -1), (0, 1), (-1, 0), (1, 0)):
        d.box(x + (1 + cx) * cell, y + (6 + cy) * cell, cell, cell, WHITE, VERMILLION, 5)
    d.box(x + cell, y + 6 * cell, cell, cell, VERMILLION, BLACK, 3)
    right = x + cell * (width + 2) + 36
    d.box(right, 108, 34, 34, SKY, BLACK, 3)
    d.lines(right + 48, 135, [f"{width} × {height}: each thread", "loads one and", "writes one"])
    d.box(right, 240, 34, 34, HALO, BLACK, 2)
    d.lines(right + 48, 267, ["the halo: loaded too,", "written by the", "blocks beside"])
    d.box(right, 372, 34, 34, WHITE, BLACK, 1)
    d.path(f"M{right} 372l34 34m0 -34l-34 34", BLACK, 2)
    d.lines(right + 48, 399, ["corners: loaded,", "never used"])
    d.box(right, 468, 34, 34, VERMILLION, BLACK, 3)
    d.lines(right + 48, 495, ["a cell, and the", "neighbours it reads"])
    d.text(40, 580, f"Loaded: {width + 2} × {height + 2} = {(width + 2) * (height + 2)} cells; written: {width} × {height} = {width * height}.")
    return d


def heat_time_tile():
    file = "heat_notexture/kernels/5_temporal.cuh"
    side, steps = constant(file, "shared_side"), constant(file, "shared_steps")
    out = side - 2 * steps
    d = Drawing(612, f"temporal: {steps} steps of a tile, seen from the side",
                f"A row of {side} cells for each step. All {side} are loaded; after each step one more at either end is wrong, until {out} are left after "
                f"step {steps}, which are written. One written cell depends on {2 * steps + 1} loaded ones. The next tile begins {out} cells further.")
    cell, high, x, y = 14, 40, 224, 116
    middle = side // 2
    d.text(x + cell * side + 22, y - 14, "right")
    for step in range(steps + 1):
        top = y + step * (high + 6)
        d.text(x - 18, top + 29, "loaded" if step == 0 else f"after step {step}", anchor="end")
        d.box(x, top, cell * side, high, HATCH, GREY, 1)
        d.box(x + cell * step, top, cell * (side - 2 * step), high, BLUE if step == steps else SKY, BLACK, 3)
        reach = steps - step
        d.box(x + cell * (middle - reach), top, cell * (2 * reach + 1), high, VERMILLION if step == steps else ORANGE, BLACK, 3)
        d.path("".join(f"M{x + cell * i} {top}v{high}" for i in range(1, side)), WHITE if step == steps else GREY, 1)
        d.text(x + cell * side + 22, top + 29, str(side - 2 * step), weight="bold")
    end = y + (steps + 1) * (high + 6)
    d.brace(x + cell * steps, x + cell * (side - steps), end + 2, f"written: {out} of {side}")
    d.box(x, end + 68, 34, 30, SKY, BLACK, 3)
    d.text(x + 46, end + 92, "right")
    d.box(x + 150, end + 68, 34, 30, HATCH, GREY, 2)
    d.text(x + 196, end + 92, "wrong: a neighbour was missing")
    d.box(x + 646, end + 68, 34, 30, ORANGE, BLACK, 3)
    d.text(x + 692, end + 92, "what one cell needs")
    d.text(40, end + 140, f"The tile beside begins {out} cells further: {2 * steps} of {side} columns are in both.")
    return d


def heat_registers():
    tiling = "heat_notexture/gpu/register_tiling.hpp"
    columns, rows, warps = (constant(tiling, f"register_{name}") for name in ("columns", "rows", "warps"))
    steps = 15
    halo = (steps + 3) // 4 * 4
    d = Drawing(820, f"registers: a tile of {columns} × {warps * rows} cells in {warps} warps",
                f"Left: {warps} warps, each with {rows} rows of {columns} cells; of a launch of {steps} steps the inner {columns - 2 * halo} by "
                f"{warps * rows - 2 * steps} cells are written. Right: three lanes of a warp with four cells in each of {rows} rows. Neighbours above and "
                "below are registers of the same lane, those beside come by shuffles, and a warp's first and last row pass through shared memory.")
    scale, x, y = 4, 40, 156
    d.text(x, 112, f"the tile of a block, {steps} steps", 28)
    d.box(x, y, columns * scale, warps * rows * scale, HALO, BLACK, 2)
    d.box(x + halo * scale, y + steps * scale, (columns - 2 * halo) * scale, (warps * rows - 2 * steps) * scale, SKY, BLACK, 5)
    for warp in range(warps):
        top = y + warp * rows * scale
        d.line(x, top, x + columns * scale, top, BLACK, 2)
        d.box(x + 196, top + 5, 120, 30, WHITE, WHITE, 0)
        d.text(x + 256, top + 29, f"warp {warp}", anchor="middle")
    bottom = y + warps * rows * scale
    d.text(x, bottom + 42, f"{columns} cells: {columns // WARP} for each lane")
    d.box(x, bottom + 66, 34, 30, SKY, BLACK, 4)
    d.text(x + 46, bottom + 90, f"written: {columns - 2 * halo} × {warps * rows - 2 * steps}")
    d.box(x, bottom + 110, 34, 30, HALO, BLACK, 2)
    d.text(x + 46, bottom + 134, f"halo: {halo} columns and {steps} rows")

    cell, gap, x, y = 36, 44, 636, 226
    lane_width = 4 * cell
    d.text(x, 112, f"three lanes of a warp, {rows} rows each", 28)
    d.text(x, y - 66, "↑ first row: to the warp above")
    for lane in range(3):
        left = x + lane * (lane_width + gap)
        d.text(left + lane_width / 2, y - 22, ("lane 6", "lane 7", "lane 8")[lane], anchor="middle", weight="bold")
        d.box(left, y, lane_width, rows * cell, SKY, BLACK, 2)
        for shared in (0, rows - 1):
            d.box(left, y + shared * cell, lane_width, cell, ORANGE, BLACK, 2)
        d.grid(left, y, 4, rows, cell, GREY, 1.5)
        d.box(left, y, lane_width, rows * cell, "none", BLACK, 5)
    d.text(x, y + rows * cell + 40, "↓ last row: to the warp below")
    row = y + 4 * cell
    middle = x + lane_width + gap
    d.box(middle, row, cell, cell, VERMILLION, BLACK, 3)
    for place in (row - cell, row + cell):
        d.box(middle, place, cell, cell, WHITE, VERMILLION, 5)
    d.box(middle + cell, row, cell, cell, WHITE, VERMILLION, 5)
    d.box(middle - gap - cell, row, cell, cell, WHITE, VERMILLION, 5)
    d.path(f"M{middle - gap - 4} {row + cell / 2}H{middle - 3}", BLUE, 6, arrow=True)
    far = middle + lane_width
    d.box(far - cell, row + 3 * cell, cell, cell, VERMILLION, BLACK, 3)
    d.box(far + gap, row + 3 * cell, cell, cell, WHITE, VERMILLION, 5)
    d.path(f"M{far + gap + 4} {row + 3.5 * cell}H{far + 3}", BLUE, 6, arrow=True)
    below = y + rows * cell + 90
    d.line(x, below - 9, x + 46, below - 9, BLUE, 6, arrow=True)
    d.text(x + 58, below, "a shuffle: left and right of the four")
    d.box(x + 6, below + 16, 30, 30, WHITE, VERMILLION, 5)
    d.text(x + 58, below + 40, "the other neighbours: the lane's own")
    d.box(x + 6, below + 66, 30, 30, ORANGE, BLACK, 2)
    d.text(x + 58, below + 90, "these rows pass through shared memory")
    return d


def heat_fused():
    d = Drawing(560, "fused: four cells a fetch",
                "A lane takes four neighbouring cells. It fetches three texels of 16 bytes: its own four cells, the four above and the four below. The cell "
                "to the left is in the lane before, the cell to the right in the lane behind; they come by shuffles. Only lane 0 and lane 31 fetch them.")
    cell, x, y = 52, 40, 84
    columns = [("lane 0", 1), ("lane 1", 5), ("lane 2", 9), ("lane 31", 15)]
    for row in range(3):
        top = y + 46 + row * cell
        d.text(x + 20 * cell + 38, top + 36, ("top", "cell", "bottom")[row])
        for _, first in columns:
            for i in range(4):
                d.box(x + (first + i) * cell, top, cell, cell, ORANGE if row == 1 else SKY, GREY, 1.5)
            d.box(x + first * cell, top, 4 * cell, cell, "none", BLACK, 5)
        d.text(x + 14 * cell, top + 36, "…", 34, "middle")
    for name, first in columns:
        d.text(x + (first + 2) * cell, y + 32, name, anchor="middle", weight="bold")
    row = y + 46 + cell
    for left in (0, 19):
        d.box(x + left * cell, row, cell, cell, WHITE, VERMILLION, 6, "10 5")
    arc = row + 2 * cell
    d.box(x + 8 * cell + 6, row + 8, cell - 12, cell - 16, "none", BLUE, 4)
    d.box(x + 5 * cell + 6, row + 8, cell - 12, cell - 16, "none", BLUE, 4)
    d.path(f"M{x + 8.5 * cell} {row + cell - 8}C{x + 8.5 * cell} {arc + 40} {x + 9.5 * cell} {arc + 40} {x + 9.5 * cell} {row + cell + 2}", BLUE, 5, arrow=True)
    d.path(f"M{x + 5.5 * cell} {row + cell - 8}C{x + 5.5 * cell} {arc + 40} {x + 4.5 * cell} {arc + 40} {x + 4.5 * cell} {row + cell + 2}", BLUE, 5, arrow=True)
    low = 352
    d.box(x, low, 60, 34, SKY, BLACK, 5)
    d.text(x + 78, low + 28, "a texel of 16 bytes: three for each lane, top, cell and bottom")
    d.line(x, low + 72, x + 60, low + 72, BLUE, 5, arrow=True)
    d.text(x + 78, low + 82, "a shuffle: the cell to the left or right is in a register of the lane beside")
    d.box(x, low + 108, 60, 34, WHITE, VERMILLION, 6, "10 5")
    d.text(x + 78, low + 136, "a texel of 4 bytes, by a second texture over the same memory:")
    d.text(x + 78, low + 172, "lane 0 fetches one on the left, lane 31 one on the right")
    return d


def sector_of(element, width, in_array):
    """The sector of a word in rows of `width` words: access_patterns/traffic.cpp."""
    half = element // (SECTOR_WORDS // 2)
    if not in_array:
        return half // 2
    across = max(width // 4, 1)
    return half // across // 2 * across + half % across


def sectors_of(elements, width, in_array, lanes):
    """The sectors of a warp's words, of which `lanes` lanes are served at a time; and how many sectors that makes, each counted for each group."""
    groups = [{sector_of(e, width, in_array) for e in elements[i:i + lanes]} for i in range(0, WARP, lanes)]
    return set().union(*groups), sum(map(len, groups))


def lanes_at_a_time():
    """Of a texture of one dimension, and of two: access_patterns/traffic.cpp."""
    source = (ROOT / "access_patterns/traffic.cpp").read_text(encoding="utf-8")
    linear = re.search(r"case Path::linear:\s+return element_bytes == 16 \? 4 : (\d+);", source)
    plane = re.search(r"case Path::array:\s+case Path::wide:\s+return (\d+);", source)
    if not linear or not plane:
        sys.exit("drawings.py: access_patterns/traffic.cpp no longer says how many lanes are served at a time")
    return int(linear[1]), int(plane[1])


def rectangle_of(sector, width, in_array):
    """x, y, width and height of a sector, in words."""
    if not in_array:
        first = sector * SECTOR_WORDS
        return first % width, first // width, 8, 1
    across = width // 4
    return sector % across * 4, sector // across * 2, 4, 2


def texture_layouts():
    linear_lanes, plane_lanes = lanes_at_a_time()
    d = Drawing(1090, "Which sectors a warp's fetch of 4-byte texels touches",
                "Left: linear memory, in which a sector is 8 words of a row. The 32 lanes of a warp that read a row touch 4 sectors, down a column 32. Right: "
                "a CUDA array, in which a sector has 4 words of each of two rows. A row touches 8 sectors, of which half is not asked for; a column 16.")
    cell, width = 18, 32
    for x, in_array, lanes, head in ((40, False, linear_lanes, ("linear memory: a sector", "is 32 bytes of a row")),
                                     (664, True, plane_lanes, ("CUDA array: a sector is 16", "bytes of each of two rows"))):
        d.lines(x, 112, head, 28, 36, weight="bold")
        for y, columns, rows, lanes_at in ((222, 32, 4, [(c, 1) for c in range(WARP)]), (440, 14, 32, [(6, r) for r in range(WARP)])):
            touched, counted = sectors_of([r * width + c for c, r in lanes_at], width, in_array, lanes)
            shapes = [rectangle_of(s, width, in_array) for s in sorted(touched)]
            for sx, sy, w, h in shapes:
                d.box(x + sx * cell, y + sy * cell, w * cell, h * cell, HATCH, GREY, 0)
            for c, r in lanes_at:
                d.box(x + c * cell, y + r * cell, cell, cell, BLUE, BLUE, 0)
            d.grid(x, y, columns, rows, cell, "#8a8a8a", 1)
            for sx, sy, w, h in shapes:
                d.box(x + sx * cell, y + sy * cell, w * cell, h * cell, "none", BLACK, 4)
            if columns == 32:
                d.text(x, y - 16, "a row:")
                d.text(x + columns * cell, y - 16, f"{counted} sectors", anchor="end", weight="bold")
                for first in range(0, WARP, lanes):
                    d.brace(x + first * cell + 4, x + (first + lanes) * cell - 4, y + rows * cell + 10)
                d.text(x, y + rows * cell + 62, f"{WARP // lanes} times {lanes} lanes, {counted * lanes // WARP} sector each time")
            else:
                right = x + columns * cell + 26
                d.text(x, y - 16, "a column:")
                d.text(right + 12, y + 26, f"{counted} sectors", weight="bold")
                for first in range(0, WARP, lanes):
                    d.path(f"M{right - 14} {y + first * cell + 4}h10v{lanes * cell - 8}h-10", BLACK, 3)
                d.lines(right + 12, y + 66, [f"{WARP // lanes} times {lanes} lanes,", f"{counted * lanes // WARP} sectors each time"])
                if in_array:
                    d.box(right + 12, y + 198, 34, 34, BLUE, BLACK, 3)
                    d.text(right + 58, y + 225, "asked for")
                    d.box(right + 12, y + 254, 34, 34, HATCH, BLACK, 3)
                    d.lines(right + 58, y + 281, ["moved, and not", "asked for"])
                    d.box(right + 12, y + 346, 68, 34, "none", BLACK, 4)
                    d.text(right + 92, y + 373, "a sector")
                else:
                    d.lines(right + 12, y + 174, ["A texture of two", "dimensions over", "this memory takes",
                                                  f"{plane_lanes} lanes at a time:", f"{sectors_of(range(32, 64), width, False, plane_lanes)[1]} sectors for a row,",
                                                  f"{sectors_of(range(6, 6 + 32 * width, width), width, False, plane_lanes)[1]} for a column."])
    d.text(40, 1060, "As the fetches of an H200 show; in which order sectors lie, NVIDIA does not say.")
    return d


def big_split():
    bits, textures, chosen, index = 28, 32, 5, 0x5A3C2F1
    high = textures.bit_length() - 1
    value = chosen << bits | index
    d = Drawing(900, "Which texture, and where in it: texel i of the array",
                f"The index i in binary: its {high} high bits are the number of the texture, its {bits} low bits the index in the texture. The number chooses "
                "from a table of texture objects, each of which spans a piece of the array. Below: textures of 16 words begin early, at a multiple of 512 "
                "bytes, and the mask keeps more bits of the index.")
    cell, x, y = 36, 46, 150
    d.text(x, 118, "i", code=True, weight="bold")
    d.text(x + 28, 118, f"= {value:#x}, in binary:")
    for place in range(high + bits):
        digit = value >> (high + bits - 1 - place) & 1
        d.box(x + place * cell, y, cell, 46, ORANGE if place < high else SKY, GREY, 1.5)
        d.text(x + place * cell + cell / 2, y + 33, str(digit), anchor="middle", code=True)
    split = x + high * cell
    d.box(x, y, high * cell, 46, "none", BLACK, 5)
    d.box(split, y, bits * cell, 46, "none", BLACK, 5)
    d.brace(x, split - 4, y + 54)
    d.brace(split + 4, x + (high + bits) * cell, y + 54)
    d.text(x, y + 102, f"i >> {bits} = {chosen}", code=True)
    d.text(split + bits * cell / 2, y + 102, f"i & mask = {index:#x}", anchor="middle", code=True)

    table = 338
    d.text(x + (chosen + 2) * cell, table - 18, f"textures[0] to textures[{textures - 1}]", code=True)
    for t in range(textures):
        d.box(x + t * cell, table, cell, 44, ORANGE if t == chosen else WHITE, BLACK, 5 if t == chosen else 1.5)
        if t in (0, chosen, textures - 1):
            d.text(x + t * cell + cell / 2, table + 31, str(t), SMALL, "middle")
    middle = x + chosen * cell + cell / 2
    d.line(x + 2.5 * cell, y + 116, middle - 8, table - 6, BLACK, 4, arrow=True)
    d.line(middle, table + 48, middle, table + 92, BLACK, 4, arrow=True)
    array = table + 98
    d.text(middle + 44, array - 18, f"the texel that is fetched: {index:#x} of texture {chosen}")
    d.box(x, array, textures * cell, 52, PALE, BLACK, 3)
    for t in range(1, textures):
        d.line(x + t * cell, array, x + t * cell, array + 52, GREY, 1.5)
    d.box(x + chosen * cell, array, cell, 52, SKY, BLACK, 5)
    at = x + (chosen + index / 2**bits) * cell
    d.line(at, array - 2, at, array + 54, VERMILLION, 6)
    d.text(x, array + 90, "the array: 128 GB of texels of 16 bytes; each texture spans 4 GB of it")

    words, small_bits, aligned, t, inside = 16, 4, 128, 9, 3
    i = t << small_bits | inside
    begin = t * words // aligned * aligned
    mask = (words - 1) | (aligned - 1)
    top, word = 656, 24
    d.line(40, array + 116, 1240, array + 116, GREY, 2)
    d.text(x, top - 56, f"Textures of {words} words: number {t} begins {(t * words - begin) * 4} bytes early, at a multiple of 512 bytes.")
    for w in range(begin, begin + 3 * words):
        d.box(x + (w - begin) * word, top, word, 46, SKY if t * words <= w < (t + 1) * words else WHITE, GREY, 1.5)
    for k in range(3):
        d.box(x + k * words * word, top, words * word, 46, "none", BLACK, 3)
        d.text(x + (k + 0.5) * words * word, top - 12, f"words of texture {begin // words + k}", SMALL, "middle")
    d.box(x + (i - begin) * word, top, word, 46, VERMILLION, BLACK, 3)
    d.line(x, top - 16, x, top + 56, BLACK, 6)
    d.brace(x + 6, x + (t + 1 - begin // words) * words * word, top + 58, f"texture {t} spans these, from byte {begin * 4} on")
    d.text(x, top + 150, f"i = {i}:  i >> {small_bits} = {i >> small_bits},  i & mask = {i & mask}", code=True)
    d.text(x, top + 192, f"mask keeps {mask.bit_length()} bits of i, not {small_bits}: the index counts from byte {begin * 4} on.")
    return d


def int2float_curve():
    d = Drawing(760, "Bytes that are read as normalized floats",
                "Left: an unsigned char v gives v / 255, from 0 to 1. Right: a signed char v gives v / 127, from −1 to 1; −128 gives −1 too, as −127 does, and "
                "0 gives 0 exactly. A magnified part shows that −128 and −127 are equally low.")
    top, high, wide = 170, 460, 470

    def chart(x, low, most, head, formula, value, marks):
        def at(v):
            return x + (v - low) / 255 * wide, top + (1 - value(v)) / 2 * high
        d.text(x, 112, head, 28, weight="bold")
        d.text(x, 150, formula, SMALL, code=True)
        for f in (-1, 0, 1):
            y = top + (1 - f) / 2 * high
            d.line(x, y, x + wide, y, "#a0a0a0", 2)
            d.text(x - 24, y + 9, f"{f}".replace("-", "−"), anchor="end")
        d.line(x, top, x, top + high, BLACK, 3)
        d.polyline([at(v) for v in range(low, most + 1)], BLUE, 7)
        for v in marks:
            px, py = at(v)
            if v > low:
                d.line(px, py, px, top + high, GREY, 2, "6 6")
            d.line(px, top + high, px, top + high + 12, BLACK, 3)
            d.text(px, top + high + 46, str(v).replace("-", "−"), anchor="middle")
            d.dot(px, py, 11, ORANGE, BLACK, 4)
        d.text(x + wide / 2, top + high + 90, "v, the integer that is stored", anchor="middle")

    chart(90, 0, 255, "unsigned char", "float = v / 255", lambda v: v / 255, (0, 255))
    d.lines(130, 470, ["0 gives 0, 255 gives 1:", "255 equal steps"])
    chart(740, -128, 127, "signed char", "float = v / 127, −1 for −128", lambda v: max(v / 127, -1), (-128, 0, 127))
    d.lines(766, 216, ["0 gives 0, 127 gives 1:", "127 steps up from 0,", "127 steps down"])
    x, y, w, h = 966, 428, 276, 186  # the low end, magnified
    d.path(f"M{754} {top + high - 8}L{x} {y + h - 30}", BLACK, 2, dashes="6 6")
    d.box(x, y, w, h, WHITE, BLACK, 3)
    d.text(x + 16, y + 36, "both give −1")
    at = [(x + 54 + 82 * i, y + 118 - (max(v / 127, -1) + 1) * 127 * 40) for i, v in enumerate((-128, -127, -126))]
    d.line(*at[0], *at[1], BLUE, 6)
    d.line(*at[1], *at[2], BLUE, 6)
    for (px, py), v in zip(at, (-128, -127, -126)):
        d.dot(px, py, 11, ORANGE if v == -128 else WHITE, BLACK, 4)
        if v < -126:
            d.text(px, y + 166, str(v).replace("-", "−"), SMALL, "middle")
    return d


def matmul_tiled():
    side = constant("matmul/kernels/4_tiled.cuh", "tile_side")
    d = Drawing(780, f"tiled: tiles of {side} × {side} elements move along k",
                "Left: a block makes one tile of C. In each step it brings a tile of A, which moves right along a row of tiles, and a tile of B, which moves "
                f"down along a column of tiles, into shared memory. Right: a thread takes a row of {side} elements of A's tile and a column of B's tile.")
    tile, n, x, y = 48, 5, 60, 124
    matrix = tile * n
    gap = 44
    ax, ay, bx, by = x, y + matrix + gap, x + matrix + gap, y
    row, column, step = 2, 3, 2

    def matrix_at(left, top, name):
        d.box(left, top, matrix, matrix, WHITE, BLACK, 3)
        d.grid(left, top, n, n, tile, "#b0b0b0", 1.5)
        return left, top, name

    matrix_at(ax, ay, "A")
    matrix_at(bx, by, "B")
    matrix_at(bx, ay, "C")
    for i in range(n):
        d.box(ax + i * tile, ay + row * tile, tile, tile, HATCH if i < step else BLUE if i == step else SKY, BLACK, 5 if i == step else 2)
        d.box(bx + column * tile, by + i * tile, tile, tile, HATCH if i < step else VERMILLION if i == step else ORANGE, BLACK, 5 if i == step else 2)
    d.box(bx + column * tile, ay + row * tile, tile, tile, BLACK, BLACK, 3)
    d.path(f"M{ax + 8} {ay + row * tile - 16}H{ax + matrix - 8}", BLACK, 5, arrow=True)
    d.text(ax + matrix / 2, ay + row * tile - 34, "k", 30, "middle", weight="bold")
    d.path(f"M{bx + column * tile - 16} {by + 8}V{by + matrix - 8}", BLACK, 5, arrow=True)
    d.text(bx + column * tile - 44, by + matrix / 2 + 10, "k", 30, "middle", weight="bold")
    for left, top, name in ((ax, ay, "A"), (bx, by, "B"), (bx, ay, "C")):
        d.text(left + 12, top + matrix - 14, name, 38, weight="bold")
    d.lines(ax, y + 26, ["hatched: done", "dark: in shared", "memory now", "light: to come"])

    # One step, magnified.
    cell, x = 15, 700
    size = cell * side
    d.text(x, 112, "one step of a thread", 28, weight="bold")
    ax, ay, bx, by = x, y + 20 + size + 24, x + size + 24, y + 20
    i, j = 9, 6
    d.box(ax, ay, size, size, SKY, BLACK, 3)
    d.box(bx, by, size, size, ORANGE, BLACK, 3)
    d.box(bx, ay, size, size, WHITE, BLACK, 3)
    d.box(ax, ay + i * cell, size, cell, BLUE, BLACK, 3)
    d.box(bx + j * cell, by, cell, size, VERMILLION, BLACK, 3)
    for left, top in ((ax, ay), (bx, by), (bx, ay)):
        d.grid(left, top, side, side, cell, "#8a8a8a", 1)
    d.box(bx + j * cell, ay + i * cell, cell, cell, BLACK, BLACK, 3)
    d.text(ax, by + size - 12, "a_tile", code=True)
    d.text(bx + size, by - 12, "b_tile", anchor="end", code=True)
    d.line(bx + j * cell + cell / 2, by + size, bx + j * cell + cell / 2, ay + i * cell - 4, BLACK, 3, arrow=True)
    d.line(ax + size, ay + i * cell + cell / 2, bx + j * cell - 4, ay + i * cell + cell / 2, BLACK, 3, arrow=True)
    d.text(40, 706, f"A thread makes one element of C. In a step it reads {side} elements of A and {side} of B")
    d.text(40, 744, f"for {side} fmas. Each element that the block has brought is read by {side} threads.")
    return d


def matmul_registers():
    file = "matmul/kernels/5_registers.cuh"
    side, thread, depth = constant(file, "side"), constant(file, "thread_side"), constant(file, "depth")
    apart = side // thread
    vectorized = "matmul/kernels/6_vectorized.cuh"
    if (constant(vectorized, "side"), constant(vectorized, "depth")) != (side, depth):
        sys.exit("drawings.py: registers and vectorized have different tiles")
    d = Drawing(876, f"A block's {side} × {side} elements of C, a thread's {thread} × {thread}",
                f"Two drawings of a block's tile of C with {depth} columns of A beside it and {depth} rows of B above it. In registers a thread's elements are "
                f"{apart} rows and columns apart. In vectorized they are four squares of 4 by 4, {apart} rows and 32 columns apart, in a warp's 32 by 64.")
    scale, strip, y = 3.6, 5, 220
    size = side * scale

    def panel(x, name, rows, columns, words, warp=None):
        left, top = x + depth * strip + 24, y
        d.text(x, 112, name, 28, code=True, weight="bold")
        d.box(left, top - depth * strip - 22, size, depth * strip, ORANGE, BLACK, 3)
        d.box(x, top, depth * strip, size, SKY, BLACK, 3)
        d.box(left, top, size, size, WHITE, BLACK, 3)
        if warp:
            wx, wy, w, h = warp
            d.box(left + wx * scale, top + wy * scale, w * scale, h * scale, PALE, BLACK, 3, "10 6")
        now = 3
        d.box(x + now * strip, top, strip, size, WHITE, BLACK, 1)
        d.box(left, top - depth * strip - 22 + now * strip, size, strip, WHITE, BLACK, 1)
        for r in rows:
            d.line(x + depth * strip, top + (r + 0.5) * scale, left + size, top + (r + 0.5) * scale, "#7ab8dc", 1.5)
        for c in columns:
            d.line(left + (c + 0.5) * scale, top - 22, left + (c + 0.5) * scale, top + size, "#e0a05c", 1.5)
        for r in rows:
            d.box(x + now * strip - 3, top + (r + 0.5) * scale - 5, 11, 10, BLUE, BLACK, 1)
        for c in columns:
            d.box(left + (c + 0.5) * scale - 5, top - depth * strip - 22 + now * strip - 3, 10, 11, VERMILLION, BLACK, 1)
        for r in rows:
            for c in columns:
                d.box(left + (c + 0.5) * scale - 4.5, top + (r + 0.5) * scale - 4.5, 9, 9, BLACK, BLACK, 0)
        d.text(left + size, top - depth * strip - 34, f"{depth} rows of B, k ↓", anchor="end")
        d.text(x, top + size + 38, f"{depth} columns of A, k →")
        d.lines(left, top + size + 76, words)

    px, py = 5, 9
    panel(40, "registers", [py + apart * i for i in range(thread)], [px + apart * j for j in range(thread)],
          [f"{apart} rows and columns apart;", f"at each step along k", f"{2 * thread} loads for {thread * thread} fmas"])
    lane, warp = 5, 2
    y0 = warp // 2 * 32 + 4 * ((lane & 1) + (lane >> 4) * 2)
    x0 = warp % 2 * 64 + 4 * (lane >> 1 & 7)
    panel(672, "vectorized", [y0 + i // 4 * 16 + i % 4 for i in range(8)], [x0 + j // 4 * 32 + j % 4 for j in range(8)],
          ["squares of 4 × 4 (dashed: the", "32 × 64 of its warp);", f"{2 * thread // 4} loads for {thread * thread} fmas"], (warp % 2 * 64, warp // 2 * 32, 64, 32))
    return d


WIDTH_BITS = HEIGHT_BITS = 6  # of the smallest array of words that access_patterns reads: 16 KB


def fields(bits, kept, first, second):
    """Of pattern.hpp: two fields of an index's bits change places."""
    def mask(n):
        return (1 << n) - 1
    return lambda i: i & mask(bits) & ~(mask(first + second) << kept) | (i & mask(first) << kept) << second | i >> first & mask(second) << kept


def morton(i):
    x = sum((i >> 2 * bit & 1) << bit for bit in range(16))
    y = sum((i >> 2 * bit + 1 & 1) << bit for bit in range(16))
    return x | y << WIDTH_BITS


def rotated(degrees):
    """At angles up to 45 degrees, where no quarter turn comes first."""
    tangent = round(65536 * math.tan(math.radians(degrees) / 2))
    sine = round(65536 * math.sin(math.radians(degrees)))

    def at(i):
        x, y = i % (1 << WIDTH_BITS), i >> WIDTH_BITS
        x = (x - (tangent * y >> 16)) % (1 << WIDTH_BITS)
        y = (y + (sine * x >> 16)) % (1 << HEIGHT_BITS)
        x = (x - (tangent * y >> 16)) % (1 << WIDTH_BITS)
        return y << WIDTH_BITS | x
    return at


def mixed(bits, then):
    mask, half = (1 << bits) - 1, bits // 2

    def at(i):
        low = i & mask
        for factor in (0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35):
            low = low * factor & mask
            low ^= low >> half
        return then(i & ~mask | low)
    return at


def patterns():
    """access_patterns/pattern.cpp's, of words in the smallest array."""
    bits = WIDTH_BITS + HEIGHT_BITS

    def tiles(width, height):
        return fields(bits, width, height, WIDTH_BITS - width)
    made = {"rows": fields(bits, 0, 0, 0), "columns": fields(bits, 0, HEIGHT_BITS, WIDTH_BITS), "tile_8x8": tiles(3, 3), "tile_32x8": tiles(5, 3),
            **{f"stride_{1 << log}": fields(bits, 0, bits - log, log) for log in range(1, 7)},
            "morton": morton, "rotated": rotated(30), "random": mixed(bits, fields(bits, 0, 0, 0)), "random_in_tile": mixed(10, tiles(5, 5))}
    source = (ROOT / "access_patterns/pattern.cpp").read_text(encoding="utf-8")
    named = re.findall(r'(?:\{|stride_row<\d>\()"(\w+)"', source[source.index("patterns() {"):])
    if named != list(made):
        sys.exit(f"drawings.py: access_patterns has the patterns {named}")
    return made


def access_patterns():
    plane_lanes = lanes_at_a_time()[1]
    d = Drawing(1596, "Fourteen orders: the words that the first warp reads",
                "For each of the fourteen patterns a plane of 64 words a row, of which 32 rows are drawn, with the 32 words that the first warp reads, in "
                "their order, and the sectors of 32 bytes that they lie in; and how many sectors a plain load and a fetch from a CUDA array touch.")
    cell, wide, rows, block = 6, 1 << WIDTH_BITS, 32, constant("access_patterns/pattern.hpp", "walk_threads")
    for place, (name, pattern) in enumerate(patterns().items()):
        x, y = 40 + place % 3 * 408, 116 + place // 3 * 292
        elements = [pattern(i) for i in range(block)]
        touched, plain = sectors_of(elements[:WARP], wide, False, WARP)
        in_array = sectors_of(elements[:WARP], wide, True, plane_lanes)[1]
        d.text(x, y - 8, name, TEXT, weight="bold", code=True)
        d.box(x, y, wide * cell, rows * cell, WHITE, BLACK, 2)

        def rectangles(of, fill, line, thick, less=0.0):
            d.path("".join(f"M{number(x + left * cell + less)} {number(y + up * cell + less)}h{number(w * cell - 2 * less)}v{number(h * cell - 2 * less)}"
                           f"h{number(2 * less - w * cell)}z" for left, up, w, h in of if up < rows), line, thick, fill)
        sectors = [rectangle_of(sector, wide, False) for sector in sorted(touched)]
        words = [(e % wide, e // wide, 1, 1) for e in elements]
        rectangles(sectors, ORANGE, ORANGE, 0)
        rectangles(words[WARP:], LATER, LATER, 0)
        rectangles(sectors, "none", BROWN, 1.5)
        rectangles(words[:WARP], BLUE, BLUE, 0, 0.7)
        d.text(x, y + rows * cell + 34, f"plain {plain}, array {in_array}")
    x, y = 40 + 2 * 408, 112 + 4 * 292
    for i, (fill, line, says) in enumerate(((BLUE, BLUE, "a word of the first warp"), (ORANGE, BROWN, "a sector that it touches"),
                                            (LATER, LATER, "the block's other warps"))):
        d.box(x, y + 44 * i, 36, 30, fill, line, 3)
        d.text(x + 52, y + 44 * i + 25, says)
    d.lines(x, y + 164, ["plain: sectors of a plain load", "array: of a fetch from a", "CUDA array"], step=34)
    d.text(40, 1568, "The smallest array, 64 × 64 words: its upper half. There stride_64 runs down a column.")
    return d


DRAWINGS = {
    "heat-stencil": heat_stencil, "heat-tile": heat_tile, "heat-time-tile": heat_time_tile, "heat-registers": heat_registers, "heat-fused": heat_fused,
    "texture-layouts": texture_layouts, "tex1dfetch_big-split": big_split, "tex1dfetch_int2float-curve": int2float_curve, "matmul-tiled": matmul_tiled,
    "matmul-registers": matmul_registers, "access_patterns-patterns": access_patterns}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if docs/drawings/ is not what this makes")
    check = parser.parse_args().check
    wanted = {FOLDER / f"{name}.svg": make().svg() for name, make in DRAWINGS.items()}
    wrong = [path for path in FOLDER.glob("*") if path not in wanted]
    for path, text in wanted.items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if check:
            wrong.append(path)
            continue
        FOLDER.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print("wrote", path.relative_to(ROOT))
    for path in wrong:
        print(f"drawings.py: {path.relative_to(ROOT)} is not what this script makes; run scripts/drawings.py, or remove it", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
