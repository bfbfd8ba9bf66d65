#include "common/emulation/program_file.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <vector>

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

using Symbols = std::map<std::uintptr_t, std::string>;

/// Functions of the program by their address, as far as the file tells.
Symbols read_symbols() {
    Symbols symbols;
    std::ifstream file("/proc/self/exe", std::ios::binary);
    const auto header = read<ElfW(Ehdr)>(file, 0, sizeof(ElfW(Ehdr)));
    if (header.empty() || header[0].e_shentsize != sizeof(ElfW(Shdr))) return symbols;
    const auto sections =
        read<ElfW(Shdr)>(file, header[0].e_shoff, std::uint64_t{header[0].e_shnum} * sizeof(ElfW(Shdr)));
    std::uintptr_t base = 0;  // where the program was loaded: the first object that is visited
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* to) {
            *static_cast<std::uintptr_t*>(to) = info->dlpi_addr;
            return 1;
        },
        &base);
    for (const ElfW(Shdr) & section : sections) {
        if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
        const ElfW(Shdr)& names_section = sections[section.sh_link];
        const auto names = read<char>(file, names_section.sh_offset, names_section.sh_size);
        for (const ElfW(Sym) & symbol : read<ElfW(Sym)>(file, section.sh_offset, section.sh_size))
            if ((symbol.st_info & 0xfU) == STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
                symbol.st_name < names.size())
                symbols[base + symbol.st_value] = &names[symbol.st_name];
    }
    return symbols;
}

}  // namespace

std::string mangled_name_of(const void* function) {
    static const Symbols symbols = read_symbols();
    const auto found = symbols.find(reinterpret_cast<std::uintptr_t>(function));
    return found == symbols.end() ? std::string() : found->second;
}

std::string name_of(const void* function) {
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
