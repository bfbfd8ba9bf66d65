#!/usr/bin/env python3
"""Makes the tables of the lecture pages from results/DEVICE/*.json.

Each page says where its table stands: between `<!-- table: NAME KIND -->` and `<!-- end -->`, where NAME is one of LINES
and KIND is cuda or cpu. A table is about one machine, that of DEVICE; those of GPUS compare all GPUs that were measured.
Run it again after a measurement; it writes only what has changed. With --check it writes nothing, and refuses a table that is not of
results/ and a figure in the prose that is not (prose.py). Pages may be named; without, it takes all, and the decks of docs/course/slides/, but not the
changelog, whose figures are of their time. The tables of *.zh.md have Chinese words (chinese.py); translations.py compares the figures of
their prose with those of the English page.
"""
import argparse
import csv
import functools
import itertools
import math
import pathlib
import re
import sys

import chinese
import prose
import result_files

ROOT = result_files.ROOT
ACCESS_TABLES = ("access_patterns", "access_patterns_rates", "access_patterns_bytes", "access_patterns_units", "access_patterns_reasons")
REPORT = {"headline": "heat", "occupancy_timelines": "occupancy", "heat_paths": "heat", "heat_shown": "heat_notexture", "matmul_errors": "matmul", "matmul_sizes": "matmul",
          **dict.fromkeys(ACCESS_TABLES, "access_patterns"), "texture_unit_main": "texture_unit", "occupancy_rates": "occupancy",
          **{f"{program}_counters": program for program in ("heat", "heat_notexture", "tex1dfetch_big", "matmul")}}  # tables that are not named like their report
