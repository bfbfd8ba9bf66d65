// 26. Copies that overlap with the kernel
//
// The function `process` copies n numbers to the GPU, changes them there and copies them back: one after
// another, so that the kernel rests while something is copied. Cut the numbers into `parts` pieces of
// n / parts, and send piece i through streams[i]: its copy to the GPU, its kernel, its copy back. Then one
// piece can be copied while the kernel changes another. Nothing in `process` may wait; whoever calls it waits
// at the end. parts divides n.
//
// A copy overlaps only if its memory on the host is page-locked. So change the memory, too.
//
// Done: the same numbers, each stream does its own piece alone, nothing waits, and the memory is page-locked.
//
// Further: heat_notexture/gpu/pictures.cuh copies each picture in a stream of its own, while the next frame
// is computed and drawn.

constexpr int block = 256;

__global__ void change(float* data, int n) {
    const int i = blockIdx.x * block + threadIdx.x;
    if (i < n) data[i] = 3 * data[i] + 1;
}

float* memory_on_host(int n) {
    return static_cast<float*>(malloc(n * sizeof(float)));  // your answer here
}
void give_back(float* memory) { free(memory); }  // and here

void process(float* out, const float* in, float* device, int n, cudaStream_t* streams, int parts) {
    // and here
    cudaMemcpy(device, in, n * sizeof(float), cudaMemcpyHostToDevice);
    change<<<(n + block - 1) / block, block>>>(device, n);
    cudaMemcpy(out, device, n * sizeof(float), cudaMemcpyDeviceToHost);
}
