// The trace that --trace writes: a browser page with each request of the warps of one block. See
// docs/watch-a-warp.md. A program traces if its device code is compiled for tracing; the program then
// contains emulator/tracing/.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace cudabook {

struct TraceOptions {
    std::string block_option = "--trace-block";  ///< the name of the option for `block`, for error messages
    std::array<unsigned, 3> block{};             ///< the index of the block to trace, within its grid
    unsigned warps = 32;         ///< the number of warps to trace, from the first warp of the block
    std::size_t limit = 50'000;  ///< the number of requests after which no more are traced
};

/// Parses "X", "X,Y" or "X,Y,Z". Errors: UsageError, which names `option`.
std::array<unsigned, 3> parse_block(std::string_view text, std::string_view option);

/// The tracing functions. A program that traces sets the pointer `tracing` before main().
struct Tracing {
    /// Traces launches from now on.
    void (*begin)(const TraceOptions& options);

    /// Stores the launches since the last call under `name`, which is the name of a kernel in a sample's
    /// table.
    void (*end_run)(const std::string& name);

    /// Drops the launches since the last call of end_run().
    void (*forget)();

    /// Ends the tracing. Returns everything that was traced as a page for a browser, or an empty string if
    /// nothing was launched. `program`: the program's name. Errors: UsageError if no grid had the block to
    /// trace; MachineError.
    std::string (*page)(const std::string& program);
};
inline constinit const Tracing* tracing = nullptr;

}  // namespace cudabook
