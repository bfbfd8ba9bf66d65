#include "common/emulation/engine/program_file.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "common/emulation/engine/launch.hpp"

namespace cudabook::emulation {

namespace {

template <class T>
std::vector<T> read(std::ifstream& file, std::uint64_t offset, std::uint64_t bytes) {
    std::vector<T> values(bytes / sizeof(T));
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(reinterpret_cast<char*>(values.data()),
              static_cast<std::streamsize>(values.size() * sizeof(T)));
    if (!file) values.clear();
    return values;
}

/// What the file says of a function or a thread_local variable.
struct Symbol {
    std::string name;
    std::uint64_t value;
    std::uint64_t bytes;
    unsigned type;
};

std::vector<Symbol> read_symbols() {
    std::vector<Symbol> symbols;
    std::ifstream file("/proc/self/exe", std::ios::binary);
    const auto header = read<ElfW(Ehdr)>(file, 0, sizeof(ElfW(Ehdr)));
    if (header.empty() || header[0].e_shentsize != sizeof(ElfW(Shdr))) return symbols;
    const auto sections =
        read<ElfW(Shdr)>(file, header[0].e_shoff, std::uint64_t{header[0].e_shnum} * sizeof(ElfW(Shdr)));
    for (const ElfW(Shdr) & section : sections) {
        if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
        const ElfW(Shdr)& names_section = sections[section.sh_link];
        const auto names = read<char>(file, names_section.sh_offset, names_section.sh_size);
        for (const ElfW(Sym) & symbol : read<ElfW(Sym)>(file, section.sh_offset, section.sh_size)) {
            const unsigned type = symbol.st_info & 0xfU;
            if ((type == STT_FUNC || type == STT_TLS) && symbol.st_shndx != SHN_UNDEF &&
                symbol.st_name < names.size())
                symbols.push_back({&names[symbol.st_name], symbol.st_value, symbol.st_size, type});
        }
    }
    return symbols;
}

const std::vector<Symbol>& symbols() {
    static const std::vector<Symbol> all = read_symbols();
    return all;
}

/// Where the program was loaded, and the thread_local variables of the calling thread.
struct Loaded {
    std::uintptr_t base = 0;
    std::byte* thread_locals = nullptr;
};

Loaded loaded() {
    Loaded program;
    dl_iterate_phdr(  // the first object that is visited is the program
        [](dl_phdr_info* info, std::size_t, void* to) {
            *static_cast<Loaded*>(to) = {info->dlpi_addr, static_cast<std::byte*>(info->dlpi_tls_data)};
            return 1;
        },
        &program);
    return program;
}

std::map<std::uintptr_t, std::string_view> functions_by_address() {
    std::map<std::uintptr_t, std::string_view> functions;
    const std::uintptr_t base = loaded().base;
    for (const Symbol& symbol : symbols())
        if (symbol.type == STT_FUNC) functions[base + symbol.value] = symbol.name;
    return functions;
}

std::mutex names_mutex;
std::map<const void*, const char*> given_names;

}  // namespace

void name_kernel(const void* kernel, const char* name) {
    const std::lock_guard lock(names_mutex);
    given_names[kernel] = name;
}

std::string mangled_name_of(const void* function) {
    static const auto functions = functions_by_address();
    const auto found = functions.find(reinterpret_cast<std::uintptr_t>(function));
    return found == functions.end() ? std::string() : std::string(found->second);
}

std::vector<ThreadLocal> thread_locals() {
    std::vector<ThreadLocal> variables;
    std::byte* const begin = loaded().thread_locals;
    if (begin == nullptr) return variables;
    for (const Symbol& symbol : symbols())
        if (symbol.type == STT_TLS) variables.push_back({symbol.name, begin + symbol.value, symbol.bytes});
    return variables;
}

std::string name_of(const void* function) {
    {
        const std::lock_guard lock(names_mutex);
        if (const auto given = given_names.find(function); given != given_names.end()) return given->second;
    }
    std::string mangled = mangled_name_of(function);
    if (mangled.empty()) return "a kernel";
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
    if (text == nullptr) return mangled;
    std::string name = text.get();
    if (name.starts_with("void ")) name.erase(0, 5);
    std::size_t depth = 0;  // of template arguments, in which there may be parameters of functions too
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '<') ++depth;
        if (name[i] == '>') --depth;
        if (name[i] != '(' || depth > 0) continue;
        if (name.compare(i, 21, "(anonymous namespace)") == 0) {
            name.erase(i, 23);  // and the colons after it
            --i;
            continue;
        }
        name.erase(i);
    }
    return name;
}

}  // namespace cudabook::emulation
