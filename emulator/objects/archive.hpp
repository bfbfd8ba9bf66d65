// Archives of objects, as ar(1) makes them.
#pragma once

#include <string_view>
#include <vector>

#include "emulator/objects/file_image.hpp"

namespace cudabook::emulation {

bool is_archive(const FileImage& image);

struct ArchiveMember {
    std::string_view name;  ///< the name and the content point into the archive's image
    FileImage content;
};

/// Returns all members of the archive, whatever their kind. Errors: FileError, also for a thin archive,
/// which does not contain its members.
std::vector<ArchiveMember> members_of(const FileImage& archive);

}  // namespace cudabook::emulation
