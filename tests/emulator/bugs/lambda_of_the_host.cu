// A kernel gets a lambda that is not marked with __device__.
// Found by: the compiler
// Says: lambda_of_the_host.cu:[0-9]+: the closure type for a lambda cannot be used in a launch
#include <cstdio>

template <class Function>
__global__ void apply(Function function, float* x) {
    *x = function(*x);
}

int main() {
    float *x, host = 3;
    cudaMalloc(&x, sizeof *x);
    cudaMemcpy(x, &host, sizeof host, cudaMemcpyHostToDevice);
#ifdef REPAIRED
    auto twice = [] __device__(float value) { return 2 * value; };
#else
    auto twice = [](float value) { return 2 * value; };
#endif
    apply<<<1, 1>>>(twice, x);
    cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost);
    if (host == 6) puts("right");
    cudaFree(x);
}
