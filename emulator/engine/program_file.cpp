#include "emulator/engine/program_file.hpp"

#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "emulator/engine/launch.hpp"
#include "emulator/objects/elf_file.hpp"
#include "emulator/objects/file_image.hpp"

namespace cudabook::emulation {

namespace {

std::vector<ElfSymbol> read_symbols() {
    try {
        return read_elf_file(FileImage::of("/proc/self/exe")).symbols;
    } catch (const FileError&) {
        return {};
    }
}

const std::vector<ElfSymbol>& symbols() {
    static const auto* const all = new std::vector(read_symbols());  // lasts until the process ends
    return *all;
}

/// The addresses of the loaded program and of the calling thread's thread_local variables.
struct Loaded {
    std::uintptr_t base = 0;
    std::byte* thread_locals = nullptr;
    std::span<const ElfW(Phdr)> segments;
};

Loaded loaded() {
    Loaded program;
    dl_iterate_phdr(  // the first visited object is the program
        [](dl_phdr_info* info, std::size_t, void* to) {
            *static_cast<Loaded*>(to) = {info->dlpi_addr,
                                         static_cast<std::byte*>(info->dlpi_tls_data),
                                         {info->dlpi_phdr, info->dlpi_phnum}};
            return 1;
        },
        &program);
    return program;
}

struct Function {
    std::string_view name;
    std::size_t bytes;
};

/// Returns the program's functions; the keys are their addresses.
const std::map<std::uintptr_t, Function>& functions() {
    static const auto* const by_address = [] {  // lasts until the process ends
        auto* const all = new std::map<std::uintptr_t, Function>;
        auto& found = *all;
        const std::uintptr_t base = loaded().base;
        for (const ElfSymbol& symbol : symbols())
            if (symbol.is_function && symbol.is_defined)
                found[base + symbol.value] = {symbol.name, symbol.bytes};
        return all;
    }();
    return *by_address;
}

bool is_writable(const Loaded& program, std::uintptr_t address) {
    return std::ranges::any_of(program.segments, [&](const ElfW(Phdr) & segment) {
        return segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0 &&
               address - program.base - segment.p_vaddr < segment.p_memsz;
    });
}

}  // namespace

std::string mangled_name_of(const void* function) {
    const auto found = functions().find(reinterpret_cast<std::uintptr_t>(function));
    return found == functions().end() ? std::string() : std::string(found->second.name);
}

std::uintptr_t function_at(const void* code) {
    const auto address = reinterpret_cast<std::uintptr_t>(code);
    const auto behind = functions().upper_bound(address);
    if (behind == functions().begin()) return 0;
    const auto& [begin, function] = *std::prev(behind);
    return address - begin < function.bytes ? begin : 0;
}

std::uintptr_t program_begin() { return loaded().base; }

const std::vector<ProgramVariable>& program_variables() {
    static const std::vector<ProgramVariable> all = [] {
        std::vector<ProgramVariable> found;
        const Loaded program = loaded();
        for (const ElfSymbol& symbol : symbols()) {
            const std::uintptr_t begin = program.base + symbol.value;
            if (!symbol.is_function && !symbol.is_thread_local && symbol.is_defined && symbol.bytes > 0 &&
                is_writable(program, begin) &&
                symbol.name.find("cudabook9emulation") == std::string_view::npos)
                found.push_back({begin, symbol.bytes, symbol.name});
        }
        std::ranges::sort(found, {}, &ProgramVariable::begin);
        // A place may have several names; keep one.
        found.erase(std::unique(found.begin(), found.end(),
                                [](const ProgramVariable& a, const ProgramVariable& b) {
                                    return a.begin == b.begin;
                                }),
                    found.end());
        return found;
    }();
    return all;
}

std::vector<ThreadLocal> thread_locals() {
    std::vector<ThreadLocal> variables;
    std::byte* const begin = loaded().thread_locals;
    if (begin == nullptr) return variables;
    for (const ElfSymbol& symbol : symbols())
        if (symbol.is_thread_local && symbol.is_defined)
            variables.push_back({symbol.name, begin + symbol.value, symbol.bytes});
    return variables;
}

}  // namespace cudabook::emulation
