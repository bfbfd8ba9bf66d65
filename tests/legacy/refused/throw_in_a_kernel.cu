// Refused: device code does not support exception handling
// nvcc 13.0: the same
__global__ void check(const int* a) {
    if (a[threadIdx.x] < 0) throw 3;  // here
}

int main() {
    check<<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
