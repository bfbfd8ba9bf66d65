#include "heat_notexture/parts/workers/worker.hpp"

#include <cstring>

namespace cudabook {

std::vector<std::int64_t> all_gather(Worker& worker, std::int64_t number) {
    const auto said = worker.all_gather({reinterpret_cast<const char*>(&number), sizeof number});
    std::vector<std::int64_t> numbers(said.size());
    for (std::size_t i = 0; i < said.size(); ++i) std::memcpy(&numbers[i], said[i].data(), sizeof number);
    return numbers;
}

void detail::throw_first_failure(Worker& worker, ExitStatus status, const std::string& why) {
    const auto statuses = all_gather(worker, static_cast<std::int64_t>(status));
    for (std::size_t i = 0; i < statuses.size(); ++i)
        if (const auto first = static_cast<ExitStatus>(statuses[i]); first != ExitStatus::ok)
            throw FailedTogether(first, static_cast<int>(i) == worker.index() ? why : "");
}

}  // namespace cudabook
