// The threads of each block add to a word of their own, which is another block's word in the next launch.
// Silent: --check=race
#include <cstdio>

__global__ void count(int* words, int first) {
    int* const mine = words + (first + blockIdx.x) % gridDim.x;
    atomicAdd_block(mine, 1);
    atomicAdd(mine, 1);
}

int main() {
    constexpr int blocks = 4, threads = 64;
    int host[blocks];
    int* words;
    cudaMalloc(&words, sizeof host);
    cudaMemset(words, 0, sizeof host);
    count<<<blocks, threads>>>(words, 0);
    count<<<blocks, threads>>>(words, 1);
    cudaMemcpy(host, words, sizeof host, cudaMemcpyDeviceToHost);
    if (host[0] == 4 * threads && host[3] == 4 * threads) puts("right");
    cudaFree(words);
}
