// 8. A tile that is written again
//
// Each block turns its 256 numbers by one place, `rounds` times: number i goes to place i - 1, number 0 to
// the end. Every round writes all numbers to the tile and reads them again. One barrier stands between
// writing and reading. Is it enough? The next round writes the tile once more, and a fast warp may be there
// while a slow one still reads.
//
// Done: right for any number of rounds, without a race, and with no more than two barriers a round.
//
// Further: matmul/kernels/4_tiled.cuh has both barriers in its loop over the tiles.

constexpr int block = 256;

__global__ void turn(float* numbers, int rounds) {
    __shared__ float tile[block];
    const int i = blockIdx.x * block + threadIdx.x;
    float number = numbers[i];
    for (int round = 0; round < rounds; ++round) {
        tile[threadIdx.x] = number;
        __syncthreads();
        number = tile[(threadIdx.x + 1) % block];
        // your answer here
    }
    numbers[i] = number;
}
