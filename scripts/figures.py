#!/usr/bin/env python3
"""Draws the figures of the pages from results/DEVICE/*.json and results/clusters/, as results/*.png. Needs matplotlib (python3-matplotlib)."""
import csv
import json

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

import result_files  # noqa: E402

ROOT = result_files.ROOT


def rate_over_size(report, path):
    """GB/s of tex1dfetch_big's kernels against the size of the array; its peer as a line."""
    series = {}
    for result in report["results"]:
        if "gb_per_s" in result:
            key = (result["kernel"], result.get("components"))
            series.setdefault(key, []).append((result["size_mb"], result["gb_per_s"]))
    figure, axes = plt.subplots(figsize=(9, 5.5), dpi=110)
    colours = {1: "tab:orange", 2: "tab:green", 4: "tab:blue"}
    styles = {"texture": "o-", "global": "s--", "book": "x:"}
    for (kernel, components), points in series.items():
        sizes, rates = zip(*points)
        if components is None:
            axes.plot(sizes, rates, "-", color="0.4", linewidth=4, alpha=0.5, label=f"{kernel}'s sum", zorder=1)
        else:
            axes.plot(sizes, rates, styles[kernel], color=colours[components], markersize=5, label=f"{kernel} by {components}")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks([2**k for k in range(0, 18, 2)], [f"{2**k}" if k < 10 else f"{2**(k - 10)}k" for k in range(0, 18, 2)])
    axes.set_yticks([10, 30, 100, 300, 1000, 3000], ["10", "30", "100", "300", "1000", "3000"])
    axes.set_xlabel("size of the array, MB")
    axes.set_ylabel("GB/s")
    axes.set_title(f"Adding up an array, by 1, 2 or 4 components ({report['device']['name']})")
    axes.grid(alpha=0.3)
    axes.legend(ncols=2, fontsize=9, loc="center right", bbox_to_anchor=(0.99, 0.56))
    figure.tight_layout()
    figure.savefig(path)
    print("wrote", path.relative_to(ROOT))


def pace_over_size(report, path):
    """Gcells/s of the kernels of heat or heat_notexture against the side of the grid; in heat, heat_notexture's kernels dashed; the limits as lines."""
    series = {}
    for result in report["results"]:
        if result["launch"] == "graph" and "gcells_per_s" in result:  # which a result that was left out has not
            series.setdefault(result["kernel"], []).append((result["width"], result["gcells_per_s"]))
    figure, axes = plt.subplots(figsize=(11, 5.5), dpi=110)
    compared = [kernel for kernel in series if kernel.endswith("_global")]
    for kernels, style in (([kernel for kernel in series if kernel not in compared], "o-"), (compared, "s--")):
        for i, kernel in enumerate(kernels):
            axes.plot(*zip(*series[kernel]), style, color=f"C{i}", markersize=5, linewidth=2, label=kernel)
    sides = [side for side, _ in next(iter(series.values()))]
    device = path.stem.partition("-")[2]
    peer = {side: pace for side, pace in result_files.beside_the_peer(device, "FastStencil in float").items() if side in sides}
    if peer:
        axes.plot(peer.keys(), peer.values(), "x-", color="0.4", markersize=6, linewidth=1.5, label="FastStencil (96 steps, no sources)")
    ceilings = report["ceilings"]
    # The limit of kernels that do one step per launch.
    axes.axhline(ceilings["copy_gb_per_s"] / 8, color="0.35", linestyle="--", zorder=1)
    axes.text(sides[0], ceilings["copy_gb_per_s"] / 8 * 1.06, "a copy in memory", ha="left", fontsize=8.5, color="0.25")
    axes.axhline(ceilings["step_arithmetic_gcells_per_s"], color="0.35", linestyle=":", zorder=1)
    axes.text(sides[0], ceilings["step_arithmetic_gcells_per_s"] * 1.06, "the arithmetic of a step alone", ha="left", fontsize=8.5, color="0.25")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_ylim(top=ceilings["step_arithmetic_gcells_per_s"] * 1.7)
    axes.set_xticks(sides, [f"{side}²" for side in sides])
    ticks = [20, 50, 100, 200, 500, 1000, 2000, 5000]
    axes.set_yticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()
    axes.set_xlabel("grid, cells")
    axes.set_ylabel("billions of cells stepped a second")
    axes.set_title(f"{report['sample']}, 90 steps, kernel by kernel ({report['device']['name']})")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=9, loc="center left", bbox_to_anchor=(1.01, 0.5))
    figure.tight_layout()
    figure.savefig(path)
    print("wrote", path.relative_to(ROOT))


