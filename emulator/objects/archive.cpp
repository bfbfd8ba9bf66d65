#include "emulator/objects/archive.hpp"

#include <ar.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <system_error>

namespace cudabook::emulation {

namespace {

constexpr std::string_view thin_archive = "!<thin>\n";

/// Returns the number in a field. The field may end in spaces.
std::uint64_t number(std::string_view field) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    const auto rest = field.substr(static_cast<std::size_t>(end - field.data()));
    if (error != std::errc() || rest.find_first_not_of(' ') != std::string_view::npos)
        throw FileError(broken_file);
    return value;
}

}  // namespace

bool is_archive(const FileImage& image) {
    return image.bytes().starts_with(ARMAG) || image.bytes().starts_with(thin_archive);
}

std::vector<ArchiveMember> members_of(const FileImage& archive) {
    if (archive.bytes().starts_with(thin_archive))
        throw FileError("it is a thin archive, which does not hold its objects");
    std::vector<ArchiveMember> members;
    FileImage long_names("");
    for (std::uint64_t at = SARMAG; at < archive.bytes().size();) {
        const std::string_view header = archive.part(at, sizeof(ar_hdr)).bytes();
        if (!header.ends_with(ARFMAG)) throw FileError(broken_file);
        std::string_view name = header.substr(offsetof(ar_hdr, ar_name), sizeof(ar_hdr::ar_name));
        const std::uint64_t size = number(header.substr(offsetof(ar_hdr, ar_size), sizeof(ar_hdr::ar_size)));
        const FileImage content = archive.part(at + sizeof(ar_hdr), size);
        at += sizeof(ar_hdr) + size + size % 2;
        if (name.starts_with("//")) {
            long_names = content;
            continue;
        }
        if (name.starts_with("/ ") || name.starts_with("/SYM64/")) continue;  // the index of symbols
        if (name.starts_with('/'))
            name = long_names.text(number(name.substr(1)), '/');
        else
            name = name.substr(0, name.find('/'));
        members.push_back({name, content});
    }
    return members;
}

}  // namespace cudabook::emulation
