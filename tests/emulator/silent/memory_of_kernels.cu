// A kernel allocates memory by cudaMalloc() and fills it, and another kernel frees it.
// Silent: a run, --check
#include <cstdio>

__global__ void make(int** lists, int n) {
    int* list = nullptr;
    if (cudaMalloc(&list, n * sizeof(int)) != cudaSuccess) return;
    for (int i = 1; i < n; ++i) list[i] = i;
    lists[threadIdx.x] = list;
    cudaMemsetAsync(list, 0, sizeof(int), cudaStreamFireAndForget);
}

__global__ void take(int** lists, int* sums, int n) {
    sums[threadIdx.x] = 0;
    for (int i = 0; i < n; ++i) sums[threadIdx.x] += lists[threadIdx.x][i];
    cudaFree(lists[threadIdx.x]);
}

int main() {
    constexpr int threads = 64;
    int sums[threads];
    int** lists;
    int* out;
    cudaMalloc(&lists, threads * sizeof(int*));
    cudaMalloc(&out, sizeof sums);
    make<<<1, threads>>>(lists, 10);
    take<<<1, threads>>>(lists, out, 10);
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    if (sums[threads - 1] == 45) std::puts("right");
    cudaFree(out);
    cudaFree(lists);
}
