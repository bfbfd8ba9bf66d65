#include "tex1dfetch_big/program.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "common/program/command_line.hpp"
#include "common/program/kernel_table.hpp"
#include "common/program/report_output.hpp"
#include "common/program/run_program.hpp"
#include "tex1dfetch_big/run.hpp"

namespace cudabook::tex1dfetch_big {

namespace {

constexpr const char* name = "tex1dfetch_big";
constexpr int book_index_bits = 27;

Memory memory_of(const std::string& option) {
    return option == "device" ? Memory::device : option == "mapped" ? Memory::mapped : Memory::automatic;
}

/// Returns nullopt if --help or --version was given, and answered. Errors: UsageError.
std::optional<Options> parse_options(int argc, const char* const* argv) {
    // Fewer than 2^63 bytes, and no more than there are addresses.
    constexpr auto most_mb = static_cast<std::size_t>(
        std::min<std::uint64_t>(std::uint64_t{1} << 40U, std::numeric_limits<std::size_t>::max() >> 20U));
    Options options;
    CommandLine line(name, "Adds up a large array through textures: the program of the CUDA Handbook");
    line.option("SIZE_IN_MB", options.mb, "Size of the array in MB (2^20 bytes)").in_range(1, most_mb);
    line.option("--index-bits", options.index_bits,
                "Let a GPU's texture span 2^N texels, or what the device allows if that is less (default: "
                "what the device allows); 27, the book's limit, makes 'book' the default kernel")
        .in_range(1, 62)
        .type_name("N");
    line.option("--memory", options.memory,
                "Where to keep a GPU's array: device, mapped (in the host's memory), or auto (device if it "
                "is large enough)")
        .one_of({"auto", "device", "mapped"})
        .show_default();
    const auto common = line.parse(argc, argv);
    if (!common) return std::nullopt;
    options.common = *common;
    if (options.mb == 0 && !options.common.only_lists())
        throw UsageError("SIZE_IN_MB is missing: the array's size in MB, such as 512");
    return options;
}

/// Throws an error if an option is given that means nothing on the CPU. Errors: UsageError, MachineError.
void refuse_options_of_gpu(const Options& options, const FindCudaDevices& find_devices) {
    if (options.memory != "auto")
        throw UsageError(fmt::format("--memory {}: the CPU makes the words as it reads them; leave it out",
                                     options.memory));
    if (!options.index_bits) return;
    const std::string why =
        options.common.device.kind ? "the CPU has no texture unit" : find_devices().why_none;
    throw MachineError(fmt::format("--index-bits {} needs a GPU: {}; leave it out to run on the CPU",
                                   *options.index_bits, why));
}

ExitStatus run(const GpuBackend& gpu, const Options& options) {
    CommonOptions common = options.common;
    if (options.index_bits) common.quiet = true;  // if the device is the CPU, the error's line is enough
    const std::string fastest = options.index_bits == book_index_bits ? "book" : "texture";
    const auto choice = list_or_choose_kernels(name, gpu.kernels, cpu_kernels(), gpu.find_devices,
                                               {"stream", fastest}, common);
    if (!choice) return ExitStatus::ok;
    const auto& [device, kernels] = *choice;
    const bool on_cpu = device.kind == DeviceKind::cpu;
    if (on_cpu) refuse_options_of_gpu(options, gpu.find_devices);

    ReportOutput output(options.common);
    const ReadRun::Print print = [&](const std::string& text) {
        if (options.common.quiet || options.common.json_on_stdout()) return;
        std::fwrite(text.data(), 1, text.size(), stdout);
        check_stdout();
    };
    Figures parameters{{"size_mb", options.mb}, {"index_bits", nullptr}, {"memory", "stream"}};
    if (options.index_bits) parameters["index_bits"] = *options.index_bits;
    std::unique_ptr<ArrayOfWords> data;
    std::optional<double> copy_gb_per_s;
    if (!on_cpu) {
        if (options.common.benchmark) copy_gb_per_s = gpu.copy_gb_per_s(device.index);
        data = gpu.make(device, options.mb * words_per_mb, memory_of(options.memory), [&] {
            print(fmt::format("Device alloc of {} Mb failed, trying mapped host memory\n", options.mb));
        });
        parameters["memory"] = data->memory();
    }
    Report report(name, device, std::move(parameters));
    if (copy_gb_per_s) report.add_ceiling("copy_gb_per_s", *copy_gb_per_s);
    ReadRun run(options, print, report);
    if (on_cpu)
        run.on_cpu(kernels.front());
    else
        run.on_gpu(kernels, *data);
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

}  // namespace cudabook::tex1dfetch_big
