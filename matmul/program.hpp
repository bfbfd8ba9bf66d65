// The program of the room: options, run, report.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/command_line.hpp"
#include "common/crc32.hpp"
#include "common/interrupt.hpp"
#include "common/kernel_table.hpp"
#include "common/memory.hpp"
#include "common/progress.hpp"
#include "matmul/matmul.hpp"

namespace cudabook::matmul {

inline constexpr const char* name = "matmul";

struct Options {
    CommonOptions common;
    std::optional<Shape> shape;  ///< none: 1024 each, or the sizes of the benchmark
};

/// Nothing: --help or --version was asked for, and answered. Errors: UsageError.
inline std::optional<Options> parse_options(int argc, const char* const* argv) {
    constexpr std::size_t most = std::size_t{1} << 62U;
    Options options;
    CommandLine line(name,
                     "Multiplies matrices, C = A B, where A is m x k and B is k x n: from the programming "
                     "guide's kernel to the tensor cores");
    CLI::App& app = line.app();
    std::size_t size = 1024;
    Shape shape{size, size, size};
    const auto side = [&](const std::string& option, std::size_t& value, const std::string& what) {
        return app.add_option(option, value, what)->check(in_range<std::size_t>(1, most))->type_name("N");
    };
    const CLI::Option* square = side("--size", size, "m, n and k (default: 1024; with --benchmark, several)");
    for (auto* option : {side("--m", shape.m, "Rows of A and C"), side("--n", shape.n, "Columns of B and C"),
                         side("--k", shape.k, "Columns of A, rows of B")})
        option->excludes(app.get_option("--size"));
    const auto common = line.parse(argc, argv);
    if (!common) return std::nullopt;
    options.common = *common;
    if (square->count() > 0)
        options.shape = {size, size, size};
    else if (app.count("--m") + app.count("--n") + app.count("--k") > 0)
        options.shape = shape;
    return options;
}

namespace detail {

inline std::string text_of(const Shape& shape) { return fmt::format("{}x{}x{}", shape.m, shape.n, shape.k); }

/// A, B, C on the CPU, a copy of it to compare, and what it shall be. Errors: OutOfMemory.
inline void require_memory_for(const Shape& shape) {
    const std::string what = fmt::format("a product of {} (m x n x k)", text_of(shape));
    std::size_t bytes = 0;
    for (const auto& [rows, columns] : {std::pair{shape.m, shape.k},
                                        {shape.k, shape.n},
                                        {shape.m, shape.n},
                                        {shape.m, shape.n},
                                        {shape.m, shape.n}}) {
        std::size_t matrix = 0;
        if (__builtin_mul_overflow(rows, columns, &matrix) ||
            __builtin_mul_overflow(matrix, sizeof(float), &matrix) ||
            __builtin_add_overflow(bytes, matrix, &bytes))
            throw OutOfMemory(what + " has more bytes than 64 bits can count; choose a smaller one");
    }
    require_memory(bytes, what);
}

/// What the results are compared with.
class Expected {
  public:
    explicit Expected(const Factors& factors) : factors_(factors), bits_(blocked(factors)) {}

    /// Compares, and writes down the error of a kernel that has one. `c` is freed.
    void verify(Result& result, const Kernel& kernel, std::vector<float> c) {
        result.checksum = hex(checksum(c));
        if (!kernel.error_bound) {
            result.verified = std::ranges::equal(c, bits_, [](float x, float y) {
                return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
            });
            return;
        }
        const auto& [m, n, k] = factors_.shape;
        if (!exact_) {
            constexpr double enough = 0x1p29;  // products in float64
            const double rows = std::max(4.0, enough / static_cast<double>(n) / static_cast<double>(k));
            exact_ = exact_rows(factors_, static_cast<std::size_t>(std::min(rows, static_cast<double>(m))));
            error_of_bits_ = accuracy(*exact_, bits_, n).relative_error;
        }
        const Accuracy found = accuracy(*exact_, c, n);
        const bool as_accurate = !kernel.as_accurate_from_k || k < *kernel.as_accurate_from_k ||
                                 found.relative_error <= 2 * error_of_bits_;
        // The rows that are not compared: an element that was not written is a NaN.
        const bool all_written =
            std::ranges::equal(c, bits_, [](float x, float y) { return std::isnan(x) == std::isnan(y); });
        result.verified = found.worst <= kernel.error_bound(k) && as_accurate && all_written;
        result.figures["relative_error"] = found.relative_error;
        result.figures["relative_error_of_fp32"] = error_of_bits_;
    }

  private:
    const Factors& factors_;
    std::vector<float> bits_;
    std::optional<ExactRows> exact_;
    double error_of_bits_ = 0;
};

/// The sizes of the lecture page: squares, and one that is tall, one wide, one with odd sides.
inline std::vector<Shape> benchmark_shapes(DeviceKind device) {
    const bool on_cpu = device == DeviceKind::cpu;
    std::vector<Shape> shapes;
    for (std::size_t side = 256; side <= (on_cpu ? 2048U : 16384U); side *= 2)
        shapes.push_back({side, side, side});
    if (on_cpu)
        shapes.insert(shapes.end(), {{8192, 128, 1024}, {128, 8192, 1024}, {1023, 1025, 1027}});
    else
        shapes.insert(shapes.end(), {{65536, 256, 1024}, {256, 65536, 1024}, {4093, 4099, 4105}});
    return shapes;
}

/// All kernels with matrices of one shape: each is checked, then all are timed in turn, beside the peer.
class Run {
  public:
    Run(const Options& options, const Side& side, const Device& device, Report& report, double peak)
        : options_(options), side_(side), device_(device), report_(report), peak_(peak) {}

