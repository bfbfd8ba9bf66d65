// Adding up a large array through textures: the split of the array, and the interface of a device.
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

/// The split of an array of texels into textures, one after the other. Each texture spans 2^index_bits
/// texels, except that the last texture spans the remaining texels.
struct Split {
    int components;  ///< words of a texel: 1, 2 or 4
    int index_bits;
    std::size_t texels;

    [[nodiscard]] std::size_t textures() const { return ((texels - 1) >> index_bits) + 1; }
    /// The index in the array of the first texel of texture number t.
    [[nodiscard]] std::size_t begin(std::size_t t) const { return t << index_bits; }
    /// The number of texels of texture number t.
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
    /// Returns true if the kernel can read an array with this split.
    std::function<bool(const Split&)> performs = [](const Split&) { return true; };
};

/// Returns true if the textures of the book's program suffice for this split. The program has four textures
/// with four components per texel, one texture with two components, and one texture with one component.
inline bool as_in_book(const Split& split) { return split.textures() <= (split.components == 4 ? 4U : 1U); }

/// The result of reading the whole array.
struct Reading {
    std::uint32_t sum;  ///< the sum of the words, mod 2^32
    double ms;
    std::optional<Occupancy> occupancy;
};

/// A callback for progress: its argument is the share of the work that is done, from 0 to 1.
using OnProgress = std::function<void(double)>;

/// An array of the first words of the rand() stream, in memory that a GPU can read.
class ArrayOfWords {
  public:
    virtual ~ArrayOfWords() = default;
    /// Returns the memory of the words: device or mapped.
    [[nodiscard]] virtual std::string memory() const = 0;
    /// Returns the base-2 logarithm of the largest number of texels in a texture whose texels have
    /// `components` components.
    [[nodiscard]] virtual int index_bits(int components) const = 0;
    virtual Reading read(const Kernel& kernel, const Split& split, const OnProgress& on_progress) = 0;
    /// Returns the name of the library function that people would use instead of this sample's kernels.
    [[nodiscard]] virtual std::string peer() const = 0;
    virtual Reading read_by_peer() = 0;
};

/// The memory for a GPU's words. `automatic` means device memory if that suffices, otherwise mapped host
/// memory.
enum class Memory { automatic, device, mapped };

/// The interface of a GPU.
struct GpuBackend {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
    std::vector<Kernel> kernels;
    /// Makes an array of `words` words. If device memory does not suffice, calls `on_fallback` before it
    /// tries mapped memory. Errors: MachineError.
    std::function<std::unique_ptr<ArrayOfWords>(const Device&, std::size_t words, Memory,
                                                const std::function<void()>& on_fallback)>
        make;
    std::function<double(int device)> copy_gb_per_s;
};

/// Returns the interface to the GPUs, with this sample's kernels. Defined in gpu.cu, in builds with CUDA or
/// the emulated GPU.
GpuBackend gpu();

/// Returns the CPU's kernel, `stream`.
std::vector<Kernel> cpu_kernels();

/// Returns the result of kernel `stream` for the first `words` words. All cores of the CPU make the words in
/// blocks, with SIMD, and add them up immediately.
Reading read_stream(std::size_t words, const OnProgress& on_progress);

/// The name, in a benchmark, of the plain loop that people would write instead of kernel `stream`.
inline constexpr const char* serial = "serial";

/// Returns the result of `serial`, a plain loop of the recurrence on one core.
Reading read_serially(std::size_t words, const OnProgress& on_progress);

/// Returns the sum of the first `words` words of the rand() stream, mod 2^32. Each core of the CPU computes
/// many streams side by side, with the loops stream_loops()[level]. The computation shares no code with
/// kernel `stream` or with the kernel that fills a GPU's memory.
std::uint32_t expected_sum(std::size_t words, const OnProgress& on_progress, std::size_t level = 0);

}  // namespace cudabook::tex1dfetch_big
