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
/// k products in order. The code is three plain loops; the rows of C are divided among all cores. Returns the
/// given rows of C, or all rows without `rows`.
std::vector<float> reference(const Factors& factors, const std::optional<Rows>& rows = std::nullopt);

/// The SIMD levels that this processor has, the widest first.
std::vector<std::string> simd_levels();

/// Computes the same bits as reference(), but faster, in blocks that fit into caches and registers. `level`
/// is an index into simd_levels(). The multiplication shares no code with reference().
std::vector<float> blocked(const Factors& factors, const std::optional<Rows>& rows = std::nullopt,
                           std::size_t level = 0);

/// How a kernel on tensor cores divides the elements of A and B into parts of lower precision, and in which
/// order it adds the products. These two choices and the rounding in the tensor cores determine C's bits.
struct TensorCoreSums {
    enum class Parts {
        one_tf32,    ///< one part: the element rounded to TF32
        two_tf32,    ///< two parts: the element rounded to TF32, and the remainder in TF32
        two_halves,  ///< two parts in half precision, after each row of A and column of B was scaled
    };
    Parts parts = Parts::one_tf32;
    bool by_warpgroups = false;      ///< whether an instruction takes the next elements along k in order;
                                     ///< otherwise it takes elements that are spread over a tile
    std::size_t tiles_in_a_sum = 1;  ///< how many tiles of 32 elements along k the tensor cores add up before
                                     ///< an ordinary addition; 0 means all tiles
};

/// Returns the given rows of C, or all rows without `rows`, with the bits that a kernel on tensor cores
/// computes. `capability` is the GPU's compute capability: 90 means 9.0. An element whose sum is not finite
/// is computed as in reference().
std::vector<float> tensor_core_product(const Factors& factors, const TensorCoreSums& how, int capability,
                                       const std::optional<Rows>& rows = std::nullopt);

/// The CPU's multiplication that a kernel is compared with.
enum class CpuReference { plain_loops, blocked };

/// The error bound of an element of C: |C - AB| <= products × |A||B| + norms × ‖a‖‖b‖. |A| and |B| are the
/// matrices of absolute values. a and b are the element's row of A and column of B, and ‖a‖ and ‖b‖ are their
/// Euclidean norms.
struct ErrorBound {
    double products;
    double norms = 0;
};

/// A way to multiply. A kernel without an error bound gives the same bits as reference(), except that a NaN
/// may have other bits. This sample's kernels on tensor cores have an error bound, and give the bits of
/// tensor_core_product(). A library's kernel has only an error bound.
struct Kernel {
    std::string name;
    std::string memory = {};
    std::string what = {};
    DeviceKind device = DeviceKind::cpu;
    /// Returns the kernel's error bound for sums of k products. The bound holds if all elements and products
    /// other than 0 are large enough: at least 2^-115 in magnitude for an element, 2^-100 for a product.
    std::function<ErrorBound(std::size_t k)> error_bound = nullptr;
    /// Returns how the kernel adds on this device. The function is empty for a library's kernel, and for a
    /// kernel that does not use tensor cores.
    std::function<TensorCoreSums(const Device&)> tensor_core_sums = nullptr;
    /// If k is at least this number, the error |C - AB| / |AB| (Frobenius norms) is at most twice the error
    /// of reference(). The error can be larger, within ErrorBound::norms, if C depends on elements of A and B
    /// that are far smaller than the largest element of their row or column.
    std::optional<std::size_t> as_accurate_from_k = std::nullopt;
    CpuReference compared_with = CpuReference::blocked;
    /// The name of the peer that is as accurate as the kernel. The name is empty if this peer is the last of
    /// Backend::peers.
    std::string peer = {};
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

    /// Fills C with NaNs, which reveal elements that the kernel does not write, and runs the kernel. Returns
    /// the given rows of C, or all rows without `rows`.
    [[nodiscard]] virtual std::vector<float> result(const Kernel& kernel,
                                                    const std::optional<Rows>& rows) = 0;
    [[nodiscard]] std::vector<float> result(const Kernel& kernel) { return result(kernel, std::nullopt); }

    /// Returns the kernel's occupancy, or nullopt on a CPU and for a library's kernel. The kernel must have
    /// run.
    [[nodiscard]] virtual std::optional<Occupancy> occupancy(const Kernel& kernel) const = 0;

  protected:
    Product() = default;
    Product(const Product&) = default;
    Product& operator=(const Product&) = default;
};

/// The kernels, peers and ceilings of a kind of device.
struct Backend {
    std::vector<Kernel> kernels;
    /// Returns the peers: the kernels of libraries, which people would use instead of this sample's kernels.
    /// Loads the libraries that are installed. Each kernel's speed is compared with the last peer's speed.
    std::function<std::vector<Kernel>()> peers;
    std::function<std::unique_ptr<Product>(const Device&, const Factors&)> make;
    /// Returns the highest rates that kernels can reach without tensor cores, by name, in TFLOP/s. The last
    /// rate is measured.
    std::function<std::vector<std::pair<std::string, double>>(const Device&)> ceilings;
};

struct GpuBackend : Backend {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
};

/// Returns the kernels, peers and ceilings for GPUs. Defined in gpu.cu, in builds with CUDA or the emulated
/// GPU.
GpuBackend gpu();

Backend cpu();

}  // namespace cudabook::matmul
