#!/usr/bin/env python3
"""Prepares device code for WebAssembly, as LLVM's text. A native program reads all this from its own file.

usage: kernels.py table FILE.ll             adds a table of the kernels: address, name, bytes of static shared memory
       kernels.py mark FILE.ll              lets LLVM inline into kernels all that they call
       kernels.py count FILE.ll NUMBER ROOT PLACES.json
                                            adds a call before each access to memory, and at the beginning of each block
                                            of code. A place is a number; the places of FILE.ll begin at NUMBER times 2^20. Writes
                                            the lines of each place, by files within ROOT.
       kernels.py lines FILE.cpp ROOT PLACES.json...
                                            writes a source with the lines of all places, for web/counting/source_lines.cpp

A kernel is a function that `__global__` has marked (emulator/include/cuda_runtime.h). FILE.ll is replaced.
"""
import json
import re
import sys

NAME = r'@("[^"]+"|[\w.$-]+)'
DEFINE = re.compile(r"define [^@]*" + NAME + r"\(")
CALL = re.compile(r"(?:call|invoke) [^@]*?" + NAME + r"\(")
BYTES = {"i1": 1, "i8": 1, "i16": 2, "half": 2, "bfloat": 2, "i32": 4, "float": 4, "ptr": 4, "i64": 8, "double": 8, "i128": 16}
TYPE = r"<[^>]*>|%\"[^\"]*\"|[\w%.:]+"
ADDRESS = r"getelementptr[\w ]*\([^()]*\)|[%@](?:\"[^\"]*\"|[\w.$-]+)"
PLACES_OF_FILE = 1 << 20


def size(kind):
    """The bytes of a type that is loaded or stored."""
    vector = re.fullmatch(r"<(\d+) x (\w+)>", kind)
    if vector:
        return int(vector[1]) * BYTES[vector[2]]
    if kind not in BYTES:
        raise SystemExit(f"kernels.py: the size of {kind} is not known")
    return BYTES[kind]


def functions_of(lines):
    """The functions: name -> (first line, last line)."""
    found, begin, name = {}, 0, None
    for i, line in enumerate(lines):
        match = DEFINE.match(line)
        if match:
            begin, name = i, match[1]
        elif name is not None and line == "}":
            found[name] = (begin, i)
            name = None
    return found


def kernels_of(lines):
    for line in lines:
        if line.startswith("@llvm.global.annotations ="):
            texts = {m[1] for m in re.finditer(r'@([\w.]+) = [^\n]* c"cudabook_kernel\\00"', "\n".join(l for l in lines if l.startswith("@.")))}
            rows = re.findall(r"\{ ptr " + NAME + r", ptr @([\w.]+),", line)
            return [name for name, text in rows if text in texts]
    return []


def calls_of(lines, functions):
    """Which defined functions each function calls."""
    return {name: {m[1] for line in lines[begin + 1 : end] for m in CALL.finditer(line)} & functions.keys() for name, (begin, end) in functions.items()}


def reached(start, calls):
    found, todo = set(), list(start)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += calls.get(name, ())
    return found


def type_at(text):
    """The type with which a text begins."""
    depth, in_name = 0, False
    for at, c in enumerate(text):
        in_name ^= c == '"'
        if not in_name:
            depth += (c in "[{<(") - (c in "]}>)")
            if depth == 0 and c in "]}> ":
                return text[: at + (c != " ")]
    return text


def size_of(kind):
    """LLVM's expression for the bytes of a type."""
    return f"ptrtoint (ptr getelementptr ({kind}, ptr null, i32 1) to i32)"


def add_table(lines):
    functions = functions_of(lines)
    kernels = [name for name in kernels_of(lines) if name in functions]
    if not kernels:
        return lines
    calls = calls_of(lines, functions)
    shared = {}
    for line in lines:
        m = re.match(NAME + r' = .*?thread_local.*? global (.*section "cudabook_shared")', line)
        if m and " external " not in line:
            shared[m[1]] = size_of(type_at(m[2]))
    rows = []
    for i, name in enumerate(kernels):
        text = name.strip('"').encode()
        used = {v for f in reached([name], calls) for line in lines[functions[f][0] : functions[f][1]] if "B15cudabook_shared" in line for v in re.findall(NAME, line)}
        lines.append(f'@cudabook.name.{i} = private constant [{len(text) + 1} x i8] c"{text.decode()}\\00"')
        bytes_used = "0"
        for variable in sorted(used & shared.keys()):
            bytes_used = f"add (i32 {bytes_used}, i32 {shared[variable]})"
        rows.append(f"{{ ptr, ptr, i32 }} {{ ptr @{name}, ptr @cudabook.name.{i}, i32 {bytes_used} }}")
    lines.append(f'@cudabook.kernels = internal constant [{len(rows)} x {{ ptr, ptr, i32 }}] [{", ".join(rows)}], section "cudabook_kernels", align 4')
    for i, line in enumerate(lines):
        m = re.match(r"@llvm.used = appending global \[(\d+) x ptr\] \[(.*)\], section", line)
        if m:
            lines[i] = f'@llvm.used = appending global [{int(m[1]) + 1} x ptr] [{m[2]}, ptr @cudabook.kernels], section "llvm.metadata"'
            return lines
    lines.append('@llvm.used = appending global [1 x ptr] [ptr @cudabook.kernels], section "llvm.metadata"')
    return lines


