// A kernel's parameter is an object with a virtual function, which is the host's.
// Found by: --check
// Says: argument 1 is an object with virtual functions
#include <cstdio>

struct Scale {
    float factor;
#ifndef REPAIRED
    virtual
#endif
        __host__ __device__ float
        apply(float x) const {
        return factor * x;
    }
};

__global__ void apply(Scale scale, float* x) { *x = scale.apply(*x); }

int main() {
    float *x, host = 3;
    cudaMalloc(&x, sizeof *x);
    cudaMemcpy(x, &host, sizeof host, cudaMemcpyHostToDevice);
    Scale scale;
    scale.factor = 2;
    apply<<<1, 1>>>(scale, x);
    cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost);
    if (host == 6) puts("right");
    cudaFree(x);
}
