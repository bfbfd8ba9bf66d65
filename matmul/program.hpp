// The program of the room: options, run, report.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/numbers/crc32.hpp"
#include "common/program/command_line.hpp"
#include "common/program/interrupt.hpp"
#include "common/program/kernel_table.hpp"
#include "common/program/memory.hpp"
#include "common/program/progress.hpp"
#include "common/program/report_output.hpp"
#include "common/program/run_program.hpp"
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

/// So many rows of C that about `products` are added up for them, between 4 and all.
inline std::size_t rows_for(const Shape& shape, double products) {
    const double rows = products / static_cast<double>(shape.n) / static_cast<double>(shape.k);
    return std::min(shape.m, std::max<std::size_t>(4, static_cast<std::size_t>(std::min(rows, 0x1p62))));
}

/// The rows that are compared with float64: so many that neither the time nor the memory for it is worth a
/// thought.
inline std::size_t rows_in_float64(const Shape& shape) {
    const std::size_t by_memory = std::max<std::size_t>(4, (std::size_t{1} << 22U) / shape.n);
    return std::min(rows_for(shape, 0x1p29), by_memory);
}

/// The rows that a kernel's result is compared with, which the CPU makes another way: all, but in a benchmark
/// no more than take a second or so.
inline std::size_t rows_compared(const Shape& shape, Way way, bool benchmark) {
    return benchmark ? rows_for(shape, way == Way::plainly ? 0x1p34 : 0x1p39) : shape.m;
}

/// The bytes that the program needs to multiply matrices of this shape by these kernels and to check what
/// comes. Errors: OutOfMemory, if a number cannot hold them.
inline std::size_t bytes_for(const Shape& shape, const std::vector<Kernel>& kernels, bool benchmark) {
    const auto& [m, n, k] = shape;
    std::size_t bytes = 0;
    const auto add = [&](std::size_t rows, std::size_t columns, std::size_t size) {
        std::size_t matrix = 0;
        if (__builtin_mul_overflow(rows, columns, &matrix) || __builtin_mul_overflow(matrix, size, &matrix) ||
            __builtin_add_overflow(bytes, matrix, &bytes))
            throw OutOfMemory(
                fmt::format("a product of {} (m x n x k) has more bytes than 64 bits can count; choose a "
                            "smaller one",
                            text_of(shape)));
    };
    add(m, k, sizeof(float));
    add(k, n, sizeof(float));
    add(m, n, sizeof(float));  // what came
    if (std::ranges::any_of(kernels, [](const Kernel& kernel) { return kernel.device == DeviceKind::cpu; }))
        add(m, n, sizeof(float));  // where it is made
    for (const Way way : {Way::plainly, Way::by_blocks})
        if (std::ranges::find(kernels, way, &Kernel::compared_with) != kernels.end())
            add(rows_compared(shape, way, benchmark), n, sizeof(float));
    add(m, std::min(k, blocked_depth), sizeof(float));  // what blocked() packs of A
    if (std::ranges::any_of(kernels, [](const Kernel& kernel) { return kernel.error_bound != nullptr; })) {
        const std::size_t rows = rows_in_float64(shape);
        add(rows, n, 2 * sizeof(double));  // values, magnitudes
        add(rows, n, 2 * sizeof(float));   // what is compared with them
        add(rows, k, sizeof(float));       // of A
        add(m, 1, sizeof(double));         // norms
        add(n, 1, sizeof(double));
    }
    return bytes;
}

/// Errors: OutOfMemory.
inline void require_memory_for(const Shape& shape, const std::vector<Kernel>& kernels, bool benchmark) {
    require_memory(bytes_for(shape, kernels, benchmark),
                   fmt::format("a product of {} (m x n x k)", text_of(shape)));
}

/// What the results are compared with: made by the CPU in a way that has nothing to do with theirs, when it
/// is first needed.
class Expected {
  public:
    Expected(const Factors& factors, bool benchmark) : factors_(factors), benchmark_(benchmark) {}