def ladder(report, path):
    """TFLOP/s of matmul's kernels at three sizes; its peer and the float32 peak as lines."""
    sizes, peer = (2048, 4096, 8192), "cublas"
    measured = {}
    for result in report["results"]:
        if result["m"] == result["n"] == result["k"] and "tflops" in result:
            measured.setdefault(result["kernel"], {})[result["m"]] = result["tflops"]
    kernels = [kernel for kernel in measured if kernel != peer]
    figure, axes = plt.subplots(figsize=(9, 5.5), dpi=110)
    shades = ("#9ecae1", "#4292c6", "#08519c")
    for i, size in enumerate(sizes):
        places = [k + (i - 1) * 0.27 for k in range(len(kernels))]
        axes.barh(places, [measured[kernel][size] for kernel in kernels], 0.25, color=shades[i], label=f"{size}³", zorder=2)
    for k, kernel in enumerate(kernels):
        axes.text(measured[kernel][sizes[-1]] + 1, k + 0.27, f"{measured[kernel][sizes[-1]]:.3g}", va="center", fontsize=8)
    if peer in measured:
        axes.axvline(measured[peer][sizes[-1]], color="tab:orange", linestyle="--", zorder=3, label=f"cuBLAS, float32, {sizes[-1]}³")
    axes.axvline(report["ceilings"]["fp32_peak_tflops"], color="0.35", linestyle=":", zorder=3, label="float32 peak")
    axes.set_yticks(range(len(kernels)), kernels)
    axes.invert_yaxis()
    axes.set_xlabel("TFLOP/s")
    axes.set_title(f"C = A B, kernel by kernel ({report['device']['name']})")
    axes.grid(alpha=0.3, axis="x")
    axes.legend(fontsize=9, loc="upper right")
    figure.tight_layout()
    figure.savefig(path)
    print("wrote", path.relative_to(ROOT))


def unit_and_hand(report, path):
    """The time of each of texture_unit's lessons at the largest size: by the unit and by hand, the quickest of several; the floor as a mark."""
    size = max(result["texels"] for result in report["results"] if "ms" in result)
    lessons = {}
    for result in report["results"]:
        if result.get("texels") == size and "ms" in result:
            unit = result["memory"] not in ("global", "shared", "constant")
            best = lessons.setdefault(result["lesson"], {})
            if unit not in best or result["ms"] < best[unit]["ms"]:
                best[unit] = result
    lessons = {lesson: best for lesson, best in lessons.items() if len(best) == 2}
    figure, axes = plt.subplots(figsize=(9, 6.5), dpi=110)
    for unit, offset, colour, label in ((True, -0.2, "tab:blue", "by the texture unit"), (False, 0.2, "tab:orange", "by hand")):
        times = [1000 * best[unit]["ms"] for best in lessons.values()]
        floors = [10 * best[unit]["ms"] * best[unit]["percent_of_ceiling"] for best in lessons.values()]
        places = [i + offset for i in range(len(lessons))]
        axes.barh(places, times, 0.38, color=colour, label=label, zorder=2)
        axes.plot(floors, places, "|", color="0.15", markersize=9, label="what memory or the unit would take alone" if not unit else None, zorder=3)
        for place, time in zip(places, times):
            axes.text(time + 8, place, f"{time:.0f}", va="center", fontsize=8)
    axes.set_yticks(range(len(lessons)), lessons)
    axes.invert_yaxis()
    axes.set_xlabel(f"µs for {size} × {size} pixels, from a texture that no cache holds")
    axes.set_title(f"What the texture unit saves ({report['device']['name']})")
    axes.grid(alpha=0.3, axis="x")
    axes.legend(fontsize=9, loc="upper right")
    figure.tight_layout()
    figure.savefig(path)
    print("wrote", path.relative_to(ROOT))


