// Refused by clang: calling a __host__ function, an operator, from a __global__ function is not allowed
// nvcc 13.0: calling a __host__ function(...) from a __global__ function(...) is not allowed
struct Vector {
    float x, y;
};
Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y}; }

__global__ void add(Vector* v) {
    v[threadIdx.x] = v[threadIdx.x] + v[0];  // here
}

int main() {
    add<<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
