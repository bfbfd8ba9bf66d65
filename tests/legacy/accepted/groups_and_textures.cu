// Cooperative groups, half precision, textures, surfaces and random numbers.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>

namespace cg = cooperative_groups;

__global__ void sums(const float* a, float* sum) {
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    const float all = cg::reduce(warp, a[block.thread_rank()], cg::plus<float>());
    if (warp.thread_rank() == 0) atomicAdd(sum, all);
    block.sync();
}

__global__ void halves(__half* a) { a[threadIdx.x] = __hadd(a[threadIdx.x], __float2half(0.5F)); }

__global__ void copy(cudaTextureObject_t from, cudaSurfaceObject_t to) {
    const float value = tex2D<float>(from, threadIdx.x + 0.5F, 0.5F);
    surf2Dwrite(value, to, threadIdx.x * 4, 0);
}

__global__ void random(float* a) {
    curandState state;
    curand_init(1, threadIdx.x, 0, &state);
    a[threadIdx.x] = curand_uniform(&state);
}

int main() {
    sums<<<1, 32>>>(nullptr, nullptr);
    halves<<<1, 32>>>(nullptr);
    copy<<<1, 32>>>(0, 0);
    random<<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
