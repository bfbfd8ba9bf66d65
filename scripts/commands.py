#!/usr/bin/env python3
"""Runs the commands that the pages print, each page's in their order in a copy of the repository, with the programs of a build.

commands.py BUILD [PAGE...]   runs them; build/default of a command is BUILD. Without a page: all pages. With --takes seconds or --takes minutes
                              those that take that long, which are left out otherwise
commands.py --list [PAGE...]  prints what is not run, and why

A command is a line of a block without a language, or of ```console behind `$ `; the words in backticks that begin with a program and go on are
one too. Blocks in another language (```text) hold none. A command must end with status 0. A checksum in the comment behind it must be printed,
and likewise the lines below a `$ `, in their order: a line may be part of one that is printed, its blanks and addresses are any, and `...` stands for
anything. A picture, a report, a checkpoint, a video or a trace that the command or its comment names must be there afterwards.

What is otherwise says a comment on the page, which no reader sees:

    <!-- commands
    seconds: heat --benchmark                      it takes longer than a test may: a test of --all runs it; minutes: of --release
    status 2: heat --speed warm                    it fails, with this status
      warm                                         ... and prints this
    gpu, needs ffmpeg: heat --video heat.mp4       it runs where there is a GPU and ffmpeg
    builds: scripts/demo.sh                        it is not run, for one of the reasons below
    prints: occupancy --gpu h200 ...               it prints what follows; `...`: all commands that begin so
      occupancy 50.0 %
    file show.txt                                  the block above is this file
    file heat.cu = tests/legacy/heat.cu            the reader's file, and what stands for it here
    -->

A word of capitals (NAME, FILE) stands for another, so a command with one is not run.
"""
import argparse
import dataclasses
import os
import pathlib
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
NOT_RUN = {
    "builds": "it builds, tests or measures all of cudabook",
    "changed": "it shows a program that the reader has changed",
    "fetches": "it installs or downloads something",
    "form": "it stands for commands, and is none by itself",
    "machines": "it needs several machines or GPUs",
    "person": "it waits for a person",
    "placeholder": "a word of capitals stands for another",
    "window": "it shows a window, which a person closes",
}
TAKES = {"seconds": 300, "minutes": 1800}  # words of a comment, and the most seconds that they allow
AT_MOST = 60  # seconds for any other command; CUDABOOK_PATIENCE multiplies all
PROGRAMS = ("heat heat_notexture tex1dfetch_big tex1dfetch_int2float matmul texture_unit access_patterns occupancy cudabook-nvcc mpirun srun nvcc "
            "cmake ctest compute-sanitizer python3 pip").split()
PATTERNS = ("*.md", "*/*.md", "docs/course/*.md", "docs/course/slides/*.md", "docs/notebook/*.md")

PARTS = re.compile(r"^(?P<indent> *)```(?P<language>\S*)[^\n]*\n(?P<block>.*?)^(?P=indent)```|^(?P<margin> *)<!-- commands\n(?P<notes>.*?)^ *-->|<!--.*?-->"
                   r"|(?<!`)`(?P<span>[^`]+)`(?!`)", re.DOTALL | re.MULTILINE)
NOTE = re.compile(r"(?P<file>file (?P<name>\S+)(?: = (?P<source>\S+))?)|(?P<words>(?:[a-z]+|status \d+|needs [\w+-]+)(?:, (?:status \d+|needs [\w+-]+|[a-z]+))*): "
                  r"(?P<command>.*)")
VARIABLE = re.compile(r"[A-Z_]+=\S* ")
ADDRESS = re.compile(r"\b0x[0-9a-f]{9,16}\b")  # differs in each run
CHECKSUM = re.compile(r"\b(?:0x)?[0-9a-f]{8}\b")
PLACEHOLDER = re.compile(r"(?<![\w/$.-])[A-Z][A-Z_]{2,}(?![\w=]|\.(?:zh\.)?md)")
MADE = re.compile(r"[\w./-]+\.(?:png|json|npz|mp4|html)\b")


class Wrong(Exception):
    """What is wrong with a page."""


@dataclasses.dataclass
class Command:
    line: int
    text: str
    comment: str = ""
    expected: list = dataclasses.field(default_factory=list)
    status: int = 0
    why: list = dataclasses.field(default_factory=list)  # words of the page's comment

    def takes(self):
        return next((word for word in self.why if word in TAKES), None)

    def not_run(self):
        return next((NOT_RUN[word] for word in self.why if word in NOT_RUN), None)


def is_whole(text):
    """Whether a shell would run the text, rather than wait for more lines."""
    return not text.endswith("\\") and subprocess.run(["bash", "-nc", text], capture_output=True, check=False).returncode == 0


