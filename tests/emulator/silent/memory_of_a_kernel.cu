// Kernels use memory of each kind that a GPU has, by pointers within structures.
// Silent: --check, --check=race
#include <cstdio>
#include <vector>

__device__ int table[64];
__constant__ int factors[2] = {1, 2};
__managed__ int total = 0;

struct Both {
    const int* of_host;  // which the kernel does not use
    int* of_gpu;
};

struct Node {
    int value;
    Node* next;
};

struct Add {
    int more;
    __device__ int operator()(int number) const { return number + more; }
};

template <class Function>
__device__ void change(int* numbers, Function function) {
    numbers[threadIdx.x] = function(numbers[threadIdx.x]);
}

__device__ int sum_of(const Node* list) { return list == nullptr ? 0 : list->value + sum_of(list->next); }

__global__ void use(Both numbers, Both pinned, Both managed, Both shared_by_host, Both of_pool, Add add) {
    __shared__ int tile[64];
    extern __shared__ int more[];
    const unsigned t = threadIdx.x;
    int own[8] = {};
    for (int i = 0; i < 8; ++i) own[i] = static_cast<int>(t) + i;
    Node list[3] = {{1, list + 1}, {2, list + 2}, {3, nullptr}};
    auto* const heap = new Node{own[t % 8], nullptr};
    Both structures[2] = {numbers, pinned};
    Both* const here = &structures[t % 2];
    table[t] = sum_of(list) + heap->value * 0;
    tile[t] = table[t] * factors[t % 2];
    more[t] = tile[t];
    __syncthreads();
    here->of_gpu[t] = more[63 - t];
    change(numbers.of_gpu, add);
    managed.of_gpu[t] = shared_by_host.of_gpu[t] + of_pool.of_gpu[t] * 0;
    atomicAdd(&total, numbers.of_gpu[t] * 0 + 1);
    delete heap;
}

int main() {
    std::vector<int> host(64, 1);
    const Both only{host.data(), nullptr};
    Both numbers = only, pinned = only, managed = only, shared_by_host = only, of_pool = only;
    cudaMalloc(&numbers.of_gpu, 64 * sizeof(int));
    cudaMemset(numbers.of_gpu, 0, 64 * sizeof(int));
    cudaMallocHost(&pinned.of_gpu, 64 * sizeof(int));
    cudaMallocManaged(&managed.of_gpu, 64 * sizeof(int));
    cudaHostRegister(host.data(), 64 * sizeof(int), cudaHostRegisterDefault);
    cudaHostGetDevicePointer(&shared_by_host.of_gpu, host.data(), 0);
    cudaMallocAsync(&of_pool.of_gpu, 64 * sizeof(int), nullptr);
    cudaMemsetAsync(of_pool.of_gpu, 0, 64 * sizeof(int), nullptr);
    use<<<1, 64, 64 * sizeof(int)>>>(numbers, pinned, managed, shared_by_host, of_pool, Add{3});
    cudaFreeAsync(of_pool.of_gpu, nullptr);
    cudaDeviceSynchronize();
    if (total == 64 && managed.of_gpu[5] == 1) puts("right");
    cudaHostUnregister(host.data());
    cudaFree(numbers.of_gpu);
    cudaFreeHost(pinned.of_gpu);
    cudaFree(managed.of_gpu);
}
