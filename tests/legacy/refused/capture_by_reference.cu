// Refused: An extended __device__ lambda cannot capture variables by reference
// nvcc 13.0: the same
template <class F>
__global__ void run(F f) {
    f(threadIdx.x);
}

int main() {
    int last = 0;
    run<<<1, 32>>>([&] __device__(int i) { last = i; });  // here
    return cudaDeviceSynchronize();
}
