// Refused by clang: identifier "size" is undefined in device code
// nvcc 13.0: the same, with Field::
struct Field {
    static int size;
};
int Field::size = 4;

__global__ void fill(int* a) {
    a[threadIdx.x] = Field::size;  // here
}

int main() {
    fill<<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
