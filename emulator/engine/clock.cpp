#include "emulator/engine/clock.hpp"

#include <chrono>

#include "emulator/runtime/device.hpp"

namespace cudabook::emulation {

unsigned long long clock_ns() {
    const std::chrono::nanoseconds since_start = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<unsigned long long>(since_start.count());
}

long long clock_cycles() {
    static const thread_local double cycles_per_ns = current_gpu().clock_khz * 1e-6;
    return static_cast<long long>(static_cast<double>(clock_ns()) * cycles_per_ns);
}

}  // namespace cudabook::emulation