    void operator()(const Shape& shape, const std::vector<Kernel>& kernels) const {
        require_memory_for(shape);
        const bool named = !options_.common.kernel.empty() && !options_.common.all_kernels();
        for (const Kernel& kernel : kernels)
            if (const std::string reason = kernel.why_not(device_, shape); named && !reason.empty())
                throw MachineError(fmt::format("--kernel {}: {}", kernel.name, reason));
        Progress progress(text_of(shape), !options_.common.quiet);
        const bool benchmark = options_.common.benchmark;
        std::vector<Kernel> rows = kernels;
        if (benchmark) rows.push_back(side_.peer);
        const auto at = [&](std::size_t done) {
            progress.at(static_cast<double>(done) / static_cast<double>(2 * rows.size() + 1));
        };
        at(0);
        const Factors factors = random_factors(shape);
        Expected expected(factors);
        const std::unique_ptr<Product> product = side_.make(device_, factors);
        std::vector<Result> results;
        std::vector<Work> works;
        std::vector<std::size_t> row_of_work;
        for (std::size_t i = 0; i < rows.size() && !interrupted(); ++i) {
            const Kernel& kernel = rows[i];
            at(i + 1);
            Result result{kernel.name, kernel.memory, "", std::nullopt, {}};
            if (benchmark) result.figures = {{"m", shape.m}, {"n", shape.n}, {"k", shape.k}};
            if (const std::string reason = kernel.why_not(device_, shape); !reason.empty()) {
                result.figures["left_out"] = reason;
            } else {
                expected.verify(result, kernel, product->result(kernel));
                row_of_work.push_back(i);
                works.emplace_back([&product, &kernel] { return product->run(kernel); });
            }
            results.push_back(std::move(result));
        }
        std::vector<Measurement> times;
        if (benchmark) {
            times = measure_in_turn(works);
        } else {
            for (const Work& work : works) {
                const double ms = work();
                times.push_back({ms, ms, ms, 1});
            }
        }
        const bool has_peer = benchmark && !row_of_work.empty() && row_of_work.back() == rows.size() - 1;
        for (std::size_t w = 0; w < works.size(); ++w) {
            const Kernel& kernel = rows[row_of_work[w]];
            Json& figures = results[row_of_work[w]].figures;
            const double tflops = shape.flops() / times[w].median / 1e9;
            if (benchmark)
                add_figures(figures, times[w]);
            else
                figures["ms"] = times[w].median;
            figures["tflops"] = tflops;
            if (!benchmark) continue;
            const std::string share = "percent_of_" + side_.peer.name;
            if (has_peer)
                figures[share] = 100 * times.back().median / times[w].median;
            else if (!side_.peer.why_not(device_, shape).empty())  // not where an interrupt came first
                figures[share] = "no " + side_.peer.name;
            figures["percent_of_peak"] = 100 * tflops / peak_;
            if (const auto occupancy = product->occupancy(kernel)) add_figures(figures, *occupancy);
        }
        for (Result& result : results) report_.add(std::move(result));
    }

  private:
    const Options& options_;
    const Side& side_;
    const Device& device_;
    Report& report_;
    double peak_;
};

}  // namespace detail

inline int program(const GpuSide& gpu, int argc, const char* const* argv) {
    return run_program(name, [&] {
        const auto options = parse_options(argc, argv);
        if (!options) return ExitStatus::ok;
        const Side cpu_side = cpu();
        const auto choice = list_or_choose_kernels(name, gpu.kernels, cpu_side.kernels, gpu.find_devices,
                                                   {"blocked", "pipelined"}, options->common);
        if (!choice) return ExitStatus::ok;
        const auto& [device, kernels] = *choice;
        const Side& side = device.kind == DeviceKind::cpu ? cpu_side : gpu;

        std::vector<Shape> shapes{options->shape.value_or(Shape{1024, 1024, 1024})};
        if (options->common.benchmark && !options->shape) shapes = detail::benchmark_shapes(device.kind);
        if (options->shape) detail::require_memory_for(*options->shape);

        const InterruptGuard guard;
        ReportOutput output(options->common);
        Json parameters = Json::object();
        if (shapes.size() == 1) parameters = {{"m", shapes[0].m}, {"n", shapes[0].n}, {"k", shapes[0].k}};
        Report report(name, device, parameters);
        double peak = 0;
        if (options->common.benchmark)
            for (const auto& [ceiling, tflops] : side.ceilings(device)) {
                report.add_ceiling(ceiling, tflops);
                peak = std::max(peak, tflops);
            }
        const detail::Run run(*options, side, device, report, peak);
        for (const Shape& shape : shapes) {
            if (interrupted()) break;
            run(shape, kernels);
        }
        output.write(report);
        return report.exit_status();
    });
}

}  // namespace cudabook::matmul
