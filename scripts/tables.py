#!/usr/bin/env python3
"""Makes the tables of the lecture pages from results/*.json.

Each page says where its table stands: between `<!-- table: ROOM KIND -->` and `<!-- end -->`, where ROOM is a report
of the JSON files and KIND is cuda or cpu. Run it again after a measurement; it writes only what has changed.
"""
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPORT = {"heat_shown": "heat_notexture", "heat_paths": "heat", "matmul_sizes": "matmul", "matmul_errors": "matmul"}  # tables that are not named like their report
HEAT_SIZES = (1024, 4096, 8192)
MARKER = re.compile(r"(<!-- table: (\w+) (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def reports(room, kind):
    """The committed reports of a room on devices of a kind."""
    for path in sorted((ROOT / "results").glob("*.json")):
        results = json.loads(path.read_text())
        report = results.get(REPORT.get(room, room))
        if report and report["device"]["kind"] == kind:
            yield report | {"others": results}  # of the same device


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
    lines += ["", *heat_table("The same steps as billions of cells a second, and a whole frame, whose picture comes to the host, in ms:",
                              rows, [("gcells_per_s", "Gcells/s"), ("ms_per_frame", "frame, ms")], cuda)]
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
    counterparts = [kernel for kernel, launch in others if launch == "graph"]
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
    """A frame of kernel `registers` until it is at the host, and until it is drawn in a window, each way: a row for each size."""
    names = ("ms", "ms_per_frame", "ms_per_frame_shown_by_copy", "ms_per_frame_shown_by_interop")
    rows = [[f"{r['width']}²"] + [number(r.get(name)) for name in names] for r in report["results"]
            if r["kernel"] == "registers" and r["launch"] == "graph"]
    return lines_of(["grid", "steps, ms", "at the host", "in the window by copy", "by interop"], rows)


def tex1dfetch_big(report):
    """A row for each kernel and width, of which the CPU's kernel has none; columns for some sizes of the array."""
    measured = {}
    for result in report["results"]:
        measured.setdefault((result["kernel"], result.get("components")), {})[result["size_mb"]] = result
    peer = report["results"][0]["kernel"]
    sizes = sorted({size for by_size in measured.values() for size in by_size})
    if len(sizes) > 5:
        sizes = [size for size in sizes if size in (1, 64, 2048, 8192, sizes[-1])]
    columns = ["kernel, components" if any(components for _, components in measured) else "kernel"]
    for size in sizes:
        columns += [f"{size} MB: ms", "GB/s", f"% of {peer}"]
    cuda = report["device"]["kind"] == "cuda"
    rows = []
    for (kernel, components), by_size in measured.items():
        cells = [f"`{kernel}`" + (f", {components}" if components else "")]
        for size in sizes:
            result = by_size.get(size, {})
            share = 100 if kernel == peer else result.get("percent_of_peer")
            cells += [number(result.get("ms")), number(result.get("gb_per_s")), number(share)]
        if cuda:
            any_size = next((r for r in by_size.values() if "registers" in r), {})
            cells += [number(any_size.get("registers")), number(any_size.get("occupancy_percent"))]
        rows.append(cells)
    return lines_of(columns + (["registers", "occupancy, %"] if cuda else []), rows)


def tex1dfetch_int2float(report):
    """A row for each format; what was read, and the rate of each kernel."""
    formats = {}
    for result in report["results"]:
        formats.setdefault((result["format"], result["read_mode"]), {})[result["kernel"]] = result
    kernels = list(dict.fromkeys(result["kernel"] for result in report["results"]))
    columns = ["format, read mode", "values checked", "mismatches", "smallest", "largest", "past the end"]
    columns += [f"`{kernel}`: GB/s" for kernel in kernels] + [f"`{kernel}`: % of copy" for kernel in kernels]
    rows = []
    for (name, mode), by_kernel in formats.items():
        first = by_kernel[kernels[0]]
        cells = [f"{name}, {mode}", str(sum(r["values_checked"] for r in by_kernel.values())),
                 str(sum(r["mismatches"] for r in by_kernel.values())), first["smallest"], first["largest"],
                 first["past_the_end"]]
        cells += [number(by_kernel[kernel].get(figure)) for figure in ("gb_per_s", "percent_of_ceiling") for kernel in kernels]
        rows.append(cells)
    return lines_of(columns, rows)


def matmul(report):
    """A row for each kernel, the peer last; columns for some square sizes."""
    squares, peer = {}, report["results"][-1]["kernel"]
    for result in report["results"]:
        if result["m"] == result["n"] == result["k"]:
            squares.setdefault(result["kernel"], {})[result["m"]] = result
    sizes = [size for size in (1024, 2048, 4096, 8192) if size in squares[peer]][-3:]
    cuda = report["device"]["kind"] == "cuda"
    columns = ["kernel"] + (["registers", "shared bytes", "occupancy, %", "limit"] if cuda else [])
    for size in sizes:
        columns += [f"{size}³: ms", "TFLOP/s", f"% of {peer}", "% of peak"]
    rows = []
    for kernel, by_size in squares.items():
        cells = [f"`{kernel}`"]
        if cuda:
            any_size = by_size[sizes[-1]]
            cells += [str(any_size.get(figure, "")) for figure in ("registers", "shared_bytes")]
            cells += [number(any_size.get("occupancy_percent")), any_size.get("occupancy_limit", "")]
        for size in sizes:
            figures = ("ms", "tflops", f"percent_of_{peer}", "percent_of_peak")
            cells += [number(by_size[size].get(figure)) for figure in figures]
        rows.append(cells)
    return lines_of(columns, rows)


def matmul_sizes(report):
    """TFLOP/s: a row for each shape, a column for each kernel."""
    shapes = {}
    for result in report["results"]:
        shapes.setdefault((result["m"], result["n"], result["k"]), {})[result["kernel"]] = result
    kernels = list(dict.fromkeys(result["kernel"] for result in report["results"]))
    rows = [[f"{m} × {n} × {k}"] + [number(by_kernel[kernel].get("tflops")) for kernel in kernels]
            for (m, n, k), by_kernel in shapes.items()]
    return lines_of(["m × n × k"] + [f"`{kernel}`" for kernel in kernels], rows)


def matmul_errors(report):
    """Errors of the kernels that do not give the oracle's bits: a row for each k of the square sizes."""
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
         "heat": heat, "heat_notexture": heat, "heat_paths": heat_paths, "heat_shown": heat_shown, "tex1dfetch_big": tex1dfetch_big, "tex1dfetch_int2float": tex1dfetch_int2float}


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
