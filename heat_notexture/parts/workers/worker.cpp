#include "heat_notexture/parts/workers/worker.hpp"

#include <cstring>

namespace cudabook {

std::vector<std::int64_t> gather(Worker& worker, std::int64_t number) {
    const auto said = worker.gather({reinterpret_cast<const char*>(&number), sizeof number});
    std::vector<std::int64_t> numbers(said.size());
    for (std::size_t i = 0; i < said.size(); ++i) std::memcpy(&numbers[i], said[i].data(), sizeof number);
    return numbers;
}

void detail::compare_notes(Worker& worker, ExitStatus status, const std::string& why) {
    const auto statuses = gather(worker, static_cast<std::int64_t>(status));
    for (std::size_t i = 0; i < statuses.size(); ++i)
        if (const auto first = static_cast<ExitStatus>(statuses[i]); first != ExitStatus::ok)
            throw FailedTogether(first, static_cast<int>(i) == worker.index() ? why : "");
}

}  // namespace cudabook
