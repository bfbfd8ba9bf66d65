// Refused by clang: calling a __host__ function("twice") from a __global__ function is not allowed
// nvcc 13.0: calling a constexpr __host__ function("twice") from a __global__ function("fill") is not allowed
constexpr int twice(int x) { return 2 * x; }

__global__ void fill(int* a) {
    a[threadIdx.x] = twice(threadIdx.x);  // here
}

int main() {
    fill<<<1, 32>>>(nullptr);
    return twice(0);
}
