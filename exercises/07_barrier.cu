// 7. A barrier
//
// Each block reverses its 256 numbers. A thread writes its number to shared memory, and reads the one of
// another thread. That one may not have been written yet: nothing says which warp comes first. One
// __syncthreads() is missing. It is a barrier: no thread of the block goes on before all have come to it.
// Where does it belong?
//
// Done: the numbers of each block are reversed, there is no race, and no barrier more than one.
//
// Further: heat_notexture/kernels/4_tiled.cuh has one barrier, between loading a tile and using it.

constexpr int block = 256;

__global__ void reverse_block(float* numbers) {
    __shared__ float tile[block];
    const int i = blockIdx.x * block + threadIdx.x;
    // your answer here: one line, somewhere
    tile[threadIdx.x] = numbers[i];
    numbers[i] = tile[block - 1 - threadIdx.x];
}
