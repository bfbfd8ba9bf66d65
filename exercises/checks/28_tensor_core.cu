// Checks 28_tensor_core: a warp multiplies rows of a by rows of b on tensor cores, and the diagonal of the
// product has the expected sums. The numbers are such that each rule of the exercise matters: exponents near
// each other and far apart, sums that nearly vanish, and many terms below the lowest bit.
#include "exercises/checks/check.hpp"

#include <cuda_fp16.h>
#include <mma.h>

#include "exercises/checks/answer.hpp"

/// A block computes 16 sums.
__global__ void multiply(float* d, const float* c, const float* a, const float* b) {
    namespace wmma = nvcuda::wmma;
    __shared__ __align__(32) __half rows[2][16 * 16];
    __shared__ __align__(32) float sums[16 * 16];
    const int first = 16 * blockIdx.x;
    for (int i = threadIdx.x; i < 16 * 16; i += 32) {
        rows[0][i] = __float2half(a[16 * first + i]);
        rows[1][i] = __float2half(b[16 * first + i]);
        sums[i] = c[first + i / 16];
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> of_a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> of_b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> of_d;
    wmma::load_matrix_sync(of_a, rows[0], 16);
    wmma::load_matrix_sync(of_b, rows[1], 16);
    wmma::load_matrix_sync(of_d, sums, 16, wmma::mem_row_major);
    wmma::mma_sync(of_d, of_a, of_b, of_d);
    __syncwarp();
    wmma::store_matrix_sync(sums, of_d, 16, wmma::mem_row_major);
    __syncwarp();
    if (threadIdx.x < 16) d[first + threadIdx.x] = sums[17 * threadIdx.x];
}

/// Numbers with 11 significant bits and an exponent of at most `spread` from 0.
struct Random {
    std::uint32_t state = 1;
    float next(int spread) {
        state = state * 1664525 + 1013904223;
        const int significand = 1024 + static_cast<int>(state >> 8U & 1023U);
        const int exponent = static_cast<int>(state >> 20U) % (2 * spread + 1) - spread;
        const float value = ldexpf(static_cast<float>(significand), exponent - 10);
        return (state >> 31U) != 0 ? -value : value;
    }
};

int main() {
    namespace check = cudabook::check;
    int major = 0;
    check::cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "The device");
    if (major != 9) {
        std::printf("This exercise is about the tensor cores of compute capability 9.0\n");
        check::end(check::no_machine);
    }
    constexpr int sums = 256;
    for (const int spread : {0, 2, 6, 12}) {
        check::on("exponents from %d to %d", -spread, spread);
        Random random;
        std::vector<float> a(16 * sums);
        std::vector<float> b(16 * sums);
        std::vector<float> c(sums);
        for (int i = 0; i < 16 * sums; ++i) {
            const bool opposite = i % 2 == 1 && i / 16 % 2 == 1;  // most terms of these sums cancel
            a[i] = opposite ? a[i - 1] : random.next(spread);
            b[i] = opposite ? -b[i - 1] : random.next(spread);
        }
        for (int i = 0; i < sums; ++i) c[i] = random.next(spread) * (i % 3 == 0 ? 4096.0F : 1.0F) / 3;
        const check::Array<float> of_a(a);
        const check::Array<float> of_b(b);
        const check::Array<float> of_c(c);
        const check::Array<float> expected(sums);
        const check::Array<float> of_d(sums);
        multiply<<<sums / 16, 32>>>(expected, of_c, of_a, of_b);
        check::run([&] { add_as_tensor_cores<<<2, sums / 2>>>(of_d, of_c, of_a, of_b); });
        check::equal("d", of_d.values(), expected.values());
    }
    check::finish();
}