DEVICE = {"cuda": "nvidia-h200", "cpu": "amd-epyc"}
HEAT_SIZES = (1024, 4096, 8192)
MARKER = re.compile(r"(<!-- table: (\w+) (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def report_of(folder, program):
    """A program's report, with those of the same device; None: it was not measured there."""
    reports = result_files.read(folder)
    return reports[program] | {"others": reports, "device_folder": folder} if program in reports else None


def number(value):
    if value is None:
        return ""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def lines_of(columns, rows, words=1):
    """Columns: titles. Rows: first so many words, then numbers."""
    yield "| " + " | ".join(columns) + " |"
    yield "|---" * words + "|--:" * (len(columns) - words) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def by_kernel_and_launch(results):
    """Rows of a table: the results of each kernel and launch, by the width of the grid."""
    rows = {}
    for result in results:
        rows.setdefault((result["kernel"], result.get("launch", "")), {})[result["width"]] = result
    return rows


def heat_table(title, rows, figures, with_launch):
    """A row for each kernel and launch; for some sizes the columns `figures`, pairs of a name and a title."""
    columns = ["kernel"] + (["launch"] if with_launch else [])
    for size in HEAT_SIZES:
        columns += [f"{size}²: {figures[0][1]}"] + [text for _, text in figures[1:]]
    cells = [[f"`{kernel}`"] + ([launch] if with_launch else []) +
             [number(by_size.get(size, {}).get(name)) for size in HEAT_SIZES for name, _ in figures]
             for (kernel, launch), by_size in rows.items()]
    return [title, "", *lines_of(columns, cells, 1 + with_launch)]


def heat(report):
    """The steps of a frame; the whole frame; what limits each kernel. The other path's kernels are on their own page."""
    rows = by_kernel_and_launch([r for r in report["results"] if not r["kernel"].endswith("_global")] + report.get("peers", []))
    cuda = report["device"]["kind"] == "cuda"
    share = "% of ceiling" if cuda else "% of copy"
    lines = heat_table("The steps of a frame, in ms, and their share of what limits the kernel:", rows,
                       [("ms", "ms"), ("percent_of_ceiling", share)], cuda)
    graphs = {key: by_size for key, by_size in rows.items() if key[1] != "as in the text"}
    lines += ["", *heat_table("The same steps as billions of cells a second, and a whole frame, whose picture comes to the host, in ms:",
                              graphs, [("gcells_per_s", "Gcells/s"), ("ms_per_frame", "frame, ms")], False)]
    if cuda:
        kernels = {kernel: by_size[HEAT_SIZES[0]] for (kernel, _), by_size in rows.items()}
        lines += ["", "What limits a kernel, and what it occupies of a multiprocessor:", "",
                  *lines_of(["kernel", "ceiling", "registers", "occupancy, %"],
                            [[f"`{kernel}`", r["ceiling"], number(r["registers"]), number(r["occupancy_percent"])]
                             for kernel, r in kernels.items()], 2)]
    return lines


def heat_paths(report):
    """Each kernel that reads through textures beside its counterpart that reads global memory: the steps of a frame, in ms."""
    rows = by_kernel_and_launch(report["results"])
    others = by_kernel_and_launch(report["others"]["heat_notexture"]["results"])
    textures = [kernel for kernel, launch in rows if launch == "graph" and not kernel.endswith("_global")]
    textures.remove("surface")  # which has no counterpart
    counterparts = [kernel for kernel, launch in others if launch == "graph" and kernel != "prefetched"]  # which has none with textures
    same_run = all((f"{kernel}_global", "graph") in rows for kernel in counterparts)
    cells = []
    for texture, other in zip(textures, counterparts):
        beside = rows[f"{other}_global", "graph"] if same_run else others[other, "graph"]
        cells.append([f"`{texture}`", f"`{other}_global`"] +
                     [number(by_size.get(size, {}).get("ms")) for size in HEAT_SIZES for by_size in (rows[texture, "graph"], beside)])
    run = "both paths in the same run" if same_run else "global memory in a run of heat_notexture"
    columns = ["textures", "global memory"] + [text for size in HEAT_SIZES for text in (f"{size}²: textures", "global")]
    return [f"The steps of a frame, launched as a graph, in ms; {run}:", "", *lines_of(columns, cells, 2)]


def heat_shown(report):
    """A frame of kernel `streamed` until it is at the host, alone and while others follow, and until it is drawn in a window: a row
    for each size, and a column for each way that was measured."""
    columns = {"ms": "steps, ms", "ms_per_frame": "at the host", "ms_per_frame_in_steady_run": "in a steady run",
               "ms_of_copy_to_host": "the copy alone", "ms_per_frame_shown_by_copy": "in the window by copy",
               "ms_per_frame_shown_by_interop": "by interop"}
    results = [r for r in report["results"] if r["kernel"] == "streamed" and r["launch"] == "graph"]
    names = [name for name in columns if any(r.get(name) for r in results)]
    rows = [[f"{r['width']}²"] + [number(r.get(name)) for name in names] for r in results]
    return lines_of(["grid"] + [columns[name] for name in names], rows)


def captioned(*tables):
    """Several tables, one below the other, each a caption, its columns and its rows: one would be too wide for a page."""
    for caption, columns, rows in tables:
        if caption != tables[0][0]:
            yield ""
        yield caption + ":"
        yield ""
        yield from lines_of(columns, rows)


def tex1dfetch_big(report):
    """A row for each kernel and width, of which the CPU's kernel has none; columns for some sizes of the array."""
    measured = {}
    for result in report["results"]:
        measured.setdefault((result["kernel"], result.get("components")), {})[result["size_mb"]] = result
    peer = report["results"][0]["kernel"]
    sizes = sorted({size for by_size in measured.values() for size in by_size})
    if len(sizes) > 5:
        sizes = [size for size in sizes if size in (1, 64, 2048, 8192, sizes[-1])]

    def cells(by_size, figure):
        return [number(by_size.get(size, {}).get(figure)) for size in sizes]

    def shares(kernel, by_size):
        return [number(100) if kernel == peer else share for share in cells(by_size, "percent_of_peer")]

    def name(kernel, components):
        return f"`{kernel}`" + (f", {components}" if components else "")

    if report["device"]["kind"] == "cpu":
        rows = [[name(*key)] + [cell for size in zip(cells(by_size, "ms"), cells(by_size, "gb_per_s"), shares(key[0], by_size)) for cell in size]
                for key, by_size in measured.items()]
        return lines_of(["kernel"] + [title for size in sizes for title in (f"{size} MB: ms", "GB/s", f"% of {peer}")], rows)
    first = ["kernel, components"]
    titles = [f"{size} MB" for size in sizes]
    shares_rows = []
    for key, by_size in measured.items():
        any_size = next((result for result in by_size.values() if "registers" in result), {})
        shares_rows.append([name(*key)] + shares(key[0], by_size) + [number(any_size.get("registers")), number(any_size.get("occupancy_percent"))])
    return captioned(("GB/s", first + titles, [[name(*key)] + cells(by_size, "gb_per_s") for key, by_size in measured.items()]),
                     ("ms", first + titles, [[name(*key)] + cells(by_size, "ms") for key, by_size in measured.items()]),
                     (f"% of {peer}'s rate, and what a kernel takes of a multiprocessor", first + titles + ["registers", "occupancy, %"], shares_rows))


def tex1dfetch_int2float(report):
    """A row for each format: what was read, and the rate of each kernel."""
    formats = {}
    for result in report["results"]:
        formats.setdefault((result["format"], result["read_mode"]), {})[result["kernel"]] = result
    kernels = list(dict.fromkeys(result["kernel"] for result in report["results"]))
    values, rates = [], []
    for (name, mode), by_kernel in formats.items():
        first = by_kernel[kernels[0]]
        values.append([f"{name}, {mode}", str(sum(r["values_checked"] for r in by_kernel.values())),
                       str(sum(r["mismatches"] for r in by_kernel.values())), first["smallest"], first["largest"], first["past_the_end"]])
        rates.append([f"{name}, {mode}"] + [number(by_kernel[kernel].get(figure))
                                            for figure in ("gb_per_s", "percent_of_ceiling") for kernel in kernels])
    return captioned(("Values", ["format, read mode", "values checked", "mismatches", "smallest", "largest", "past the end"], values),
                     ("Rates", ["format, read mode"] + [f"`{kernel}`: GB/s" for kernel in kernels] +
                      [f"`{kernel}`: % of copy" for kernel in kernels], rates))


def squares_of(report):
    """The results of matmul's square matrices by kernel and size, and the sizes that its tables show."""
    squares, peer = {}, report["results"][-1]["kernel"]
    for result in report["results"]:
        if result["m"] == result["n"] == result["k"]:
            squares.setdefault(result["kernel"], {})[result["m"]] = result
    return squares, [size for size in (1024, 2048, 4096, 8192) if size in squares[peer]][-3:]


def matmul(report):
    """A row for each kernel, the peer last; columns for some square sizes."""
    (squares, sizes), peer = squares_of(report), report["results"][-1]["kernel"]

    def rows(*figures):
        return [[f"`{kernel}`"] + [number(by_size[size].get(figure)) for size in sizes for figure in figures] for kernel, by_size in squares.items()]

    def columns(*titles):
        return ["kernel"] + [title if i > 0 else f"{size}³: {title}" for size in sizes for i, title in enumerate(titles)]

    tables = [(f"TFLOP/s, and the share of {peer}'s", columns("TFLOP/s", f"% of {peer}"), rows("tflops", f"percent_of_{peer}")),
              ("ms, and the share of the peak", columns("ms", "% of peak"), rows("ms", "percent_of_peak"))]
    if report["device"]["kind"] == "cuda":
        taken = [[f"`{kernel}`"] + [str(by_size[sizes[-1]].get(figure, "")) for figure in ("registers", "shared_bytes")] +
                 [number(by_size[sizes[-1]].get("occupancy_percent")), by_size[sizes[-1]].get("occupancy_limit", "")]
                 for kernel, by_size in squares.items() if "registers" in by_size[sizes[-1]]]
        tables.append(("What a kernel takes of a multiprocessor", ["kernel", "registers", "shared bytes", "occupancy, %", "limited by"], taken))
    return captioned(*tables)


def matmul_sizes(report):
    """TFLOP/s at the shapes that are not in matmul's table: a row for each kernel, a column for each shape."""
    _, sizes = squares_of(report)
    shapes, kernels = {}, {}
    for result in report["results"]:
        m, n, k = (result[side] for side in "mnk")
        if not (m == n == k and m in sizes):
            shapes.setdefault((m, n, k), f"{m}³" if m == n == k else f"{m} × {n} × {k}")
            kernels.setdefault(result["kernel"], {})[m, n, k] = result
    return lines_of(["kernel"] + list(shapes.values()),
                    [[f"`{kernel}`"] + [number(by_shape.get(shape, {}).get("tflops")) for shape in shapes] for kernel, by_shape in kernels.items()])


def matmul_errors(report):
    """Errors of the kernels that do not give the reference's bits: a row for each k of the square sizes."""
    rows = {}
    for result in report["results"]:
        if result["m"] == result["n"] == result["k"] and "relative_error" in result:
            rows.setdefault(result["k"], {})[result["kernel"]] = result
    kernels = list(next(iter(rows.values())))
    return lines_of(["k", "float32"] + [f"`{kernel}`" for kernel in kernels],
                    [[str(k), f"{by_kernel[kernels[0]]['relative_error_of_fp32']:.2e}"] +
                     [f"{by_kernel[kernel]['relative_error']:.2e}" if kernel in by_kernel else "" for kernel in kernels]
                     for k, by_kernel in rows.items()])


TEXTURE_MAIN = ("point", "point_global", "linear", "linear_prefetched", "linear_global", "linear_exact", "wrap", "wrap_exact", "bicubic", "bicubic_prefetched",
                "bicubic_prefetched_exact", "cubemap", "cubemap_exact", "mipmap", "mipmap_exact")


def texture_unit(report, only=None):
    """What each lesson takes by the unit and by hand, at three sizes; the table of a function on its own. Of some kernels only: at the two larger sizes."""
    lessons, sizes = {}, []
    for result in report["results"]:
        if "ms" in result:
            sizes = list(dict.fromkeys(sizes + [result["texels"]]))
            lessons.setdefault(result["lesson"], {}).setdefault(result["kernel"], {})[result["texels"]] = result
    rows, lookups = [], []
    shown = sizes[1:] if only else sizes
    for lesson, kernels in lessons.items():
        for kernel, by_size in kernels.items():
            cells = [f"`{kernel}`", by_size[sizes[0]]["memory"]]
            for size in shown:
                cells += [number(1000 * by_size[size]["ms"]), number(by_size[size]["percent_of_ceiling"])]
            unit = next(iter(kernels.values()))
            cells += ["" if by_size is unit else number(by_size[size]["ms"] / unit[size]["ms"]) for size in sizes[1:]]
            if lesson == "lookup":
                lookups.append(cells)
            elif not only or kernel in only:
                rows.append(cells)
    columns = ["kernel", "memory"] + [title for size in shown for title in (f"{size}²: µs", "% of floor")]
    columns += [f"times the unit's, {size}²" for size in sizes[1:]]
    return captioned(("A picture, and the share of its time that memory or the unit would need alone", columns, rows),
                     ("A function by a table of 256 entries", columns, lookups))


ACCESS_WAYS = ("global", "ldg", "linear", "pitched", "array", "surface", "wide")
ACCESS_TEXTURES = ("linear", "pitched", "array", "wide")
ACCESS_REASONS = {"M": "memory", "C": "the L2", "U": "a multiprocessor's cache or texture unit", "W": "waiting", "B": "the bus", "?": "not counted"}


def access_counters(report):
    """What Nsight Compute counted, by kernel, pattern and size of elements: of the array that does not fit into the cache."""
    path = result_files.RESULTS / f"access_patterns-counters-{report['device_folder'].name}.csv"
    if not path.exists():
        return {}
    with open(path, encoding="utf-8") as file:
        return {(row["kernel"], row["pattern"], int(row["element_bytes"])):
                {name: float(value) for name, value in row.items() if name not in ("kernel", "pattern")} for row in csv.DictReader(file)}


def access_reason(result, counted, in_cache):
    """The letter of why a row is under 80 % of its floor, and the share of the time, in percent, that shows it."""
    if result["place"] == "mapped":
        return "B", None  # nothing counts the bus
    if counted is None:
        return "?", None
    if in_cache:  # the stages do the same work per element in the cache, in less time
        share = counted["us"] / (1000 * result["ms"] * in_cache)
        unit, tags = share * counted["l1_percent"], share * counted["l2_tags_percent"]
        return ("U", min(unit, 100)) if unit >= 75 else ("C", min(tags, 100)) if tags >= 75 else ("W", max(unit, tags))
    memory, cache, unit = (counted[name] for name in ("memory_percent", "l2_percent", "l1_percent"))
    if memory >= 80:
        return "M", memory
    return ("C", cache) if cache >= 80 else ("U", unit) if unit >= 70 else ("W", max(cache, unit))


def access_patterns(which, report):
    """One of ACCESS_TABLES: G elements a second by pattern and way, out of the cache, and where a texture wins; the same of other sizes and places; what
    memory moved; what the units do at most; and why rows are far from their floor."""
    rows = [r for r in report["results"] if "pattern" in r]
    patterns = list(dict.fromkeys(r["pattern"] for r in rows))
    sizes = sorted({r["size_kb"] for r in rows if r["place"] == "device"})
    counted = access_counters(report)
    elements = sorted({r["element_bytes"] for r in rows})
    by = {(r["place"], r["size_kb"], r["element_bytes"], r["pattern"], r["kernel"]): r for r in rows}

    def select(place, size, element):
        ways = [way for way in ACCESS_WAYS if (place, size, element, patterns[0], way) in by]
        return ways, [[f"`{pattern}`"] + [number(by[place, size, element, pattern, way]["gelements_per_s"]) for way in ways] for pattern in patterns]

    def rates(place, size, element, where):
        ways, cells = select(place, size, element)
        return (f"Elements of {element} byte{'s' if element > 1 else ''} {where}, 10⁹ a second", ["pattern"] + [f"`{way}`" for way in ways], cells)

    def best(size, element, pattern, ways):
        return max((by["device", size, element, pattern, way] for way in ways if ("device", size, element, pattern, way) in by),
                   key=lambda r: r["gelements_per_s"])

    def wins(size, where):
        cells = []
        for pattern in patterns:
            cells.append([f"`{pattern}`"])
            for element in elements:
                texture, load = best(size, element, pattern, ACCESS_TEXTURES), best(size, element, pattern, ("global", "ldg"))
                cells[-1].append(f"{texture['gelements_per_s'] / load['gelements_per_s']:.2f} {texture['kernel']}")
        return (f"The best texture's rate over the best plain load's, {where}", ["pattern"] + [f"{element} B" for element in elements], cells)

    def moved(way):
        known = [element for element in elements if (way, patterns[0], element) in counted]
        cells = []
        for pattern in patterns:
            cells.append([f"`{pattern}`"])
            for element in known:
                figures = counted[way, pattern, element]
                cells[-1] += [number(by["device", sizes[-1], element, pattern, way]["bytes_per_element"])]
                cells[-1] += [number(round(figures[name], 2)) for name in ("arrived_bytes", "memory_bytes")]
        return (f"Bytes for an element by `{way}`: by the rule for a block, arrived at the multiprocessors, sent by memory (Nsight Compute)",
                ["pattern"] + [title for element in known for title in (f"{element} B: rule", "arrived", "sent")], cells)

    mapped = sorted({r["size_kb"] for r in rows if r["place"] == "mapped"})
    ceilings = report["ceilings"]
    units = ("What the units do at most, 10⁹ elements a second", ["way"] + [f"{element} B" for element in elements],
             [[f"`{way}`"] + [number(ceilings.get(f"{way}_{element}_bytes_gelements_per_s")) for element in elements] for way in ACCESS_WAYS])
    places = [("device", sizes[-1], "out of the cache"), ("device", sizes[0], "in the cache")] + [("mapped", size, "in mapped memory") for size in mapped]
    shares, letters = {}, []
    for place, size, where in places:
        in_cache = sizes[-1] / size if (place, size) == ("device", sizes[0]) else 0
        of_place = [element for element in elements if (place, size, element, patterns[0], "global") in by]
        ways = [way for way in ACCESS_WAYS if (place, size, of_place[0], patterns[0], way) in by]
        cells = []
        for pattern in patterns:
            cells.append([f"`{pattern}`"])
            for way in ways:
                text = ""
                for element in of_place:
                    result = by.get((place, size, element, pattern, way))
                    if result is None or result["percent_of_floor"] >= 80:
                        text += "·"
                        continue
                    letter, share = access_reason(result, counted.get((way, pattern, element)), in_cache)
                    text += letter
                    shares.setdefault((where, letter), []).append((result["percent_of_floor"], share))
                cells[-1].append(text)
        sizes_text = ", ".join(str(element) for element in of_place)
        letters.append((f"Rows under 80 % of their floor {where}: a letter for each size of elements, {sizes_text} bytes; · for the others",
                        ["pattern"] + [f"`{way}`" for way in ways], cells))

    def span(values):
        return f"{min(values):.0f} to {max(values):.0f}" if values else ""

    reasons = [[f"{letter}: {ACCESS_REASONS[letter]}", where, str(len(found)), span([of_floor for of_floor, _ in found]),
                span([share for _, share in found if share is not None])] for (where, letter), found in shares.items()]
    tables = {
        "access_patterns": [rates("device", sizes[-1], 4, "out of the cache"), wins(sizes[-1], "out of the cache")],
        "access_patterns_rates": [rates("device", sizes[-1], 1, "out of the cache"), rates("device", sizes[0], 4, "in the cache"), wins(sizes[0], "in the cache"),
                                  *(rates("mapped", size, 4, "in mapped memory") for size in mapped)],
        "access_patterns_bytes": [moved("global"), moved("array")] if counted else [],
        "access_patterns_units": [units],
        "access_patterns_reasons": [("Why rows are under 80 % of their floor", ["reason", "array", "rows", "% of floor", "busy, %"], reasons), *letters]}
    return captioned(*tables[which])


def occupancy_timelines(report):
    """Each vector addition: its waves, its end as predicted and as seen, and how far the resident warps are apart over time."""
    rows = [[f"`{r['kernel']}`", f"{r['blocks']} of {r['threads']}", str(r["blocks_at_once"]), f"{r['full_waves']} full, then {r['tail_blocks']}",
             number(r["predicted_us"]), number(r["seen_us"]), number(r["prediction_error_percent"])]
            for r in report["results"] if "predicted_us" in r]
    return lines_of(["kernel", "blocks of threads", "at a time", "waves", "predicted end, µs", "seen, µs", "apart, %"], rows, 4)


def occupancy(which, report):
    """For each kernel, `occupancy`: where its curves bend; `occupancy_rates`: its rate over occupancy, a column for each number of things under way."""
    tables = {"occupancy": [], "occupancy_rates": []}
    for kernel, unit, title, things in (("memory_bound", "gb_per_s", "GB/s", "loads"), ("arithmetic_bound", "tflops", "TFLOP/s", "chains")):
        points, bends = {}, []
        for r in report["results"]:
            if r["kernel"] == kernel and unit in r:
                points.setdefault(r["warps_per_multiprocessor"], {})[r["under_way"]] = r
                if r["bend"]:
                    under_way = [number(r["bytes_under_way"] / 1024)] if kernel == "memory_bound" else [str(r["under_way"] * r["warps_per_multiprocessor"])]
                    bends.append([str(r["under_way"]), str(r["warps_per_multiprocessor"]), number(r["occupancy_percent"])] + under_way +
                                 [number(r[unit]), number(r["percent_of_ceiling"])])
        columns = sorted(next(iter(points.values())))
        rows = [[str(warps), number(next(iter(by.values()))["occupancy_percent"])] + [number(by[c][unit]) for c in columns] for warps, by in points.items()]
        tables["occupancy_rates"].append((f"`{kernel}`: {title}, by {things} of a thread under way",
                                          ["warps", "occupancy, %"] + [f"{c} {things if c > 1 else things[:-1]}" for c in columns], rows))
        tables["occupancy"].append((f"Where `{kernel}` bends",
                                    [things, "warps", "occupancy, %", "KB under way" if kernel == "memory_bound" else "fmas of warps under way",
                                     title, "% of ceiling"], bends))
    return captioned(*tables[which])


CEILINGS = {"copy_gb_per_s": "a copy in its memory, measured in the same run: {:.0f} GB/s",
            "step_arithmetic_gcells_per_s": "a step's arithmetic alone: {:.0f} Gcells/s",
            "fp32_peak_tflops": "float32 peak by clock and cores: {:.1f} TFLOP/s",
            "gfetches_per_s": "fetches without a filter, from a multiprocessor's cache: {:.0f} Gfetches/s",
            "linear_gfetches_per_s": "with a linear filter: {:.0f} Gfetches/s",
            "read_gb_per_s": "reads of its memory: {:.0f} GB/s",
            "cache_read_gb_per_s": "of the cache of all multiprocessors: {:.0f} GB/s",
            "mapped_read_gb_per_s": "of mapped memory: {:.1f} GB/s",
            "fma_tflops": "nothing but fmas, measured in the same run: {:.2f} TFLOP/s"}


OF_A_TABLE = re.compile("_walk_|_bytes_")  # access_patterns' ceilings of single patterns and ways


def texture_reference_cost(report):
    """A fetch through a reference beside one through an object, and what a binding costs the host: a row for each."""
    columns = ("ms", "gb_per_s", "percent_of_object", "us_per_launch", "us_per_bind")
    rows = [[f"{r['kernel']} ({r['memory']})"] + [number(r.get(name)) for name in columns] for r in report["results"]]
    return lines_of(["", "ms", "GB/s", "% of object", "µs a launch", "µs more with a bind"], rows)


# For the tables of memory requests: the arguments of the run that the table shows; the number of words, cells
# or fmas of a kernel's launch, in units of a warp's 32; and the kernels that are launched once per frame, and
# so belong to no step.
COUNTED = {"heat": ("--headless --frames 1 --steps-per-frame 4 --no-verify --width 256 --height 256", lambda kernel, launches: 4 * 256 * 256 / 32),
           "heat_notexture": ("--headless --frames 1 --steps-per-frame 4 --no-verify --width 256 --height 256", lambda kernel, launches: 4 * 256 * 256 / 32),
           "tex1dfetch_big": ("1", lambda kernel, launches: launches * 2 ** 20 / 4 / 32),
           "matmul": ("--size 256", lambda kernel, launches: launches * 256 ** 3 / 32)}
COUNTED_ONCE = ("mark_tiles_kernel", "write_sources_kernel")
COUNTED_FIGURES = {"global loads: requests": "global_load_requests", "sectors": "global_load_sectors",
                   "texture fetches: requests": "texture_requests", "sectors ": "texture_sectors",
                   "global stores: requests": "global_store_requests", "sectors  ": "global_store_sectors",
                   "shared memory: wavefronts": "shared_wavefronts", "bank conflicts": "shared_bank_conflicts"}


def counters(program, report):
    """What each kernel asks of memory, for each warp's 32 cells and step, words or fmas: Nsight Compute's figures, which the emulated GPU
    counts too (counters-compare.py is a test)."""
    arguments, warps = COUNTED[program]
    rows = {}
    with open(result_files.RESULTS / f"counters-{report['device_folder'].name}.csv", encoding="utf-8") as file:
        for line in csv.DictReader(file):
            if (line["program"], line["arguments"]) != (program, arguments) or line["kernel"] in COUNTED_ONCE:
                continue
            kernel = re.search("<(.*)>", line["kernel"])
            name = f"`{line['row']}`" + (f", {COMPONENTS[kernel[1]]}" if kernel and kernel[1] in COMPONENTS else "")
            figure = re.sub("shared_(load|store)_wavefronts", "shared_wavefronts", line["figure"])
            figures = rows.setdefault(name, {})
            figures[figure] = figures.get(figure, 0) + int(line["count"]) / warps(line["kernel"], int(line["launches"]))
    shown = {title: figure for title, figure in COUNTED_FIGURES.items() if any(figures.get(figure, 0) >= 0.0005 for figures in rows.values())}
    return lines_of(["kernel"] + [title.strip() for title in shown],
                    [[name] + [number(figures[figure]) if figures.get(figure) else "" for figure in shown.values()] for name, figures in rows.items()])


COMPONENTS = {"unsigned int": "1", "uint2": "2", "uint4": "4"}


def headline(report):
    """The programs: the job, and a figure beside what one would use instead. From all reports of the device."""
    def find(program, **fields):
        return next(r for r in report["others"][program]["results"] if all(r.get(name) == value for name, value in fields.items()))

    def heat_at(program, kernel, launch):
        steps, pace = (find(program, kernel=kernel, launch=launch, width=width) for width in (1024, 8192))
        return f"{number(steps['ms'])} ms, {number(pace['gcells_per_s'])} Gcells/s"

    def heat_row(program, job):
        ours, peer = (result_files.beside_the_peer(report["device_folder"].name, name)[8192] for name in (program, "FastStencil in float"))
        return [f"[{program}]({program}/README.md)", job,
                "90 steps of 1024², and the pace at 8192²: " + heat_at(program, "streamed", "graph"),
                f"[FastStencil](docs/notebook/heat_notexture.md#how-streamed-was-found) (SC'26) in float, 96 steps of 8192²: {number(peer)} Gcells/s, and "
                f"`streamed` beside it {number(ours)}; a step a launch (`fused`): {heat_at(program, 'fused', 'graph')}; "
                f"the book's way: {heat_at(program, 'book', 'as in the text')}"]

    def rate(kernel, program="tex1dfetch_big", **fields):
        return number(find(program, kernel=kernel, **fields)["gb_per_s"]) + " GB/s"

    def flops(kernel):
        return number(find("matmul", kernel=kernel, m=8192, n=8192, k=8192)["tflops"])

    int2float = {"program": "tex1dfetch_int2float", "format": "unsigned char", "read_mode": "normalized float"}
    def pixels(kernel, beside=""):
        if "texture_unit" not in report["others"]:  # not measured yet
            return ""
        return beside + number(find("texture_unit", kernel=kernel, texels=8192)["gpixels_per_s"]) + " Gpixels/s"

    def elements(kernel, beside):
        if "access_patterns" not in report["others"]:  # not measured yet
            return ""
        return beside + number(find("access_patterns", kernel=kernel, pattern="columns", element_bytes=4, place="device", size_kb=262144)["gelements_per_s"]) + " Gelements/s"

    def apart():
        if "occupancy" not in report["others"]:  # not measured yet
            return ""
        most = max(r.get("prediction_error_percent", 0) for r in report["others"]["occupancy"]["results"])
        return f"resident warps over time, predicted and seen: {number(most)} % apart at most"

    rows = [heat_row("heat_notexture", "CUDA by Example, chapter 7: heat flows through a room, read through global memory"),
            heat_row("heat", "the same room, read through textures, and both in turn"),
            ["[tex1dfetch_big](tex1dfetch_big/README.md)", "CUDA Handbook, 10.4.1: adds up an array that is larger than any texture",
             "8 GB through textures: " + rate("texture", size_mb=8192, components=4), "CUB's sum: " + rate("cub", size_mb=8192)],
            ["[tex1dfetch_int2float](tex1dfetch_int2float/README.md)", "CUDA Handbook, 10.4.2: how the texture unit turns integers into floats, every value of every format",
             "bytes to floats by the texture unit: " + rate("texture", **int2float), "by plain loads and arithmetic: " + rate("global", **int2float)],
            ["[matmul](matmul/README.md)", "programming guide 1.1, chapter 6: multiplies matrices, from its tile to the tensor cores",
             f"8192³ in float32 (`auto`): {flops('auto')} TFLOP/s; on tensor cores with nearly its precision (`f16x3`): {flops('f16x3')}",
             f"cuBLAS in float32: {flops('cublas')} TFLOP/s; in TF32, which is less precise: {flops('cublas_tf32')}"],
            ["[texture_unit](texture_unit/README.md)", "programming guide 5.0, appendix E: what the texture unit does beside reading memory, from filters to mipmaps and cube maps; and surfaces",
             pixels("bicubic_prefetched", "8192² floats by cubic splines of four linear fetches (`bicubic_prefetched`): "),
             pixels("bicubic_prefetched_exact", "by sixteen loads (`bicubic_prefetched_exact`): ")],
            ["[access_patterns](access_patterns/README.md)", "the handbook's and CUDA by Example's reasons for reading through a texture, asked anew: 14 orders, 7 ways to memory, 5 sizes of elements",
             elements("array", "256 MB of words column by column, through a texture over a CUDA array: "), elements("global", "by plain loads: ")],
            ["[occupancy](occupancy/README.md)", "the oneAPI guide's chapter on occupancy: what a multiprocessor holds, which block runs when, and whether it matters",
             apart(), "the calculator's one number, which knows no waves and no tail"]]
    return lines_of(["program", "the job", "measured", "what one would use instead"], rows, 4)


def heat_gpus(kernels, measured):
    """Of each GPU the pace of some kernels, by the width of the grid."""
    cells = []
    for report in measured:
        rows = by_kernel_and_launch(report["results"])
        sizes = sorted({result["width"] for result in report["results"]})
        cells += [[report["device"]["name"], f"`{kernel}`", *(number(rows[kernel, "graph"][size]["gcells_per_s"]) for size in sizes),
                   number(rows[kernel, "graph"][sizes[-1]]["percent_of_ceiling"])] for kernel in kernels if (kernel, "graph") in rows]
    return lines_of(["GPU", "Gcells/s", *(f"{size}²" for size in sizes), f"{sizes[-1]}²: % of ceiling"], cells, 2)


def matmul_gpus(kernels, measured):
    """Of each GPU the TFLOP/s of some kernels, by the shape."""
    shapes, cells = {}, []
    for report in measured:
        by_shape = {}
        for result in report["results"]:
            m, n, k = shape = tuple(result[side] for side in "mnk")
            shapes[shape] = f"{m}³" if m == n == k else f"{m} × {n} × {k}"
            by_shape[result["kernel"], shape] = result
        cells += [[report["device"]["name"], f"`{kernel}`", *(number(by_shape[kernel, shape].get("tflops")) for shape in shapes)] for kernel in kernels]
    return lines_of(["GPU", "TFLOP/s", *shapes.values()], cells, 2)


def predictions_of(device, name="predictions"):
    """The rows of results/NAME-DEVICE.csv, with the ratio of the predicted time to the measured one."""
    with open(result_files.RESULTS / f"{name}-{device}.csv", encoding="utf-8") as file:
        return [row | {"ratio": float(row["predicted_ms"]) / float(row["measured_ms"])} for row in csv.DictReader(file)]


def predictions(_reports):
    """How far predicted times are from measured ones: the median of the differences, and the difference that nine of ten do not exceed. Of the pairs
    of kernels whose measured times at one size differ by a tenth or more, how many are predicted in the right order."""
    def errors_of(rows):
        errors = sorted(abs(row["ratio"] - 1) for row in rows)
        times = [(row["program"], row["row"], float(row["measured_ms"]), float(row["predicted_ms"])) for row in rows]
        pairs = [(a, b) for a, b in itertools.combinations(times, 2) if a[:2] == b[:2] and max(a[2], b[2]) >= 1.1 * min(a[2], b[2])]
        right = sum((a[2] < b[2]) == (a[3] < b[3]) for a, b in pairs)
        return [str(len(errors)), *(f"{100 * errors[int(len(errors) * part)]:.0f} %" for part in (0.5, 0.9)), f"{right} of {len(pairs)}"]
    rows = []
    for device, name in {"nvidia-h200": "H200", "nvidia-h100-80gb-hbm3": "H100"}.items():
        of_device = predictions_of(device)
        for program in dict.fromkeys(row["program"] for row in of_device):
            rows.append([name, f"`{program}`", *errors_of([row for row in of_device if row["program"] == program])])
        rows.append([name, "all", *errors_of(of_device)])
    return lines_of(["GPU", "program", "rows", "median difference", "nine of ten within", "pairs in the right order"], rows, words=2)


LIMITS_OF_NCU = {"device memory": "device memory", "L2 cache": "L2", "L1 and shared memory": "L1", "texture unit": "L1", "issue slots": "multiprocessor",
                 "fp32 pipe": "multiprocessor", "fp64 pipe": "multiprocessor", "integer pipe": "multiprocessor", "special functions": "multiprocessor",
                 "constant memory": "multiprocessor"}  # the others are latency for Nsight Compute


def predictions_others(_reports):
    """The same for kernels of other people, by the suite that they are from, and for how many the limit is that of Nsight Compute."""
    every = predictions_of("nvidia-h200", "other-kernels")
    rows = []
    for suite in dict.fromkeys(row["program"].split("/")[0] for row in every):
        of_suite = [row for row in every if row["program"].split("/")[0] == suite]
        errors = sorted(abs(row["ratio"] - 1) for row in of_suite)
        same = sum(LIMITS_OF_NCU.get(row["limited_by"], "latency") == row["limited_by_ncu"] for row in of_suite)
        rows.append([suite, str(len(errors)), *(f"{100 * errors[int(len(errors) * part)]:.0f} %" for part in (0.5, 0.9)), f"{same} of {len(errors)}"])
    return lines_of(["suite", "kernels", "median difference", "nine of ten within", "limited as by Nsight Compute"], rows, words=1)


def predictions_worst(_reports):
    """The ten rows of an H200 whose predicted times are furthest from the measured ones."""
    worst = sorted(predictions_of("nvidia-h200"), key=lambda row: -abs(math.log(row["ratio"])))[:10]
    return lines_of(["program", "kernel", "size", "limited by", "measured, ms", "predicted / measured"],
                    [[f"`{row['program']}`", f"`{row['kernel']}`", row["row"], row["limited_by"], number(float(row["measured_ms"])), f"{row['ratio']:.2f}"] for row in worst], words=4)


def predicted_ladder(program, row, kernels, _reports):
    """Some kernels of a program at one size on an H200: what limits them, and their times, predicted and measured."""
    found = {one["kernel"]: one for one in predictions_of("nvidia-h200") if one["program"] == program and one["row"] == row}
    return lines_of(["kernel", "limited by", "predicted, ms", "measured, ms"],
                    [[f"`{kernel}`", found[kernel]["limited_by"], *(number(float(found[kernel][time])) for time in ("predicted_ms", "measured_ms"))] for kernel in kernels],
                    words=2)


GPUS = {"predictions": predictions, "predictions_worst": predictions_worst, "predictions_others": predictions_others,
        "predicted_heat": functools.partial(predicted_ladder, "heat_notexture", "8192 x 8192", ["book", "fused", "tiled", "temporal", "registers"]),
        "predicted_matmul": functools.partial(predicted_ladder, "matmul", "512 x 512 x 512", ["naive", "texture", "tiled", "small_tiles"]),
        "predicted_patterns": functools.partial(predicted_ladder, "access_patterns", "32 MB, columns by 4", ["global", "linear", "pitched", "array"]),
        "matmul_gpus": functools.partial(matmul_gpus, ["auto", "cublas", "tf32x3", "f16x3", "tf32", "cublas_tf32"]),
        "heat_gpus": functools.partial(heat_gpus, ["book", "fused", "texture2d", "registers", "streamed"]),
        "heat_notexture_gpus": functools.partial(heat_gpus, ["book", "fused", "registers", "prefetched", "streamed"])}


LINES = {"headline": headline, "heat": heat, "heat_notexture": heat, "heat_paths": heat_paths, "heat_shown": heat_shown,
         "matmul": matmul, "matmul_errors": matmul_errors, "matmul_sizes": matmul_sizes,
         "tex1dfetch_big": tex1dfetch_big, "tex1dfetch_int2float": tex1dfetch_int2float, "texture_unit": texture_unit,
         "texture_unit_main": functools.partial(texture_unit, only=TEXTURE_MAIN),
         **{name: functools.partial(access_patterns, name) for name in ACCESS_TABLES}, "occupancy_timelines": occupancy_timelines,
         **{name: functools.partial(occupancy, name) for name in ("occupancy", "occupancy_rates")},
         **{f"{program}_counters": functools.partial(counters, program) for program in COUNTED}, "texture_reference_cost": texture_reference_cost}


ROWS_UNFOLDED = 15


def folded(lines):
    """The same lines, with each table of many rows folded away. GitHub renders it only between empty lines."""
    rows = []
    for line in [*lines, None]:
        if line is not None and line.startswith("|"):
            rows.append(line)
            continue
        if len(rows) - 2 > ROWS_UNFOLDED:
            yield from (f"<details><summary>The table, {len(rows) - 2} rows</summary>", "", *rows, "", "</details>")
        else:
            yield from rows
        rows = []
        if line is not None:
            yield line


def table(name, report):
    device = report["device"]
    text = device["name"] + (f", {device['threads']} threads" if "threads" in device else "")
    for ceiling, value in report.get("ceilings", {}).items():
        if not OF_A_TABLE.search(ceiling):
            text += "; " + CEILINGS[ceiling].format(value)
    return text + ".\n\n" + "\n".join(folded(LINES[name](report))) + "\n"


def table_of_gpus(name):
    measured = [report for report in (report_of(folder, name.removesuffix("_gpus")) for folder in result_files.devices()) if report]
    return "\n".join(folded(GPUS[name]([report for report in measured if report["device"]["kind"] == "cuda"]))) + "\n"


def fill(match, page=None):
    begin, name, kind, _, end = match.groups()
    text = table_of_gpus(name) if name in GPUS else table(name, report_of(result_files.RESULTS / DEVICE[kind], REPORT.get(name, name)))
    return begin + (chinese.table(text, page.parent) if page and is_chinese(page) else text) + end


def is_chinese(page):
    return page.name.endswith(".zh.md")


def pages():
    """All but the changelog, and the answers, most of whose figures are counted on the emulated GPU: test_answers.sh runs their commands."""
    course = ROOT / "docs" / "course"
    return [page for page in sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("*/*.md")) if page.name != "CHANGELOG.md"] + [
        course / "README.md", *sorted((course / "slides").glob("*.md")), *sorted((ROOT / "docs" / "notebook").glob("*.md"))]


def check(page):
    """(line, what is wrong) of a page."""
    text = page.read_text(encoding="utf-8")
    return sorted([(text.count("\n", 0, match.start()) + 1, "the table is not made from results/: run scripts/tables.py")
                   for match in MARKER.finditer(text) if fill(match, page) != match[0]] +
                  ([] if is_chinese(page) else prose.refusals(text)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; refuse what is not of results/")
    parser.add_argument("page", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    refused = False
    for page in arguments.page or pages():
        name = page.relative_to(ROOT) if page.is_relative_to(ROOT) else page
        if arguments.check:
            for line, what in check(page):
                print(f"{name}:{line}: {what}", file=sys.stderr)
                refused = True
            continue
        text = page.read_text(encoding="utf-8")
        filled = MARKER.sub(functools.partial(fill, page=page), text)
        if filled != text:
            page.write_text(filled, encoding="utf-8")
            print("wrote", name)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
