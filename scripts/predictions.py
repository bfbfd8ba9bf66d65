#!/usr/bin/env python3
"""predictions.py: the times that --predict gives beside the times of results/.

  predictions.py PROGRAMS GPU [--processes N]   runs the programs of that folder, lib/cudabook/counted of a build, on the emulated GPU h100 or h200, for each
                                                timed row of results/DEVICE/ (access_patterns by elements of 4 bytes, and of 16 in 32 MB, matmul up to a side of 512, tex1dfetch_big up to 256 MB, kernels of heat whose blocks
                                                go on to the next tile up to 2048 x 2048: larger ones take minutes each),
                                                and writes results/predictions-DEVICE.csv
  predictions.py PROGRAMS GPU --check           predicts some small rows again; exit status 1 if they are not as in that file

A row is of one kernel, at the size and with the registers that were measured. Left out: tensor cores and cuBLAS, which are not predicted, and
mapped memory. Where a row is the time between two events, not that of a graph, the events' own time is in it and is added: EVENTS_MS.
"""
import argparse
import concurrent.futures
import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import result_files

DEVICES = {"h100": "nvidia-h100-80gb-hbm3", "h200": "nvidia-h200"}
COLUMNS = ["program", "kernel", "row", "measured_ms", "predicted_ms", "limited_by"]
EVENTS_MS = 0.0055  # fitted with the factors of the model
NOT_PREDICTED = ("tf32", "f16", "cublas", "auto")  # tensor cores; `auto` is one of the others
TOLERATED = 0.1  # the machine code is that of any g++
ONCE_A_FRAME = ("mark_", "write_sources", "colour_")  # kernels that are not in the time of a step


def of_heat(row):
    if row.get("launch") != "graph" or "registers" not in row or row["kernel"].endswith("_global"):
        return None
    if row["kernel"].split("_")[0] in ("prefetched", "streamed") and row["width"] > 2048:
        return None
    words = ["--headless", "--frames", "1", "--width", str(row["width"]), "--height", str(row["height"])]
    return words, f"{row['width']} x {row['height']}", row["ms"], 0


def of_matmul(row):
    sides = [row[side] for side in "mnk"]
    if max(sides) > 512 or "registers" not in row or row["kernel"].startswith(NOT_PREDICTED):
        return None
    return [word for side in "mnk" for word in (f"--{side}", str(row[side]))], " x ".join(map(str, sides)), row["ms"], EVENTS_MS


def of_tex1dfetch_big(row):
    if "registers" not in row or row["size_mb"] > 256:
        return None
    return [str(row["size_mb"])], f"{row['size_mb']} MB by {row['components']}", row["ms"], EVENTS_MS


def of_access_patterns(row):
    if row["place"] != "device" or row["element_bytes"] not in (4, 16) or row["size_kb"] > (32768 if row["element_bytes"] == 16 else 262144):
        return None
    words = ["--pattern", row["pattern"], "--element", str(row["element_bytes"]), "--size", str(row["size_kb"])]
    return words, f"{row['size_kb'] // 1024} MB, {row['pattern']} by {row['element_bytes']}", row["ms"], 0


def of_texture_unit(row):  # larger pictures are measured with more texels than a lesson has
    if row["texels"] > 512:
        return None
    return ["--size", str(row["texels"])], f"{row['texels']} x {row['texels']}", row["ms"], 0


PROGRAMS = {"heat_notexture": of_heat, "heat": of_heat, "matmul": of_matmul, "tex1dfetch_big": of_tex1dfetch_big,
            "access_patterns": of_access_patterns, "texture_unit": of_texture_unit}


def chosen(program, row, predictions):
    """The predictions that are in the row's time. tex1dfetch_big runs by 1, 2 and 4 components; texture_unit's last launch is the measured one."""
    if program == "tex1dfetch_big":
        return [predictions[int(math.log2(row["components"]))]]
    if program == "texture_unit":
        return predictions[-1:]
    return [one for one in predictions if not one["kernel"].startswith(ONCE_A_FRAME)]


def predicted(folder, gpu, program, row, words, added):
    with tempfile.TemporaryDirectory() as temporary:
        report = pathlib.Path(temporary) / "report.json"
        registers = ["--predict-registers", str(row["registers"])] if row.get("registers") else []
        run = subprocess.run([folder / program, *words, "--kernel", row["kernel"], "--device", f"emulated:{gpu}", "--predict", *registers, "--quiet", "--json",
                              report], capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
        if run.returncode != 0:
            sys.exit(f"predictions.py: {program} {' '.join(words)} --kernel {row['kernel']}: {run.stderr.strip()}")
        results = json.loads(report.read_text())["results"]
    predictions = chosen(program, row, [one for result in results for one in result.get("predictions", [])])
    if any(one["predicted_ms"] is None for one in predictions):
        sys.exit(f"predictions.py: {program} --kernel {row['kernel']}: not predicted")
    longest = max(predictions, key=lambda one: one["launches"] * one["predicted_ms"])
    return sum(one["launches"] * one["predicted_ms"] for one in predictions) + added, longest["limited_by"]


def rows_of(device):
    reports = result_files.read(result_files.RESULTS / device)
    for program, of_program in PROGRAMS.items():
        for row in reports.get(program, {"results": []})["results"]:
            if "ms" in row and (words := of_program(row)):
                yield program, row, *words


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("gpu", choices=DEVICES)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    file = result_files.RESULTS / f"predictions-{DEVICES[arguments.gpu]}.csv"
    todo = list(rows_of(DEVICES[arguments.gpu]))
    if arguments.check:
        todo = [one for one in todo if one[0] != "access_patterns" and one[3].startswith(("256 x 256", "512 x 512")) and one[0] != "heat" and one[4] < 0.05][::4]

    def of(one):
        program, row, words, name, measured, added = one
        ms, limit = predicted(arguments.programs, arguments.gpu, program, row, words, added)
        return [program, row["kernel"], name, f"{measured:.5g}", f"{ms:.4g}", limit]

    with concurrent.futures.ThreadPoolExecutor(arguments.processes) as pool:
        found = list(pool.map(of, todo))
    if not arguments.check:
        with file.open("w", newline="") as stream:
            csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *found])
        return
    with file.open() as stream:
        kept = {tuple(row[:3]): row for row in csv.reader(stream)}
    wrong = [row for row in found if abs(float(row[4]) / float(kept[tuple(row[:3])][4]) - 1) > TOLERATED]
    for row in wrong:
        print(f"{' '.join(row[:3])}: {row[4]} ms predicted, {kept[tuple(row[:3])][4]} in {file.name}")
    print(f"{len(found)} predictions compared with {file.name}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
