// Refused by clang: calling a __host__ function("area") from a __global__ function is not allowed
// nvcc 13.0: calling a __host__ function(...) from a __global__ function(...) is not allowed
struct Shape {
    virtual float area() const { return 0; }
};

__global__ void areas(const Shape* s, float* a) {
    a[threadIdx.x] = s->area();  // here
}

int main() {
    areas<<<1, 32>>>(nullptr, nullptr);
    return cudaDeviceSynchronize();
}
