// Archives of objects, as ar(1) makes them.
#pragma once

#include <string_view>
#include <vector>

#include "emulator/objects/file_image.hpp"

namespace cudabook::emulation {

bool is_archive(const FileImage& image);

struct ArchiveMember {
    std::string_view name;  ///< points into the archive's image, as the content does
    FileImage content;
};

/// Returns all members of the archive, of any kind. Errors: FileError, also for a thin archive, which does
/// not hold its members.
std::vector<ArchiveMember> members_of(const FileImage& archive);

}  // namespace cudabook::emulation
