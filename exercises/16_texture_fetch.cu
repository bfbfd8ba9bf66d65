// 16. Neighbours through a texture
//
// Each thread adds an element and its two neighbours. The kernel below reads beyond both ends of the array,
// where zeros should count. `texture` is a texture over the same n elements: tex1Dfetch<float>(texture, i)
// gives element i, and 0 where there is none. Use it in place of the loads.
//
// Done: out[i] is in[i - 1] + in[i] + in[i + 1] for every i, with 0 for an element that is not there, and
// nothing is read through `in`.
//
// Further: heat/kernels/2_blend.cuh fetches five cells so, but compares at the border: 0 would be wrong
// there.

__global__ void sum3(float* out, const float* in, cudaTextureObject_t texture, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = in[i - 1] + in[i] + in[i + 1];  // your answer here
}
