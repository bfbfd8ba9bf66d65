#include "emulator/objects/elf_file.hpp"

#include <elf.h>

#include <algorithm>
#include <bit>

namespace cudabook::emulation {

namespace {

using SectionHeader = Elf64_Shdr;

/// Returns the element with this index. Errors: FileError if there is no such element.
template <class T>
const T& element(const std::vector<T>& elements, std::size_t index) {
    if (index >= elements.size()) throw FileError(broken_file);
    return elements[index];
}

FileImage content(const FileImage& image, const SectionHeader& section) {
    return image.part(section.sh_offset, section.sh_size);
}

std::vector<SectionHeader> read_sections(const FileImage& image) {
    const auto header = image.value<Elf64_Ehdr>(0);
    constexpr bool is_little_endian = std::endian::native == std::endian::little;
    if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != (is_little_endian ? ELFDATA2LSB : ELFDATA2MSB))
        throw FileError("it is for another kind of machine");
    if (header.e_shoff == 0) return {};
    if (header.e_shentsize != sizeof(SectionHeader)) throw FileError(broken_file);
    // If the header has no room for the number of sections, the first section header has it.
    std::uint64_t count = header.e_shnum;
    if (count == 0) count = image.value<SectionHeader>(header.e_shoff).sh_size;
    if (count > image.bytes().size() / sizeof(SectionHeader)) throw FileError(broken_file);
    return image.part(header.e_shoff, count * sizeof(SectionHeader)).values<SectionHeader>();
}

std::vector<ElfSymbol> read_symbols(const FileImage& image, const std::vector<SectionHeader>& sections,
                                    std::size_t table) {
    const FileImage names = content(image, element(sections, sections[table].sh_link));
    std::vector<Elf64_Word> large_indices;  // section indices that have no room in a symbol
    for (const SectionHeader& section : sections)
        if (section.sh_type == SHT_SYMTAB_SHNDX && section.sh_link == table)
            large_indices = content(image, section).values<Elf64_Word>();

    std::vector<ElfSymbol> symbols;
    for (const auto& symbol : content(image, sections[table]).values<Elf64_Sym>()) {
        std::uint32_t section = symbol.st_shndx;
        if (section == SHN_XINDEX)
            section = element(large_indices, symbols.size());
        else if (section >= SHN_LORESERVE)
            section = 0;
        if (section >= sections.size()) throw FileError(broken_file);
        symbols.push_back({.name = names.text(symbol.st_name, '\0'),
                           .value = symbol.st_value,
                           .bytes = symbol.st_size,
                           .section = section,
                           .is_function = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC,
                           .is_thread_local = ELF64_ST_TYPE(symbol.st_info) == STT_TLS,
                           .is_local = ELF64_ST_BIND(symbol.st_info) == STB_LOCAL,
                           .is_defined = symbol.st_shndx != SHN_UNDEF});
    }
    return symbols;
}

}  // namespace

bool is_elf_file(const FileImage& image) { return image.bytes().starts_with(ELFMAG); }

ElfFile read_elf_file(const FileImage& image) {
    if (!is_elf_file(image)) throw FileError("it is no ELF file");
    ElfFile file;
    const auto sections = read_sections(image);
    file.sections = sections.size();
    const auto found = std::ranges::find(sections, Elf64_Word{SHT_SYMTAB}, &SectionHeader::sh_type);
    if (found == sections.end()) return file;
    const auto table = static_cast<std::size_t>(found - sections.begin());
    file.symbols = read_symbols(image, sections, table);

    for (const SectionHeader& section : sections) {
        if (section.sh_type != SHT_RELA || section.sh_link != table) continue;
        if ((element(sections, section.sh_info).sh_flags & SHF_EXECINSTR) == 0) continue;
        for (const auto& relocation : content(image, section).values<Elf64_Rela>()) {
            const auto symbol = static_cast<std::uint32_t>(ELF64_R_SYM(relocation.r_info));
            if (symbol >= file.symbols.size()) throw FileError(broken_file);
            file.references.push_back({section.sh_info, symbol});
        }
    }
    return file;
}

}  // namespace cudabook::emulation
