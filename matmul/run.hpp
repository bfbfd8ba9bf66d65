// A run multiplies matrices of one shape after another by all chosen kernels. At each shape, it checks all
// kernels and then measures their times.
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
    std::optional<GemmShape> shape;  ///< nullopt means m = n = k = 1024 or, with --benchmark, all of
                                     ///< benchmark_shapes()
};

class MatmulRun {
  public:
    /// All arguments passed by reference must outlive the object. `peak` is the highest ceiling of the
    /// device, in TFLOP/s.
    MatmulRun(const Options& options, const Backend& backend, const Device& device,
              std::vector<Kernel> kernels, Report& report, double peak);

    /// Multiplies matrices of this shape. Adds to the report a result for each kernel and, in a benchmark,
    /// for each peer. A benchmark without Options::shape leaves out kernels that would exceed `budget`.
    /// Errors: MachineError.
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
