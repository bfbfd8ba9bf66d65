// The room that multiplies matrices, C = A B: the shapes, the kernels, and what a device does with them. All
// matrices are of float32, row-major.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/program/device.hpp"
#include "common/program/measurement.hpp"

namespace cudabook::matmul {

/// A is m × k, B is k × n, C is m × n.
struct Shape {
    std::size_t m = 1;
    std::size_t n = 1;
    std::size_t k = 1;
    [[nodiscard]] double flops() const {
        return 2 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
    }
    bool operator==(const Shape&) const = default;
};

struct Factors {
    Shape shape;
    std::vector<float> a;
    std::vector<float> b;
};

/// The two ways in which the CPU makes what results are compared with. They give the same bits and share no
/// code.
enum class Way { plainly, by_blocks };

/// A way to multiply. A kernel without an error bound gives the bits of reference(), where every NaN counts
/// as one.
struct Kernel {
    std::string name;
    std::string memory;
    std::string what;
    DeviceKind device = DeviceKind::cpu;
    /// |C - AB| <= error_bound(k) |A||B|, for each element, as long as no product falls under 2^-100.
    std::function<double(std::size_t k)> error_bound = nullptr;
    /// Where k is at least that, the error |C - AB| / |AB| (Frobenius norms) is at most twice that of
    /// reference().
    std::optional<std::size_t> as_accurate_from_k = std::nullopt;
    Way compared_with = Way::by_blocks;
    std::string peer = {};  ///< whose numbers are as accurate, if that is not the last of Side::peers
    /// Why it cannot multiply matrices of this shape there; empty: it can.
    std::function<std::string(const Device&, const Shape&)> why_not = [](const Device&, const Shape&) {
        return std::string();
    };
};

/// Two factors on a device, and room for their product. Errors of every call: MachineError.
class Product {
  public:
    virtual ~Product() = default;

    /// Multiplies; the duration in ms.
    virtual double run(const Kernel& kernel) = 0;

    /// What a kernel gives, in a matrix that was full of NaNs before.
    [[nodiscard]] virtual std::vector<float> result(const Kernel& kernel) = 0;

    /// What the kernel, which was run, takes of a multiprocessor; nothing on a CPU and for libraries.
    [[nodiscard]] virtual std::optional<Occupancy> occupancy(const Kernel& kernel) const = 0;

  protected:
    Product() = default;
    Product(const Product&) = default;
    Product& operator=(const Product&) = default;
};

/// A device's side of the room.
struct Side {
    std::vector<Kernel> kernels;
    /// What people would use instead: libraries, which are loaded if they are there. With the last one all
    /// kernels are compared.
    std::function<std::vector<Kernel>()> peers;
    std::function<std::unique_ptr<Product>(const Device&, const Factors&)> make;
    /// Rates that no kernel without tensor cores exceeds, in TFLOP/s; the last one is measured.
    std::function<std::vector<std::pair<std::string, double>>(const Device&)> ceilings;
};

/// What the GPU brings to the room.
struct GpuBackend : Side {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
};

/// Defined in gpu.cu, where the build has CUDA.
GpuBackend gpu();

Side cpu();

/// The two factors from one rand() stream, A first; each element is (r - 2^30) 2^-30.
Factors random_factors(const Shape& shape);

/// Numbers of some rows of a matrix.
using Rows = std::vector<std::size_t>;

/// min(count, m) rows of m, spread evenly.
Rows spread_rows(std::size_t m, std::size_t count);

/// Those rows of a matrix, one after the other.
std::vector<float> take_rows(const std::vector<float>& matrix, const Rows& rows, std::size_t columns);

/// The oracle: each element of C is one chain of float32 fma over k = 0, 1, 2, ..., from 0. Three plain
/// loops, of which the rows of C are shared out among all cores. (Those rows, or all.)
std::vector<float> reference(const Factors& factors, const std::optional<Rows>& rows = std::nullopt);

/// The SIMD levels that this processor has, the widest first.
std::vector<std::string> simd_levels();

/// The bits of reference(), on all cores, by one of those levels.
std::vector<float> blocked(const Factors& factors, const std::optional<Rows>& rows = std::nullopt,
                           std::size_t level = 0);

/// blocked() packs so many columns of A at a time, at most.
inline constexpr std::size_t blocked_depth = 256;

/// Some rows of C in float64, to compare with.
struct ExactRows {
    Rows rows;
    std::vector<double> values;      ///< rows.size() × n
    std::vector<double> magnitudes;  ///< of |A||B|
};

ExactRows exact_rows(const Factors& factors, Rows rows);

struct Accuracy {
    double relative_error;  ///< |C - AB| / |AB|, Frobenius norms
    double worst;           ///< the largest |C - AB| / |A||B| of an element
};

/// Of `c`, which has those rows of C.
Accuracy accuracy(const ExactRows& exact, const std::vector<float>& c);

/// Bounds of |A||B|: its element (i, j) is at most rows[i] × columns[j], by the inequality of Cauchy and
/// Schwarz.
struct Norms {
    std::vector<double> rows;     ///< of A
    std::vector<double> columns;  ///< of B
};
Norms norms(const Factors& factors);

/// How often an element of `c` has other bits than that of `expected`.
std::size_t differing(const std::vector<float>& c, const std::vector<float>& expected);

/// How often they are further apart than `bound` |A||B| can be at most, where both have all rows of C, or
/// those. A NaN is.
std::size_t far_apart(const std::vector<float>& c, const std::vector<float>& expected,
                      const std::optional<Rows>& rows, const Norms& norms, double bound);

/// The CRC-32 of common/crc32.hpp, on all cores.
std::uint32_t checksum_of(const std::vector<float>& c);

/// The error bound of sums in float32, in whichever order: what reference() and the libraries keep to.
inline double float32_bound(std::size_t k) { return static_cast<double>(k + 1) * 0x1p-23; }

/// Why a launch cannot have so many blocks; empty: it can.
inline std::string too_many_blocks(std::size_t blocks) {
    constexpr std::size_t most = 0x7fffffff;
    return blocks <= most
               ? ""
               : fmt::format("its grid would have {} blocks, and a launch has 2^31 - 1 at most", blocks);
}

}  // namespace cudabook::matmul
