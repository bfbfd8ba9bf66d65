// Adding up a large array through textures: how the array is split, and what a device offers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/program/device.hpp"
#include "common/program/measurement.hpp"

namespace cudabook::tex1dfetch_big {

inline constexpr std::size_t words_per_mb = std::size_t{1} << 18U;  ///< words of 32 bits

/// An array of texels as textures side by side: each spans 2^index_bits texels, the last one the rest.
struct Split {
    int components;  ///< words of a texel: 1, 2 or 4
    int index_bits;
    std::size_t texels;

    [[nodiscard]] std::size_t textures() const { return ((texels - 1) >> index_bits) + 1; }
    /// The first texel of texture number t.
    [[nodiscard]] std::size_t begin(std::size_t t) const { return t << index_bits; }
    /// The texels of texture number t.
    [[nodiscard]] std::size_t size(std::size_t t) const {
        return std::min(std::size_t{1} << index_bits, texels - begin(t));
    }
};

/// A way to read the array.
struct Kernel {
    std::string name;
    std::string memory;
    std::string what;
    DeviceKind device;
    /// Whether it reads an array that is split like this.
    std::function<bool(const Split&)> performs = [](const Split&) { return true; };
};

/// The textures that the book's program has: four of four components, one of one or two.
inline bool as_in_book(const Split& split) { return split.textures() <= (split.components == 4 ? 4U : 1U); }

/// What reading the whole array gave.
struct Reading {
    std::uint32_t sum;  ///< of the words, mod 2^32
    double ms;
    std::optional<Occupancy> occupancy;
};

/// Called with the share of the work that is done, 0 to 1.
using OnProgress = std::function<void(double)>;

/// The first words of the rand() stream, in memory that a GPU reads.
class ArrayOfWords {
  public:
    virtual ~ArrayOfWords() = default;
    /// Where the words are: device or mapped.
    [[nodiscard]] virtual std::string memory() const = 0;
    /// The log2 of how many texels of so many components one texture spans at most.
    [[nodiscard]] virtual int index_bits(int components) const = 0;
    virtual Reading read(const Kernel& kernel, const Split& split, const OnProgress& on_progress) = 0;
    /// What people would use instead.
    [[nodiscard]] virtual std::string peer() const = 0;
    virtual Reading read_by_peer() = 0;
};

/// Which memory a GPU's words are to be in; `automatic`: the device's, else the host's.
enum class Memory { automatic, device, mapped };

/// What a GPU offers.
struct GpuBackend {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
    std::vector<Kernel> kernels;
    /// Calls `on_fallback` if the device's memory does not suffice and mapped memory is tried. Errors:
    /// MachineError.
    std::function<std::unique_ptr<ArrayOfWords>(const Device&, std::size_t words, Memory,
                                                const std::function<void()>& on_fallback)>
        make;
    std::function<double(int device)> copy_gb_per_s;
};

/// Defined in gpu.cu, where the build has CUDA.
GpuBackend gpu();

/// The CPU's kernel: `stream`.
std::vector<Kernel> cpu_kernels();

/// What `stream` gives for the first `words` words: all of the CPU's cores make them in blocks, with SIMD,
/// and add them up as they come.
Reading read_stream(std::size_t words, const OnProgress& on_progress);

/// What people would write instead, as a benchmark names it.
inline constexpr const char* serial = "serial";

/// What `serial` gives: a plain loop of the recurrence on one core.
Reading read_serially(std::size_t words, const OnProgress& on_progress);

/// The sum of the first `words` words, mod 2^32, by the recurrence alone: on all cores, and in each of them
/// by many streams side by side, at one of the SIMD levels of `stream_loops()`. It shares nothing with
/// `stream`, nor with what fills a GPU's memory.
std::uint32_t expected_sum(std::size_t words, const OnProgress& on_progress, std::size_t level = 0);

}  // namespace cudabook::tex1dfetch_big
