"""The notebook docs/course/cudabook.ipynb.

notebook.py check PROGRAMS    whether it is what may be committed, by Python alone: valid, without outputs, and of scripts, options, kernels,
                              pages and exercises that exist. PROGRAMS: the folder of the programs
notebook.py run FILE          runs all of it, by nbclient, then the cells that a student fills in, filled in; FILE: with the outputs
"""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "docs" / "course" / "cudabook.ipynb"
SAMPLES = "heat_notexture heat tex1dfetch_big tex1dfetch_int2float matmul texture_unit access_patterns occupancy".split()
EXERCISES = {"exercise": "01_index.cu", "exercise-17": "17_texture_2d.cu"}


def text_of(cell):
    return "".join(cell["source"])


def said(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


def commands(text):
    """Each sample's or script's name that text calls, and the words behind it, to the end of the string, code or command."""
    text = re.sub(r'"\n *f?"', "", text)  # a string in two parts
    for call in re.finditer(rf"(?<![\w/.-])({'|'.join(SAMPLES)}|scripts/[\w.-]+)(?= )([^\n\"`|&;>]*)", text):
        yield call[1], call[2].split()


def wrong(cells, programs):
    """What stands in these cells and is not so."""
    helps, kernels = {}, {}
    for cell in cells:
        text, name = text_of(cell), cell["id"]
        for script in re.findall(r"scripts/[\w.-]*\w", text):
            if not (ROOT / script).is_file():
                yield f"{name}: there is no {script}"
        for page in re.findall(r"\]\(([^)#:]*)\)", text):
            if not (NOTEBOOK.parent / page).exists():
                yield f"{name}: there is no {page}"
        for program, words in commands(text):
            if program not in helps:
                helps[program] = (ROOT / program).read_text() if "/" in program else said(programs / program, "--help")
            for option in (word for word in words if word.startswith("--")):
                if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", helps[program]):
                    yield f"{name}: {program} has no {option}"
            if "--kernel" in words[:-1] and "/" not in program:
                if program not in kernels:
                    kernels[program] = {line.split()[0] for line in said(programs / program, "--list-kernels").splitlines()} | {"all"}
                for kernel in words[words.index("--kernel") + 1].split(","):
                    if kernel not in kernels[program] and not kernel.startswith("{"):
                        yield f"{name}: {program} has no kernel {kernel}"
        for names in re.findall(r'kernels = "([\w,]+)"', text):  # the kernels of the plot, which are heat's
            for kernel in set(names.split(",")) - {line.split()[0] for line in said(programs / "heat", "--list-kernels").splitlines()}:
                yield f"{name}: heat has no kernel {kernel}"


def check(programs):
    book = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5), "it is not of format 4.5"
    found = []
    names = [cell["id"] for cell in book["cells"]]
    if len(set(names)) != len(names):
        found.append("two cells have one id")
    for cell in book["cells"]:
        if cell["cell_type"] == "code" and (cell["outputs"] or cell["execution_count"] is not None):
            found.append(f"{cell['id']}: it has outputs; this removes them: jupyter nbconvert --clear-output --inplace {NOTEBOOK.relative_to(ROOT)}")
        if text_of(cell).startswith("%%writefile $work/exercises/"):
            exercise = EXERCISES.get(cell["id"], "")
            if text_of(cell) != f"%%writefile $work/exercises/{exercise}\n" + (ROOT / "exercises" / exercise).read_text().rstrip("\n"):
                found.append(f"{cell['id']}: it is not exercises/{exercise}")
    if text_of(book["cells"][names.index("get")]).splitlines()[0] != 'repository = ""':
        found.append("get: it names a repository")
    if book["metadata"].keys() & {"widgets", "papermill"} or "version" in book["metadata"]["language_info"]:
        found.append("its metadata are of one machine")
    found += wrong(book["cells"], programs)

    # Faults that must be refused.
    for text, complaint in {
        "scripts/demonstrate.sh": "there is no scripts/demonstrate.sh",
        'run("heat --headles --frames 1")': "heat has no --headles",
        'run("heat --device cuda "\n    "--heighth 3")': "heat has no --heighth",
        "`scripts/exercise.sh 1 --clue`": "scripts/exercise.sh has no --clue",
        'run("matmul --kernel tiled,tilled")': "matmul has no kernel tilled",
        "[a page](../no-page.md)": "there is no ../no-page.md",
    }.items():
        assert list(wrong([{"id": "x", "source": [text]}], programs)) == [f"x: {complaint}"], text
    return found


