#!/usr/bin/env python3
"""Makes a table of what Nsight Compute counted of access_patterns: access-patterns-counters.py REPORT NCU [REPORT NCU]...

REPORT is what the program wrote by --json, and NCU what ncu printed of the same run by --csv --page raw, between other
lines. The launches are in the order of the report's results. The table goes to stdout. With --metrics it lists the
metrics that it needs, for ncu's option of that name.
"""
import csv
import json
import sys

SUMS = {"memory_bytes": ("dram__bytes_read.sum", 1),  # per element: the metric and its factor
        "l2_read_bytes": ("lts__t_sectors_op_read.sum", 32),  # including reads of one half of the L2 from the other
        "arrived_bytes": ("l1tex__m_xbar2l1tex_read_sectors.sum", 32),
        "instructions_of_warp": ("smsp__inst_executed.sum", 32)}
REQUESTS = ("l1tex__t_requests.sum", "l1tex__t_sectors.sum", "l1tex__t_sectors_lookup_hit.sum")
BUSY = {"issue_percent": "sm__inst_issued.avg",  # of the time, averaged over all units
        "l1_percent": "l1tex__throughput.avg",  # the busiest of the stages of the multiprocessor's cache
        "l1_loads_percent": "l1tex__lsuin_requests.avg",
        "l1_tags_percent": "l1tex__t_set_accesses.avg",
        "l1_data_percent": "l1tex__data_bank_reads.avg",
        "texture_percent": "l1tex__f_wavefronts.avg",
        "l2_percent": "lts__throughput.avg",  # the busiest of the L2's stages
        "l2_tags_percent": "lts__t_tag_requests.avg",
        "l2_sectors_percent": "lts__t_sectors.avg",
        "l2_data_percent": "lts__d_sectors.avg",
        "memory_percent": "dram__throughput.avg"}
BUSY = {title: metric + ".pct_of_peak_sustained_elapsed" for title, metric in BUSY.items()}
TIME = "gpu__time_duration.sum"
MICROSECONDS = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}
BYTES = {"byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}
KERNELS = {"pitched": "texture2d", "array": "texture2d"}  # kernels that are not named like their row


def launches_of(path):
    """A dict for each launch: what was counted, in bytes and microseconds, and the kernel's name."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if line.startswith('"')))
    if len(rows) < 3:
        sys.exit(f"access-patterns-counters.py: {path}: no counters; does ncu say why?")
    names, units = rows[0], rows[1]
    wanted = [TIME, *(metric for metric, _ in SUMS.values()), *REQUESTS, *BUSY.values()]
    for metric in wanted:
        if metric not in names:
            sys.exit(f"access-patterns-counters.py: {path}: without {metric}")
    for row in rows[2:]:
        counted = {"kernel": row[names.index("Kernel Name")]}
        for metric in wanted:
            unit = units[names.index(metric)]
            scale = MICROSECONDS.get(unit, BYTES.get(unit, 1))
            counted[metric] = scale * float(row[names.index(metric)].replace(",", ""))
        yield counted


def table_of(report, launches):
    results = report["results"]
    if len(results) != len(launches):
        sys.exit(f"access-patterns-counters.py: {len(results)} results, but {len(launches)} launches")
    for result, counted in zip(results, launches):
        kernel = KERNELS.get(result["kernel"], result["kernel"]) + "_kernel"
        if kernel not in counted["kernel"]:
            sys.exit(f"access-patterns-counters.py: {counted['kernel']} is not {result['kernel']}'s")
        elements = 1024 * result["size_kb"] / result["element_bytes"]
        requests, sectors, hits = (counted[metric] for metric in REQUESTS)
        row = {"kernel": result["kernel"], "pattern": result["pattern"], "element_bytes": result["element_bytes"], "us": counted[TIME]}
        row |= {title: factor * counted[metric] / elements for title, (metric, factor) in SUMS.items()}
        row |= {"sectors_per_request": sectors / requests, "hit_percent": 100 * hits / sectors}
        row |= {title: counted[metric] for title, metric in BUSY.items()}
        yield {title: f"{value:.4g}" if isinstance(value, float) else value for title, value in row.items()}


if sys.argv[1:] == ["--metrics"]:
    print(",".join([TIME, *(metric for metric, _ in SUMS.values()), *REQUESTS, *BUSY.values()]))
    sys.exit()
if len(sys.argv) < 3 or len(sys.argv) % 2 == 0:
    sys.exit("access-patterns-counters.py: needs pairs of a report and what ncu printed, or --metrics")
table = []
for of_program, of_ncu in zip(sys.argv[1::2], sys.argv[2::2]):
    with open(of_program, encoding="utf-8") as text:
        table += table_of(json.load(text), list(launches_of(of_ncu)))
out = csv.DictWriter(sys.stdout, table[0], lineterminator="\n")
out.writeheader()
out.writerows(table)
