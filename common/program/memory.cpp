#include "common/program/memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>

#include <fmt/format.h>

namespace cudabook {

std::size_t available_memory(const std::string& root) {
    std::size_t available = std::numeric_limits<std::size_t>::max();
    std::ifstream info(root + "/proc/meminfo");
    for (std::string name, unit; info >> name;) {
        std::size_t kib = 0;
        info >> kib;
        std::getline(info, unit);
        if (name == "MemAvailable:") available = kib * 1024;
    }
    // The container's limit; the file contains "max" if there is none. The used memory includes the file
    // cache, which the Linux kernel frees when a process needs memory.
    std::size_t limit = 0;
    std::size_t used = 0;
    if (std::ifstream(root + "/sys/fs/cgroup/memory.max") >> limit &&
        std::ifstream(root + "/sys/fs/cgroup/memory.current") >> used) {
        std::ifstream parts(root + "/sys/fs/cgroup/memory.stat");
        std::size_t bytes = 0;
        for (std::string name; parts >> name >> bytes;)
            if (name == "active_file" || name == "inactive_file") used -= std::min(used, bytes);
        available = std::min(available, limit > used ? limit - used : 0);
    }
    return available;
}

void require_memory(std::size_t bytes, const std::string& what) {
    const std::size_t available = available_memory();
    if (bytes <= available) return;
    throw OutOfMemory(
        fmt::format("{} needs {:.1f} GiB of memory, and {:.1f} GiB are available; choose a smaller one", what,
                    static_cast<double>(bytes) / 0x1p30, static_cast<double>(available) / 0x1p30));
}

}  // namespace cudabook
