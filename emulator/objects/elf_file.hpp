// Reads ELF files of 64 bits, objects and programs: what they say of symbols, and to which of these their
// code refers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "emulator/objects/file_image.hpp"

namespace cudabook::emulation {

struct ElfSymbol {
    std::string_view name;  ///< in the file's image
    std::uint64_t value;
    std::uint64_t bytes;
    std::uint32_t section;  ///< that it is in; 0: none
    bool is_function;
    bool is_thread_local;  ///< a thread_local variable
    bool is_local;         ///< known in this file only
    bool is_defined;       ///< in this file
};

/// That the code of a section refers to a symbol; both are indices.
struct ElfReference {
    std::uint32_t section;
    std::uint32_t symbol;
};

struct ElfFile {
    std::size_t sections = 0;              ///< how many
    std::vector<ElfSymbol> symbols;        ///< empty without a symbol table
    std::vector<ElfReference> references;  ///< those that are left to the linker
};

bool is_elf_file(const FileImage& image);

/// What the file says. Errors: FileError.
ElfFile read_elf_file(const FileImage& image);

}  // namespace cudabook::emulation
