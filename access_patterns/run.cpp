#include "access_patterns/run.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "access_patterns/floor.hpp"
#include "access_patterns/slide.hpp"
#include "access_patterns/traffic.hpp"
#include "common/numbers/crc32.hpp"
#include "common/program/interrupt.hpp"
#include "common/program/memory.hpp"
#include "common/program/output_file.hpp"
#include "common/program/progress.hpp"
#include "common/program/report_output.hpp"
#include "common/program/threads.hpp"

namespace cudabook::access_patterns {

namespace {

constexpr std::size_t kb = 1024;

/// An array, and the element sizes with which it is read.
struct Array {
    std::size_t bytes;
    Place place;
    std::vector<std::size_t> elements;
    bool on_slide;
};

class PatternRun {
  public:
    PatternRun(const GpuBackend& gpu, Device device, const std::vector<Kernel>& kernels,
               const RunOptions& options)
        : gpu_(gpu),
          device_(std::move(device)),
          kernels_(kernels),
          options_(options),
          report_(program_name, device_, parameters()),
          slide_(empty_slide()),
          budget_(0.9 * benchmark_ms) {
        if (on_gpu()) ceilings_.cache_bytes = gpu_.cache_bytes(device_);
    }

    ExitStatus all() {
        const InterruptGuard guard;
        start_threads();
        ReportOutput output(options_.common);
        std::optional<OutputFile> png;
        if (options_.png) png.emplace(*options_.png);
        const std::vector<Array> arrays = arrays_to_read();
        note_what_is_left_out(arrays);
        Progress progress(program_name, !options_.common.quiet);
        for (const Array& array : arrays) left_ += rows_of(array);
        const auto rows = static_cast<double>(left_);
        on_row_ = [&] { progress.at(1 - static_cast<double>(left_) / rows); };
        if (options_.common.benchmark && on_gpu()) {
            measure_walks();
            measure_units();
        }
        for (const Array& array : arrays) read(array);
        output.write(report_);
        if (png) write_png(*png, draw(slide_));
        return report_.exit_status();
    }

  private:
    [[nodiscard]] bool on_gpu() const { return device_.kind != DeviceKind::cpu; }
    [[nodiscard]] bool shows_times() const {
        return options_.common.benchmark && device_.kind != DeviceKind::emulated;
    }

    [[nodiscard]] Figures parameters() const {
        Figures figures{{"size_kb", nullptr}, {"angle", options_.degrees}};
        if (options_.kb) figures["size_kb"] = *options_.kb;
        return figures;
    }

    [[nodiscard]] Slide empty_slide() const {
        Slide slide;
        for (const NamedPattern& pattern : options_.patterns) slide.patterns.push_back(pattern.name);
        for (const Kernel& kernel : kernels_) slide.kernels.push_back(kernel.name);
        slide.elements = options_.elements;
        slide.more_is_better = shows_times();
        return slide;
    }

    /// The arrays of this run. A benchmark without --size and --memory has an array that stays in the
    /// cache, an array that does not stay there and, on a GPU, an array in mapped memory.
    [[nodiscard]] std::vector<Array> arrays_to_read() const {
        const bool emulated = device_.kind == DeviceKind::emulated;
        const std::size_t small = emulated ? least_bytes : 1024 * kb;
        const Place place = options_.place.value_or(Place::device);
        if (!options_.common.benchmark || options_.kb)
            return {{options_.kb ? *options_.kb * kb : small, place, options_.elements, true}};
        const std::size_t of_mapped = emulated ? small : std::size_t{16} << 20U;
        if (place == Place::mapped) return {{of_mapped, place, options_.elements, true}};
        const std::size_t large = emulated ? 4 * small : on_gpu() ? most_bytes : 64 * small;
        const std::size_t in_cache = device_.kind == DeviceKind::cuda
                                         ? std::clamp(std::bit_floor(ceilings_.cache_bytes / 4 * 3),
                                                      least_bytes, std::size_t{64} << 20U)
                                         : small;
        std::vector<Array> arrays{{in_cache, place, options_.elements, false},
                                  {large, place, options_.elements, true}};
        if (on_gpu() && !options_.place)
            arrays.push_back({of_mapped, Place::mapped, mapped_elements(), false});
        return arrays;
    }

