#!/usr/bin/env python3
"""Puts a folder of reports into results/DEVICE/: PROGRAM.json, or PROGRAM-SIZE.json (matmul-M-N-K.json) for each of several sizes. Reports of other
programs stay there. Pictures that the programs have drawn become results/NAME-DEVICE.png. Times of an emulated GPU are refused: they say
nothing about the GPU."""
import json
import pathlib
import shutil
import sys

import result_files


def report_of(files):
    """The reports of one program as one: the results of all sizes, in order."""
    reports = [json.loads(file.read_text()) for file in files]
    whole = reports[0]
    if len(reports) > 1:
        for size in ["size_mb", "width", "height", "m", "n", "k"]: # parameters that differ, and are in each result
            whole["parameters"].pop(size, None)
        whole["results"] = [result for report in reports for result in report["results"]]
        whole["ok"] = all(report["ok"] for report in reports)
    return whole


def size_of(file):
    sides = [int(side) for side in file.stem.split("-")[1:]]
    return len(sides), sides # squares first


folder = pathlib.Path(sys.argv[1])
files = sorted(folder.glob("*.json"), key=lambda file: (file.stem.partition("-")[0], size_of(file)))
programs = dict.fromkeys(file.stem.partition("-")[0] for file in files)
results = {p: report_of([f for f in files if f.stem.partition("-")[0] == p]) for p in programs}
emulated = [program for program, report in results.items() if report["device"]["kind"] == "emulated"]
if emulated:
    sys.exit(f"results.py: {', '.join(emulated)}: measured on an emulated GPU, whose times are kept nowhere")
peers = folder / "peers.jsonl"
if peers.exists():
    fastest = {}
    for peer in map(json.loads, peers.read_text().splitlines()):
        key = peer["kernel"], peer["width"]
        fastest[key] = min(fastest.get(key, peer), peer, key=lambda run: run["ms"])
    results["heat"]["peers"] = list(fastest.values())
    for peer in results["heat"]["peers"]:
        if "largest_difference" in peer:  # this peer gives other bits, and has compared its numbers itself
            continue
        same_grid = [r["checksum"] for r in results["heat"]["results"] if (r["width"], r["height"]) == (peer["width"], peer["height"])]
        peer["verified"] = peer["checksum"] in same_grid
        if not peer["verified"]:
            sys.exit(f"results.py: {peer['kernel']} at {peer['width']}x{peer['height']} gives {peer['checksum']}, and heat {same_grid}")
to = result_files.folder_of(next(iter(results.values()))["device"]["name"])
for program, report in results.items():
    for file in result_files.write(to, program, report):
        print("wrote", file.relative_to(result_files.ROOT))
for picture in sorted(folder.glob("*.png")):
    print("wrote", shutil.copyfile(picture, result_files.RESULTS / f"{picture.stem}-{to.name}.png"))
