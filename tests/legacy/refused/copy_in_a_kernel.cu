// Refused by clang: calling a __host__ function("cudaMemcpy") from a __global__ function is not allowed
// nvcc 13.0: calling a __host__ function("cudaMemcpy") from a __global__ function("move") is not allowed
__global__ void move(int* a) {
    cudaMemcpy(a, a + 1, sizeof(int), cudaMemcpyDeviceToDevice);  // here
}

int main() {
    move<<<1, 1>>>(nullptr);
    return 0;
}