    /// Compares, and writes down the error of a kernel that has one.
    void verify(Result& result, const Kernel& kernel, const std::vector<float>& c) {
        result.checksum = hex(checksum_of(c));
        const Known& known = of(kernel.compared_with);
        std::vector<float> some;
        if (known.rows) {
            some = take_rows(c, *known.rows, factors_.shape.n);
            result.figures["rows_compared"] = known.rows->size();
        }
        const std::vector<float>& compared = known.rows ? some : c;
        const bool right = kernel.error_bound ? within_bound(result, kernel, c, compared, known)
                                              : differing(compared, known.bits) == 0;
        // In rows that are not compared: an element that was not written is a NaN.
        result.verified =
            right && (!known.rows || std::ranges::none_of(c, [](float x) { return std::isnan(x); }));
    }

  private:
    /// C bit for bit, or some rows of it.
    struct Known {
        std::optional<Rows> rows;
        std::vector<float> bits;
    };

    /// Some rows of C in float64, and the error of float32 there.
    struct Exact {
        ExactRows rows;
        double error_of_float32;
        Norms norms;
    };

    const Known& of(Way way) {
        std::optional<Known>& known = known_[way == Way::plainly ? 0 : 1];
        if (!known) {
            const std::size_t m = factors_.shape.m;
            const std::size_t count = rows_compared(factors_.shape, way, benchmark_);
            auto rows = count < m ? std::optional(spread_rows(m, count)) : std::nullopt;
            auto bits = way == Way::plainly ? reference(factors_, rows) : blocked(factors_, rows);
            known = {std::move(rows), std::move(bits)};
        }
        return *known;
    }

    /// The rows that float64 tells are compared with that. All others with the bits of float32, from which
    /// they can be as far as both bounds together allow.
    bool within_bound(Result& result, const Kernel& kernel, const std::vector<float>& c,
                      const std::vector<float>& compared, const Known& known) {
        const auto& [m, n, k] = factors_.shape;
        if (!exact_) {
            Rows rows = spread_rows(m, rows_in_float64(factors_.shape));
            const std::vector<float> float32 = blocked(factors_, rows);
            ExactRows exact = exact_rows(factors_, std::move(rows));
            const double error = accuracy(exact, float32).relative_error;
            exact_ = {std::move(exact), error, norms(factors_)};
        }
        const double bound = kernel.error_bound(k);
        const Accuracy found = accuracy(exact_->rows, take_rows(c, exact_->rows.rows, n));
        result.figures["relative_error"] = found.relative_error;
        result.figures["relative_error_of_fp32"] = exact_->error_of_float32;
        const bool as_accurate = !kernel.as_accurate_from_k || k < *kernel.as_accurate_from_k ||
                                 found.relative_error <= 2 * exact_->error_of_float32;
        return found.worst <= bound && as_accurate &&
               far_apart(compared, known.bits, known.rows, exact_->norms, bound + float32_bound(k)) == 0;
    }

    const Factors& factors_;
    bool benchmark_;
    std::array<std::optional<Known>, 2> known_;
    std::optional<Exact> exact_;
};

/// The sizes of the lecture page: squares, and one that is tall, one wide, one with odd sides; in the order
/// of the work.
inline std::vector<Shape> benchmark_shapes(DeviceKind device) {
    const bool on_cpu = device == DeviceKind::cpu;
    std::vector<Shape> shapes;
    for (std::size_t side = 256; side <= (on_cpu ? 2048U : 16384U); side *= 2)
        shapes.push_back({side, side, side});
    if (on_cpu)
        shapes.insert(shapes.end(), {{8192, 128, 1024}, {128, 8192, 1024}, {1023, 1025, 1027}});
    else
        shapes.insert(shapes.end(), {{65536, 256, 1024}, {256, 65536, 1024}, {4093, 4099, 4105}});
    std::ranges::stable_sort(shapes, {}, &Shape::flops);
    return shapes;
}

