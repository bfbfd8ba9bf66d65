// The parts of a benchmark: its shapes, the kernels that it leaves out, and the peers it compares with.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/program/report.hpp"
#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// The shapes of the lecture page, in the order of the work: squares, and one tall, one wide and one
/// odd-sided shape.
std::vector<GemmShape> benchmark_shapes(DeviceKind device);

/// The speed of each kernel with the previous shape, from which its time with the next shape is estimated.
class Pace {
  public:
    void remember(const std::string& kernel, double ms, const GemmShape& shape) {
        ms_per_flop_[kernel] = ms / shape.flops();
    }

    /// Decides which kernels to leave out, the slowest first, so that the others can run five times within
    /// the budget: one run for the check, a few for the measurement, the rest as overhead. Returns for each
    /// kernel why it is left out, or an empty string. `left_out` has the reasons of the kernels that are left
    /// out in any case.
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

/// Adds the kernel's speed as a share of the last peer's, and of that of the peer that is as accurate. `rows`
/// has all kernels that were run, including the peers.
void add_shares_of_peers(Row& row, const std::vector<Row>& rows, const std::vector<Kernel>& peers);

}  // namespace cudabook::matmul
