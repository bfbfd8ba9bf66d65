// Refused by clang: calling a __device__ function("atomicAdd") from a __host__ function is not allowed
// nvcc 13.0: calling a __device__ function("atomicAdd(int *, int)") from a __host__ function("main")
int total = 0;

int main() {
    atomicAdd(&total, 1);  // here
    return total;
}
