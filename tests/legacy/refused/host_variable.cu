// Refused by clang: identifier "scale" is undefined in device code
// nvcc 13.0: the same
float scale = 3;

__global__ void multiply(float* a) {
    a[threadIdx.x] *= scale;  // here
}

int main() {
    multiply<<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
