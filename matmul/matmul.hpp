// The room that multiplies matrices, C = A B: the shapes, the kernels, and what a device does with them. All
// matrices are of float32, row-major.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/device.hpp"
#include "common/measurement.hpp"

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
    Kernel peer;  ///< what people would use instead: a library, if it is there
    std::function<std::unique_ptr<Product>(const Device&, const Factors&)> make;
    /// Rates that no kernel without tensor cores exceeds, in TFLOP/s; the last one is measured.
    std::function<std::vector<std::pair<std::string, double>>(const Device&)> ceilings;
};

/// What the GPU brings to the room.
struct GpuSide : Side {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
};

/// Defined in gpu.cu, where the build has CUDA.
GpuSide gpu();

Side cpu();

/// The two factors from one rand() stream, A first; each element is (r - 2^30) 2^-30.
Factors random_factors(const Shape& shape);

/// The oracle: each element of C is one chain of float32 fma over k = 0, 1, 2, ..., from 0.
std::vector<float> reference(const Factors& factors);

/// The SIMD levels that this processor has, the widest first.
std::vector<std::string> simd_levels();

/// The bits of reference(), on all cores, by one of those levels.
std::vector<float> blocked(const Factors& factors, std::size_t level = 0);

/// Some rows of C in float64, to compare with.
struct ExactRows {
    std::vector<std::size_t> rows;
    std::vector<double> values;      ///< rows.size() × n
    std::vector<double> magnitudes;  ///< of |A||B|
};

/// `count` rows, spread over C.
ExactRows exact_rows(const Factors& factors, std::size_t count);

struct Accuracy {
    double relative_error;  ///< |C - AB| / |AB|, Frobenius norms
    double worst;           ///< the largest |C - AB| / |A||B| of an element
};

/// Of those rows of `c`, an m × n matrix.
Accuracy accuracy(const ExactRows& exact, const std::vector<float>& c, std::size_t n);

}  // namespace cudabook::matmul