/// All kernels with matrices of one shape after another: each is checked, then all are timed in turn, beside
/// the peers.
class Run {
  public:
    Run(const Options& options, const Side& side, const Device& device, std::vector<Kernel> kernels,
        Report& report, double peak)
        : options_(options),
          side_(side),
          device_(device),
          report_(report),
          peak_(peak),
          kernels_(std::move(kernels)) {
        if (benchmark_) peers_ = side.peers();
        kernels_.insert(kernels_.end(), peers_.begin(), peers_.end());
    }

    /// A benchmark of no named shape leaves out what would take longer than `budget`.
    void operator()(const Shape& shape, const TimeBudget& budget) {
        require_memory_for(shape, kernels_, benchmark_);
        std::vector<std::string> left_out = why_not(shape);
        Progress progress(text_of(shape), !options_.common.quiet);
        const Factors factors = random_factors(shape);
        const std::unique_ptr<Product> product = side_.make(device_, factors);
        if (limited_) leave_out_slow(left_out, shape, budget.left_ms());
        std::vector<Row> rows = check(factors, *product, left_out, budget, progress);
        measure(rows, *product, budget, progress);
        for (Row& row : rows) {
            if (row.time) add_figures(row, rows, shape, *product);
            report_.add(std::move(row.result));
        }
    }

  private:
    struct Row {
        const Kernel& kernel;
        Result result;
        bool runs = false;
        std::optional<Measurement> time = std::nullopt;
    };

    /// Why a kernel cannot do it, for each; empty: it can. Errors: MachineError, if it is the named one.
    [[nodiscard]] std::vector<std::string> why_not(const Shape& shape) const {
        std::vector<std::string> reasons;
        for (const Kernel& kernel : kernels_) {
            reasons.push_back(kernel.why_not(device_, shape));
            if (kernel.name == options_.common.kernel && !reasons.back().empty())
                throw MachineError(fmt::format("--kernel {}: {}", kernel.name, reasons.back()));
        }
        return reasons;
    }

    /// The slowest, going by the shape before, until what remains can be run five times: once to be
    /// checked, a few times to be measured, and for what is around that.
    void leave_out_slow(std::vector<std::string>& left_out, const Shape& shape, double budget_ms) const {
        std::vector<double> ms(kernels_.size());
        for (std::size_t i = 0; i < ms.size(); ++i) {
            const auto pace = ms_per_flop_.find(kernels_[i].name);
            if (left_out[i].empty() && pace != ms_per_flop_.end()) ms[i] = pace->second * shape.flops();
        }
        const std::vector<bool> fits = quickest_within(budget_ms / 5, ms);
        for (std::size_t i = 0; i < ms.size(); ++i)
            if (!fits[i]) left_out[i] = fmt::format("it would take {:.1f} s", ms[i] / 1000);
    }

    std::vector<Row> check(const Factors& factors, Product& product, const std::vector<std::string>& left_out,
                           const TimeBudget& budget, Progress& progress) const {
        const auto& [m, n, k] = factors.shape;
        Expected expected(factors, benchmark_);
        std::vector<Row> rows;
        for (std::size_t i = 0; i < kernels_.size() && !interrupted(); ++i) {
            progress.at(0.5 * static_cast<double>(i) / static_cast<double>(kernels_.size()));
            const Kernel& kernel = kernels_[i];
            Row row{kernel, {kernel.name, kernel.memory, "", std::nullopt, {}}};
            Figures& figures = row.result.figures;
            if (benchmark_) figures = {{"m", m}, {"n", n}, {"k", k}};
            const bool is_peer = i >= kernels_.size() - peers_.size();
            if (is_peer && !kernel.what.empty()) figures["library"] = kernel.what;
            if (!left_out[i].empty()) {
                figures["left_out"] = left_out[i];
            } else if (limited_ && budget.left_ms() == 0) {
                figures["left_out"] = "no time was left for it";
            } else {
                expected.verify(row.result, kernel, product.result(kernel));
                row.runs = true;
            }
            rows.push_back(std::move(row));
        }
        return rows;
    }

