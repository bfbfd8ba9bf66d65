// Refused as: race. 128 threads set 128 counters to 0; what the others hold, nobody has written.
// Says: 12_private_histogram.cu:9

__global__ void histogram(unsigned* counts, const unsigned char* in, int n) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[in[i]], 1U);
    __syncthreads();
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) atomicAdd(&counts[bin], own[bin]);
}
