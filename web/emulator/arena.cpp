// emulator/runtime/arena.hpp for a page's program, whose memory has no pages that could be guarded: arrays
// are on the heap.
#include "emulator/runtime/arena.hpp"

#include <algorithm>
#include <cstdlib>

namespace cudabook::emulation {

void* allocate_array(std::size_t bytes, HostAccess /*access*/) {
    void* memory = nullptr;
    return posix_memalign(&memory, 512, std::max<std::size_t>(bytes, 1)) == 0 ? memory : nullptr;
}

void free_array(void* memory) { std::free(memory); }

void let_host_use_arrays() {}
void share_with_host(void* /*memory*/) {}

ArraysInReach::ArraysInReach(bool are_in_reach) : before_(are_in_reach) {}
ArraysInReach::~ArraysInReach() = default;
bool arrays_are_in_reach() { return true; }

std::optional<BesideArray> beside_which_array(std::uintptr_t /*address*/) { return std::nullopt; }
std::optional<BesideArray> find_overwritten() { return std::nullopt; }

}  // namespace cudabook::emulation
