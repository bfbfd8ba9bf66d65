// Refused: a host function call cannot be configured
// nvcc 13.0: the same
void fill(int* a) { a[0] = 1; }

int main() {
    fill<<<1, 32>>>(nullptr);  // here
    return cudaDeviceSynchronize();
}
