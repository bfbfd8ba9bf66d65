#include "tex1dfetch_big/run.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "common/numbers/crc32.hpp"
#include "common/program/errors.hpp"
#include "common/program/progress.hpp"

namespace cudabook::tex1dfetch_big {

namespace {

constexpr int widths[] = {1, 2, 4};  // components of a texel

/// Calls `work` with a callback for its progress.
template <class Work>
auto with_progress(const std::string& what, const CommonOptions& options, Work work) {
    Progress progress(what, !options.quiet);
    return work([&progress](double share) { progress.at(share); });
}

}  // namespace

ReadRun::ReadRun(const Options& options, const Print& print, Report& report)
    : options_(options), print_(print), report_(report), words_(options.mb * words_per_mb) {}

void ReadRun::on_cpu(const Kernel& kernel) {
    begin();
    const auto reading_of = [&](const std::string& name, auto read) {
        return [&, name, read] {
            return with_progress(name, options_.common, [&](const OnProgress& p) { return read(words_, p); });
        };
    };
    if (options_.common.benchmark) add_peer(serial, "host", expected_, reading_of(serial, read_serially));
    Result result = new_result(kernel.name, kernel.memory);
    measure_into(result, expected_, reading_of(kernel.name, read_stream));
    print_(fmt::format("{:>8} checksum: 0x{}\n", kernel.name, result.checksum));
    report_.add(std::move(result));
}

void ReadRun::on_gpu(const std::vector<Kernel>& kernels, ArrayOfWords& data) {
    require_one_that_performs(kernels, data);
    begin();
    if (options_.common.benchmark)
        add_peer(data.peer(), "global", expected_, [&] { return data.read_by_peer(); });
    for (const Kernel& kernel : kernels) {
        if (kernels.size() > 1) print_(fmt::format("{}:\n", kernel.name));
        for (const int components : widths) add_kernel(kernel, components, data);
    }
}

void ReadRun::begin() {
    if (options_.common.runs_some_blocks()) return;
    expected_ = with_progress("adding up on the CPU", options_.common,
                              [&](const OnProgress& p) { return expected_sum(words_, p); });
    print_(fmt::format("Expected checksum: 0x{:08x}\n", expected_));
}

Split ReadRun::split(int components, const ArrayOfWords& data) const {
    return {.components = components,
            .index_bits = std::min(options_.index_bits.value_or(62), data.index_bits(components)),
            .texels = words_ / static_cast<std::size_t>(components)};
}

void ReadRun::require_one_that_performs(const std::vector<Kernel>& kernels, const ArrayOfWords& data) const {
    for (const Kernel& kernel : kernels)
        for (const int components : widths)
            if (kernel.performs(split(components, data))) return;
    const std::string bits =
        options_.index_bits ? fmt::format("--index-bits {}", *options_.index_bits) : "the device's limit";
    throw MachineError(
        fmt::format("--kernel {}: with {} its textures do not span {} MB; use --kernel texture",
                    kernels.front().name, bits, options_.mb));
}

Result ReadRun::new_result(const std::string& kernel, const std::string& memory) const {
    return {kernel, memory, "", std::nullopt, {{"size_mb", options_.mb}}};
}

/// Compares the sum, measures the time in a benchmark, and adds both to the result. Returns the rate in GB/s.
double ReadRun::measure_into(Result& result, std::uint32_t expected, const Read& read) {
    forget_counts();  // excludes the filling of the array
    const Reading reading = read();
    result.counts = take_counts(result.kernel);
    result.work = {static_cast<double>(words_), "word"};
    if (!options_.common.runs_some_blocks()) {
        result.checksum = hex(reading.sum);
        result.verified = reading.sum == expected;
    }
    double ms = reading.ms;
    if (options_.common.benchmark) {
        const Measurement time = measure([&] { return read().ms; });
        add_figures(result.figures, time);
        ms = time.median;
    } else {
        result.figures["ms"] = ms;
    }
    const double gb_per_s = static_cast<double>(words_ * sizeof(std::uint32_t)) / ms / 1e6;
    result.figures["gb_per_s"] = gb_per_s;
    if (peer_gb_per_s_) result.figures["percent_of_peer"] = 100 * gb_per_s / *peer_gb_per_s_;
    if (reading.occupancy && options_.common.benchmark) add_figures(result.figures, *reading.occupancy);
    return gb_per_s;
}

void ReadRun::add_peer(const std::string& name, const std::string& memory, std::uint32_t expected,
                       const Read& read) {
    Result result = new_result(name, memory);
    peer_gb_per_s_ = measure_into(result, expected, read);
    report_.add(std::move(result));
}

void ReadRun::add_kernel(const Kernel& kernel, int components, ArrayOfWords& data) {
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
                       !kernel.performs(cut)     ? "(not performed)"
                       : result.checksum.empty() ? "(not compared)"
                                                 : "0x" + result.checksum));
    report_.add(std::move(result));
}

}  // namespace cudabook::tex1dfetch_big
