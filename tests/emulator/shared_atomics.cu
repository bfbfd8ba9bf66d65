// The cost of a warp's atomic operations on shared memory, by the number of words and banks that its lanes
// share. Results: results/shared-atomics-nvidia-h100.csv.
//
//   nvcc -O3 -arch=native -o shared_atomics shared_atomics.cu
//   ncu --metrics smsp__inst_executed_op_shared_atom.sum,\
//   l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum,\
//   l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum ./shared_atomics
//
// Each launch is one warp, and each kernel does its operation once. `words`: the number of words that the
// lanes share; lane i takes word i % words. `stride`: the distance of these words in words; with 32, all are
// in one bank. `plain`: no atomic operation; its counts are to be subtracted from the others.
#include <cstdio>

enum Operation { plain, add, add_used, add_float, maximum, exchange, cas, add_1 };

template <int operation, int words, int stride>
__global__ void one(int* out) {
    __shared__ int memory[32 * 32];
    const int lane = threadIdx.x;
    for (int i = lane; i < 1024; i += 32) memory[i] = 0;  // 32 stores, one wavefront each
    __syncwarp();
    int* const at = &memory[lane % words * stride];
    int old = 0;
    // The value differs between lanes, so that the compiler cannot compute the sum from the lanes' number.
    const int value = lane + out[lane];
    if constexpr (operation == add) atomicAdd(at, value);
    if constexpr (operation == add_used) old = atomicAdd(at, value);
    if constexpr (operation == add_float) atomicAdd(reinterpret_cast<float*>(at), static_cast<float>(value));
    if constexpr (operation == maximum) atomicMax(at, value);
    if constexpr (operation == exchange) old = atomicExch(at, value);
    if constexpr (operation == cas) old = atomicCAS(at, 0, value);
    if constexpr (operation == add_1) atomicAdd(at, 1);
    __syncwarp();
    out[lane] = old + memory[lane * 32 % 1024];
}

template <int operation>
void all(int* out) {
    one<operation, 1, 1><<<1, 32>>>(out);  // one word for all lanes
    one<operation, 2, 1><<<1, 32>>>(out);  // two words, two banks
    one<operation, 4, 1><<<1, 32>>>(out);
    one<operation, 8, 1><<<1, 32>>>(out);
    one<operation, 32, 1><<<1, 32>>>(out);   // a bank for each lane
    one<operation, 2, 32><<<1, 32>>>(out);   // two words of one bank
    one<operation, 32, 32><<<1, 32>>>(out);  // 32 words of one bank
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    all<plain>(out);
    all<add>(out);
    all<add_used>(out);
    all<add_float>(out);
    all<maximum>(out);
    all<exchange>(out);
    all<cas>(out);
    all<add_1>(out);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
