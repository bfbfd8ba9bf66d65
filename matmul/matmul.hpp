// Matrix multiplication, C = A B: the shapes, the kernels, and a device's interface. All matrices are float32
// and row-major.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/program/device.hpp"
#include "common/program/measurement.hpp"

namespace cudabook::matmul {

/// A is m × k, B is k × n, C is m × n.
struct GemmShape {
    std::size_t m = 1;
    std::size_t n = 1;
    std::size_t k = 1;
    [[nodiscard]] double flops() const {
        return 2 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
    }
    bool operator==(const GemmShape&) const = default;
};

struct Factors {
    GemmShape shape;
    std::vector<float> a;
    std::vector<float> b;
};

/// Makes the two factors from one rand() stream, A first. Output r of rand() becomes the element
/// (r - 2^30) · 2^-30.
Factors random_factors(const GemmShape& shape);

/// The indices of some rows of a matrix.
using Rows = std::vector<std::size_t>;

/// Computes the reference: each element of C is one chain of float32 fmas, which starts from 0 and adds the
/// k products in order. The code is three plain loops; the rows of C are divided among all cores. Without
/// `rows`, all rows are computed.
std::vector<float> reference(const Factors& factors, const std::optional<Rows>& rows = std::nullopt);

/// The SIMD levels that this processor has, the widest first.
std::vector<std::string> simd_levels();

/// Computes the same bits as reference(), but faster, in blocks that fit into caches and registers. `level`
/// is an index into simd_levels(). The multiplication shares no code with reference().
std::vector<float> blocked(const Factors& factors, const std::optional<Rows>& rows = std::nullopt,
                           std::size_t level = 0);

/// How a kernel on tensor cores divides the elements into factors, and in which order it adds products. C's
/// bits follow from this and from the tensor cores' way of adding.
struct TensorCoreSums {
    enum class Parts {
        one_tf32,    ///< an element is rounded to TF32
        two_tf32,    ///< an element is TF32, and the remainder is TF32
        two_halves,  ///< the same in half precision, after a scaling by row or column
    };
    Parts parts = Parts::one_tf32;
    bool by_warpgroups = false;      ///< whether an instruction has consecutive elements along k
    std::size_t tiles_in_a_sum = 1;  ///< tiles of 32 elements along k that tensor cores add up; 0: all tiles
};

/// Computes the same bits as a kernel on tensor cores of a compute capability: 90 is 9.0. Elements that
/// overflow are those of reference().
std::vector<float> tensor_core_product(const Factors& factors, const TensorCoreSums& how, int capability,
                                       const std::optional<Rows>& rows = std::nullopt);

/// The CPU's multiplication that a kernel is compared with.
enum class CpuReference { plain_loops, blocked };

/// An error bound for each element of C: |C - AB| <= products × |A||B| + norms × |a||b|, where a and b are
/// the element's row of A and column of B.
struct ErrorBound {
    double products;
    double norms = 0;
};

/// A way to multiply. A kernel without an error bound gives the same bits as reference(), except that a NaN
/// may have other bits. A kernel on tensor cores has an error bound, and gives the bits of
/// tensor_core_product().
struct Kernel {
    std::string name;
    std::string memory = {};
    std::string what = {};
    DeviceKind device = DeviceKind::cpu;
    /// The kernel's error bound, which holds as long as no product is below 2^-100, and no element other than
    /// 0 is below 2^-115.
    std::function<ErrorBound(std::size_t k)> error_bound = nullptr;
    /// Returns how the kernel adds on this device; null for kernels that do not use tensor cores.
    std::function<TensorCoreSums(const Device&)> tensor_core_sums = nullptr;
    /// From this k on, the error |C - AB| / |AB| (Frobenius norms) is at most twice the error of reference().
    /// The exception is a C that comes from elements of A and B far smaller than the largest of their row or
    /// column. Then ErrorBound::norms matters.
    std::optional<std::size_t> as_accurate_from_k = std::nullopt;
    CpuReference compared_with = CpuReference::blocked;
    std::string peer = {};  ///< the name of the peer that is as accurate, if not the last of Backend::peers
    /// Returns why the kernel cannot multiply matrices of this shape on this device, or an empty string if it
    /// can.
    std::function<std::string(const Device&, const GemmShape&)> why_not =
        [](const Device&, const GemmShape&) { return std::string(); };
};

/// Two factors on a device, and memory for their product. Errors of every call: MachineError.
class Product {
  public:
    virtual ~Product() = default;

    /// Multiplies, and returns the duration in ms.
    virtual double run(const Kernel& kernel) = 0;

    /// Runs the kernel on a matrix that was filled with NaNs, and returns the product. Without `rows`,
    /// returns all rows.
    [[nodiscard]] virtual std::vector<float> result(const Kernel& kernel,
                                                    const std::optional<Rows>& rows) = 0;
    [[nodiscard]] std::vector<float> result(const Kernel& kernel) { return result(kernel, std::nullopt); }

    /// The occupancy of the kernel, which must have run; nullopt on a CPU and for libraries.
    [[nodiscard]] virtual std::optional<Occupancy> occupancy(const Kernel& kernel) const = 0;

  protected:
    Product() = default;
    Product(const Product&) = default;
    Product& operator=(const Product&) = default;
};

/// The kernels, peers and ceilings of a kind of device.
struct Backend {
    std::vector<Kernel> kernels;
    /// The kernels of libraries that people would use instead. A library is loaded if it is installed. The
    /// speed of every kernel is compared with the speed of the last peer.
    std::function<std::vector<Kernel>()> peers;
    std::function<std::unique_ptr<Product>(const Device&, const Factors&)> make;
    /// The highest rates that kernels can reach without tensor cores, in TFLOP/s. The last rate is
    /// measured.
    std::function<std::vector<std::pair<std::string, double>>(const Device&)> ceilings;
};

struct GpuBackend : Backend {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
};

/// Defined in gpu.cu, in builds with CUDA or the emulated GPU.
GpuBackend gpu();

Backend cpu();

}  // namespace cudabook::matmul
