// What is recorded of the traced block of each launch, as it was counted; tracing/page.cpp makes a page of
// it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/program/counts.hpp"
#include "common/program/trace.hpp"
#include "emulator/counting/requests.hpp"
#include "emulator/counting/warp_log.hpp"

namespace cudabook::emulation {

/// A request, or that lanes wait.
struct Step {
    Access access;
    std::uint8_t bytes;  ///< of a lane's access; of a fetch: packed_fetch()
    std::uint16_t parts;
    std::uint16_t more;      ///< wavefronts for bank conflicts; a texture's tag requests
    std::uint32_t place;     ///< in the code: a return address' lower half
    std::uint32_t lanes;     ///< that take part
    unsigned number;         ///< among those that were put together with it
    std::size_t first_lane;  ///< where in `addresses` that of its first lane is
};

struct WarpRecording {
    std::vector<Step> steps;
    std::vector<std::uint64_t> addresses;

    void add(Access access, const Request& request, unsigned parts, unsigned more);

    /// Puts the steps from `first` on in the order of their numbers.
    void put_in_order(std::size_t first);
};

/// A part of memory, as CUDA or the program's symbol table knows it.
struct Memory {
    std::uint64_t begin;
    std::uint64_t bytes;
    std::string name = {};  ///< of a variable; else empty
    bool is_constant = false;
    std::uint64_t row_bytes = 0;    ///< of a CUDA array of two dimensions; else 0
    std::uint64_t texel_bytes = 0;  ///< likewise
    friend bool operator==(const Memory&, const Memory&) = default;
};

struct LaunchRecording {
    std::string kernel;
    std::array<unsigned, 3> grid;
    std::array<unsigned, 3> threads;  ///< of the block
    std::vector<WarpRecording> warps;
    std::shared_ptr<const std::vector<Memory>> memories;  ///< of the GPU, in the order of their addresses
    std::vector<Memory> shared;                           ///< the variables, likewise
    Counts counts = {};                                   ///< of what is recorded, but for barriers
    bool has_ended = false;                               ///< the block

    [[nodiscard]] bool has(unsigned warp) const { return warp < warps.size(); }
};

/// If launches are traced and this block of the kernel is the one, a new recording of it; else null. The
/// calling thread is that which runs the block.
std::shared_ptr<LaunchRecording> begin_recording(const void* kernel);

/// The block has ended.
void end_recording(LaunchRecording& recording);

/// Whether there is room for one more request, which then counts.
bool may_record();

/// What `tracing` is here, for those who begin before main().
extern const Tracing trace_hooks;

/// What was traced for one name of Tracing::end_run().
struct RunRecording {
    std::string name;
    std::vector<std::shared_ptr<const LaunchRecording>> launches;
};

/// The page for a browser. Errors: MachineError.
std::string page_of(const std::string& program, const TraceOptions& options, bool cut,
                    const std::vector<RunRecording>& runs);

}  // namespace cudabook::emulation
