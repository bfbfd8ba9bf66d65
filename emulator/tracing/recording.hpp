// The recording of one block of each launch, the traced block. The counter fills the recording, and
// tracing/page.cpp makes a page of it.
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

/// A request, or a wait of lanes.
struct Step {
    Access access;
    std::uint8_t bytes;  ///< the size of a lane's access; packed_fetch() for a fetch
    std::uint16_t parts;
    std::uint16_t more;      ///< the wavefronts due to bank conflicts, or a texture's tag requests
    std::uint32_t place;     ///< in the code: the lower half of a return address
    std::uint32_t lanes;     ///< the lanes that take part
    unsigned number;         ///< the request's number in one call of put_together()
    std::size_t first_lane;  ///< the index in `addresses` of the first lane's address
};

struct WarpRecording {
    std::vector<Step> steps;
    std::vector<std::uint64_t> addresses;

    void add(Access access, const Request& request, unsigned parts, unsigned more);

    /// Sorts the steps from `first` on by number.
    void put_in_order(std::size_t first);
};

/// A range of memory that CUDA or the program's symbol table knows: an allocation or a variable.
struct Memory {
    std::uint64_t begin;
    std::uint64_t bytes;
    std::string name = {};  ///< the name of a variable, else empty
    bool is_constant = false;
    std::uint64_t row_bytes = 0;    ///< the pitch of a two-dimensional CUDA array, else 0
    std::uint64_t texel_bytes = 0;  ///< the texel size of a two-dimensional CUDA array, else 0
    friend bool operator==(const Memory&, const Memory&) = default;
};

struct LaunchRecording {
    std::string kernel;
    std::array<unsigned, 3> grid;
    std::array<unsigned, 3> threads;  ///< the size of the block
    std::vector<WarpRecording> warps;
    std::shared_ptr<const std::vector<Memory>> memories;  ///< the GPU's memory, by address
    std::vector<Memory> shared;                           ///< __shared__ variables, by address
    Counts counts = {};                                   ///< counts of the recorded requests, without
                                                          ///< barriers
    bool has_ended = false;                               ///< whether the block has ended

    [[nodiscard]] bool has(unsigned warp) const { return warp < warps.size(); }
};

/// Returns a new recording if launches are traced and the running block is the traced block, else null. The
/// thread that runs the block calls this.
std::shared_ptr<LaunchRecording> begin_recording(const void* kernel);

/// Marks the block as ended.
void end_recording(LaunchRecording& recording);

/// Counts one more request. Returns false if the recording has no room for it.
bool may_record();

/// In a program that counts, `tracing` points to this. Callers before main() use it directly.
extern const Tracing trace_hooks;

/// The traced launches of a run; Tracing::end_run() gives the name.
struct RunRecording {
    std::string name;
    std::vector<std::shared_ptr<const LaunchRecording>> launches;
};

/// Returns the page for a browser. `cut` is true if the recording had no room for all requests. Errors:
/// MachineError.
std::string page_of(const std::string& program, const TraceOptions& options, bool cut,
                    const std::vector<RunRecording>& runs);

}  // namespace cudabook::emulation
