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
    bool normalised;  ///< true: an integer is read as a float, from 0 to 1 or, if signed, from -1 to 1;
                      ///< false: an integer is read as an integer, and a half as a float

    [[nodiscard]] std::string name() const;
    [[nodiscard]] std::string mode() const { return normalised ? "normalized float" : "element type"; }
    [[nodiscard]] std::size_t bytes() const {
        return element == Element::signed_char || element == Element::unsigned_char ? 1 : 2;
    }
    [[nodiscard]] bool is_signed() const {
        return element == Element::signed_char || element == Element::signed_short;
    }
    /// Returns the number of values of a component: one for each bit pattern.
    [[nodiscard]] std::size_t values() const { return std::size_t{1} << (8 * bytes()); }
    /// Returns true if the texture returns floats, not integers.
    [[nodiscard]] bool gives_float() const { return normalised || element == Element::half; }
};

inline constexpr int widths[] = {1, 2, 4};  ///< components of a texel

/// Returns all formats: each element type in each of its read modes.
std::vector<Format> formats();

/// Returns the result of reading a component that is stored as these bits: the bits of a float, or an integer
/// of 32 bits. Source: CUDA C++ Programming Guide, "Texture Fetching" and "Texture Functions".
std::uint32_t formula(const Format& format, std::uint32_t bits);

/// Returns the stored bits of component c of texel i. In a texture of format.values() texels, every value
/// appears in each component.
inline std::uint32_t stored(const Format& format, std::size_t i, int c) {
    return static_cast<std::uint32_t>((i + static_cast<std::size_t>(c) * 37) % format.values());
}

/// Returns the values of formula() for every component of a texture of format.values() texels, texel by
/// texel.
std::vector<std::uint32_t> values_by_formula(const Format& format, int components);

/// Returns the same values as values_by_formula(), computed with integers alone. Shares no code with
/// formula().
std::vector<std::uint32_t> values_by_integers(const Format& format, int components);

/// The values read from a texture of format.values() texels, each as formula() returns it.
struct Readout {
    std::vector<std::uint32_t> values;        ///< the values of all components, texel by texel
    std::vector<std::uint32_t> past_the_end;  ///< the values at indices outside the texture; empty for plain
                                              ///< loads
};

/// The rate of reading a large array.
struct Rate {
    Measurement time;
    double gb_per_s;  ///< the bytes read plus the bytes written
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

/// Returns the interface to the GPUs, with this sample's kernels. Defined in gpu.cu, in builds with CUDA or
/// the emulated GPU.
GpuBackend gpu();

/// Returns the CPU's kernel, which is the formula itself.
std::vector<Kernel> cpu_kernels();

}  // namespace cudabook::tex1dfetch_int2float
