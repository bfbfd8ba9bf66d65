#include "matmul/run.hpp"

#include <cstddef>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "common/program/interrupt.hpp"
#include "matmul/memory_needed.hpp"
#include "matmul/verification/verification.hpp"

namespace cudabook::matmul {

MatmulRun::MatmulRun(const Options& options, const Backend& backend, const Device& device,
                     std::vector<Kernel> kernels, Report& report, double peak)
    : options_(options),
      backend_(backend),
      device_(device),
      report_(report),
      peak_(peak),
      kernels_(std::move(kernels)) {
    if (benchmark_) peers_ = backend.peers();
    kernels_.insert(kernels_.end(), peers_.begin(), peers_.end());
}

void MatmulRun::multiply(const GemmShape& shape, const TimeBudget& budget) {
    require_memory_for(shape, kernels_, benchmark_);
    std::vector<std::string> left_out = why_not(shape);
    Progress progress(fmt::format("{}x{}x{}", shape.m, shape.n, shape.k), !options_.common.quiet);
    const Factors factors = random_factors(shape);
    const std::unique_ptr<Product> product = backend_.make(device_, factors);
    if (limited_) left_out = pace_.leave_out_slow(kernels_, std::move(left_out), shape, budget.left_ms());
    forget_counts();  // excludes the making of the factors
    std::vector<Row> rows = check(factors, *product, left_out, budget, progress);
    measure(rows, *product, budget, progress);
    forget_counts();  // excludes the timed runs
    for (Row& row : rows) {
        if (row.time) {
            pace_.remember(row.kernel.name, row.time->median, shape);
            add_figures(row, rows, shape, *product);
        }
        report_.add(std::move(row.result));
    }
}

/// Returns for each kernel why it cannot multiply the shape, or an empty string if it can. Errors:
/// MachineError, if a kernel named by --kernel cannot.
std::vector<std::string> MatmulRun::why_not(const GemmShape& shape) const {
    std::vector<std::string> reasons;
    const std::vector<std::string> named = options_.common.named_kernels();
    for (const Kernel& kernel : kernels_) {
        reasons.push_back(kernel.why_not(device_, shape));
        if (std::ranges::find(named, kernel.name) != named.end() && !reasons.back().empty())
            throw MachineError(fmt::format("--kernel {}: {}", kernel.name, reasons.back()));
    }
    return reasons;
}

std::vector<Row> MatmulRun::check(const Factors& factors, Product& product,
                                  const std::vector<std::string>& left_out, const TimeBudget& budget,
                                  Progress& progress) const {
    const auto& [m, n, k] = factors.shape;
    Verifier verifier(factors, device_, benchmark_);
    std::vector<Row> rows;
    for (std::size_t i = 0; i < kernels_.size() && !interrupted(); ++i) {
        progress.at(0.5 * static_cast<double>(i) / static_cast<double>(kernels_.size()));
        const Kernel& kernel = kernels_[i];
        Row row{kernel, {kernel.name, kernel.memory, "", std::nullopt, {}}};
        auto& figures = row.result.figures;
        if (benchmark_) figures = {{"m", m}, {"n", n}, {"k", k}};
        const bool is_peer = i >= kernels_.size() - peers_.size();
        if (is_peer && !kernel.what.empty()) figures["library"] = kernel.what;
        if (!left_out[i].empty()) {
            figures["left_out"] = left_out[i];
        } else if (limited_ && budget.left_ms() == 0) {
            figures["left_out"] = "no time was left for it";
        } else {
            const std::vector<float> c = product.result(kernel);
            if (!options_.common.runs_some_blocks()) verifier.verify(row.result, kernel, c);
            row.result.counts = take_counts(kernel.name);
            row.result.work = {0.5 * factors.shape.flops(), "fma"};
            row.runs = true;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

void MatmulRun::measure(std::vector<Row>& rows, Product& product, const TimeBudget& budget,
                        Progress& progress) const {
    std::vector<Work> works;
    for (const Row& row : rows)
        if (row.runs) works.emplace_back([&] { return product.run(row.kernel); });
    std::vector<Measurement> times;
    if (benchmark_)
        times = measure_in_turn(works, budget, progress.part(0.5, 1));
    else
        for (const Work& work : works) times.push_back(summarise({work()}));
    auto time = times.begin();
    for (Row& row : rows)
        if (row.runs) row.time = *time++;
}

void MatmulRun::add_figures(Row& row, const std::vector<Row>& rows, const GemmShape& shape,
                            const Product& product) const {
    auto& figures = row.result.figures;
    const double tflops = shape.flops() / row.time->median / 1e9;
    if (!benchmark_) {
        figures["ms"] = row.time->median;
        figures["tflops"] = tflops;
        return;
    }
    cudabook::add_figures(figures, *row.time);
    figures["tflops"] = tflops;
    add_shares_of_peers(row, rows, peers_);
    figures["percent_of_peak"] = 100 * tflops / peak_;
    if (const auto occupancy = product.occupancy(row.kernel)) cudabook::add_figures(figures, *occupancy);
}

}  // namespace cudabook::matmul
