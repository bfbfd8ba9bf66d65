"""The committed reports: results/DEVICE/PROGRAM.json, one line for each result. A report of many results goes on in PROGRAM-2.json and
so on. "commit" is that of the code that was measured."""
import csv
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results"
RESULTS_OF_A_FILE = 400


def folder_of(device_name):
    return RESULTS / re.sub("[^a-z0-9]+", "-", device_name.lower()).strip("-")


def devices():
    """The folders of the devices that were measured."""
    return sorted(folder for folder in RESULTS.iterdir() if folder.is_dir() and folder.name != "clusters")


def files_of(folder, program):
    """A report's files, in order."""
    first = folder / f"{program}.json"
    later = sorted(folder.glob(f"{program}-*.json"), key=lambda file: int(file.stem.rpartition("-")[2]))
    return [first, *later] if first.exists() else []


def read(folder):
    """{program: report} of a device."""
    reports = {}
    for first in sorted(file for file in folder.glob("*.json") if "-" not in file.stem):
        parts = [json.loads(file.read_text()) for file in files_of(folder, first.stem)]
        reports[first.stem] = parts[0] | {"results": [result for part in parts for result in part["results"]]}
    return reports


def beside_the_peer(device, program):
    """{side: Gcells/s} of a program of results/heat-peer-DEVICE.csv, the best of its shapes; empty if the device has no such file."""
    file, paces = RESULTS / f"heat-peer-{device}.csv", {}
    if file.exists():
        with open(file, encoding="utf-8") as rows:
            for row in csv.DictReader(rows):
                if row["program"] == program:
                    side = int(row["side"])
                    paces[side] = max(paces.get(side, 0), float(row["gcells_per_s"]))
    return paces


def write(folder, program, report):
    """In place of what was there. Returns the files."""
    folder.mkdir(exist_ok=True)
    for file in files_of(folder, program):
        file.unlink()
    written = []
    results = report["results"]
    for number, begin in enumerate(range(0, max(len(results), 1), RESULTS_OF_A_FILE), 1):
        rows = ",\n".join(json.dumps(result) for result in results[begin:begin + RESULTS_OF_A_FILE])
        head = json.dumps({name: value for name, value in report.items() if name != "results"}, indent=2)
        written.append(folder / (f"{program}.json" if number == 1 else f"{program}-{number}.json"))
        written[-1].write_text(f'{head.removesuffix("}").rstrip()},\n  "results": [\n{rows}\n]}}\n')
    return written