    /// The element sizes for mapped memory in a benchmark of device and mapped memory: 4 bytes, if chosen,
    /// otherwise the first chosen size.
    [[nodiscard]] std::vector<std::size_t> mapped_elements() const {
        const bool four = std::ranges::count(options_.elements, std::size_t{4}) > 0;
        return {four ? 4 : options_.elements.front()};
    }

    [[nodiscard]] std::size_t rows_of(const Array& array) const {
        std::size_t rows = 0;
        for (const Kernel& kernel : kernels_)
            for (const std::size_t element : array.elements)
                rows += kernel.performs(element, array.place) ? options_.patterns.size() : 0;
        return rows;
    }

    void note_what_is_left_out(const std::vector<Array>& arrays) const {
        if (arrays.size() > 1) return;
        const Array& array = arrays.front();
        for (const Kernel& kernel : kernels_) {
            bool performs = false;
            for (const std::size_t element : array.elements)
                performs = performs || kernel.performs(element, array.place);
            if (!performs)
                note(options_.common, program_name,
                     fmt::format("{} is left out: {}", kernel.name,
                                 kernel.path == Path::wide
                                     ? "its texels are no wider than elements of 16 bytes"
                                     : "CUDA arrays are in device memory alone"));
        }
    }

    /// The share of the benchmark's time for the next row.
    [[nodiscard]] TimeBudget share() const { return budget_.share(left_); }

    void measure_walks() {
        for (const NamedPattern& pattern : options_.patterns) {
            if (interrupted()) return;
            const double rate = gpu_.walk_rate(device_, pattern, options_.degrees, share());
            ceilings_.walk_rates[pattern.name] = rate;
            report_.add_ceiling(fmt::format("{}_walk_gelements_per_s", pattern.name), rate);
        }
    }

    void measure_units() {
        for (const Kernel& kernel : kernels_)
            for (const std::size_t element : options_.elements) {
                if (interrupted() || !kernel.performs(element, Place::device)) continue;
                const double rate = gpu_.unit_rate(device_, kernel, element, share());
                ceilings_.unit_rates[{kernel.name, element}] = rate;
                report_.add_ceiling(fmt::format("{}_{}_bytes_gelements_per_s", kernel.name, element), rate);
            }
    }

    void read(const Array& array) {
        require_memory((on_gpu() ? 2 : 1) * array.bytes, fmt::format("an array of {} KB", array.bytes / kb));
        const std::vector<std::uint32_t> words = random_words(array.bytes / sizeof(std::uint32_t));
        if (!options_.common.runs_some_blocks()) expected_ = expected_sum(words);
        std::unique_ptr<Data> data;
        try {
            data = on_gpu() ? gpu_.make(device_, words, array.place) : make_cpu_data(words);
        } catch (const OutOfMemory& too_large) {
            if (!options_.common.benchmark) throw;
            Result all{"all", place_of(array), "", std::nullopt};
            all.figures["size_kb"] = array.bytes / kb;
            leave_out(std::move(all), too_large.what());
            left_ -= rows_of(array);
            return;
        }
        if (options_.common.benchmark) measure_memory(array, *data);
        if (array.on_slide) slide_.title = title_of(array);
        for (const std::size_t element : array.elements)
            for (const Kernel& kernel : kernels_)
                if (kernel.performs(element, array.place))
                    for (const NamedPattern& pattern : options_.patterns) {
                        if (interrupted()) return;
                        try {
                            read_row(array, *data, kernel, element, pattern);
                        } catch (const OutOfMemory& too_large) {  // from the copy in a CUDA array
                            if (!options_.common.benchmark) throw;
                            leave_out(result_of(array, kernel, element, pattern), too_large.what());
                        }
                        --left_;
                        on_row_();
                    }
    }

    void leave_out(Result result, const char* why) {
        result.figures["left_out"] = why;
        report_.add(std::move(result));
    }

    /// Measures the ceiling of this array's memory or cache. The array that stays in the cache comes first.
    void measure_memory(const Array& array, Data& data) {
        const double rate = data.read_gb_per_s(share());
        if (array.place == Place::device && fits_into(ceilings_.cache_bytes, array.bytes)) {
            ceilings_.cache_gb_per_s = rate;
            report_.add_ceiling("cache_read_gb_per_s", rate);
        } else {
            ceilings_.memory_gb_per_s = rate;
            report_.add_ceiling(array.place == Place::mapped ? "mapped_read_gb_per_s" : "read_gb_per_s",
                                rate);
        }
    }