def rate_in_parts(reports, path):
    """Cells a second of heat_notexture over the number of GPUs: measured on up to eight, by the model of docs/clusters.md for more, and the ideal."""
    one_gpu, depth, latency, bandwidth = 1.99e12, 15, 9e-6, 80e9

    def modelled(side, gpus):
        def border(columns):
            return min(columns - 1, 2) * 4 * side / (gpus // columns) + min(gpus // columns - 1, 2) * side / columns

        columns = min((c for c in range(1, gpus + 1) if gpus % c == 0), key=border)
        rows = gpus // columns
        width, height = side / columns, side / rows
        above, beside = min(rows - 1, 2), min(columns - 1, 2)
        strips = (50 * above * width + 128 * beside * height) * depth / one_gpu
        inside = (width + 16 * beside) * (height + depth * above) * depth / one_gpu
        exchange = sum(latency + 4 * depth * cells / bandwidth for cells in [width] * (above > 0) + [height] * (beside > 0))
        return side**2 * depth / (strips + 10e-6 + 1.4e-9 * width + max(inside, exchange))

    figure, axes = plt.subplots(figsize=(9, 5.5), dpi=110)
    counts = [2**k for k in range(8)]
    axes.plot(counts, [one_gpu * count / 1e12 for count in counts], "-", color="0.4", linewidth=1, label="ideal", zorder=1)
    for side, colour in {2048: "tab:red", 4096: "tab:purple", 8192: "tab:orange", 16384: "tab:green", 32768: "tab:blue"}.items():
        measured = {}
        for count in counts[1:4]:
            result = next(r for r in reports[f"registers_{count}"]["results"] if r["width"] == side)
            measured[1] = result["gcells_per_s_of_one"] / 1e3
            measured[count] = result["gcells_per_s"] / 1e3
        axes.plot(counts[1:], [modelled(side, count) / 1e12 for count in counts[1:]], "--", color=colour, linewidth=1)
        axes.plot(list(measured), list(measured.values()), "o-", color=colour, markersize=5, label=f"{side}²")
    axes.plot([], [], "--", color="0.3", linewidth=1, label="the model")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.set_xticks(counts, counts)
    ticks = [2**k for k in range(8)]
    axes.set_yticks(ticks, ticks)
    axes.set_xlabel("GPUs")
    axes.set_ylabel("10¹² cells stepped a second")
    axes.set_title(f"heat_notexture in parts, measured on one to eight GPUs ({reports['registers_8']['device']['name']}, NVLink)")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=9)
    figure.tight_layout()
    figure.savefig(path)
    print("wrote", path.relative_to(ROOT))


def predicted_over_measured(files, path):
    """The predicted time of each row of results/ as a part of the measured one, against the measured one; a panel for each title and file of `files`.
    Ratios below 1/5 and above 5 are drawn at the edge."""
    figure, panels = plt.subplots(1, len(files), figsize=(14, 5.5), dpi=110, sharey=True)
    for axes, (title, name) in zip(panels, files.items()):
        with open(result_files.RESULTS / name, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for group in dict.fromkeys(row["program"].split("/")[0] for row in rows):  # a program of cudabook, or a suite
            of_group = [(float(row["measured_ms"]), float(row["predicted_ms"])) for row in rows if row["program"].split("/")[0] == group]
            axes.plot([measured for measured, _ in of_group], [min(max(predicted / measured, 0.2), 5) for measured, predicted in of_group], "o", markersize=4, alpha=0.7, label=group, clip_on=False)
        axes.axhspan(1 / 1.35, 1.35, color="tab:green", alpha=0.12, zorder=0)
        axes.axhline(1, color="0.4", linewidth=1)
        axes.set_xscale("log")
        axes.set_yscale("log", base=2)
        axes.set_yticks([0.25, 0.5, 1, 2, 4], ["1/4", "1/2", "1", "2", "4"])
        axes.set_ylim(0.2, 5)
        axes.set_xlabel("measured, ms")
        axes.set_title(title)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
    panels[0].set_ylabel("predicted / measured (green: within 35 %; at the edge: further off)")
    figure.tight_layout()
    figure.savefig(path)
    print("wrote", path.relative_to(ROOT))


DRAWERS = {"texture_unit": unit_and_hand, "heat_notexture": pace_over_size, "heat": pace_over_size, "tex1dfetch_big": rate_over_size, "matmul": ladder}
for folder in result_files.devices():
    reports = result_files.read(folder)
    for sample, draw in DRAWERS.items():
        if sample in reports and reports[sample]["device"]["kind"] == "cuda":
            draw(reports[sample], result_files.RESULTS / f"{sample}-{folder.name}.png")
clusters = result_files.RESULTS / "clusters"
rate_in_parts(json.loads((clusters / "eight-nvidia-h200.json").read_text()), clusters / "eight-nvidia-h200.png")
predicted_over_measured({"H200": "predictions-nvidia-h200.csv", "H100, to which nothing was fitted": "predictions-nvidia-h100-80gb-hbm3.csv",
                         "H200, programs of other people": "other-kernels-nvidia-h200.csv"}, result_files.RESULTS / "predictions.png")