    void measure(std::vector<Row>& rows, Product& product, const TimeBudget& budget, Progress& progress) {
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

    void add_figures(Row& row, const std::vector<Row>& rows, const Shape& shape, const Product& product) {
        const Kernel& kernel = row.kernel;
        Figures& figures = row.result.figures;
        const double ms = row.time->median;
        const double tflops = shape.flops() / ms / 1e9;
        ms_per_flop_[kernel.name] = ms / shape.flops();
        if (!benchmark_) {
            figures["ms"] = ms;
            figures["tflops"] = tflops;
            return;
        }
        cudabook::add_figures(figures, *row.time);
        figures["tflops"] = tflops;
        for (const Kernel& peer : peers_) {
            if (peer.name != kernel.peer && peer.name != peers_.back().name) continue;
            const std::string share = "percent_of_" + peer.name;
            const auto of_peer =
                std::ranges::find(rows, peer.name, [](const Row& r) { return r.kernel.name; });
            if (of_peer == rows.end()) continue;  // an interrupt came first
            if (of_peer->time)
                figures[share] = 100 * of_peer->time->median / ms;
            else
                figures[share] = "no " + peer.name;
        }
        figures["percent_of_peak"] = 100 * tflops / peak_;
        if (const auto occupancy = product.occupancy(kernel)) cudabook::add_figures(figures, *occupancy);
    }

    const Options& options_;
    bool benchmark_ = options_.common.benchmark;
    bool limited_ = benchmark_ && !options_.shape;
    const Side& side_;
    const Device& device_;
    Report& report_;
    double peak_;
    std::vector<Kernel> kernels_;  ///< the peers at the end
    std::vector<Kernel> peers_;    ///< in a benchmark
    std::map<std::string, double> ms_per_flop_;
};

}  // namespace detail

inline int program(const GpuBackend& gpu, int argc, const char* const* argv) {
    return run_program(name, [&] {
        const auto options = parse_options(argc, argv);
        if (!options) return ExitStatus::ok;
        const Side cpu_side = cpu();
        const auto choice = list_or_choose_kernels(name, gpu.kernels, cpu_side.kernels, gpu.find_devices,
                                                   {"blocked", "pipelined"}, options->common);
        if (!choice) return ExitStatus::ok;
        const auto& [device, kernels] = *choice;
        const Side& side = device.kind == DeviceKind::cpu ? cpu_side : gpu;

        const bool benchmark = options->common.benchmark;
        std::vector<Shape> shapes{options->shape.value_or(Shape{1024, 1024, 1024})};
        if (benchmark && !options->shape) shapes = detail::benchmark_shapes(device.kind);
        if (options->shape) detail::require_memory_for(*options->shape, kernels, benchmark);

        const InterruptGuard guard;
        ReportOutput output(options->common);
        const TimeBudget budget(benchmark_ms);
        Figures parameters;
        if (shapes.size() == 1) parameters = {{"m", shapes[0].m}, {"n", shapes[0].n}, {"k", shapes[0].k}};
        Report report(name, device, parameters);
        double peak = 0;
        if (benchmark)
            for (const auto& [ceiling, tflops] : side.ceilings(device)) {
                report.add_ceiling(ceiling, tflops);
                peak = std::max(peak, tflops);
            }
        detail::Run run(*options, side, device, kernels, report, peak);
        for (std::size_t i = 0; i < shapes.size() && !interrupted(); ++i)
            run(shapes[i], budget.share(shapes.size() - i));
        output.write(report);
        return report.exit_status();
    });
}

}  // namespace cudabook::matmul
