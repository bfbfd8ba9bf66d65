#include "heat_notexture/parts/workers/cores.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

namespace cudabook {

std::string cores_allowed() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "Cpus_allowed_list:" && status >> word) return word;
    return {};
}

int workers_with(Worker& worker, const std::string& cores) {
    const std::string own = fmt::format("{} {}", worker.machine(), cores);
    return static_cast<int>(std::ranges::count(worker.all_gather(own), own));
}

}  // namespace cudabook
