#include "heat_notexture/parts/checkpoint_format.hpp"

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "common/numbers/crc32.hpp"

namespace cudabook::heat {

namespace {

std::uint32_t crc_of(std::string_view bytes) { return crc32(std::as_bytes(std::span(bytes))); }

/// Returns the bytes of a number, little-endian as in zip files and in this file's arrays.
template <class Number>
std::string bytes_of(Number number) {
    static_assert(std::endian::native == std::endian::little);
    std::string bytes(sizeof number, '\0');
    std::memcpy(bytes.data(), &number, sizeof number);
    return bytes;
}

/// Returns the header of an array in a .npy file.
std::string npy_head(std::string_view type, std::string_view shape) {
    std::string dictionary =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
    constexpr std::size_t before = 10;
    dictionary.resize((before + dictionary.size() + 1 + 63) / 64 * 64 - before - 1, ' ');
    dictionary += '\n';
    return "\x93NUMPY\x01" + std::string(1, '\0') + bytes_of(static_cast<std::uint16_t>(dictionary.size())) +
           dictionary;
}

/// A member of a zip file, stored without compression.
struct Member {
    std::string name;
    std::string begin;   ///< its first bytes
    std::uint64_t size;  ///< in bytes, including `begin`
    std::uint32_t crc;
    std::uint64_t offset = 0;  ///< the offset of its local header in the file
};

/// Returns the fields that a member's two headers share, from the needed version to the length of the extra
/// field. The sizes stand in that extra field, as 64-bit numbers.
std::string fields_of(const Member& member, std::uint16_t extra) {
    constexpr std::uint32_t in_extra = 0xffffffff;
    constexpr std::uint16_t version = 45, flags = 0, stored = 0, time = 0, first_of_1980 = 0x21;
    return bytes_of(version) + bytes_of(flags) + bytes_of(stored) + bytes_of(time) + bytes_of(first_of_1980) +
           bytes_of(member.crc) + bytes_of(in_extra) + bytes_of(in_extra) +
           bytes_of(static_cast<std::uint16_t>(member.name.size())) + bytes_of(extra);
}

std::string local_header(const Member& member) {
    constexpr std::uint16_t zip64 = 1, bytes = 16;
    return "PK\x03\x04" + fields_of(member, bytes + 4) + member.name + bytes_of(zip64) + bytes_of(bytes) +
           bytes_of(member.size) + bytes_of(member.size);
}

std::string central_header(const Member& member) {
    constexpr std::uint16_t version = 45, zip64 = 1, bytes = 24, none = 0;
    constexpr std::uint32_t attributes = 0, in_extra = 0xffffffff;
    return "PK\x01\x02" + bytes_of(version) + fields_of(member, bytes + 4) + bytes_of(none) + bytes_of(none) +
           bytes_of(none) + bytes_of(attributes) + bytes_of(in_extra) + member.name + bytes_of(zip64) +
           bytes_of(bytes) + bytes_of(member.size) + bytes_of(member.size) + bytes_of(member.offset);
}

template <class Number>
Member scalar(const std::string& name, std::string_view type, Number number) {
    const std::string bytes = npy_head(type, "()") + bytes_of(number);
    return {name + ".npy", bytes, bytes.size(), crc_of(bytes)};
}

}  // namespace

CheckpointLayout layout_of(const CheckpointHead& head) {
    CheckpointLayout layout{
        .before = {},
        .cells_bytes = static_cast<std::uint64_t>(head.width * head.height) * sizeof(float),
        .after = {}};
    const std::string array = npy_head("<f4", fmt::format("({}, {})", head.height, head.width));
    Member members[] = {
        scalar("width", "<i8", head.width),
        scalar("height", "<i8", head.height),
        scalar("frames", "<i8", head.frames),
        scalar("steps_per_frame", "<i8", head.steps_per_frame),
        scalar("speed", "<f4", head.speed),
        scalar("checksum", "<u4", head.checksum),
        {"temperatures.npy", array, array.size() + layout.cells_bytes,
         Crc32Append(layout.cells_bytes)(crc_of(array), head.checksum)},
    };
    std::string directory;
    for (Member& member : members) {
        member.offset = layout.before.size();
        layout.before += local_header(member) + member.begin;
        directory += central_header(member);
    }
    const std::uint64_t directory_begin = layout.before.size() + layout.cells_bytes;
    const std::uint64_t count = std::size(members);
    const std::uint64_t end = directory_begin + directory.size();
    constexpr std::uint16_t version = 45, in_64_bits = 0xffff, no_comment = 0;
    constexpr std::uint32_t disk = 0, disks = 1, in_64_bits_too = 0xffffffff;
    constexpr std::uint64_t rest_of_record = 44;
    layout.after = directory + "PK\x06\x06" + bytes_of(rest_of_record) + bytes_of(version) +
                   bytes_of(version) + bytes_of(disk) + bytes_of(disk) + bytes_of(count) + bytes_of(count) +
                   bytes_of(static_cast<std::uint64_t>(directory.size())) + bytes_of(directory_begin) +
                   "PK\x06\x07" + bytes_of(disk) + bytes_of(end) + bytes_of(disks) + "PK\x05\x06" +
                   bytes_of(static_cast<std::uint16_t>(disk)) + bytes_of(static_cast<std::uint16_t>(disk)) +
                   bytes_of(in_64_bits) + bytes_of(in_64_bits) + bytes_of(in_64_bits_too) +
                   bytes_of(in_64_bits_too) + bytes_of(no_comment);
    return layout;
}

}  // namespace cudabook::heat
