// emulator/objects/elf_file.hpp: the contents of a small object, and damaged objects, which must not cause
// reads outside.
#include "emulator/objects/elf_file.hpp"

#include <elf.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace cudabook::emulation {
namespace {

constexpr std::size_t section_count = 7;

/// An object with the function `kernel`, whose code refers to the variable `tile` and to `other`. `other` is
/// not in the object.
struct Object {
    Elf64_Ehdr header{};
    Elf64_Shdr sections[section_count]{};
    Elf64_Sym symbols[4]{};
    Elf64_Word large_indices[4]{};  ///< the indices of the symbols' sections
    Elf64_Rela of_code[2]{};
    Elf64_Rela of_data[1]{};
    char names[24] = "\0kernel\0tile\0other";

    Object() {
        std::memcpy(header.e_ident, ELFMAG, SELFMAG);
        header.e_ident[EI_CLASS] = ELFCLASS64;
        header.e_ident[EI_DATA] = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
        header.e_shoff = offsetof(Object, sections);
        header.e_shentsize = sizeof(Elf64_Shdr);
        header.e_shnum = section_count;
        sections[1].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
        sections[2] = section(SHT_RELA, offsetof(Object, of_code), sizeof(of_code), 3, 1);
        sections[3] = section(SHT_SYMTAB, offsetof(Object, symbols), sizeof(symbols), 4, 0);
        sections[4] = section(SHT_STRTAB, offsetof(Object, names), sizeof(names), 0, 0);
        sections[5] = section(SHT_SYMTAB_SHNDX, offsetof(Object, large_indices), sizeof(large_indices), 3, 0);
        sections[6] = section(SHT_RELA, offsetof(Object, of_data), sizeof(of_data), 3, 4);
        symbols[1] = symbol(1, STB_GLOBAL, STT_FUNC, 1);
        symbols[2] = symbol(8, STB_LOCAL, STT_TLS, 3);
        symbols[3] = symbol(13, STB_WEAK, STT_NOTYPE, SHN_UNDEF);
        of_code[0].r_info = ELF64_R_INFO(2, 1);
        of_code[1].r_info = ELF64_R_INFO(3, 1);
        of_data[0].r_info = ELF64_R_INFO(1, 1);
    }

    static Elf64_Shdr section(unsigned type, std::size_t offset, std::size_t size, unsigned link,
                              unsigned info) {
        Elf64_Shdr section{};
        section.sh_type = type;
        section.sh_offset = offset;
        section.sh_size = size;
        section.sh_link = link;
        section.sh_info = info;
        return section;
    }
    static Elf64_Sym symbol(unsigned name, unsigned binding, unsigned type, unsigned section) {
        Elf64_Sym symbol{};
        symbol.st_name = name;
        symbol.st_info = static_cast<unsigned char>(ELF64_ST_INFO(binding, type));
        symbol.st_shndx = static_cast<Elf64_Half>(section);
        symbol.st_value = 16;
        symbol.st_size = 400;
        return symbol;
    }