def without_pads(lines):
    """The lines of a function without landing pads: a thread that fails does not go on, so nothing is cleaned up."""
    result = []
    for line in lines:
        m = re.match(r"\s+to label (%\S+) unwind label %[^ ,]+(.*)$", line)
        if m and "invoke " in result[-1]:
            result[-1] = result[-1].replace("invoke ", "call ", 1) + m[2]
            result.append(f"  br label {m[1]}")
        else:
            result.append(line)
    return result


def mark(lines):
    functions = functions_of(lines)
    for name in sorted(reached(kernels_of(lines), calls_of(lines, functions)) & functions.keys(), key=lambda f: -functions[f][0]):
        begin, end = functions[name]
        lines[begin:end] = without_pads(lines[begin:end])
    functions = functions_of(lines)
    calls = calls_of(lines, functions)
    not_inlined = {m[1] for line in lines if (m := re.match(r"attributes (#\d+) = \{.*\b(?:noinline|optnone|alwaysinline)\b", line))}
    kernels = set(kernels_of(lines))
    for name in reached(kernels, calls) - kernels:
        if name not in functions or name in reached(calls[name], calls):  # recursive
            continue
        begin = functions[name][0]
        group = re.search(r"\)(?: local_unnamed_addr| unnamed_addr)? (#\d+)", lines[begin])
        if group and group[1] not in not_inlined:
            at = group.start(1)
            lines[begin] = lines[begin][:at] + "alwaysinline " + lines[begin][at:]
    return lines


class Lines:
    """What the debug information says of places."""

    def __init__(self, lines, root):
        self.nodes = {m[1]: m[2] for line in lines if (m := re.match(r"(!\d+) = (?:distinct )?(!DI\w+\(.*\))$", line))}
        self.root = root.rstrip("/") + "/"

    def field(self, node, name):
        m = re.search(rf'\b{name}: (!\d+|\d+|"[^"]*")', self.nodes.get(node, ""))
        return m[1].strip('"') if m else None

    def file_of(self, scope):
        file = self.field(scope, "file")
        path = self.field(file, "filename") or ""
        return path if path.startswith("/") else f'{self.field(file, "directory")}/{path}'

    def of(self, location):
        """The lines of a location, from the inside outwards: [[file, line], ...]."""
        found = []
        while location is not None and location in self.nodes:
            file = self.file_of(self.field(location, "scope"))
            line = int(self.field(location, "line") or 0)
            if file.startswith(self.root) and not file.startswith(self.root + "emulator/") and line > 0:
                found.append([file[len(self.root) :], line])
            location = self.field(location, "inlinedAt")
        return found


