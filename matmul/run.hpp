// A run: all chosen kernels, with matrices of one shape after another. Each kernel is checked, then timed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/program/common_options.hpp"
#include "common/program/progress.hpp"
#include "common/program/report.hpp"
#include "matmul/benchmark.hpp"
#include "matmul/matmul.hpp"

namespace cudabook::matmul {

struct Options {
    CommonOptions common;
    std::optional<GemmShape> shape;  ///< if none: m = n = k = 1024 or, with --benchmark, benchmark_shapes()
};

class MatmulRun {
  public:
    /// All arguments passed by reference must outlive the object. `peak`: the highest ceiling of the device,
    /// in TFLOP/s.
    MatmulRun(const Options& options, const Backend& backend, const Device& device,
              std::vector<Kernel> kernels, Report& report, double peak);

    /// Adds a result for each kernel to the report, in a benchmark also for each peer. A benchmark without a
    /// named shape leaves out kernels that would exceed `budget`. Errors: MachineError.
    void multiply(const GemmShape& shape, const TimeBudget& budget);

  private:
    [[nodiscard]] std::vector<std::string> why_not(const GemmShape& shape) const;
    [[nodiscard]] std::vector<Row> check(const Factors& factors, Product& product,
                                         const std::vector<std::string>& left_out, const TimeBudget& budget,
                                         Progress& progress) const;
    void measure(std::vector<Row>& rows, Product& product, const TimeBudget& budget,
                 Progress& progress) const;
    void add_figures(Row& row, const std::vector<Row>& rows, const GemmShape& shape,
                     const Product& product) const;

    const Options& options_;
    bool benchmark_ = options_.common.benchmark;
    bool limited_ = benchmark_ && !options_.shape;
    const Backend& backend_;
    const Device& device_;
    Report& report_;
    double peak_;
    std::vector<Kernel> kernels_;  ///< the kernels to run, with the peers at the end
    std::vector<Kernel> peers_;    ///< empty unless this is a benchmark
    Pace pace_;
};

}  // namespace cudabook::matmul
