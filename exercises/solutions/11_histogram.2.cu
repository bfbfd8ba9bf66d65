// By the loop that CUDA's guide makes atomic operations of: atomicCAS writes only if the counter still is
// what was read, and gives what it is. Where another thread came between, it is tried again with that.

__global__ void histogram(unsigned* counts, const unsigned char* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned* const counter = &counts[in[i]];
    unsigned old = *counter;
    unsigned assumed;
    do {
        assumed = old;
        old = atomicCAS(counter, assumed, assumed + 1);
    } while (old != assumed);
}
