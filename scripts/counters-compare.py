#!/usr/bin/env python3
"""counters-compare.py: what the emulated GPU counts (--counters) beside what Nsight Compute counted on a GPU.

  counters-compare.py PROGRAMS [--markdown]      compares the programs of that folder with results/counters-nvidia-h200.csv; exit
                                                 status 1 if they differ
  counters-compare.py PROGRAMS --measure [NCU]   on a GPU: counts again with Nsight Compute (default: ncu), and writes that file

Requests, sectors and wavefronts must be equal but for what is KNOWN, bank conflicts within 2 %. All figures are sums over the launches of a run.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
from collections import defaultdict

RESULTS = pathlib.Path(__file__).parent.parent / "results" / "counters-nvidia-h200.csv"
COLUMNS = ["program", "arguments", "row", "kernel", "launches", "figure", "count"]

STEPS = "--headless --frames 1 --steps-per-frame 4 --no-verify "
HEAT_NOTEXTURE = ["book", "fused", "tiled", "registers"]
HEAT = ["book", "fused", "texture2d", "registers"]
MATMUL = ["naive", "texture", "texture2d", "tiled", "registers", "vectorized"]
RUNS = [  # program, arguments, rows of its table of kernels
    ("heat_notexture", STEPS + "--width 256 --height 256", HEAT_NOTEXTURE),
    ("heat_notexture", STEPS + "--width 250 --height 190", HEAT_NOTEXTURE),
    ("heat", STEPS + "--width 256 --height 256", HEAT),
    ("heat", STEPS + "--width 250 --height 190", HEAT),
    ("tex1dfetch_big", "1", ["book", "global", "texture"]),
    ("matmul", "--size 256", MATMUL),
    ("matmul", "--m 200 --n 136 --k 72", MATMUL),
    ("matmul", "--m 201 --n 133 --k 71", MATMUL),
]
ONCE_A_FRAME = ["mark_tiles_kernel", "write_sources_kernel"]  # compared, but not in the tables
OTHER_KERNELS = ["colour_kernel", "fill_kernel"]  # launched before and after the kernels of the rows

# For each figure of the emulated GPU, the metrics that add up to it, or several such sums, of which the first
# that has been measured counts. Metrics that begin with smsp__sass are counted by instructions that Nsight
# Compute adds to the kernel. The hardware's counters of sectors and wavefronts are wrong by a few in a
# thousand, differently in each run. A metric after a minus is subtracted.
L1 = "l1tex__t_{}_pipe_{}.sum"
SASS_SECTORS = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_{}.sum"
SASS_WAVEFRONTS = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_{}.sum"
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum"
FIGURES = {
    "global_load_requests": [L1.format("requests", "lsu_mem_global_op_ld")],
    "global_load_sectors": [SASS_SECTORS.format("ld")],
    "global_store_requests": [L1.format("requests", "lsu_mem_global_op_st")],
    "global_store_sectors": [SASS_SECTORS.format("st")],
    "global_atomic_requests": [L1.format("requests", "lsu_mem_global_op_red") + " " + L1.format("requests", "lsu_mem_global_op_atom")],
    "shared_load_requests": ["smsp__inst_executed_op_shared_ld.sum"],
    "shared_load_wavefronts": [SASS_WAVEFRONTS.format("ld")],
    "shared_store_requests": ["smsp__inst_executed_op_shared_st.sum"],
    "shared_store_wavefronts": [SASS_WAVEFRONTS.format("st")],
    "shared_bank_conflicts": ["memory_l1_wavefronts_shared -memory_l1_wavefronts_shared_ideal",
                              CONFLICTS.format("ld") + " " + CONFLICTS.format("st")],
    "texture_requests": ["smsp__inst_executed_op_texture.sum"],
    "texture_tag_requests": [L1.format("requests", "tex_mem_texture")],
    "texture_sectors": [L1.format("sectors", "tex_mem_texture")],
}
TABLES = {
    "global memory": {"loads": "global_load_requests", "their sectors": "global_load_sectors",
                      "stores": "global_store_requests", "their sectors ": "global_store_sectors", "atomics": "global_atomic_requests"},
    "textures": {"fetches": "texture_requests", "tag requests": "texture_tag_requests", "sectors": "texture_sectors"},
    "shared memory": {"loads": "shared_load_requests", "their wavefronts": "shared_load_wavefronts",
                      "stores": "shared_store_requests", "their wavefronts ": "shared_store_wavefronts",
                      "bank conflicts": "shared_bank_conflicts"},
}
ALLOWED_PERCENT = {"shared_bank_conflicts": 2}

# The difference of Nsight Compute's count in a launch, and its cause. It counts instructions that are
# predicated off for all threads of a warp, which request nothing. Their number was seen in its source page:
# they are executed and have no predicated-on thread. In heat_notexture's registers_kernel<1>, nvcc lets the
# lanes that write nothing leave before the last step's loads from shared memory: where two of 32 stay, a load
# is one wavefront, not four.
KNOWN = {
    ("heat_notexture", "--width 256 --height 256", "tiled_kernel"): {"shared_store_requests": 2304},
    ("heat_notexture", "--width 250 --height 190", "tiled_kernel"): {"shared_store_requests": 1728},
    ("heat_notexture", "--width 250 --height 190", "registers_kernel<1>"): {"shared_load_wavefronts": -192},  # of 3072
    ("heat", "--width 256 --height 256", "fused_kernel"): {"texture_requests": 4, "texture_tag_requests": 4},
    ("heat", "--width 250 --height 190", "fused_kernel"): {"texture_requests": 4, "texture_tag_requests": 4},
    ("heat", "--width 256 --height 256", "texture2d_kernel"): {"texture_requests": 512, "texture_tag_requests": 512},
    ("heat", "--width 250 --height 190", "texture2d_kernel"): {"texture_requests": 380, "texture_tag_requests": 380},
}


def bare(name):
    """A kernel's name without return type, namespaces and parameters; of template arguments the first."""
    name, _, arguments = name.split("(")[0].removeprefix("void ").partition("<")
    first = arguments.split(",")[0].rstrip("> ")
    first = {"false": "0", "true": "1"}.get(first, first)
    return name.split("::")[-1] + (f"<{first}>" if first else "")


