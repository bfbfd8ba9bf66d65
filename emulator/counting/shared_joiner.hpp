// Joins a thread's accesses to consecutive words of shared memory into accesses of 8 or 16 bytes, as nvcc
// does.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/counting/requests.hpp"
#include "emulator/counting/warp_log.hpp"

namespace cudabook::emulation {

/// Joins accesses that the same lanes make to one word after another, as nvcc does. nvcc knows the addresses
/// of shared variables, and so which words are aligned to 8 or 16 bytes. It joins a thread's loads of aligned
/// neighbouring words into one load if there is no store between them; likewise stores. (For global memory,
/// nvcc knows only the alignment of the pointer's type.)
class SharedJoiner {
  public:
    /// Adds a request. Calls use(access, request) for each joined request that cannot grow any more.
    template <class Use>
    void add(Access access, const Request& request, Use use) {
        if (access != kind_ || access == Access::shared_atomic) end(use);
        kind_ = access;
        for (std::size_t i = 0; i < growing_.size(); ++i) {
            Growing& group = growing_[i];
            if (!continues(group, request)) continue;
            if (++group.count * request.bytes < group.limit) return;
            group.first.bytes = group.limit;
            use(access, group.first);
            growing_.erase(growing_.begin() + static_cast<std::ptrdiff_t>(i));
            return;
        }
        const unsigned alignment = 1U << std::min(std::countr_zero(request.address_bits), 4);
        if (access == Access::shared_atomic || request.bytes < 4 || alignment < 2 * request.bytes)
            use(access, request);
        else
            growing_.push_back({request, 1, alignment});
    }

    /// Calls use(access, request) for each joined request. Call this where no request can grow any more, such
    /// as at a barrier.
    template <class Use>
    void end(Use use) {
        for (Growing& group : growing_) {
            const unsigned bytes = group.first.bytes;
            while (group.count > 0) {
                const unsigned at_once = std::bit_floor(group.count);
                group.first.bytes = at_once * bytes;
                use(kind_, group.first);
                for (std::uint64_t& address : group.first.address) address += group.first.bytes;
                group.count -= at_once;
            }
        }
        growing_.clear();
    }

  private:
    struct Growing {
        Request first;
        unsigned count;
        unsigned limit;  ///< in bytes
    };

    static bool continues(const Growing& group, const Request& request) {
        if (group.first.lanes != request.lanes || group.first.bytes != request.bytes) return false;
        const std::uint64_t distance = std::uint64_t{group.count} * request.bytes;
        for (std::uint32_t lanes = request.lanes; lanes != 0; lanes &= lanes - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
            if (request.address[lane] - group.first.address[lane] != distance) return false;
        }
        return true;
    }

    Access kind_ = Access::shared_load;
    std::vector<Growing> growing_;
};

}  // namespace cudabook::emulation
