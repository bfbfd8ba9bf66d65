// Refused by clang: expression must have a constant value
// nvcc 13.0: the same
__global__ void fill(int* a, int n) {
    int values[n];  // here
    values[0] = 3;
    a[threadIdx.x] = values[0];
}

int main() {
    fill<<<1, 32>>>(nullptr, 3);
    return cudaDeviceSynchronize();
}
