// Reads 64-bit ELF files, both objects and programs: their symbols, and the references from code to symbols.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "emulator/objects/file_image.hpp"

namespace cudabook::emulation {

struct ElfSymbol {
    std::string_view name;  ///< points into the file's image
    std::uint64_t value;
    std::uint64_t bytes;
    std::uint32_t section;  ///< index of the symbol's section; 0 if none
    bool is_function;
    bool is_thread_local;  ///< a thread_local variable
    bool is_local;         ///< only this file can refer to the symbol
    bool is_defined;       ///< this file defines the symbol
};

/// A reference from the code of a section to a symbol; both are indices.
struct ElfReference {
    std::uint32_t section;
    std::uint32_t symbol;
};

struct ElfFile {
    std::size_t sections = 0;              ///< the number of sections
    std::vector<ElfSymbol> symbols;        ///< empty without a symbol table
    std::vector<ElfReference> references;  ///< references that the linker must resolve
};

bool is_elf_file(const FileImage& image);

/// Parses the file. Errors: FileError.
ElfFile read_elf_file(const FileImage& image);

}  // namespace cudabook::emulation