    [[nodiscard]] std::string bytes() const { return {reinterpret_cast<const char*>(this), sizeof(*this)}; }
};

/// Returns the error for these bytes or, if there is none, checks the indices and names that were read and
/// returns an empty string. The bytes are copied to memory of their own, so that a sanitizer detects reads
/// outside.
std::string elf_error(std::string_view bytes) {
    const std::vector<char> image(bytes.begin(), bytes.end());
    try {
        const ElfFile file = read_elf_file(FileImage({image.data(), image.size()}));
        for (const ElfSymbol& symbol : file.symbols) {
            EXPECT_LT(symbol.section, file.sections);
            EXPECT_EQ(symbol.name.find('\0'), std::string_view::npos);
        }
        for (const ElfReference& reference : file.references) {
            EXPECT_LT(reference.section, file.sections);
            EXPECT_LT(reference.symbol, file.symbols.size());
        }
        return "";
    } catch (const FileError& error) {
        return error.what();
    }
}

TEST(ElfFile, SaysWhatTheSymbolsAre) {
    const std::string bytes = Object().bytes();
    const ElfFile file = read_elf_file(FileImage(bytes));
    EXPECT_EQ(file.sections, section_count);
    ASSERT_EQ(file.symbols.size(), 4U);
    const ElfSymbol& kernel = file.symbols[1];
    EXPECT_EQ(kernel.name, "kernel");
    EXPECT_EQ(kernel.value, 16U);
    EXPECT_EQ(kernel.bytes, 400U);
    EXPECT_EQ(kernel.section, 1U);
    EXPECT_TRUE(kernel.is_function && kernel.is_defined && !kernel.is_local && !kernel.is_thread_local);
    const ElfSymbol& tile = file.symbols[2];
    EXPECT_EQ(tile.name, "tile");
    EXPECT_TRUE(tile.is_thread_local && tile.is_defined && tile.is_local && !tile.is_function);
    const ElfSymbol& other = file.symbols[3];
    EXPECT_EQ(other.name, "other");
    EXPECT_TRUE(!other.is_defined && !other.is_local);
}

TEST(ElfFile, SaysWhatCodeRefersTo) {
    const std::string bytes = Object().bytes();
    const ElfFile file = read_elf_file(FileImage(bytes));
    ASSERT_EQ(file.references.size(), 2U);
    EXPECT_EQ(file.references[0].section, 1U);
    EXPECT_EQ(file.references[0].symbol, 2U);
    EXPECT_EQ(file.references[1].symbol, 3U);
}

TEST(ElfFile, HasRoomForMoreSectionsThanItsHeader) {
    Object object;
    object.header.e_shnum = 0;
    object.sections[0].sh_size = section_count;
    object.symbols[1].st_shndx = SHN_XINDEX;
    object.large_indices[1] = 1;
    object.symbols[2].st_shndx = SHN_ABS;
    const std::string bytes = object.bytes();
    const ElfFile file = read_elf_file(FileImage(bytes));
    EXPECT_EQ(file.sections, section_count);
    EXPECT_EQ(file.symbols[1].section, 1U);
    EXPECT_EQ(file.symbols[2].section, 0U);
    EXPECT_TRUE(file.symbols[2].is_defined);
}

TEST(ElfFile, MayHaveNoSectionsOrSymbols) {
    Object object;
    object.sections[3].sh_type = SHT_PROGBITS;
    EXPECT_EQ(elf_error(object.bytes()), "");
    object.header.e_shoff = 0;
    EXPECT_EQ(elf_error(object.bytes()), "");
}

TEST(ElfFile, IsOfThisKindOfMachine) {
    EXPECT_EQ(elf_error(""), "it is no ELF file");
    EXPECT_EQ(elf_error("\177EL"), "it is no ELF file");
    EXPECT_EQ(elf_error("int main() {}\n"), "it is no ELF file");
    Object object;
    object.header.e_ident[EI_CLASS] = ELFCLASS32;
    EXPECT_EQ(elf_error(object.bytes()), "it is for another kind of machine");
    object = {};
    object.header.e_ident[EI_DATA] ^= ELFDATA2LSB ^ ELFDATA2MSB;
    EXPECT_EQ(elf_error(object.bytes()), "it is for another kind of machine");
}

TEST(ElfFile, IsCompleteOrAnError) {
    const std::string bytes = Object().bytes();
    // All lengths without the zero that ends the last name.
    for (std::size_t size = SELFMAG; size < offsetof(Object, names) + sizeof(Object::names); ++size)
        EXPECT_EQ(elf_error(std::string_view(bytes).substr(0, size)), "it is incomplete or broken") << size;
}

TEST(ElfFile, IsReadWhateverItsBytesAre) {
    const std::string bytes = Object().bytes();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        for (const int value : {0, 1, 2, 4, 5, 0x7f, 0x80, 0xff}) {
            std::string damaged = bytes;
            damaged[i] = static_cast<char>(value);
            elf_error(damaged);
        }
    }
}

}  // namespace
}  // namespace cudabook::emulation
