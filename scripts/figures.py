#!/usr/bin/env python3
"""Draws the figures of the lecture pages from results/*.json, as results/*.png. Needs matplotlib (python3-matplotlib)."""
import json
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent


def rate_over_size(report, path):
    """GB/s of tex1dfetch_big's kernels over the size of the array; its peer as a line."""
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


for file in sorted((ROOT / "results").glob("*.json")):
    report = json.loads(file.read_text()).get("tex1dfetch_big")
    if report and report["device"]["kind"] == "cuda":
        rate_over_size(report, ROOT / "results" / f"tex1dfetch_big-{file.stem}.png")
