// 13. Divergence
//
// A signal gets twice as many samples. The even ones are those of `in`; each odd one lies between two of them
// and is worked out from four. As it stands, every warp goes both ways, one after the other, with half of its
// lanes each. Give the samples to the threads in another order, so that all lanes of a warp go the same way.
// A block has 128 threads and does 128 samples.
//
// Done: the same samples, with five requests for loads from two warps together; now each warp makes five. n
// is a multiple of 128.
//
// Further: heat_notexture/kernels/6_registers.cuh asks once for a whole block whether its tile
// touches the grid's edge; the blocks inside take a way without the tests for the edge.

__device__ float between(const float* in) { return (9 * (in[0] + in[1]) - (in[-1] + in[2])) / 16; }

__global__ void twice_the_samples(float* out, const float* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;  // your answer here
    if (i % 2 == 0)
        out[i] = in[i / 2];
    else
        out[i] = between(&in[i / 2]);
}