def split(line, text):
    """The command with the comment behind it taken off."""
    match = re.fullmatch(r"(.*?)(?:\s+#\s+(.*))?", text, re.DOTALL)
    return Command(line, match[1].strip(), match[2] or "")


def of_block(line, lines):
    if any(text.startswith("$ ") for text in lines):
        commands = []
        for number, text in enumerate(lines, line):
            if text.startswith("$ "):
                commands.append(split(number, text[2:]))
            elif commands:
                commands[-1].expected.append(text)
        return commands
    commands, begun = [], ""
    for number, text in enumerate(lines, line):
        begun += text if not begun else "\n" + text
        if begun.strip() and not begun.startswith("#") and (is_whole(begun) or text is lines[-1]):
            commands.append(split(number - begun.count("\n"), begun))
            begun = ""
        elif not begun.strip() or begun.startswith("#"):
            begun = ""
    return commands


def of_span(line, text):
    text = " ".join(text.replace("\\|", "|").split())
    words = VARIABLE.sub("", text).split()
    goes_on = len(words) > 1 or words and words[0] != text
    is_command = goes_on and (words[0] in PROGRAMS or re.match(r"(\.|scripts|build/\w+/bin)/\w", words[0]))
    return [Command(line, text)] if is_command else []


def read(page):
    """(commands, files) of a page: files by name, each its text or the path of what stands for it."""
    text = page.read_text(encoding="utf-8")
    commands, files, notes, block = [], {}, [], ""
    for part in PARTS.finditer(text):
        line = text.count("\n", 0, part.start()) + 1
        if part["block"] is not None:
            lines = [row.removeprefix(part["indent"]) for row in part["block"].splitlines()]
            block = "\n".join(lines) + "\n"
            if part["language"] in ("", "console"):
                commands += of_block(line + 1, lines)
        elif part["span"] is not None:
            commands += of_span(line, part["span"])
        elif part["notes"] is not None:
            for number, row in enumerate(part["notes"].splitlines(), line + 1):
                row = row.removeprefix(part["margin"])
                note = NOTE.fullmatch(row)
                if note and note["file"]:
                    files[note["name"]] = ROOT / note["source"] if note["source"] else block
                else:
                    notes.append((number, row, note))
    for command in commands:
        command.expected += CHECKSUM.findall(command.comment)
        if PLACEHOLDER.search(re.sub(r"'[^']*'", "", command.text)):
            command.why.append("placeholder")
    apply_notes(commands, notes)
    return commands, files


def apply_notes(commands, notes):
    named = []
    for number, row, note in notes:
        if row.startswith("  ") and named:
            for command in named:
                command.expected.append(row.strip())
            continue
        if not note:
            raise Wrong(number, f"neither REASON: COMMAND nor file NAME: {row}")
        wanted = note["command"].strip()
        named = [command for command in commands if command.text == wanted or wanted.endswith("...") and command.text.startswith(wanted[:-3].rstrip())]
        if not named:
            raise Wrong(number, f"the page has no command {wanted}")
        for word in note["words"].split(", "):
            if word not in ("gpu", "prints", *TAKES, *NOT_RUN) and not word.startswith(("status ", "needs ")):
                raise Wrong(number, f"{word} is no reason: {', '.join(['gpu', 'needs PROGRAM', 'status N', 'prints', *TAKES, *NOT_RUN])}")
            for command in named:
                if word.startswith("status "):
                    command.status = int(word.split()[1])
                else:
                    command.why.append(word)


def squeezed(text):
    """With single blanks, and without what is different in each run."""
    return ADDRESS.sub("0x...", " ".join(text.split()))


def copied(folder, build):
    """Makes the folder a copy of the repository, with the build in its place."""
    folder.mkdir()
    for entry in ROOT.iterdir():
        if entry.is_dir() and not entry.name.startswith((".", "build")):
            shutil.copytree(entry, folder / entry.name, ignore=shutil.ignore_patterns("__pycache__", ".done"))
        elif entry.suffix in (".md", ".txt", ".json") or entry.name == "LICENSE":
            shutil.copy(entry, folder)
    (folder / "build" / "default").mkdir(parents=True)
    for part in ("bin", "lib"):  # without the files that CMake would configure again
        (folder / "build" / "default" / part).symlink_to(build / part)


