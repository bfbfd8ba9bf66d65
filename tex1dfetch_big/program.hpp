// The program of the room: options, run, report.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "common/command_line.hpp"
#include "common/kernel_table.hpp"
#include "common/progress.hpp"
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
    app.add_option(
           "--index-bits", options.index_bits,
           "A texture spans 2^N texels, or what the device allows if that is less (default: what the device "
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
    Run(const Options& options, const Print& print, Data& data, Report& report)
        : options_(options), print_(print), data_(data), report_(report) {}

    void all(const std::vector<Kernel>& kernels) {
        expected_ =
            with_progress("adding up on the CPU", options_.common, [&](const OnProgress& on_progress) {
                return expected_sum(options_.mb * words_per_mb, on_progress);
            });
        print_(fmt::format("Expected checksum: 0x{:08x}\n", expected_));
        if (options_.common.benchmark) peer();
        for (const Kernel& kernel : kernels) {
            if (kernels.size() > 1) print_(fmt::format("{}:\n", kernel.name));
            for (const int components : {1, 2, 4}) one(kernel, components);
        }
    }

  private:
    [[nodiscard]] double gb_per_s(double ms) const {
        return static_cast<double>(options_.mb * words_per_mb * sizeof(std::uint32_t)) / ms / 1e6;
    }

    /// Checks `read`'s sum, measures it where a benchmark is asked for, and adds both to the result.
    template <class Read>
    void measure_into(Result& result, Read read) {
        const Reading reading = read();
        result.checksum = hex(reading.sum);
        result.verified = reading.sum == expected_;
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

    void peer() {
        if (data_.peer().empty()) return;
        Result result{data_.peer(), "global", "", std::nullopt, {{"size_mb", options_.mb}}};
        measure_into(result, [&] { return data_.read_by_peer(); });
        peer_gb_per_s_ = result.figures["gb_per_s"].get<double>();
        report_.add(std::move(result));
    }

    void one(const Kernel& kernel, int components) {
        const int bits = std::min(options_.index_bits.value_or(62), data_.index_bits(components));
        const Split split{components, bits,
                          options_.mb * words_per_mb / static_cast<std::size_t>(components)};
        const bool textured = kernel.memory == "texture1d";
        Result result{kernel.name, kernel.memory, "", std::nullopt, {{"size_mb", options_.mb}}};
        result.figures["components"] = components;
        result.figures["textures"] = textured ? split.textures() : 0;
        if (kernel.performs(split))
            measure_into(result, [&] {
                return with_progress(fmt::format("{} by {}", kernel.name, components), options_.common,
                                     [&](const OnProgress& p) { return data_.read(kernel, split, p); });
            });
        print_(fmt::format("{:>7}{} checksum: {}\n", textured ? "tex" : "global", components,
                           result.verified ? "0x" + result.checksum : "(not performed)"));
        report_.add(std::move(result));
    }

    const Options& options_;
    const Print& print_;
    Data& data_;
    Report& report_;
    std::uint32_t expected_ = 0;
    std::optional<double> peer_gb_per_s_;
};

inline int program(const GpuSide& gpu, int argc, const char* const* argv) {
    return run_program(name, [&] {
        const auto options = parse_options(argc, argv);
        if (!options) return ExitStatus::ok;
        const std::string fastest = options->index_bits == book_index_bits ? "book" : "texture";
        const auto choice = list_or_choose_kernels(name, gpu.kernels, cpu_kernels(), gpu.find_devices,
                                                   {fastest, fastest}, options->common);
        if (!choice) return ExitStatus::ok;
        const auto& [device, kernels] = *choice;
        const bool on_cpu = device.kind == DeviceKind::cpu;
        if (on_cpu && options->memory != "auto")
            throw UsageError(fmt::format(
                "--memory {}: the CPU makes the words as it reads them; leave it out", options->memory));

        ReportOutput output(options->common);
        const Print print = [&](const std::string& text) {
            if (options->common.quiet || options->common.json_on_stdout()) return;
            std::fwrite(text.data(), 1, text.size(), stdout);
            check_stdout();
        };
        const double copy_gb_per_s =
            options->common.benchmark && !on_cpu ? gpu.copy_gb_per_s(device.index) : 0;
        const std::size_t words = options->mb * words_per_mb;
        const auto data = on_cpu ? cpu_data(words) : gpu.make(device, words, memory_of(options->memory), [&] {
            print(fmt::format("Device alloc of {} Mb failed, trying mapped host memory\n", options->mb));
        });
        Json parameters{{"size_mb", options->mb}, {"index_bits", nullptr}, {"memory", data->memory()}};
        if (options->index_bits) parameters["index_bits"] = *options->index_bits;
        Report report(name, device, std::move(parameters));
        if (copy_gb_per_s > 0) report.add_ceiling("copy_gb_per_s", copy_gb_per_s);
        Run(*options, print, *data, report).all(kernels);
        output.write(report);
        return report.exit_status();
    });
}

}  // namespace cudabook::tex1dfetch_big
