// What a benchmark does beyond a run: its shapes, what it leaves out, and the peers it compares with.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/program/report.hpp"
#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// The shapes of the lecture page, in the order of the work: squares, and one that is tall, one wide, one
/// with odd sides.
std::vector<Shape> benchmark_shapes(DeviceKind device);

/// How fast each kernel was with the shape before, from which it follows how long it takes with the next.
class Pace {
  public:
    void remember(const std::string& kernel, double ms, const Shape& shape) {
        ms_per_flop_[kernel] = ms / shape.flops();
    }

    /// Which kernels are to be left out so that the others can be run five times within the budget: once to
    /// be checked, a few times to be measured, and for what is around that. The slowest go first. For each
    /// kernel why it is left out; empty: it is not. `left_out` holds what is left out in any case.
    [[nodiscard]] std::vector<std::string> leave_out_slow(const std::vector<Kernel>& kernels,
                                                          std::vector<std::string> left_out,
                                                          const Shape& shape, double budget_ms) const;

  private:
    std::map<std::string, double> ms_per_flop_;
};

/// What a kernel did with one shape.
struct Row {
    const Kernel& kernel;
    Result result;
    bool runs = false;
    std::optional<Measurement> time = std::nullopt;
};

/// Adds how fast a kernel is as a share of the last peer, and of the one that is as accurate. `rows`: all
/// that were run, the peers among them.
void add_shares_of_peers(Row& row, const std::vector<Row>& rows, const std::vector<Kernel>& peers);

}  // namespace cudabook::matmul
