#include "matmul/program.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "common/program/command_line.hpp"
#include "common/program/interrupt.hpp"
#include "common/program/kernel_table.hpp"
#include "common/program/report_output.hpp"
#include "common/program/run_program.hpp"
#include "matmul/benchmark.hpp"
#include "matmul/memory_needed.hpp"
#include "matmul/run.hpp"

namespace cudabook::matmul {

namespace {

constexpr const char* name = "matmul";

/// Returns nullopt if --help or --version was given, and answered. Errors: UsageError.
std::optional<Options> parse_options(int argc, const char* const* argv) {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 4 + 1;
    Options options;
    CommandLine line(name,
                     "Multiplies matrices, C = A B, where A is m x k and B is k x n: from the programming "
                     "guide's kernel to the tensor cores");
    std::size_t size = 1024;
    GemmShape shape{size, size, size};
    const auto side = [&](const std::string& option, std::size_t& value, const std::string& what) {
        line.option(option, value, what).in_range(1, most).type_name("N");
    };
    side("--size", size, "m, n and k (default: 1024; with --benchmark, several sizes)");
    side("--m", shape.m, "Rows of A and C");
    side("--n", shape.n, "Columns of B and C");
    side("--k", shape.k, "Columns of A, rows of B");
    for (const char* option : {"--m", "--n", "--k"}) line.exclude(option, "--size");
    const auto common = line.parse(argc, argv);
    if (!common) return std::nullopt;
    options.common = *common;
    if (line.given("--size"))
        options.shape = {size, size, size};
    else if (line.given("--m") || line.given("--n") || line.given("--k"))
        options.shape = shape;
    return options;
}

ExitStatus run(const GpuBackend& gpu, const Options& options) {
    const Backend on_cpu = cpu();
    const auto choice = list_or_choose_kernels(name, gpu.kernels, on_cpu.kernels, gpu.find_devices,
                                               {"blocked", "auto"}, options.common);
    if (!choice) return ExitStatus::ok;
    const auto& [device, kernels] = *choice;
    const Backend& backend = device.kind == DeviceKind::cpu ? on_cpu : gpu;

    const bool benchmark = options.common.benchmark;
    std::vector<GemmShape> shapes{options.shape.value_or(GemmShape{1024, 1024, 1024})};
    if (benchmark && !options.shape) shapes = benchmark_shapes(device.kind);
    if (options.shape) require_memory_for(*options.shape, kernels, benchmark);

    const InterruptGuard guard;
    ReportOutput output(options.common);
    const TimeBudget budget(benchmark_ms);
    Figures parameters;
    if (shapes.size() == 1) parameters = {{"m", shapes[0].m}, {"n", shapes[0].n}, {"k", shapes[0].k}};
    Report report(name, device, parameters);
    double peak = 0;
    if (benchmark)
        for (const auto& [ceiling, tflops] : backend.ceilings(device)) {
            report.add_ceiling(ceiling, tflops);
            peak = std::max(peak, tflops);
        }
    MatmulRun run(options, backend, device, kernels, report, peak);
    for (std::size_t i = 0; i < shapes.size() && !interrupted(); ++i)
        run.multiply(shapes[i], budget.share(shapes.size() - i));
    output.write(report);
    return report.exit_status();
}

}  // namespace

int program(const GpuBackend& gpu, int argc, const char* const* argv) {
    return run_program(name, [&] {
        const auto options = parse_options(argc, argv);
        return options ? run(gpu, *options) : ExitStatus::ok;
    });
}

}  // namespace cudabook::matmul
