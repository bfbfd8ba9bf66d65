// The program of the room: options, run, report.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "common/numbers/crc32.hpp"
#include "common/program/command_line.hpp"
#include "common/program/kernel_table.hpp"
#include "common/program/progress.hpp"
#include "common/program/report_output.hpp"
#include "common/program/run_program.hpp"
#include "tex1dfetch_big/tex1dfetch_big.hpp"

namespace cudabook::tex1dfetch_big {

inline constexpr const char* name = "tex1dfetch_big";
inline constexpr int book_index_bits = 27;

struct Options {
    CommonOptions common;
    std::size_t mb = 0;
    std::optional<int> index_bits;  ///< none: what the device allows
    std::string memory = "auto";
};

/// Nothing: --help or --version was asked for, and answered. Errors: UsageError.
inline std::optional<Options> parse_options(int argc, const char* const* argv) {
    constexpr std::size_t most_mb = std::size_t{1} << 40U;  // whose bytes are fewer than 2^63
    Options options;
    CommandLine line(name, "Adds up a large array through textures: the program of the CUDA Handbook");
    CLI::App& app = line.app();
    app.add_option("SIZE_IN_MB", options.mb, "Size of the array in MB (2^20 bytes)")
        ->check(in_range<std::size_t>(1, most_mb));
    app.add_option("--index-bits", options.index_bits,
                   "A GPU's texture spans 2^N texels, or what the device allows if that is less (default: "
                   "what the device "
                   "allows); 27, the book's limit, makes 'book' the default kernel")
        ->check(in_range(1, 62))
        ->type_name("N");
    app.add_option("--memory", options.memory,
                   "Where a GPU's array stands: device, mapped (in the host's memory), or auto (device if it "
                   "suffices)")
        ->check(CLI::IsMember({"auto", "device", "mapped"}))
        ->capture_default_str();
    const auto common = line.parse(argc, argv);
    if (!common) return std::nullopt;
    options.common = *common;
    if (options.mb == 0 && !options.common.list_kernels)
        throw UsageError("SIZE_IN_MB is missing: the array's size in MB, such as 512");
    return options;
}

inline Memory memory_of(const std::string& option) {
    return option == "device" ? Memory::device : option == "mapped" ? Memory::mapped : Memory::automatic;
}

using Print = std::function<void(const std::string&)>;

/// Calls `work` with what it shall tell its progress.
template <class Work>
auto with_progress(const std::string& what, const CommonOptions& options, Work work) {
    Progress progress(what, !options.quiet);
    return work([&progress](double share) { progress.at(share); });
}

/// Prints the book's lines as the numbers come, and fills the report.
class Run {
  public:
    Run(const Options& options, const Print& print, Report& report)
        : options_(options), print_(print), report_(report), words_(options.mb * words_per_mb) {}

    void on_cpu(const Kernel& kernel) {
        begin();
        const auto read = [&] {
            return with_progress(kernel.name, options_.common,
                                 [&](const OnProgress& p) { return read_stream(words_, p); });
        };
        if (options_.common.benchmark)  // the serial loop is what is expected, so it is held to the kernel
            peer(serial, "host", read().sum, [&] {
                Reading reading{};
                reading.ms = wall_ms([&] { reading.sum = read_serially(); });
                return reading;
            });
        Result result = new_result(kernel.name, kernel.memory);
        measure_into(result, expected_, read);
        print_(fmt::format("{:>8} checksum: 0x{}\n", kernel.name, result.checksum));
        report_.add(std::move(result));
    }

    /// Errors: MachineError, if none of the kernels has textures enough.
    void on_gpu(const std::vector<Kernel>& kernels, Data& data) {
        require_one_that_performs(kernels, data);
        begin();
        if (options_.common.benchmark)
            peer(data.peer(), "global", expected_, [&] { return data.read_by_peer(); });
        for (const Kernel& kernel : kernels) {
            if (kernels.size() > 1) print_(fmt::format("{}:\n", kernel.name));
            for (const int components : widths) one(kernel, components, data);
        }
    }

  private:
    static constexpr int widths[] = {1, 2, 4};  ///< components of a texel

    void begin() {
        expected_ = read_serially();
        print_(fmt::format("Expected checksum: 0x{:08x}\n", expected_));
    }

    [[nodiscard]] std::uint32_t read_serially() const {
        return with_progress("adding up on the CPU", options_.common,
                             [&](const OnProgress& p) { return expected_sum(words_, p); });
    }

    [[nodiscard]] Split split(int components, const Data& data) const {
        return {components, std::min(options_.index_bits.value_or(62), data.index_bits(components)),
                words_ / static_cast<std::size_t>(components)};
    }

    void require_one_that_performs(const std::vector<Kernel>& kernels, const Data& data) const {
        for (const Kernel& kernel : kernels)
            for (const int components : widths)
                if (kernel.performs(split(components, data))) return;
        const std::string bits =
            options_.index_bits ? fmt::format("--index-bits {}", *options_.index_bits) : "the device's limit";
        throw MachineError(
            fmt::format("--kernel {}: with {} its textures do not span {} MB; use --kernel texture",
                        kernels.front().name, bits, options_.mb));
    }

