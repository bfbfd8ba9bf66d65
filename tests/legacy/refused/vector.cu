// Refused by clang: calling a __host__ function("push_back") from a __global__ function is not allowed
// nvcc 13.0: calling a __host__ function(...) from a __global__ function(...) is not allowed
#include <vector>

__global__ void gather(std::vector<int>* v) {
    v->push_back(threadIdx.x);  // here
}

int main() {
    gather<<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
