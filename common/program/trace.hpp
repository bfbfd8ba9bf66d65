// What --trace asks for: each request of the warps of one block, as a page for a browser. See
// docs/watch-a-warp.md. A program traces if its device code is compiled for that; emulator/tracing/
// then is in it.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace cudabook {

struct TraceOptions {
    std::string block_option = "--trace-block";  ///< what names the block, for messages
    std::array<unsigned, 3> block{};             ///< its place in the grid
    unsigned warps = 32;                         ///< that are traced: the first of the block
    std::size_t limit = 50'000;                  ///< requests after which no more are traced
};

/// "X", "X,Y" or "X,Y,Z". Errors: UsageError, which names `option`.
std::array<unsigned, 3> parse_block(std::string_view text, std::string_view option);

/// What a program that traces sets before main().
struct Tracing {
    /// Launches are traced from now on.
    void (*begin)(const TraceOptions& options);

    /// Those since the last call belong to what has that name: a kernel of a sample's table.
    void (*end_run)(const std::string& name);

    /// They belong to nothing.
    void (*forget)();

    /// All that was traced, as a page; empty if nothing was launched. Nothing is traced from now on.
    /// `program`: its name. Errors: UsageError if no grid had the block; MachineError.
    std::string (*page)(const std::string& program);
};
inline constinit const Tracing* tracing = nullptr;

}  // namespace cudabook
