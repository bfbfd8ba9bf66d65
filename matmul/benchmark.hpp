// The parts of a benchmark: its shapes, the kernels that it leaves out, and the peers it compares with.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/program/report.hpp"
#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// Returns the shapes of the lecture page, from the least to the most work: squares, and one tall, one wide
/// and one odd-sided shape. For an emulated GPU, returns two small squares.
std::vector<GemmShape> benchmark_shapes(DeviceKind device);

/// Remembers each kernel's time per floating-point operation at the previous shape, to estimate the kernel's
/// time at the next shape.
class Pace {
  public:
    void remember(const std::string& kernel, double ms, const GemmShape& shape) {
        ms_per_flop_[kernel] = ms / shape.flops();
    }

    /// Returns for each kernel the reason why it is left out, or an empty string. A kernel that already has a
    /// reason in `left_out` keeps the reason. Of the other kernels, leaves out the slowest until all
    /// remaining kernels together can run five times within `budget_ms`: one run is for the check, a few are
    /// for the measurement, and the rest is for the overhead.
    [[nodiscard]] std::vector<std::string> leave_out_slow(const std::vector<Kernel>& kernels,
                                                          std::vector<std::string> left_out,
                                                          const GemmShape& shape, double budget_ms) const;

  private:
    std::map<std::string, double> ms_per_flop_;
};

/// The result of one kernel for one shape of the matrices.
struct Row {
    const Kernel& kernel;
    Result result;
    bool runs = false;
    std::optional<Measurement> time = std::nullopt;
};

/// Adds to the row the kernel's speed as a percentage of the last peer's speed. If Kernel::peer names a peer,
/// also adds the percentage of the named peer's speed. `rows` has all kernels of the run, including the
/// peers.
void add_shares_of_peers(Row& row, const std::vector<Row>& rows, const std::vector<Kernel>& peers);

}  // namespace cudabook::matmul
