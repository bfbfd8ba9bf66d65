// A program that runs one kernel on the emulated GPU: a kernel that the process does not survive, or a kernel
// that gives the order in which its threads run.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <span>
#include <string_view>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"

namespace {

using cudabook::Stream;

// ----- Kernels that never end

__global__ void wait_for_memory(const volatile int* flag) {
    if (threadIdx.x == 5 && blockIdx.x == 1)
        while (*flag == 0) {
        }
}

/// Each thread waits, by atomic operations alone, for a -1 that no thread writes.
__global__ void wait_for_atomics(int* turns) {
    while (atomicAdd(turns, 0) != -1) {
    }
}

/// Each block waits for the next block, like a barrier of the whole grid, which needs all blocks at the same
/// time.
__global__ void wait_for_next_block(volatile int* arrived) {
    arrived[blockIdx.x] = 1;
    while (blockIdx.x + 1 < gridDim.x && arrived[blockIdx.x + 1] == 0) {
    }
}

/// The threads only wait for each other.
__global__ void pass_barriers(const volatile int* flag) {
    while (*flag == 0) __syncthreads();
}

// ----- Kernels that break

__global__ void write_to_address(int* memory) {
    if (threadIdx.x == 7 && blockIdx.x == 2) *memory = 1;
}

/// The blocks of a cluster, which run in several threads of the host, write at the same time.
__global__ void __cluster_dims__(8) write_by_each_block(int* memory) {
    cooperative_groups::this_cluster().sync();
    *memory = 1;
}

/// Writes element `index` of an array.
__global__ void write_element(int* array, std::ptrdiff_t index) {
    if (threadIdx.x == 7 && blockIdx.x == 2) array[index] = 1;
}

/// Block 0 reads the shared memory of block 1, which does not wait for it.
__global__ void __cluster_dims__(2) read_memory_of_an_ended_block(int* sum) {
    __shared__ int value;
    value = 1;
    const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    cluster.sync();
    while (cluster.block_rank() == 0) *sum += *cluster.map_shared_rank(&value, 1);
}

/// If true, operator new ends the process: a fault may interrupt the heap's own work, so no code may use
/// the heap after a fault.
std::atomic<bool> heap_is_closed = false;
__global__ void close_heap_and_write(int* memory) {
    heap_is_closed = true;
    *memory = 1;
}

__global__ void write_after_barrier(int* memory) {
    __syncthreads();
    if (threadIdx.x == 7 && blockIdx.x == 2) *memory = 1;
    __syncthreads();
}

__device__ int depth_of(volatile int* memory, int depth) {
    volatile char kept[4096];
    kept[0] = static_cast<char>(*memory);
    return *memory == 1 ? depth : depth_of(memory, depth + 1) + kept[0];
}
__global__ void recurse_for_ever(int* memory) { *memory = depth_of(memory, 0); }

__global__ void divide(int* memory) {
    if (threadIdx.x == 3) memory[1] = 7 / memory[0];
}

/// The addition is an error, because no thread has set the count to 0. The exchange needs no old value.
__global__ void count_from_nothing(int* memory) {
    __shared__ int exchanged;
    __shared__ int count;
    atomicExch(&exchanged, 7);
    atomicAdd(&count, 1);
    __syncthreads();
    *memory = count + exchanged;
}

// ----- The order

__global__ void write_order(int* next, int* order) {
    order[atomicAdd(next, 1)] = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

int print_order() {
    constexpr int blocks = 40;
    constexpr int threads = 64;
    cudabook::DeviceArray<int> next{std::span<const int>(std::vector<int>{0})};
    cudabook::DeviceArray<int> order(blocks * threads);
    cudabook::launch(write_order, blocks, threads, Stream(), next.data(), order.data());
    for (const int number : order.download()) std::printf("%d\n", number);
    return 0;
}

int* pinned_numbers() {
    int* numbers = nullptr;
    CUDA_CHECK(cudaMallocHost(&numbers, 4096));
    return numbers;
}

int* freed_numbers() {
    int* numbers = nullptr;
    CUDA_CHECK(cudaMalloc(&numbers, 4096));
    CUDA_CHECK(cudaFree(numbers));
    return numbers;
}

int run(std::string_view name) {
    const Stream stream;
    cudabook::DeviceArray<int> zeros{std::span<const int>(std::vector<int>(64))};
    int* const memory = zeros.data();
    const cudabook::DeviceArray<int> page(1024);
    if (name == "wait_for_memory") cudabook::launch(wait_for_memory, 3, 32, stream, memory);
    if (name == "wait_for_atomics") cudabook::launch(wait_for_atomics, 1, 32, stream, memory);
    if (name == "wait_for_next_block") cudabook::launch(wait_for_next_block, 2, 1, stream, memory);
    if (name == "write_to_null")
        cudabook::launch(write_to_address, 3, 32, stream, static_cast<int*>(nullptr));
    if (name == "write_by_each_block")
        cudabook::launch(write_by_each_block, 8, 1, stream, static_cast<int*>(nullptr));
    if (name == "write_after_barrier")
        cudabook::launch(write_after_barrier, 3, 32, stream, static_cast<int*>(nullptr));
    if (name == "close_heap_and_write")
        cudabook::launch(close_heap_and_write, 1, 1, stream, static_cast<int*>(nullptr));
    if (name == "write_behind") cudabook::launch(write_element, 3, 32, stream, page.data(), 1024);
    if (name == "write_before") cudabook::launch(write_element, 3, 32, stream, page.data(), -2);
    if (name == "write_pinned") cudabook::launch(write_element, 3, 32, stream, pinned_numbers(), 1030);
    if (name == "write_freed") cudabook::launch(write_element, 3, 32, stream, freed_numbers(), 5);
    if (name == "pass_barriers") cudabook::launch(pass_barriers, 1, 32, stream, memory);
    if (name == "recurse_for_ever") cudabook::launch(recurse_for_ever, 1, 1, stream, memory);
    if (name == "divide") cudabook::launch(divide, 1, 32, stream, memory);
    if (name == "count_from_nothing") cudabook::launch(count_from_nothing, 1, 1, stream, memory);
    if (name == "read_memory_of_an_ended_block")
        cudabook::launch(read_memory_of_an_ended_block, 2, 1, stream, memory);
    if (name == "order") return print_order();
    if (name == "host_fault") {
        cudabook::launch(write_to_address, 1, 1, stream, memory);
        *static_cast<volatile int*>(nullptr) = 1;
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    return 0;
}

}  // namespace

void* operator new(std::size_t bytes) {
    if (heap_is_closed) std::abort();
    void* const memory = std::malloc(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main(int argc, char** argv) { return argc == 2 ? run(argv[1]) : 2; }