def value_of(metrics, alternatives):
    """The figure from what was measured in a launch; None if it was not."""
    for terms in (alternative.split() for alternative in alternatives):
        if all(term.lstrip("-") in metrics for term in terms):
            return sum(-metrics[term[1:]] if term.startswith("-") else metrics[term] for term in terms)
    return None


def counted_by_ncu(lines):
    """{kernel: [launches, {figure: count}]} from what ncu --csv prints."""
    rows = csv.DictReader(line for line in lines if line.startswith("\""))
    metrics, kernels = defaultdict(dict), {}
    for row in rows:
        metrics[row["ID"]][row["Metric Name"]] = int(row["Metric Value"].replace(",", ""))
        kernels[row["ID"]] = bare(row["Kernel Name"])
    counted = {}
    for launch, kernel in kernels.items():
        entry = counted.setdefault(kernel, [0, defaultdict(int)])
        entry[0] += 1
        for figure, alternatives in FIGURES.items():
            entry[1][figure] += value_of(metrics[launch], alternatives) or 0
    return counted


def counted_by_emulation(program, arguments, row):
    """The same of the emulated GPU."""
    command = [program, *arguments.split(), "--kernel", row, "--device", "emulated", "--counters", "--json", "-"]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    counted = {}
    for kernel in (kernel for result in json.loads(run.stdout)["results"] for kernel in result["counters"]):
        entry = counted.setdefault(bare(kernel["kernel"]), [0, defaultdict(int)])
        entry[0] += kernel["launches"]
        for figure in FIGURES:
            parts = ["shared_load_bank_conflicts", "shared_store_bank_conflicts"] if figure == "shared_bank_conflicts" else [figure]
            entry[1][figure] += sum(kernel[part] for part in parts)
    return counted