    /// The ceilings for this array. Mapped memory is not cached.
    [[nodiscard]] Ceilings ceilings_of(const Array& array) const {
        Ceilings ceilings = ceilings_;
        if (array.place == Place::mapped) {
            ceilings.cache_gb_per_s = 0;
            ceilings.cache_bytes = 0;
        }
        return ceilings;
    }

    [[nodiscard]] const char* place_of(const Array& array) const {
        return !on_gpu() ? "host" : array.place == Place::mapped ? "mapped" : "device";
    }

    [[nodiscard]] std::string title_of(const Array& array) const {
        const std::size_t mb = array.bytes >> 20U;
        const std::string size = mb > 0 ? fmt::format("{} MB", mb) : fmt::format("{} KB", array.bytes / kb);
        return fmt::format(
            "{}: {} in {} memory, {}", device_.name, size, place_of(array),
            shows_times() ? "10⁹ elements a second" : "sectors of 32 bytes for 32 neighbouring elements");
    }

    /// A row without measurements.
    [[nodiscard]] Result result_of(const Array& array, const Kernel& kernel, std::size_t element,
                                   const NamedPattern& named) const {
        Result result{kernel.name, kernel.memory, "", std::nullopt};
        result.figures["pattern"] = named.name;
        result.figures["element_bytes"] = element;
        result.figures["place"] = place_of(array);
        result.figures["size_kb"] = array.bytes / kb;
        return result;
    }

    void read_row(const Array& array, Data& data, const Kernel& kernel, std::size_t element,
                  const NamedPattern& named) {
        const ArrayShape shape = shape_of(array.bytes, element);
        const Pattern pattern = named.make(shape, options_.degrees);
        constexpr unsigned tiles_of_sample = 16;
        const Demand demand = demand_of(pattern, array.bytes, element, kernel.path, tiles_of_sample);
        Result result = result_of(array, kernel, element, named);
        Figures& figures = result.figures;
        figures["sectors_per_request"] = demand.sectors_per_request();
        figures["bytes_per_element"] = demand.bytes_per_element();
        forget_counts();  // excludes the measurement of the ceilings
        const std::uint32_t sum = data.sum(kernel, element, pattern);
        result.counts = take_counts(fmt::format("{}, {}", kernel.name, named.name));
        result.work = {static_cast<double>(shape.elements()), "element"};
        if (!options_.common.runs_some_blocks()) {
            result.checksum = hex(sum);
            result.verified = sum == expected_;
        }
        double shown = demand.sectors_per_request();
        if (options_.common.benchmark) {
            const Timing timing = data.measure(kernel, element, pattern, share());
            const Floor floor = floor_of(kernel, named, array.bytes, element, demand, ceilings_of(array));
            const double ms = timing.time.median;
            add_figures(figures, timing.time);
            figures["gelements_per_s"] = static_cast<double>(shape.elements()) / ms / 1e6;
            figures["moved_gb_per_s"] = demand.bytes_per_element() * shape.elements() / ms / 1e6;
            figures["floor_ms"] = floor.ms;
            figures["percent_of_floor"] = 100 * floor.ms / ms;
            figures["floor_by"] = floor.by;
            if (timing.occupancy) add_figures(figures, *timing.occupancy);
            if (shows_times()) shown = static_cast<double>(shape.elements()) / ms / 1e6;
        }
        if (array.on_slide) slide_.values[{element, named.name, kernel.name}] = shown;
        report_.add(std::move(result));
    }

    const GpuBackend& gpu_;
    Device device_;
    const std::vector<Kernel>& kernels_;
    const RunOptions& options_;
    Report report_;
    Slide slide_;
    TimeBudget budget_;
    Ceilings ceilings_;
    std::uint32_t expected_ = 0;
    std::size_t left_ = 0;  ///< the rows that are still to be done
    std::function<void()> on_row_;
};

}  // namespace

ExitStatus run_patterns(const GpuBackend& gpu, const Device& device, const std::vector<Kernel>& kernels,
                        const RunOptions& options) {
    return PatternRun(gpu, device, kernels, options).all();
}

}  // namespace cudabook::access_patterns
