#include "tex1dfetch_int2float/program.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/numbers/crc32.hpp"
#include "common/program/command_line.hpp"
#include "common/program/kernel_table.hpp"
#include "common/program/progress.hpp"
#include "common/program/report_output.hpp"
#include "common/program/run_program.hpp"

namespace cudabook::tex1dfetch_int2float {

namespace {

constexpr const char* name = "tex1dfetch_int2float";

struct Options {
    CommonOptions common;
    bool verbose = false;
};

/// Returns nullopt if --help or --version was given, and answered. Errors: UsageError.
std::optional<Options> parse_options(int argc, const char* const* argv) {
    Options options;
    CommandLine line(
        name, "Shows how the texture unit turns integers into floats: the program of the CUDA Handbook");
    line.flag("--verbose", options.verbose, "Print every value that was read, as the book's program does");
    const auto common = line.parse(argc, argv);
    if (!common) return std::nullopt;
    options.common = *common;
    return options;
}

double value_of(const Format& format, std::uint32_t word) {
    return format.gives_float() ? static_cast<double>(std::bit_cast<float>(word))
                                : static_cast<double>(static_cast<std::int32_t>(word));
}

/// Compares the values that a kernel read from textures of one, two and four components with the formula's
/// values, bit for bit. On the CPU, compares the formula's values with the values of the integer computation.
Result compare(const Kernel& kernel, const Device& device, const Format& format) {
    Result result{kernel.name, kernel.memory, "", std::nullopt, {{"place", kernel.place}}};
    std::size_t compared = 0;
    std::size_t mismatches = 0;
    double smallest = std::numeric_limits<double>::infinity();
    double largest = -smallest;
    std::uint32_t crc = 0;
    std::string outside = "-";
    for (const int components : widths) {
        const Readout readout = kernel.read(device, format, components);
        const std::vector<std::uint32_t> expected = kernel.device == DeviceKind::cpu
                                                        ? values_by_integers(format, components)
                                                        : values_by_formula(format, components);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            mismatches += readout.values[i] != expected[i] ? 1U : 0U;
            const double value = value_of(format, readout.values[i]);
            if (value < smallest) smallest = value;  // both comparisons are false for a NaN
            if (value > largest) largest = value;
        }
        compared += readout.values.size();
        crc = crc32(std::as_bytes(std::span(readout.values)), crc);
        if (readout.past_the_end.empty()) continue;
        const auto wrong =
            std::ranges::count_if(readout.past_the_end, [](std::uint32_t word) { return word != 0; });
        if (outside != "wrong") outside = wrong == 0 ? "0" : "wrong";
        mismatches += static_cast<std::size_t>(wrong);
        compared += readout.past_the_end.size();
    }
    result.checksum = hex(crc);
    result.verified = mismatches == 0;
    result.figures["format"] = format.name();
    result.figures["read_mode"] = format.mode();
    result.figures["values_checked"] = compared;
    result.figures["mismatches"] = mismatches;
    result.figures["smallest"] = fmt::format("{:.6g}", smallest);
    result.figures["largest"] = fmt::format("{:.6g}", largest);
    result.figures["past_the_end"] = outside;
    return result;
}

/// Reads as compare() does, and compares nothing.
Result read_only(const Kernel& kernel, const Device& device, const Format& format) {
    for (const int components : widths) kernel.read(device, format, components);
    return {kernel.name,
            kernel.memory,
            "",
            std::nullopt,
            {{"place", kernel.place}, {"format", format.name()}, {"read_mode", format.mode()}}};
}

/// Returns every value of the one-component texture as text, in the format of the book's program.
std::string values_text(const Kernel& kernel, const Device& device, const Format& format) {
    std::string text = fmt::format("{}: {}, {}\n", kernel.name, format.name(), format.mode());
    for (const std::uint32_t word : kernel.read(device, format, 1).values)
        text += fmt::format("{:.2f} ", value_of(format, word));
    text.back() = '\n';
    return text;
}

/// Measures the rate of reading texels of four components, the widest.
void measure_into(Result& result, const Kernel& kernel, const Device& device, const Format& format,
                  double copy_gb_per_s) {
    const Rate rate = kernel.measure(device, format, 4);
    add_figures(result.figures, rate.time);
    result.figures["gb_per_s"] = rate.gb_per_s;
    result.figures["percent_of_ceiling"] = 100 * rate.gb_per_s / copy_gb_per_s;
    if (rate.occupancy) add_figures(result.figures, *rate.occupancy);
}

ExitStatus run(const GpuBackend& gpu, const Options& options) {
    const auto choice = list_or_choose_kernels(name, gpu.kernels, cpu_kernels(), gpu.find_devices,
                                               {"formula", "all"}, options.common);
    if (!choice) return ExitStatus::ok;
    const auto& [device, kernels] = *choice;
    const bool on_cpu = device.kind == DeviceKind::cpu;
    if (on_cpu && options.common.benchmark)
        throw MachineError("--benchmark: there is nothing to measure without a GPU; leave it out");
    if (on_cpu) note(options.common, name, "no texture unit was used: these are the formula's values");

    ReportOutput output(options.common);
    Report report(name, device, {});
    const double copy_gb_per_s = options.common.benchmark ? gpu.copy_gb_per_s(device.index) : 0;
    if (options.common.benchmark) report.add_ceiling("copy_gb_per_s", copy_gb_per_s);
    Progress progress(name, !options.common.quiet);
    const auto rows = static_cast<double>(kernels.size() * formats().size());
    double done = 0;
    for (const Kernel& kernel : kernels)
        for (const Format& format : formats()) {
            Result result = options.common.runs_some_blocks() ? read_only(kernel, device, format)
                                                              : compare(kernel, device, format);
            if (options.common.benchmark) measure_into(result, kernel, device, format, copy_gb_per_s);
            if (options.verbose && !options.common.quiet && !options.common.json_on_stdout())
                fmt::print("{}", values_text(kernel, device, format));
            report.add(std::move(result));
            progress.at(++done / rows);
        }
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

}  // namespace cudabook::tex1dfetch_int2float