def measure(programs, ncu):
    metrics = sorted({term.lstrip("-") for alternatives in FIGURES.values() for terms in alternatives for term in terms.split()})
    with open(RESULTS, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for program, arguments, rows in RUNS:
            for row in rows:
                command = [ncu, "--csv", "--metrics", ",".join(metrics), programs / program, *arguments.split(), "--kernel", row,
                           "--device", "cuda"]
                output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
                write_counts(table, program, arguments, row, counted_by_ncu(output.splitlines()))


def write_counts(table, program, arguments, row, counted):
    for kernel, (launches, counts) in counted.items():
        if kernel not in OTHER_KERNELS:
            for figure, count in counts.items():
                if count != 0:
                    table.writerow([program, arguments, row, kernel, launches, figure, count])


def read_measured():
    """{(program, arguments, row): {kernel: [launches, {figure: count}]}}"""
    measured = defaultdict(dict)
    with open(RESULTS, encoding="utf-8") as file:
        for line in csv.DictReader(file):
            run = measured[line["program"], line["arguments"], line["row"]]
            entry = run.setdefault(line["kernel"], [int(line["launches"]), defaultdict(int)])
            entry[1][line["figure"]] = int(line["count"])
    return measured


def differ(figure, real, counted):
    return abs(counted - real) * 100 > ALLOWED_PERCENT.get(figure, 0) * real


def means(launches, counts):
    """The figures of a launch."""
    return defaultdict(float, {figure: count / launches for figure, count in counts.items()})


def compare(programs, markdown):
    different = compared = 0
    rows = []
    measured = read_measured()
    for program, arguments, row in ((program, arguments, row) for program, arguments, rows_of in RUNS for row in rows_of):
        real_kernels, kernels = measured[program, arguments, row], counted_by_emulation(programs / program, arguments, row)
        for kernel in dict.fromkeys([*real_kernels, *kernels]):
            if kernel in OTHER_KERNELS:
                continue
            real, counted = means(*real_kernels.get(kernel, [1, {}])), means(*kernels.get(kernel, [1, {}]))
            size = arguments.replace(STEPS, "")
            known = KNOWN.get((program, size, kernel), {})
            cells = {}
            for figure in FIGURES:
                if real[figure] == 0 and counted[figure] == 0:
                    continue
                compared += 1
                cells[figure] = f"{real[figure]:.10g} / {counted[figure]:.10g}" + ("*" if figure in known else "")
                if differ(figure, real[figure] - known.get(figure, 0), counted[figure]):
                    different += 1
                    print(f"{program} {arguments} --kernel {row}: {kernel}: {figure}: {real[figure]:,.10g} on a GPU, "
                          f"{counted[figure]:,.10g} emulated", file=sys.stderr)
            if kernel not in ONCE_A_FRAME:
                rows.append((program, size, kernel, cells))
    if markdown:
        print_tables(rows)
    print(f"{compared} figures of a launch compared, {different} differ", file=sys.stderr)
    return 1 if different or not compared else 0


def print_tables(rows):
    """Markdown, of the first size of each program: a table for each kind of figure, and a row for each kernel."""
    first = {program: arguments for program, arguments, _, _ in reversed(rows)}
    for title, figures in TABLES.items():
        print(f"\n| {title} | " + " | ".join(title.strip() for title in figures) + " |\n|---|" + "---|" * len(figures))
        for program, arguments, kernel, cells in rows:
            shown = [cells.get(figure, "") for figure in figures.values()]
            if arguments == first[program] and any(shown):
                print(f"| {program}: {kernel} | " + " | ".join(shown) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--measure", metavar="NCU", nargs="?", const="ncu")
    arguments = parser.parse_args()
    if arguments.measure:
        return measure(arguments.programs, arguments.measure)
    return compare(arguments.programs, arguments.markdown)


if __name__ == "__main__":
    sys.exit(main())