    [[nodiscard]] Result new_result(const std::string& kernel, const std::string& memory) const {
        return {kernel, memory, "", std::nullopt, {{"size_mb", options_.mb}}};
    }

    [[nodiscard]] double gb_per_s(double ms) const {
        return static_cast<double>(words_ * sizeof(std::uint32_t)) / ms / 1e6;
    }

    /// Compares `read`'s sum, measures it where a benchmark is asked for, and adds both to the result.
    template <class Read>
    void measure_into(Result& result, std::uint32_t expected, Read read) {
        const Reading reading = read();
        result.checksum = hex(reading.sum);
        result.verified = reading.sum == expected;
        Measurement time{reading.ms, reading.ms, reading.ms, 1};
        if (options_.common.benchmark) time = measure([&] { return read().ms; });
        if (options_.common.benchmark)
            add_figures(result.figures, time);
        else
            result.figures["ms"] = time.median;
        result.figures["gb_per_s"] = gb_per_s(time.median);
        if (peer_gb_per_s_) result.figures["percent_of_peer"] = 100 * gb_per_s(time.median) / *peer_gb_per_s_;
        if (reading.occupancy && options_.common.benchmark) add_figures(result.figures, *reading.occupancy);
    }

    template <class Read>
    void peer(const std::string& what, const std::string& memory, std::uint32_t expected, Read read) {
        Result result = new_result(what, memory);
        measure_into(result, expected, read);
        peer_gb_per_s_ = std::get<double>(result.figures["gb_per_s"].value);
        report_.add(std::move(result));
    }

    void one(const Kernel& kernel, int components, Data& data) {
        const Split cut = split(components, data);
        const bool textured = kernel.memory == "texture1d";
        Result result = new_result(kernel.name, kernel.memory);
        result.figures["components"] = components;
        result.figures["textures"] = textured ? cut.textures() : 0;
        if (kernel.performs(cut))
            measure_into(result, expected_, [&] {
                return with_progress(fmt::format("{} by {}", kernel.name, components), options_.common,
                                     [&](const OnProgress& p) { return data.read(kernel, cut, p); });
            });
        print_(fmt::format("{:>7}{} checksum: {}\n", textured ? "tex" : "global", components,
                           result.verified ? "0x" + result.checksum : "(not performed)"));
        report_.add(std::move(result));
    }

    const Options& options_;
    const Print& print_;
    Report& report_;
    std::size_t words_;
    std::uint32_t expected_ = 0;
    std::optional<double> peer_gb_per_s_;
};

/// Throws if options were given that mean nothing on the CPU. Errors: UsageError, MachineError.
inline void refuse_options_of_gpu(const Options& options, const FindCudaDevices& find_devices) {
    if (options.memory != "auto")
        throw UsageError(fmt::format("--memory {}: the CPU makes the words as it reads them; leave it out",
                                     options.memory));
    if (!options.index_bits) return;
    const std::string why =
        options.common.device.kind ? "the CPU has no texture unit" : find_devices().why_none;
    throw MachineError(fmt::format("--index-bits {} needs a GPU: {}; leave it out to run on the CPU",
                                   *options.index_bits, why));
}

inline int program(const GpuBackend& gpu, int argc, const char* const* argv) {
    return run_program(name, [&] {
        const auto options = parse_options(argc, argv);
        if (!options) return ExitStatus::ok;
        const std::string fastest = options->index_bits == book_index_bits ? "book" : "texture";
        CommonOptions common = options->common;
        if (options->index_bits) common.quiet = true;  // the CPU's line is that of the error then
        const auto choice = list_or_choose_kernels(name, gpu.kernels, cpu_kernels(), gpu.find_devices,
                                                   {"stream", fastest}, common);
        if (!choice) return ExitStatus::ok;
        const auto& [device, kernels] = *choice;
        const bool on_cpu = device.kind == DeviceKind::cpu;
        if (on_cpu) refuse_options_of_gpu(*options, gpu.find_devices);

        ReportOutput output(options->common);
        const Print print = [&](const std::string& text) {
            if (options->common.quiet || options->common.json_on_stdout()) return;
            std::fwrite(text.data(), 1, text.size(), stdout);
            check_stdout();
        };
        Figures parameters{{"size_mb", options->mb}, {"index_bits", nullptr}, {"memory", "stream"}};
        if (options->index_bits) parameters["index_bits"] = *options->index_bits;
        std::unique_ptr<Data> data;
        std::optional<double> copy_gb_per_s;
        if (!on_cpu) {
            if (options->common.benchmark) copy_gb_per_s = gpu.copy_gb_per_s(device.index);
            data = gpu.make(device, options->mb * words_per_mb, memory_of(options->memory), [&] {
                print(fmt::format("Device alloc of {} Mb failed, trying mapped host memory\n", options->mb));
            });
            parameters["memory"] = data->memory();
        }
        Report report(name, device, std::move(parameters));
        if (copy_gb_per_s) report.add_ceiling("copy_gb_per_s", *copy_gb_per_s);
        Run run(*options, print, report);
        if (on_cpu)
            run.on_cpu(kernels.front());
        else
            run.on_gpu(kernels, *data);
        output.write(report);
        return report.exit_status();
    });
}

}  // namespace cudabook::tex1dfetch_big
