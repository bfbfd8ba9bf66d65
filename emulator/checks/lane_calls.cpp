#include "emulator/checks/lane_calls.hpp"

#if CUDABOOK_MEMORY_MARKS

#include <map>

#include <fmt/format.h>

#include "emulator/runtime/kernel_heap.hpp"

namespace cudabook::emulation {

const std::string& LaneCalls::line_of(const Places& places) {
    thread_local std::map<Places, std::string> known;
    const auto [found, is_new] = known.try_emplace(places);
    if (is_new)
        for (void* const place : places)
            if (found->second.empty() && place != nullptr) found->second = users_line(place).value_or("");
    return found->second;
}

std::string LaneCalls::other_call(const Frame* frame) {
    Places places{};
    for (void*& place : places) {
        if (frame == nullptr) break;
        place = frame->place;
        frame = caller_of(frame);
    }
    if (!first_) first_ = places;
    if (*first_ == places) return {};
    const HeapOfHost heap_of_host;
    const std::string& here = line_of(places);
    const std::string& first = line_of(*first_);
    if (here == first || here.empty() || first.empty()) return {};
    return fmt::format(
        " at {}, and another lane of the mask at {}: all lanes of a mask must come to the same call", here,
        first);
}

}  // namespace cudabook::emulation

#endif
