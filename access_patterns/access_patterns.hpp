// Reading an array in many orders, through each of a GPU's paths to memory: the interface between the program
// and the devices.
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

inline constexpr std::size_t element_sizes[] = {1, 2, 4, 8, 16};  ///< in bytes

/// The memory that holds the array for a GPU. device: the GPU's memory. mapped: the host's memory, which the
/// GPU reads over the bus.
enum class Place { device, mapped };

/// The kind of read. It decides how many sectors a request takes (see traffic.hpp).
enum class Path { global, linear, pitched, array, surface, wide };

/// A kernel: a way to read the array.
struct Kernel {
    std::string name;
    std::string memory;
    std::string what;
    DeviceKind device;
    Path path;

    /// Returns whether the kernel can read elements of this size in this memory. CUDA arrays exist only in
    /// device memory. Path::wide needs elements narrower than a texel of 16 bytes.
    [[nodiscard]] bool performs(std::size_t element_bytes, Place place) const {
        if (path == Path::wide) return element_bytes < 16;
        return place == Place::device || (path != Path::array && path != Path::surface);
    }
};

/// A kernel's time to read an array once, and the kernel's occupancy.
struct Timing {
    Measurement time;
    std::optional<Occupancy> occupancy;
};

/// An array of bytes, which kernels read as elements of any size in element_sizes.
class Data {
  public:
    Data() = default;
    Data(const Data&) = delete;
    Data& operator=(const Data&) = delete;
    virtual ~Data() = default;

    /// Reads each element once, in the pattern's order, and returns the sum of all bytes, mod 2^32. Errors:
    /// MachineError.
    virtual std::uint32_t sum(const Kernel& kernel, std::size_t element_bytes, const Pattern& pattern) = 0;

    /// Measures sum(). Errors: MachineError.
    virtual Timing measure(const Kernel& kernel, std::size_t element_bytes, const Pattern& pattern,
                           const TimeBudget& budget) = 0;

    /// Measures the rate, in GB/s, at which the simplest kernel reads this array from its beginning to its
    /// end. Errors: MachineError.
    virtual double read_gb_per_s(const TimeBudget& budget) = 0;
};

/// The interface of a GPU.
struct GpuBackend {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
    std::vector<Kernel> kernels;

    /// Makes an array that holds `words`, in the memory that Place names. Errors: MachineError.
    std::function<std::unique_ptr<Data>(const Device&, std::span<const std::uint32_t> words, Place)> make;

    /// Measures the highest rate of the unit that serves the kernel's reads: the unit for loads or the unit
    /// for textures. Returns elements per nanosecond. The kernel reads, row by row, an array that fits into a
    /// multiprocessor's cache. Errors: MachineError.
    std::function<double(const Device&, const Kernel&, std::size_t element_bytes, const TimeBudget&)>
        unit_rate;

    /// Measures a walk that computes the indices of the elements and reads nothing. Returns elements per
    /// nanosecond. Errors: MachineError.
    std::function<double(const Device&, const NamedPattern&, double degrees, const TimeBudget&)> walk_rate;

    /// Returns the size in bytes of the L2 cache, which all multiprocessors share.
    std::function<std::size_t(const Device&)> cache_bytes;
};

/// Returns the interface to the GPUs, with this sample's kernels. Defined in gpu.cu, in builds with CUDA or
/// the emulated GPU.
GpuBackend gpu();

/// Returns the CPU's kernel, which makes the same walk with plain loads on all cores.
std::vector<Kernel> cpu_kernels();
std::unique_ptr<Data> make_cpu_data(std::span<const std::uint32_t> words);

/// Returns the first `size` words of the suite's rand() stream.
std::vector<std::uint32_t> random_words(std::size_t size);

/// Returns the sum of all bytes of `words`, added from the first to the last, mod 2^32. Every kernel must
/// give this sum.
std::uint32_t expected_sum(std::span<const std::uint32_t> words);

inline constexpr std::string_view reference = "reference";  ///< the name for the loop of expected_sum()

}  // namespace cudabook::access_patterns
