// A reference must be at file scope: it cannot be an argument of a device function.
texture<float, 1> line;
template <class Reference>
__device__ float fetch(Reference reference, int i) {
    return tex1Dfetch(reference, i);
}
__global__ void read(float* to) { *to = fetch(line, 2); }
