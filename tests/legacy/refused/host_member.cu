// Refused by clang: calling a __host__ function("norm") from a __global__ function is not allowed
// nvcc 13.0: calling a __host__ function(...) from a __global__ function(...) is not allowed
struct Vector {
    float x, y;
    float norm() const { return x * x + y * y; }
};

__global__ void norms(const Vector* v, float* a) {
    a[threadIdx.x] = v[threadIdx.x].norm();  // here
}

int main() {
    norms<<<1, 32>>>(nullptr, nullptr);
    return cudaDeviceSynchronize();
}
