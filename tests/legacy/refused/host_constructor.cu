// Refused by clang: calling a __host__ function("Vector") from a __global__ function is not allowed
// nvcc 13.0: calling a __host__ function(...) from a __global__ function(...) is not allowed
struct Vector {
    float x, y;
    Vector(float of_both) : x(of_both), y(of_both) {}
};

__global__ void fill(float* a) {
    Vector v(3);  // here
    a[threadIdx.x] = v.x;
}

int main() {
    fill<<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
