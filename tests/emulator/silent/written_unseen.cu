// AddressSanitizer does not see that the host overwrites the unwritten numbers of a copy.
// Silent: --check
#include <cstdio>
#include <sstream>
#include <vector>

__global__ void fill_inside(int* out) { out[threadIdx.x + 1] = 1; }

int edges[64];

struct Four {
    double a, b, c, d;
};
__attribute__((noinline)) double sum_of(Four numbers, int from) {
    const double* const all = &numbers.a;
    double sum = 0;
    for (int i = from; i < 4; ++i) sum += all[i];
    return sum;
}

__attribute__((noinline)) int on_the_stack(const int* on_gpu) {
    int numbers[64], sum = 0;
    cudaMemcpy(numbers, on_gpu, sizeof numbers, cudaMemcpyDeviceToHost);
    for (int i = 1; i < 63; ++i) sum += numbers[i];
    return sum;
}

int main() {
    int* on_gpu;
    cudaMalloc(&on_gpu, sizeof edges);
    fill_inside<<<1, 62>>>(on_gpu);

    cudaMemcpy(edges, on_gpu, sizeof edges, cudaMemcpyDeviceToHost);
    edges[0] = edges[63] = 1;
    int sum = 0;
    for (int number : edges) sum += number;

    std::vector<int> numbers(64);
    cudaMemcpy(numbers.data(), on_gpu, sizeof edges, cudaMemcpyDeviceToHost);
    std::istringstream text("1 1");
    text >> numbers[0] >> numbers[63];
    for (int number : numbers) sum += number;

    sum += on_the_stack(on_gpu);
    if (sum == 190 && sum_of({1, 2, 3, 4}, sum - 190) == 10) puts("right");
    cudaFree(on_gpu);
}
