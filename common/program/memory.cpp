#include "common/program/memory.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

namespace cudabook {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// The file names of a control group (cgroup), in version 1 or 2.
struct Files {
    const char* limit;
    const char* used;
    std::array<std::string_view, 2> cached;  ///< fields of memory.stat: the file cache of the group's subtree
};
constexpr Files files_of_v1{
    "memory.limit_in_bytes", "memory.usage_in_bytes", {"total_active_file", "total_inactive_file"}};
constexpr Files files_of_v2{"memory.max", "memory.current", {"active_file", "inactive_file"}};

std::size_t available_on_machine(const std::string& root) {
    std::size_t available = no_limit;
    std::ifstream info(root + "/proc/meminfo");
    for (std::string name, unit; info >> name;) {
        std::size_t kib = 0;
        info >> kib;
        std::getline(info, unit);
        if (name == "MemAvailable:") available = kib * 1024;
    }
    return available;
}

/// The bytes that the processes of a group can still use. Without a limit, the limit's file has the word
/// "max" or does not exist. The used memory includes the file cache, which the Linux kernel frees when a
/// process needs memory.
std::size_t available_in(const fs::path& group, const Files& files) {
    std::size_t limit = 0;
    std::size_t used = 0;
    if (!(std::ifstream(group / files.limit) >> limit) || !(std::ifstream(group / files.used) >> used))
        return no_limit;
    std::ifstream parts(group / "memory.stat");
    std::size_t bytes = 0;
    for (std::string name; parts >> name >> bytes;)
        if (std::ranges::count(files.cached, name) > 0) used -= std::min(used, bytes);
    return limit > used ? limit - used : 0;
}

bool has_word(std::string_view words, std::string_view word) {
    return fmt::format(",{},", words).find(fmt::format(",{},", word)) != std::string::npos;
}

/// The paths of this process's groups in their hierarchies. /proc/self/cgroup has lines
/// NUMBER:CONTROLLERS:PATH; a line for version 2 has no controllers.
struct Groups {
    std::optional<fs::path> v1;  ///< in the hierarchy that controls memory
    std::optional<fs::path> v2;
};
Groups groups_of_process(const std::string& root) {
    Groups groups;
    std::ifstream lines(root + "/proc/self/cgroup");
    for (std::string number, controllers, path; std::getline(lines, number, ':') &&
                                                std::getline(lines, controllers, ':') &&
                                                std::getline(lines, path);) {
        if (controllers.empty()) groups.v2 = path;
        if (has_word(controllers, "memory")) groups.v1 = path;
    }
    return groups;
}

/// The minimum of the bytes that this process's group and its ancestors can still use. The hierarchy's group
/// `top` is mounted at `mounted`.
std::size_t available_in_groups(const std::string& root, const fs::path& mounted, const fs::path& top,
                                const fs::path& group, const Files& files) {
    const fs::path below = group.lexically_relative(top);
    if (below.empty() || *below.begin() == "..") return no_limit;  // the mount has groups of other processes
    fs::path folder = root + mounted.string();
    std::size_t available = available_in(folder, files);
    for (const fs::path& name : below) available = std::min(available, available_in(folder /= name, files));
    return available;
}

/// The minimum of the bytes that any group of this process can still use. /proc/self/mountinfo has a line for
/// each mount: NUMBER NUMBER DEVICE TOP FOLDER OPTIONS... - TYPE SOURCE OPTIONS.
std::size_t available_in_all_groups(const std::string& root) {
    const Groups groups = groups_of_process(root);
    std::size_t available = no_limit;
    std::ifstream mounts(root + "/proc/self/mountinfo");
    for (std::string line; std::getline(mounts, line);) {
        std::istringstream words(line);
        std::string skipped, top, folder, type, source, options;
        words >> skipped >> skipped >> skipped >> top >> folder;
        while (words >> skipped && skipped != "-") {
        }
        words >> type >> source >> options;
        if (type == "cgroup2" && groups.v2)
            available = std::min(available, available_in_groups(root, folder, top, *groups.v2, files_of_v2));
        if (type == "cgroup" && has_word(options, "memory") && groups.v1)
            available = std::min(available, available_in_groups(root, folder, top, *groups.v1, files_of_v1));
    }
    return available;
}

}  // namespace

std::size_t available_memory(const std::string& root) {
    return std::min(available_on_machine(root), available_in_all_groups(root));
}

void require_memory(std::size_t bytes, const std::string& what) {
    const std::size_t available = available_memory();
    if (bytes <= available) return;
    throw OutOfMemory(
        fmt::format("{} needs {:.1f} GiB of memory, and {:.1f} GiB are available; choose a smaller one", what,
                    static_cast<double>(bytes) / 0x1p30, static_cast<double>(available) / 0x1p30));
}

}  // namespace cudabook
