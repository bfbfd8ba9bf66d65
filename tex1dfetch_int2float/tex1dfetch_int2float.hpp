// The texture unit's conversion of integers to floats: the formats, and the kernels that read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/program/device.hpp"
#include "common/program/measurement.hpp"

namespace cudabook::tex1dfetch_int2float {

enum class Element { signed_char, unsigned_char, signed_short, unsigned_short, half };

/// How a component of a texel is stored and read.
struct Format {
    Element element;
    bool normalised;  ///< read as a float from 0 or -1 to 1; otherwise an integer is kept, and a half becomes
                      ///< a float

    [[nodiscard]] std::string name() const;
    [[nodiscard]] std::string mode() const { return normalised ? "normalized float" : "element type"; }
    [[nodiscard]] std::size_t bytes() const {
        return element == Element::signed_char || element == Element::unsigned_char ? 1 : 2;
    }
    [[nodiscard]] bool is_signed() const {
        return element == Element::signed_char || element == Element::signed_short;
    }
    /// The number of values: all bit patterns of a component.
    [[nodiscard]] std::size_t values() const { return std::size_t{1} << (8 * bytes()); }
    /// Whether the texture returns floats, not integers.
    [[nodiscard]] bool gives_float() const { return normalised || element == Element::half; }
};

inline constexpr int widths[] = {1, 2, 4};  ///< components of a texel

/// Each element type in each of its read modes.
std::vector<Format> formats();

/// The value as which a component with these bits is read: the bits of a float, or an integer of 32 bits.
/// Source: CUDA C++ Programming Guide, "Texture Fetching" and "Texture Functions".
std::uint32_t formula(const Format& format, std::uint32_t bits);

/// The bits of component c of texel i. In a texture of format.values() texels, every value appears in each
/// component.
inline std::uint32_t stored(const Format& format, std::size_t i, int c) {
    return static_cast<std::uint32_t>((i + static_cast<std::size_t>(c) * 37) % format.values());
}

/// The values of formula() for every component of a texture of format.values() texels, texel by texel.
std::vector<std::uint32_t> values_by_formula(const Format& format, int components);

/// As values_by_formula(), computed with integers alone; it shares no code with formula().
std::vector<std::uint32_t> values_by_integers(const Format& format, int components);

/// The values read from a texture of format.values() texels, each component in the format of formula().
struct Readout {
    std::vector<std::uint32_t> values;        ///< texel by texel
    std::vector<std::uint32_t> past_the_end;  ///< the values at indices outside the texture; empty for plain
                                              ///< loads
};

/// The rate of reading a large array.
struct Rate {
    Measurement time;
    double gb_per_s;  ///< of bytes read plus bytes written
    std::optional<Occupancy> occupancy;
};

/// A way to read.
struct Kernel {
    std::string name;
    std::string memory;
    std::string what;
    DeviceKind device;
    std::string place;  ///< the memory of the texels: mapped (in the host's memory), device, or host for the
                        ///< CPU
    std::function<Readout(const Device&, const Format&, int components)> read;
    std::function<Rate(const Device&, const Format&, int components)> measure;
};

/// The interface of a GPU.
struct GpuBackend {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
    std::vector<Kernel> kernels;
    std::function<double(int device)> copy_gb_per_s;
};

/// Defined in gpu.cu, where the build has CUDA.
GpuBackend gpu();

/// The CPU's kernel: the formula itself.
std::vector<Kernel> cpu_kernels();

}  // namespace cudabook::tex1dfetch_int2float
