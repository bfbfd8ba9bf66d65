// C = A * Bt: the matrix product with the second factor transposed, by tiles in shared memory. A row of B is
// read by neighbouring threads and written as a column of the tile, whose words all lie in a few banks. A
// column more, which nobody uses, moves each row of the tile to other banks.
#include <cstdio>

#include <cuda_runtime.h>

constexpr int n = 64;
constexpr int side = 32;

template <int padding>
__global__ void product(float* c, const float* a, const float* b) {
    __shared__ float a_tile[side][side];
    __shared__ float b_tile[side][side + padding];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * side + y, column = blockIdx.x * side;
    float sum = 0;
    for (int begin = 0; begin < n; begin += side) {
        a_tile[y][x] = a[row * n + begin + x];
        b_tile[x][y] = b[(column + y) * n + begin + x];
        __syncthreads();
        for (int k = 0; k < side; ++k) sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();
    }
    c[row * n + column + x] = sum;
}

int main() {
    float *a, *b, *c;
    cudaMallocManaged(&a, n * n * sizeof(float));
    cudaMallocManaged(&b, n * n * sizeof(float));
    cudaMallocManaged(&c, n * n * sizeof(float));
    for (int i = 0; i < n * n; ++i) {
        a[i] = static_cast<float>(i % 7);
        b[i] = static_cast<float>(i % 5);
    }
    int wrong = 0;
    for (const auto kernel : {product<0>, product<1>}) {
        kernel<<<dim3(n / side, n / side), dim3(side, side)>>>(c, a, b);
        if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
            std::printf("%s\n", cudaGetErrorString(error));
            return 3;
        }
        for (int row = 0; row < n; ++row)
            for (int column = 0; column < n; ++column) {
                float sum = 0;
                for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[column * n + k];
                wrong += c[row * n + column] != sum ? 1 : 0;
            }
    }
    std::printf("%d wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
}
