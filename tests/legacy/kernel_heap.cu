// The heap of kernels: kernels use and free what another kernel has allocated; the heap has a limit.
#include "check.h"

struct Node {
    int number;
    Node* next;
    __device__ Node(int number, Node* next) : number(number), next(next) {}
};

__device__ Node* first;

__global__ void make(Node** list, int n) {
    Node* made = nullptr;
    for (int i = 0; i < n; ++i) made = new Node(i, made);
    *list = first = made;
}

__global__ void add(const Node* list, int* sum) {
    *sum = 0;
    for (const Node* node = list; node != nullptr; node = node->next) *sum += node->number;
}

__global__ void drop() {
    while (first != nullptr) {
        Node* const next = first->next;
        delete first;
        first = next;
    }
}

__global__ void take_all(int** blocks, int* count) {
    const size_t bytes = 1 << 20;
    *count = 0;
    while (*count < 1000 && (blocks[*count] = static_cast<int*>(malloc(bytes))) != nullptr) {
        blocks[*count][threadIdx.x] = 0;
        ++*count;
    }
}
__global__ void free_all(int** blocks, const int* count) {
    for (int i = 0; i < *count; ++i) free(blocks[i]);
}

int main() {
    need_gpu();
    size_t limit = 0;
    CUDA(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    expect_equal("limit of the heap", size_t{8} << 20, limit);

    Node **list_on_gpu, *list;
    int *number_on_gpu, number, **blocks;
    CUDA(cudaMalloc(&list_on_gpu, sizeof list));
    CUDA(cudaMalloc(&number_on_gpu, sizeof number));
    CUDA(cudaMalloc(&blocks, 1000 * sizeof *blocks));
    make<<<1, 1>>>(list_on_gpu, 100);
    CUDA(cudaMemcpy(&list, list_on_gpu, sizeof list, cudaMemcpyDeviceToHost));
    add<<<1, 1>>>(list, number_on_gpu);  // the host passes the pointer
    CUDA(cudaMemcpy(&number, number_on_gpu, sizeof number, cudaMemcpyDeviceToHost));
    expect_equal("sum of the list", 4950, number);
    drop<<<1, 1>>>();

    int before = 0;
    for (int round = 0; round < 2; ++round) {  // freed memory can be allocated again
        take_all<<<1, 1>>>(blocks, number_on_gpu);
        CUDA(cudaMemcpy(&number, number_on_gpu, sizeof number, cudaMemcpyDeviceToHost));
        expect_equal("some, and at most eight", true, number >= 4 && number <= 8);
        if (round > 0) expect_equal("as many as before", before, number);
        before = number;
        free_all<<<1, 1>>>(blocks, number_on_gpu);
        CUDA(cudaDeviceSynchronize());
    }
    CUDA(cudaFree(list_on_gpu));
    CUDA(cudaFree(number_on_gpu));
    CUDA(cudaFree(blocks));
    return failures();
}
