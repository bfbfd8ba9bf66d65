// The parts of a benchmark: its shapes, the kernels that it leaves out, and the peers it compares with.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/program/report.hpp"
#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// The shapes of the lecture page, from the least to the most work: squares, and one tall, one wide and one
/// odd-sided shape.
std::vector<GemmShape> benchmark_shapes(DeviceKind device);

/// The speed of each kernel with the previous shape. It serves to estimate the kernel's time with the next
/// shape.
class Pace {
  public:
    void remember(const std::string& kernel, double ms, const GemmShape& shape) {
        ms_per_flop_[kernel] = ms / shape.flops();
    }

    /// Decides which kernels to leave out, the slowest first, so that the remaining kernels can run five
    /// times within `budget_ms`: one run for the check, a few for the measurement, the rest as overhead.
    /// Returns for each kernel why it is left out, or an empty string. `left_out` has a reason for each
    /// kernel that is left out in any case.
    [[nodiscard]] std::vector<std::string> leave_out_slow(const std::vector<Kernel>& kernels,
                                                          std::vector<std::string> left_out,
                                                          const GemmShape& shape, double budget_ms) const;

  private:
    std::map<std::string, double> ms_per_flop_;
};

/// The result of a kernel with one shape.
struct Row {
    const Kernel& kernel;
    Result result;
    bool runs = false;
    std::optional<Measurement> time = std::nullopt;
};

/// Adds the kernel's speed as a percentage of the last peer's speed. If the kernel names a peer that is as
/// accurate as itself, also adds its speed as a percentage of this peer's speed. `rows` has all kernels that
/// were run, including the peers.
void add_shares_of_peers(Row& row, const std::vector<Row>& rows, const std::vector<Kernel>& peers);

}  // namespace cudabook::matmul
