#!/usr/bin/env python3
"""Makes the tables of the lecture pages from results/*.json.

Each page says where its table stands: between `<!-- table: ROOM KIND -->` and `<!-- end -->`, where ROOM is a report
of the JSON files and KIND is cuda or cpu. Run it again after a measurement; it writes only what has changed.
"""
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPORT = {"heat_shown": "heat_notexture", "matmul_sizes": "matmul", "matmul_errors": "matmul"}  # tables that are not named like their report
MARKER = re.compile(r"(<!-- table: (\w+) (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def reports(room, kind):
    """The committed reports of a room on devices of a kind."""
    for path in sorted((ROOT / "results").glob("*.json")):
        report = json.loads(path.read_text()).get(REPORT.get(room, room))
        if report and report["device"]["kind"] == kind:
            yield report


def number(value):
    if value is None:
        return ""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def lines_of(columns, rows):
    """Columns: titles, the first that of the names. Rows: a name, then the cells."""
    yield "| " + " | ".join(columns) + " |"
    yield "|---" + "|--:" * (len(columns) - 1) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def heat(report):
    """A row for each kernel and launch, with the peers of the run; columns for some widths of the grid."""
    measured = {}
    for result in report["results"] + report.get("peers", []):
        measured.setdefault((result["kernel"], result.get("launch", "")), {})[result["width"]] = result
    cuda = report["device"]["kind"] == "cuda"
    columns = [(1024, "occupancy_percent", "occupancy, %"), (1024, "registers", "registers"), (1024, "ceiling", "ceiling")] if cuda else []
    for size in (1024, 4096, 8192):
        columns += [(size, "ms", f"{size}²: ms"), (size, "ms_per_frame", "ms a frame"), (size, "gcells_per_s", "Gcells/s"),
                    (size, "percent_of_ceiling", "% of ceiling" if cuda else "% of copy")]
    rows = []
    for (kernel, launch), by_size in measured.items():
        cells = [f"`{kernel}`" + (f", {launch}" if launch else "")]
        for size, name, _ in columns:
            value = by_size.get(size, {}).get(name)
            cells.append(value if isinstance(value, str) else number(value))
        rows.append(cells)
    return lines_of(["kernel"] + [title for _, _, title in columns], rows)


def heat_shown(report):
    """A frame of kernel `registers` until it is at the host, and until it is drawn in a window, each way: a row for each size."""
    names = ("ms", "ms_per_frame", "ms_per_frame_shown_by_copy", "ms_per_frame_shown_by_interop")
    rows = [[f"{r['width']}²"] + [number(r.get(name)) for name in names] for r in report["results"]
            if r["kernel"] == "registers" and r["launch"] == "graph"]
    return lines_of(["`registers`", "steps, ms", "at the host", "in the window by copy", "by interop"], rows)


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


CEILINGS = {"copy_gb_per_s": "a copy in its memory, measured in the same run: {:.0f} GB/s",
            "step_arithmetic_gcells_per_s": "a step's arithmetic alone: {:.0f} Gcells/s",
            "fp32_peak_tflops": "float32 peak by clock and cores: {:.1f} TFLOP/s",
            "fma_tflops": "nothing but fmas, measured in the same run: {:.2f} TFLOP/s"}


def texture_reference_cost(report):
    """A fetch through a reference beside one through an object, and what a binding costs the host: a row for each."""
    columns = ("ms", "gb_per_s", "percent_of_object", "us_per_launch", "us_per_bind")
    rows = [[f"{r['kernel']} ({r['memory']})"] + [number(r.get(name)) for name in columns] for r in report["results"]]
    return lines_of(["", "ms", "GB/s", "% of object", "µs a launch", "µs more with a bind"], rows)


LINES = {"texture_reference_cost": texture_reference_cost, "matmul": matmul, "matmul_sizes": matmul_sizes, "matmul_errors": matmul_errors,
         "heat": heat, "heat_notexture": heat, "heat_shown": heat_shown, "tex1dfetch_big": tex1dfetch_big, "tex1dfetch_int2float": tex1dfetch_int2float}


def table(room, report):
    device = report["device"]
    text = device["name"] + (f", {device['threads']} threads" if "threads" in device else "")
    for name, value in report.get("ceilings", {}).items():
        text += "; " + CEILINGS[name].format(value)
    return text + ".\n\n" + "\n".join(LINES[room](report)) + "\n"


def fill(match):
    begin, room, kind, _, end = match.groups()
    return begin + "\n".join(table(room, report) for report in reports(room, kind)) + end


for page in sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("*/*.md")):
    text = page.read_text()
    filled = MARKER.sub(fill, text)
    if filled != text:
        page.write_text(filled)
        print("wrote", page.relative_to(ROOT))
