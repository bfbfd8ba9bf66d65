#include "access_patterns/program.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "access_patterns/run.hpp"
#include "common/program/command_line.hpp"
#include "common/program/kernel_table.hpp"
#include "common/program/run_program.hpp"

namespace cudabook::access_patterns {

namespace {

std::vector<std::string> all_or(std::vector<std::string> words) {
    words.insert(words.begin(), "all");
    return words;
}

std::vector<std::string> pattern_names() {
    std::vector<std::string> names;
    for (const NamedPattern& pattern : patterns()) names.push_back(pattern.name);
    return names;
}

std::vector<std::string> element_names() {
    std::vector<std::string> names;
    for (const std::size_t bytes : element_sizes) names.push_back(fmt::format("{}", bytes));
    return names;
}

struct Options {
    CommonOptions common;
    std::string pattern = "all";
    std::string element;
    std::string memory;
    RunOptions run;
};

/// Returns nullopt if --help or --version was given, and answered. Errors: UsageError.
std::optional<Options> parse_options(int argc, const char* const* argv) {
    constexpr std::size_t kb = 1024;
    Options options;
    CommandLine line(program_name,
                     "Measures in which orders an array is read fast, through each way to memory");
    line.option("--pattern", options.pattern, "The order in which the elements are read, or all")
        .one_of(all_or(pattern_names()))
        .type_name("NAME")
        .show_default();
    line.option("--element", options.element,
                "Bytes of an element: 1, 2, 4, 8, 16 or all (default: 4; with --benchmark all)")
        .one_of(all_or(element_names()))
        .type_name("BYTES");
    line.option("--memory", options.memory,
                "Where a GPU's array is: device (default), or mapped (in the host's memory); with "
                "--benchmark it is in both in turn")
        .one_of({"device", "mapped"})
        .type_name("WHERE");
    line.option("--size", options.run.kb,
                fmt::format("Size of the array in KB (2^10 bytes): a power of two (default: 1024, on an "
                            "emulated GPU {}; with --benchmark one that fits into the cache, then one that "
                            "does not)",
                            least_bytes / kb))
        .that(
            [](std::size_t size) {
                return std::has_single_bit(size) && size >= least_bytes / kb && size <= most_bytes / kb;
            },
            fmt::format("that is a power of two from {} to {}", least_bytes / kb, most_bytes / kb))
        .type_name("KB");
    line.option("--angle", options.run.degrees, "Of the lines of the pattern 'rotated', in degrees")
        .finite()
        .type_name("DEGREES")
        .show_default();
    line.option("--png", options.run.png,
                "Draw patterns by kernels as one picture, a block for each size of elements; with "
                "--benchmark of the array outside the cache")
        .type_name("FILE");
    const auto common = line.parse(argc, argv);
    if (!common) return std::nullopt;
    options.common = *common;
    options.run.common = *common;
    for (const NamedPattern& pattern : patterns())
        if (options.pattern == "all" || options.pattern == pattern.name)
            options.run.patterns.push_back(pattern);
    const std::string element = !options.element.empty() ? options.element : common->benchmark ? "all" : "4";
    for (const std::size_t bytes : element_sizes)
        if (element == "all" || element == fmt::format("{}", bytes)) options.run.elements.push_back(bytes);
    if (!options.memory.empty())
        options.run.place = options.memory == "mapped" ? Place::mapped : Place::device;
    return options;
}

/// Throws UsageError if no chosen kernel can read the chosen elements in the chosen memory.
void refuse_what_cannot_be(const std::vector<Kernel>& kernels, const Options& options) {
    if (kernels.front().device == DeviceKind::cpu) {
        if (!options.memory.empty())
            throw UsageError(
                fmt::format("--memory {}: the CPU reads the host's memory; leave it out, or choose a GPU",
                            options.memory));
        return;
    }
    const Place place = options.run.place.value_or(Place::device);
    for (const Kernel& kernel : kernels)
        for (const std::size_t bytes : options.run.elements)
            if (kernel.performs(bytes, place)) return;
    if (kernels.front().path == Path::wide)
        throw UsageError(
            "--kernel wide: elements of 16 bytes are not part of a texel; use --element 8 or less");
    throw UsageError(fmt::format("--kernel {}: CUDA arrays are in device memory alone; use --memory device",
                                 kernels.front().name));
}

ExitStatus run(const GpuBackend& gpu, const Options& options) {
    const auto choice = list_or_choose_kernels(program_name, gpu.kernels, cpu_kernels(), gpu.find_devices,
                                               {"all", "all"}, options.common);
    if (!choice) return ExitStatus::ok;
    refuse_what_cannot_be(choice->kernels, options);
    return run_patterns(gpu, choice->device, choice->kernels, options.run);
}

}  // namespace

int program(const GpuBackend& gpu, int argc, const char* const* argv) {
    return run_program(program_name, [&] {
        const auto options = parse_options(argc, argv);
        return options ? run(gpu, *options) : ExitStatus::ok;
    });
}

}  // namespace cudabook::access_patterns
