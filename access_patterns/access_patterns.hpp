// Reading an array in many orders, through each of a GPU's ways to memory: the interface between the program
// and what reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "access_patterns/pattern.hpp"
#include "common/program/device.hpp"
#include "common/program/measurement.hpp"

namespace cudabook::access_patterns {

inline constexpr std::size_t element_sizes[] = {1, 2, 4, 8, 16};  ///< bytes

/// Where a GPU's array is: in its own memory, or in the host's, which it reads over the bus.
enum class Place { device, mapped };

/// How an address is asked for, which decides what a request takes: see traffic.hpp.
enum class Path { global, linear, pitched, array, surface, wide };

/// A way to read.
struct Kernel {
    std::string name;
    std::string memory;
    std::string what;
    DeviceKind device;
    Path path;

    /// Whether it can read such elements there: arrays are in device memory alone, and a texel as wide as an
    /// element is no wide one.
    [[nodiscard]] bool performs(std::size_t element_bytes, Place place) const {
        if (path == Path::wide) return element_bytes < 16;
        return place == Place::device || (path != Path::array && path != Path::surface);
    }
};

/// A kernel's time to read an array once.
struct Timing {
    Measurement time;
    std::optional<Occupancy> occupancy;
};

/// An array of bytes, which kernels read as elements of any size.
class Data {
  public:
    Data() = default;
    Data(const Data&) = delete;
    Data& operator=(const Data&) = delete;
    virtual ~Data() = default;

    /// Reads each element once, in the pattern's order: the sum of all bytes, mod 2^32. Errors: MachineError.
    virtual std::uint32_t sum(const Kernel& kernel, std::size_t element_bytes, const Pattern& pattern) = 0;

    /// Measures the same. Errors: MachineError.
    virtual Timing measure(const Kernel& kernel, std::size_t element_bytes, const Pattern& pattern,
                           const TimeBudget& budget) = 0;

    /// The rate of the plainest kernel, which reads this array from its beginning to its end: GB/s. Errors:
    /// MachineError.
    virtual double read_gb_per_s(const TimeBudget& budget) = 0;
};

/// What a GPU offers.
struct GpuBackend {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
    std::vector<Kernel> kernels;

    /// An array of these words. Errors: MachineError.
    std::function<std::unique_ptr<Data>(const Device&, std::span<const std::uint32_t> words, Place)> make;

    /// Elements a nanosecond of a kernel that reads row after row of what fits into the cache of a
    /// multiprocessor: what the units for loads or textures do at most. Errors: MachineError.
    std::function<double(const Device&, const Kernel&, std::size_t element_bytes, const TimeBudget&)>
        unit_rate;

    /// Elements a nanosecond of a walk that reads nothing: what it takes to work out the places alone.
    /// Errors: MachineError.
    std::function<double(const Device&, const NamedPattern&, double degrees, const TimeBudget&)> walk_rate;

    /// The size of the cache that all multiprocessors share.
    std::function<std::size_t(const Device&)> cache_bytes;
};

/// Defined in gpu.cu, where the build has CUDA.
GpuBackend gpu();

/// The CPU's kernel: the same walk by plain loads, on all cores.
std::vector<Kernel> cpu_kernels();
std::unique_ptr<Data> make_cpu_data(std::span<const std::uint32_t> words);

/// `size` words of the suite's rand() stream.
std::vector<std::uint32_t> random_words(std::size_t size);

/// The sum of all bytes mod 2^32, from the first to the last: what every kernel must give.
std::uint32_t expected_sum(std::span<const std::uint32_t> words);

inline constexpr std::string_view reference = "reference";  ///< the name of that loop

}  // namespace cudabook::access_patterns
