#!/bin/sh
# shared_memory.sh OBJECT...: prints a C++ source with what a linker and a loader for a GPU know of shared memory, found in the objects of an
# emulated GPU's code (compiled with -ffunction-sections):
#  - The arrays of dynamic shared memory. Code declares them as `extern __shared__`, and nothing defines them. They all begin at one
#    address, as in CUDA, in a block as large as any GPU lets one be.
#  - The names of the `__shared__` variables.
#  - How many bytes each kernel declares: those of the `__shared__` variables that it, or a function that it calls, uses. (For every
#    function, because objects do not say which are kernels.)
# Shared memory is thread-local storage: see common/emulation/include/cuda_runtime.h.
set -eu

for object; do
    echo "Object"
    LC_ALL=C readelf --wide --sections --relocs --symbols "$object"
done | awk '
function number(text,    value, i) {  # decimal, or hexadecimal with 0x
    if (text !~ /^0x/) return text + 0
    for (i = 3; i <= length(text); ++i) value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value
}

# Names are those of the symbol table; local ones are known within their object only.
function key(name) { return (object, name) in is_local ? object SUBSEP name : name }

# The variables that a section uses, and the sections that it refers to, and so on; each is counted once.
function bytes_of(start,    todo, seen, counted, sum, section, i, name) {
    todo[1] = start
    seen[start] = 1
    sum = 0
    for (left = 1; left > 0;) {
        section = todo[left--]
        for (i = 1; i <= references[section]; ++i) {
            object = object_of[section]
            name = reference[section, i]
            if (key(name) in shared) {
                if (!(key(name) in counted)) sum += shared[key(name)]
                counted[key(name)] = 1
                continue
            }
            if (key(name) in section_of) name = section_of[key(name)]
            else if (name ~ /^\.text/) name = object SUBSEP name  # a local function, by its section
            if (!(name in seen)) todo[++left] = name
            seen[name] = 1
        }
    }
    return sum
}

/^Object$/ || /^File: / { ++object; part = "" }  # an archive has several
/^Section Headers:/ { part = "sections" }
/^Relocation section/ { part = "relocations"; split($0, quoted, "\047"); from = quoted[2]; sub(/^\.rela?/, "", from) }
/^Symbol table/ { part = "symbols" }

part == "sections" && /^ *\[ *[0-9]+\]/ { sub(/^ *\[ */, ""); sub(/\]/, ""); section_name[object, $1] = $2 }

part == "relocations" && /^[0-9a-f]+ / && from ~ /^\.text/ {
    section = object SUBSEP from
    object_of[section] = object
    reference[section, ++references[section]] = $5
}

part == "symbols" && $1 ~ /^[0-9]+:$/ && $8 != "" {
    name = $8
    if ($4 == "TLS" && $7 == "UND") undefined[++undefined_count] = name
    if ($7 == "UND") next
    if ($5 == "LOCAL") is_local[object, name] = 1
    if ($4 == "TLS") {
        defined[name] = 1
        # A variable of a function is named _ZZ...; those of the emulated GPU itself are not shared memory.
        if (name ~ /^_ZZ/ && name !~ /^_ZZN8cudabook9emulation/) {
            shared[key(name)] = number($3)
            if (!(name in is_variable)) variables[++variable_count] = name
            is_variable[name] = 1
        }
    } else if ($4 == "FUNC" && !(key(name) in section_of)) {
        section_of[key(name)] = object SUBSEP section_name[object, $7]
        functions[++function_count] = key(name)
    }
}

END {
    print "// Made by cmake/shared_memory.sh."
    for (i = 1; i <= undefined_count; ++i) {
        name = undefined[i]
        if (name in defined || name ~ /^_ZSt/ || name ~ /^_ZN8cudabook9emulation/) continue
        if (name ~ /^(threadIdx|blockIdx|blockDim|gridDim)$/) continue
        defined[name] = 1
        if (arrays++ == 0) print "asm(\".section .tbss.cudabook_shared, \\\"awT\\\", %nobits\\n.balign 1024\\n\""
        printf "    \".weak \\\"%s\\\"\\n.hidden \\\"%s\\\"\\n.type \\\"%s\\\", %%tls_object\\n.size \\\"%s\\\", 233472\\n\\\"%s\\\":\\n\"\n", name, name, name, name, name
    }
    if (arrays) print "    \".zero 233472\\n.previous\");"

    for (i = 1; i <= function_count; ++i) {
        bytes = bytes_of(section_of[functions[i]])
        name = functions[i]
        sub(".*" SUBSEP, "", name)
        if (name ~ /\./) continue  # a part or a clone that the compiler made
        if (bytes > 0 && !(name in known)) names[++name_count] = name
        if (bytes > known[name] + 0) known[name] = bytes  # of two local ones with one name, the larger
    }
    if (name_count > 0 || variable_count > 0) print "#include \"common/emulation/engine/launch.hpp\""
    if (variable_count > 0) {
        print "static const char* const variables[] = {"
        for (i = 1; i <= variable_count; ++i) printf "    \"%s\",\n", variables[i]
        print "};"
        print "static const cudabook::emulation::KnownSharedVariables known_variables(variables);"
    }
    if (name_count == 0) exit
    print "static const cudabook::emulation::StaticShared table[] = {"
    for (i = 1; i <= name_count; ++i) printf "    {\"%s\", %d},\n", names[i], known[names[i]]
    print "};"
    print "static const cudabook::emulation::KnownStaticShared known(table);"
}'
