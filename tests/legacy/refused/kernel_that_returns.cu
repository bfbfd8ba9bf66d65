// Refused: a __global__ function must have a void return type
// nvcc 13.0: the same
__global__ int first(const int* a) { return a[0]; }  // here

int main() {
    first<<<1, 1>>>(nullptr);
    return cudaDeviceSynchronize();
}
