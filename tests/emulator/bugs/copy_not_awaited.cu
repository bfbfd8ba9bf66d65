// A block begins a copy to shared memory and does not wait for it.
// Found by: --check=race
// Says: shared memory .*:16: the thread has begun an asynchronous copy and has not waited for it
#include <cstdio>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

__global__ void reverse(const int* in, int* out) {
    __shared__ int tile[64];
    const auto block = cooperative_groups::this_thread_block();
    cooperative_groups::memcpy_async(block, tile, in, sizeof tile);
#ifdef REPAIRED
    cooperative_groups::wait(block);
#endif
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
    constexpr int n = 64;
    int host[n] = {};
    int *in, *out;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    reverse<<<1, n>>>(in, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (host[0] == 0) std::puts("right");
    cudaFree(out);
    cudaFree(in);
}
