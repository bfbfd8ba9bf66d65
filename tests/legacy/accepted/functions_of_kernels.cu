// What kernels may call of the runtime API and of the C++ library.
#include <cstdio>
#include <initializer_list>
#include <type_traits>
#include <utility>

__host__ __device__ constexpr int twice(int x) { return 2 * x; }

template <class T>
__device__ T sum(T a, T b) {
    using Sum = decltype(std::declval<T>() + std::declval<T>());
    if constexpr (std::is_same_v<T, Sum>) return std::forward<T>(a) + std::move(b);
    return 0;
}

__global__ void child(int* a) { a[threadIdx.x] = twice(1); }

__global__ void fill(int* a) {
    int* memory = nullptr;
    int device = 0;
    if (cudaMalloc(&memory, sizeof(int)) != cudaSuccess)
        std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(memory);
    cudaGetDevice(&device);
    for (const int x : {1, 2}) a[threadIdx.x] += sum(x, std::integral_constant<int, 3>::value);
    cudaMemsetAsync(a, 0, sizeof(int), cudaStreamFireAndForget);
    child<<<1, 32>>>(a);
    a[0] = cudaPeekAtLastError();
}

__host__ __device__ int bits(unsigned x) {
#ifdef __CUDA_ARCH__
    return __popc(x);
#else
    return __builtin_popcount(x);
#endif
}

int main() {
    fill<<<1, 32>>>(nullptr);
    return bits(0);
}
