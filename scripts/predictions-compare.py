#!/usr/bin/env python3
"""Makes a table of predicted times beside those of Nsight Compute: predictions-compare.py NAME PREDICTED NCU [NAME PREDICTED NCU]...

NAME is the name of a program, PREDICTED the file that CUDABOOK_PREDICT_JSON named, and NCU what ncu printed by --csv --page raw
when the program ran on a GPU, between other lines; or two such files with a comma between them: the times are those of the first
run, for which ncu need not run a kernel several times, and the throughputs those of the second. The table goes to stdout. A row is a kernel at a size: the median of its
measured times, the predicted time, and what limits it by both. What Nsight Compute says is the busiest of its four throughputs,
or latency if that is busy for less than 60 % of the time, the bound of its own advice. A kernel that is not in both files, or is
not predicted, is left out. With --metrics it lists the metrics that it needs, for ncu's option of that name.
"""
import csv
import json
import re
import statistics
import sys

TIME = "gpu__time_duration.sum"
THROUGHPUTS = {"multiprocessor": "sm__throughput", "L1": "l1tex__throughput", "L2": "lts__throughput", "device memory": "gpu__dram_throughput"}
THROUGHPUTS = {name: f"{metric}.avg.pct_of_peak_sustained_elapsed" for name, metric in THROUGHPUTS.items()}
MILLISECONDS = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}
LEAST_PERCENT = 60
COLUMNS = ["program", "kernel", "blocks", "threads", "measured_ms", "predicted_ms", "limited_by", "limited_by_ncu", *(f"{name}_percent" for name in THROUGHPUTS)]


def stop(line):
    sys.exit(f"predictions-compare.py: {line}")


def name_of(kernel):
    """A kernel's name without its type, namespaces, template arguments and parameters."""
    without_unnamed = re.sub(r"(<unnamed>|\(anonymous namespace\))::", "", kernel.removeprefix("void "))
    return re.sub(r"[<(].*", "", without_unnamed).split("::")[-1].strip()


def product(numbers):
    """The product of the numbers of a text such as (16, 8, 1)."""
    result = 1
    for number in re.findall(r"\d+", numbers):
        result *= int(number)
    return result


def measured(path, metrics):
    """{(kernel, blocks, threads): [{metric: value}]}, times in ms"""
    with open(path, encoding="utf-8", errors="replace") as file:
        rows = list(csv.reader(line for line in file if line.startswith('"')))
    if len(rows) < 3:
        stop(f"{path}: no counters; does ncu say why?")
    names, units = rows[0], rows[1]
    for metric in metrics:
        if metric not in names:
            stop(f"{path}: without {metric}")
    launches = {}
    for row in rows[2:]:
        one = dict(zip(names, row))
        values = {metric: float(one[metric].replace(",", "")) * MILLISECONDS.get(units[names.index(metric)], 1) for metric in metrics}
        launches.setdefault((name_of(one["Kernel Name"]), product(one["Grid Size"]), product(one["Block Size"])), []).append(values)
    return launches


def rows_of(program, predicted, ncu):
    first, _, second = ncu.partition(",")
    times, throughputs = measured(first, [TIME]), measured(second or first, THROUGHPUTS.values())
    with open(predicted, encoding="utf-8") as file:
        predictions = json.load(file)
    keys = [(name_of(one["kernel"]), one["blocks"], one["threads"]) for one in predictions]
    for key, one in zip(keys, predictions):
        if one["predicted_ms"] is None or key not in times or key not in throughputs or keys.count(key) > 1:  # several instances of a template
            continue
        busy = {name: statistics.median(launch[metric] for launch in throughputs[key]) for name, metric in THROUGHPUTS.items()}
        busiest = max(busy, key=busy.get)
        yield [program, *key, f"{statistics.median(launch[TIME] for launch in times[key]):.4g}", f"{one['predicted_ms']:.4g}", one["limited_by"],
               busiest if busy[busiest] >= LEAST_PERCENT else "latency", *(f"{percent:.3g}" for percent in busy.values())]


if sys.argv[1:] == ["--metrics"]:
    print(",".join([TIME, *THROUGHPUTS.values()]))
    sys.exit()
if len(sys.argv) < 4 or len(sys.argv) % 3 != 1:
    stop("needs a name, a prediction and what ncu printed, of each program, or --metrics")
table = [row for arguments in zip(sys.argv[1::3], sys.argv[2::3], sys.argv[3::3]) for row in rows_of(*arguments)]
csv.writer(sys.stdout, lineterminator="\n").writerows([COLUMNS, *table])