def run(result):
    import nbclient
    import nbformat

    book = nbformat.read(NOTEBOOK, 4)
    by_name = {cell["id"]: cell for cell in book.cells}
    client = nbclient.NotebookClient(book, timeout=600, resources={"metadata": {"path": str(NOTEBOOK.parent)}})

    def output(cell):
        return "".join(one.get("text", "") for one in cell.outputs)

    def pictures(cell):
        return [kind for one in cell.outputs for kind in one.get("data", {}) if kind == "image/png"]

    def expect(cell, text):
        assert text in output(cell), f"{cell['id']} does not say '{text}':\n{output(cell)}"

    try:
        with client.setup_kernel():
            for index, cell in enumerate(book.cells):
                client.execute_cell(cell, index)
                if cell.cell_type == "code":
                    assert "exit status" not in output(cell), f"{cell['id']}:\n{output(cell)}"

            for name in "heat-picture", "plot", "sectors-plot", "texture-picture", "texture-one", "steps-plot":
                assert pictures(by_name[name]), f"{name} shows no picture"
            assert by_name["samples"].outputs and output(by_name["samples"]).count(" are right") == len(SAMPLES), output(by_name["samples"])
            expect(by_name["heat"], "yes")
            expect(by_name["steps-plot"], "different values: 257")
            expect(by_name["steps-check"], "no bad access")
            expect(by_name["counters"], "tiled_kernel")
            assert "blend_kernel" in str(by_name["trace"].outputs), "trace: no page"
            expect(by_name["exercise-check"], "A race:")
            expect(by_name["exercise-17-check"], "Wrong:")
            assert "right" not in output(by_name["sectors"]), output(by_name["sectors"])

            def filled_in(name, source):  # as by a student; the outputs of the notebook stay
                cell = copy.deepcopy(by_name[name])
                cell.source = source
                return client.execute_cell(cell, book.cells.index(by_name[name]))

            def again(name):
                return filled_in(name, by_name[name].source)

            filled_in("sectors-guess", 'guess = {"rows": 4, "stride_2": 8, "stride_8": 32, "columns": 31}')
            one = again("sectors")
            assert (output(one).count("right"), output(one).count("look again")) == (3, 1), output(one)
            filled_in("steps-guess", "values_guess = 256")
            expect(again("steps-plot"), "your guess: 256")
            filled_in("steps-source", by_name["steps-source"].source.replace("    if (i >= n) return;\n", ""))
            expect(again("steps-check"), "heap-buffer-overflow")
            for name, exercise in EXERCISES.items():
                filled_in(name, f"%%writefile $work/exercises/{exercise}\n" + (ROOT / "exercises" / "solutions" / exercise).read_text())
                expect(again(f"{name}-check"), "Done.")
            listed = again("exercise-list")
            for exercise in EXERCISES.values():
                assert re.search(rf"done\S*  {exercise.removesuffix('.cu')}", output(listed)), output(listed)
    finally:
        nbformat.write(book, result)

    # The first cell in a folder without a clone.
    for repository in "", str(ROOT):
        if repository and not (ROOT / ".git").exists():
            continue
        with tempfile.TemporaryDirectory() as folder:
            source = by_name["get"].source.replace('repository = ""', f'repository = "{repository}"')
            small = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
            alone = nbclient.NotebookClient(small, timeout=600, resources={"metadata": {"path": folder}})
            try:
                alone.execute()
                assert repository, "without an address and without a clone it goes on"
                expect(small.cells[0], f"cudabook is in {folder}/cudabook")
                assert (pathlib.Path(folder) / "cudabook/scripts/demo.sh").exists()
            except nbclient.exceptions.CellExecutionError as error:
                assert not repository and "no clone of cudabook is here" in str(error), error


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"] and len(sys.argv) == 3:
        complaints = check(pathlib.Path(sys.argv[2]))
        for complaint in complaints:
            print(f"{NOTEBOOK.relative_to(ROOT)}: {complaint}", file=sys.stderr)
        sys.exit(bool(complaints))
    if sys.argv[1:2] == ["run"] and len(sys.argv) == 3:
        run(sys.argv[2])
        sys.exit()
    sys.exit(__doc__)
