// The halves of a warp shuffle in two branches, all lanes in the mask: they exchange values, as on an H200.
// Silent: a run, --check, --check=race
#include <cstdio>

__global__ void exchange(const int* in, int* out) {
    int number = in[threadIdx.x];
    const int other = threadIdx.x ^ 16;
    if (threadIdx.x < 16) {
        number = __shfl_sync(0xffffffff, number, other) + 1000;
    } else {
        number *= 3;
        number = __shfl_sync(0xffffffff, number, other) + 2000;
    }
    out[threadIdx.x] = number;
}

int main() {
    constexpr int n = 32;
    int host[n];
    for (int i = 0; i < n; ++i) host[i] = i;
    int *in, *out;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    exchange<<<1, n>>>(in, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (host[0] == 1048 && host[15] == 1093 && host[16] == 2000 && host[31] == 2015) std::puts("right");
    cudaFree(out);
    cudaFree(in);
}
