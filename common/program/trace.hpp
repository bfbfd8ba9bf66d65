// The trace of --trace: each request of the warps of one block, as a page for a browser. See
// docs/watch-a-warp.md. A program traces if its device code is compiled for tracing; the program then
// contains emulator/tracing/.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace cudabook {

struct TraceOptions {
    std::string block_option = "--trace-block";  ///< the option that names the block, for messages
    std::array<unsigned, 3> block{};             ///< its place in the grid
    unsigned warps = 32;                         ///< how many warps are traced: the first of the block
    std::size_t limit = 50'000;                  ///< the number of requests after which no more are traced
};

/// Parses "X", "X,Y" or "X,Y,Z". Errors: UsageError, which names `option`.
std::array<unsigned, 3> parse_block(std::string_view text, std::string_view option);

/// The functions that a program that traces sets before main().
struct Tracing {
    /// Traces launches from now on.
    void (*begin)(const TraceOptions& options);

    /// Stores the launches since the last call under `name`, a kernel of a sample's table.
    void (*end_run)(const std::string& name);

    /// Drops the launches since the last call.
    void (*forget)();

    /// Returns all that was traced as a page, or an empty string if nothing was launched. Nothing is traced
    /// from now on. `program`: the program's name. Errors: UsageError if no grid had the block; MachineError.
    std::string (*page)(const std::string& program);
};
inline constinit const Tracing* tracing = nullptr;

}  // namespace cudabook
