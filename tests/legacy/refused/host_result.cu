// Refused by clang: identifier "result" is undefined in device code
// nvcc 13.0: the same
static int result;

__global__ void sum(const int* a) {
    atomicAdd(&result, a[threadIdx.x]);  // here
}

int main() {
    sum<<<1, 32>>>(nullptr);
    return result;
}
