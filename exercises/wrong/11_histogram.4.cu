// Refused as: memory. Right, but it adds twice: a one, and a zero.

__global__ void histogram(unsigned* counts, const unsigned char* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&counts[in[i]], 1U);
    atomicAdd(&counts[in[i]], 0U);
}
