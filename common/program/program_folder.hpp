// The file and folder of the running program. C++17.
#pragma once

#include <unistd.h>

#include <string>

namespace cudabook {

/// The path of the running program's file, from Linux's /proc; empty on other systems.
inline std::string program_file() {
    std::string path(4096, '\0');
    const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
    path.resize(length > 0 ? static_cast<std::string::size_type>(length) : 0);
    return path;
}

/// The folder of the running program, with a slash at the end; empty if it is not known.
inline std::string program_folder() {
    const std::string file = program_file();
    return file.substr(0, file.find_last_of('/') + 1);
}

}  // namespace cudabook