def surroundings(folder, build):
    """What a command finds: the programs on the PATH, no display, a home of its own, and as many processes as it wants on any machine."""
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "LANG", "LC_MESSAGES") and not name.startswith("CUDABOOK_")}
    environment |= {
        "PATH": f"{build / 'bin'}:{folder / 'scripts'}:{os.environ['PATH']}", "HOME": str(folder.parent), "LC_ALL": "C.UTF-8",
        "CUDABOOK_BUILD": str(build), "OMP_WAIT_POLICY": "passive", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "OMPI_MCA_mpi_yield_when_idle": "1",
        "OMPI_MCA_hwloc_base_binding_policy": "none"}
    return environment


def has_gpu(build):
    return "cuda:0" in subprocess.run([build / "bin" / "heat", "--list-devices"], capture_output=True, text=True, check=True).stdout


def missing(command, build):
    """What this machine lacks for the command, or None."""
    if re.search(r"--predict|CUDABOOK_PREDICT=", command.text) and platform.machine() != "x86_64":
        return "no x86-64 processor, whose code is predicted"
    for word in command.why:
        if word == "gpu" and not has_gpu(build):
            return "no GPU"
        if word.startswith("needs ") and not shutil.which(word.split()[1]):
            return f"no {word.split()[1]}"
    return None


def wrong_with(command, folder, environment):
    """Runs it. Returns what is wrong, or None."""
    at_most = TAKES.get(command.takes(), AT_MOST) * int(os.environ.get("CUDABOOK_PATIENCE", 1))
    with subprocess.Popen(["bash", "-o", "pipefail", "-c", command.text], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=at_most)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return f"not done after {at_most} s"
    if process.returncode != command.status:
        return f"status {process.returncode}, not {command.status}:\n{output[-3000:]}"
    printed, at = squeezed(output), 0
    for text in (squeezed(text) for text in command.expected):
        if text != "...":
            found = printed.find(text, at)
            if found < 0:
                return f"'{text}' is not printed{' behind what stands before it' if at else ''}:\n{output[-3000:]}"
            at = found + len(text)
    if not command.status:
        for name in MADE.findall(f"{command.text} {command.comment}"):
            if not (folder / name).exists():
                return f"there is no {name} afterwards"
    return None


def name_of(page):
    return page.relative_to(ROOT) if page.is_relative_to(ROOT) else page


def run(page, folder, build, takes):
    """Runs those of the page's commands that take so long, and clears away what they made. Returns whether all were right."""
    name, right, ran = name_of(page), True, 0
    commands, files = read(page)
    commands = [command for command in commands if command.takes() == takes and not command.not_run()]
    if not commands:
        return True
    before = set(folder.iterdir())
    for file, content in files.items():
        (folder / file).write_text(content if isinstance(content, str) else content.read_text(encoding="utf-8"), encoding="utf-8")
    environment = surroundings(folder, build)
    for command in commands:
        if lacks := missing(command, build):
            print(f"{name}:{command.line}: not run, {lacks}: {command.text}")
            continue
        ran += 1
        if wrong := wrong_with(command, folder, environment):
            right = False
            print(f"FAILED: {name}:{command.line}: {command.text}\n{wrong}")
    print(f"{name}: {ran} commands ran", flush=True)
    for made in set(folder.iterdir()) - before:
        if made.is_dir() and not made.is_symlink():
            shutil.rmtree(made)
        else:
            made.unlink()
    return right


def print_list(page):
    for command in read(page)[0]:
        if reason := command.not_run() or ", ".join(word for word in command.why if word != "prints"):
            print(f"{name_of(page)}:{command.line}: {reason}: {command.text}")


def pages():
    """All pages but those in Chinese, whose commands scripts/translations.py compares, and the changelog."""
    return [page for pattern in PATTERNS for page in sorted(ROOT.glob(pattern))
            if not page.name.endswith(".zh.md") and page.name != "CHANGELOG.md" and not page.parts[len(ROOT.parts)].startswith(("build", "."))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--list", action="store_true", help="print what is not run, and why")
    parser.add_argument("--takes", choices=TAKES, help="run what takes that long")
    parser.add_argument("build", nargs="?", type=pathlib.Path, help="the build whose programs run")
    parser.add_argument("page", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    named = [page.resolve() for page in arguments.page]
    if arguments.list and arguments.build:
        named.insert(0, arguments.build.resolve())
    elif not arguments.list and not arguments.build:
        parser.error("the folder of a build is missing")
    with tempfile.TemporaryDirectory() as home:
        folder, build = pathlib.Path(home) / "cudabook", arguments.build and arguments.build.resolve()
        if not arguments.list:
            copied(folder, build)
        right = True
        for page in named or pages():
            try:
                if arguments.list:
                    print_list(page)
                else:
                    right = run(page, folder, build, arguments.takes) and right
            except Wrong as wrong:
                print(f"{name_of(page)}:{wrong.args[0]}: {wrong.args[1]}", flush=True)
                right = False
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
