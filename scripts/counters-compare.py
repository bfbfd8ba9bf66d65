#!/usr/bin/env python3
"""counters-compare.py NCU.csv COUNTED.json: what Nsight Compute counted on a GPU beside what the emulated GPU counted.

NCU.csv     ncu --csv --page raw --metrics "$(scripts/counters-compare.py --metrics)" PROGRAM --kernel all ... > NCU.csv
COUNTED.json  the same PROGRAM and options with --device emulated --counters --json COUNTED.json
Prints a Markdown table with a row for each kernel and figure: the mean of a launch, and the difference in percent. Exit status 1 if
requests or sectors differ, or bank conflicts by more than 2 %.
"""
import csv
import json
import sys
from collections import defaultdict

# The emulated GPU's figure, the metric, and the percent by which they may differ.
FIGURES = [
    ("global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 0),
    ("global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 0),
    ("global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 0),
    ("global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 0),
    ("shared_load_requests", "smsp__inst_executed_op_shared_ld.sum", 0),
    ("shared_load_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 2),
    ("shared_load_bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 2),
    ("shared_store_requests", "smsp__inst_executed_op_shared_st.sum", 0),
    ("shared_store_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 2),
    ("shared_store_bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 2),
    ("texture_requests", "smsp__inst_executed_op_texture.sum", 0),
]


def bare(name):
    """A kernel's name without return type, namespaces, template arguments and parameters."""
    return name.split("(")[0].split("<")[0].split("::")[-1].split()[-1]


def means_of_ncu(lines):
    """{kernel: {metric: mean of a launch}} from ncu's raw page."""
    rows = list(csv.reader(line for line in lines if line.startswith('"')))
    names, launches = rows[0], rows[2:]  # the second row has the units
    sums, counts = defaultdict(lambda: defaultdict(float)), defaultdict(int)
    for row in launches:
        kernel = bare(row[names.index("Kernel Name")])
        counts[kernel] += 1
        for _, metric, _ in FIGURES:
            if metric in names:
                sums[kernel][metric] += float(row[names.index(metric)].replace(",", "") or 0)
    return {kernel: {metric: total / counts[kernel] for metric, total in of_kernel.items()}
            for kernel, of_kernel in sums.items()}


def means_of_emulation(report):
    """{kernel: {figure: mean of a launch}} from the program's JSON."""
    sums, counts = defaultdict(lambda: defaultdict(float)), defaultdict(int)
    for result in report["results"]:
        for kernel in result.get("counters", []):
            name = bare(kernel["kernel"])
            counts[name] += kernel["launches"]
            for figure, _, _ in FIGURES:
                sums[name][figure] += kernel[figure]
    return {kernel: {figure: total / counts[kernel] for figure, total in of_kernel.items()}
            for kernel, of_kernel in sums.items()}


def main(arguments):
    if arguments == ["--metrics"]:
        print(",".join(metric for _, metric, _ in FIGURES))
        return 0
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as file:
        measured = means_of_ncu(file)
    with open(arguments[1], encoding="utf-8") as file:
        counted = means_of_emulation(json.load(file))
    different = False
    print("| kernel | figure | Nsight Compute | emulated | difference |")
    print("|---|---|---:|---:|---:|")
    for kernel, figures in counted.items():
        for figure, metric, allowed in FIGURES:
            real = measured.get(kernel, {}).get(metric)
            if real is None or (real == 0 and figures[figure] == 0):
                continue
            percent = 100 * (figures[figure] - real) / real if real else float("inf")
            wrong = abs(percent) > allowed
            different |= wrong
            print(f"| {kernel} | {figure} | {real:,.1f} | {figures[figure]:,.1f} | {percent:+.2f} %{' !' if wrong else ''} |")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
