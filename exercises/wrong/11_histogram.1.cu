// Refused as: access. The guard is one too far: the last block reads beyond the bytes.

__global__ void histogram(unsigned* counts, const unsigned char* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n) return;
    atomicAdd(&counts[in[i]], 1U);
}