def count(lines, first, root):
    functions = functions_of(lines)
    calls = calls_of(lines, functions)
    inside = reached(kernels_of(lines), calls)
    debug = Lines(lines, root)
    places = {}
    result = []
    number = first * PLACES_OF_FILE

    def place_of(line):
        nonlocal number
        number += 1
        m = re.search(r"!dbg (!\d+)", line)
        places[number] = debug.of(m[1]) if m else []
        return number

    at = 0
    for name in sorted(inside & functions.keys(), key=lambda f: functions[f][0]):
        begin, end = functions[name]
        result += lines[at : begin + 1]
        own = set()  # pointers to the thread's own variables
        block_begins = True
        if any("invoke " in line for line in lines[begin:end]):
            raise SystemExit(f"kernels.py: {name} has landing pads")
        for line in lines[begin + 1 : end]:
            text = line.strip()
            if re.match(r'(?:[\w.$-]+|"[^"]*"):', line):
                result.append(line)
                block_begins = True
                continue
            m = re.match(r"(%\S+) = (alloca\b|getelementptr .*?ptr (%[^,]+)|call .*@llvm.threadlocal.address.p0\(ptr.* @(\w+)\))", text)
            if m and (m[2] == "alloca" or m[3] in own or m[4] in ("threadIdx", "blockIdx", "blockDim", "gridDim")):
                own.add(m[1])
            if block_begins and text and not re.match(r"%\S+ = (?:phi|landingpad|cleanuppad|catchswitch|catchpad|alloca)\b", text):
                result.append(f"  call void @cudabook_block(i32 {place_of(line)})")
                block_begins = False
            result += events(text, line, own, place_of)
            result.append(line)
        at = end
    result += lines[at:]
    for name, parameters in (("load", "ptr, i32, i32"), ("store", "ptr, i32, i32"), ("atomic", "ptr, i32, i32"), ("load_range", "ptr, i32, i32"), ("store_range", "ptr, i32, i32"), ("load_copy", "ptr, i32, i32"), ("store_copy", "ptr, i32, i32"), ("block", "i32")):
        result.append(f"declare void @cudabook_{name}({parameters})")
    result.append("@cudabook_place = external global i32")
    return result, places


def events(text, line, own, place_of):
    """The calls that go before an instruction."""

    def call(name, pointer, size):
        return [] if pointer in own else [f"  call void @cudabook_{name}(ptr {pointer}, i32 {size}, i32 {place_of(line)})"]

    m = re.match(rf"%\S+ = load (?:volatile )?({TYPE}), ptr ({ADDRESS})", text)
    if m:
        return call("load", m[2], size(m[1]))
    m = re.match(rf"store (?:atomic )?(?:volatile )?({TYPE}) .*, ptr ({ADDRESS})(?: |,)", text)
    if m:
        return call("store", m[2], size(m[1]))
    m = re.match(rf"%\S+ = (?:atomicrmw|cmpxchg)[\w ]* ptr ({ADDRESS}), (\w+) ", text)
    if m:
        return call("atomic", m[1], size(m[2]))
    m = re.match(rf"(?:tail )?call void @llvm.mem(?:cpy|move|set)\.\S+\(ptr[\w ()]*? ({ADDRESS}), (?:ptr[\w ()]*? ({ADDRESS})|i8 [^,]+), i32 ([^,]+),", text)
    if m:
        kind = "range" if m[3].isdigit() else "copy"
        return (call(f"load_{kind}", m[2], m[3]) if m[2] else []) + call(f"store_{kind}", m[1], m[3])
    if re.match(r"%\S+ = load atomic ", text):
        return []  # it begins an atomic operation
    if re.match(r"(?:%\S+ = (?:load|atomicrmw|cmpxchg)|store|(?:tail )?call void @llvm.mem(?:cpy|move|set)) ", text):
        raise SystemExit(f"kernels.py: not understood: {text}")
    m = re.match(r"(?:%\S+ = )?(?:tail |musttail |notail )?(?:call|invoke) ", text)
    if m and "@llvm." not in text and " asm " not in text:
        return [f"  store i32 {place_of(line)}, ptr @cudabook_place"]
    return []


def write_lines(path, root, of_files):
    """The JSON: {"files": [[name, text], ...], "places": {place: [[file, line], ...]}}."""
    numbers, places = {}, {}
    for name in of_files:
        with open(name, encoding="utf-8") as file:
            for place, lines in json.load(file).items():
                if lines:
                    places[place] = [[numbers.setdefault(at, len(numbers)), line] for at, line in lines]
    files = []
    for name in numbers:
        with open(f"{root}/{name}", encoding="utf-8") as file:
            files.append([name, file.read()])
    text = json.dumps({"files": files, "places": places}, separators=(",", ":"))
    rows = "\n".join(json.dumps(text[i : i + 1000]) for i in range(0, len(text), 1000))
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"namespace cudabook::emulation {{\nextern const char* const lines_of_places;\nconst char* const lines_of_places =\n{rows};\n}}\n")


def main():
    if len(sys.argv) > 4 and sys.argv[1] == "lines":
        return write_lines(sys.argv[2], sys.argv[3], sys.argv[4:])
    if len(sys.argv) < 3 or (sys.argv[1] == "count") != (len(sys.argv) == 6):
        raise SystemExit(__doc__)
    what, path = sys.argv[1:3]
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    if what == "count":
        lines, places = count(lines, int(sys.argv[3]), sys.argv[4])
        with open(sys.argv[5], "w", encoding="utf-8") as file:
            json.dump(places, file)
    else:
        lines = {"table": add_table, "mark": mark}[what](lines)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main()
