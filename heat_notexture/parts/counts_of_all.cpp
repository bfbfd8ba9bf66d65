#include "heat_notexture/parts/counts_of_all.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace cudabook::heat {

namespace {

/// A kernel's numbers in a message, where they follow the kernel's name and a zero byte.
struct CountedNumbers {
    std::uint64_t launches;
    Counts counts;
};
static_assert(std::is_trivially_copyable_v<CountedNumbers>);

std::string message_of(const std::vector<KernelCounts>& kernels) {
    std::string message;
    for (const KernelCounts& kernel : kernels) {
        const CountedNumbers numbers{kernel.launches, kernel.counts};
        message += kernel.kernel;
        message += '\0';
        message.append(reinterpret_cast<const char*>(&numbers), sizeof numbers);
    }
    return message;
}

void add(std::vector<KernelCounts>& all, std::string_view message) {
    while (!message.empty()) {
        const std::string_view name = message.substr(0, message.find('\0'));
        CountedNumbers numbers{};
        std::memcpy(&numbers, message.data() + name.size() + 1, sizeof numbers);
        message.remove_prefix(name.size() + 1 + sizeof numbers);
        auto kernel = std::ranges::find(all, name, &KernelCounts::kernel);
        if (kernel == all.end()) kernel = all.insert(all.end(), {std::string(name), 0, {}});
        kernel->launches += numbers.launches;
        kernel->counts += numbers.counts;
    }
}

}  // namespace

std::vector<KernelCounts> take_counts_of_all(Worker& worker, const std::string& result) {
    barrier(worker);  // until every worker has launched its last kernel
    std::vector<KernelCounts> all;
    for (const std::string& message : worker.all_gather(message_of(take_counts(result)))) add(all, message);
    return all;
}

}  // namespace cudabook::heat
