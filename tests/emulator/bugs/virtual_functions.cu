// The host constructs an object with a virtual function, and a kernel gets a copy of its bytes.
// Found by: --check
// Says: a copy of an object whose virtual functions are the host's
#include <cstdio>
#include <new>

class Function {
  public:
    __host__ __device__ virtual float operator()(float x) const = 0;
};
class Square : public Function {
  public:
    __host__ __device__ float operator()(float x) const override { return x * x; }
};

__global__ void construct(Square* function) { new (function) Square; }
__global__ void apply(const Function* function, float* x) { *x = (*function)(*x); }

int main() {
    Square* function;
    float *x, host = 3;
    cudaMalloc(&function, sizeof *function);
    cudaMalloc(&x, sizeof *x);
    cudaMemcpy(x, &host, sizeof host, cudaMemcpyHostToDevice);
#ifdef REPAIRED
    construct<<<1, 1>>>(function);
#else
    const Square square;
    cudaMemcpy(function, &square, sizeof square, cudaMemcpyHostToDevice);
#endif
    apply<<<1, 1>>>(function, x);
    cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost);
    if (host == 9) puts("right");
    cudaFree(x);
    cudaFree(function);
}
