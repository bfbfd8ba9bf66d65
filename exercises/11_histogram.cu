// 11. Counting without losing any
//
// A histogram counts how often each byte comes. Every thread adds 1 to the counter of its byte. But reading a
// counter, adding 1 and writing it are three things: two threads that do them at the same time count as one.
// An atomic operation does all three at once. atomicAdd(&x, 1) adds 1 to x so.
//
// Done: counts[b] is how often the byte b is in `in`, for any n, without a race.
//
// Further: access_patterns/kernels/walk.cuh adds its blocks' sums by one atomicAdd each.

__global__ void histogram(unsigned* counts, const unsigned char* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    counts[in[i]] += 1;  // your answer here
}
