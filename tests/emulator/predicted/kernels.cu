// Kernels of textbooks, to which the model of predicted times was fitted too: docs/predict.md. Built by nvcc,
// it prints the time of a launch of each in ms, as lines of CSV: kernel,ms (results/textbook-kernels-*.csv).
// On the emulated GPU, where each is launched twice, CUDABOOK_PREDICT=h200 predicts these times; that takes
// minutes, so no test does it.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                             \
    do {                                                                        \
        const cudaError_t error = (call);                                       \
        if (error != cudaSuccess) {                                             \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
            std::exit(3);                                                       \
        }                                                                       \
    } while (0)

constexpr int side = 2048;          // of the matrices
constexpr int count = side * side;  // 4 million elements: 16 MB

// ----- one thread an element

__global__ void saxpy(const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) y[i] = 2.5f * x[i] + y[i];
}
__global__ void saxpy_grid_stride(const float* x, float* y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        y[i] = 2.5f * x[i] + y[i];
}
__global__ void copy_vectors(const float4* x, float4* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count / 4) y[i] = x[i];
}
__global__ void copy_strided(const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count / 16) y[i * 16] = x[i * 16];
}
__global__ void gather(const int* index, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) y[i] = x[index[i]];
}
__global__ void polynomial(const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float t = x[i];
    float sum = 0;
    for (int k = 0; k < 256; ++k) sum = sum * t + 0.5f;
    y[i] = sum;
}
__global__ void polynomial_double(const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const double t = x[i];
    double sum = 0;
    for (int k = 0; k < 128; ++k) sum = sum * t + 0.5;
    y[i] = static_cast<float>(sum);
}
__global__ void black_scholes(const float* price, float* call) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float s = price[i] + 1.0f, x = 20.0f, t = 1.5f, r = 0.02f, v = 0.3f;
    const float root = sqrtf(t);
    const float d1 = (logf(s / x) + (r + 0.5f * v * v) * t) / (v * root);
    const float d2 = d1 - v * root;
    const float n1 = 0.5f * (1.0f + erff(d1 * 0.70710678f));
    const float n2 = 0.5f * (1.0f + erff(d2 * 0.70710678f));
    call[i] = s * n1 - x * expf(-r * t) * n2;
}
__global__ void collatz(int* steps) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count / 16) return;
    unsigned n = i + 1;
    int number = 0;
    while (n != 1 && number < 300) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        ++number;
    }
    steps[i] = number;
}
__global__ void mandelbrot(int* iterations) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= 1024 || y >= 1024) return;
    const float cr = x * (3.0f / 1024) - 2.0f, ci = y * (2.0f / 1024) - 1.0f;
    float zr = 0, zi = 0;
    int n = 0;
    while (n < 128 && zr * zr + zi * zi < 4) {
        const float next = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = next;
        ++n;
    }
    iterations[y * 1024 + x] = n;
}

// ----- matrices

__global__ void transpose_naive(const float* in, float* out) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[x * side + y + j] = in[(y + j) * side + x];
}
__global__ void transpose_tiled(const float* in, float* out) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * side + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * side + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void transpose_padded(const float* in, float* out) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * side + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * side + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void row_sums(const float* in, float* sums) {  // a thread a row: not coalesced
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= side) return;
    float sum = 0;
    for (int x = 0; x < side; ++x) sum += in[row * side + x];
    sums[row] = sum;
}
__global__ void column_sums(const float* in, float* sums) {  // coalesced
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= side) return;
    float sum = 0;
    for (int y = 0; y < side; ++y) sum += in[y * side + column];
    sums[column] = sum;
}
__global__ void matvec_warps(const float* matrix, const float* x, float* y) {  // a warp a row
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= side) return;
    float sum = 0;
    for (int i = lane; i < side; i += 32) sum += matrix[row * side + i] * x[i];
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
    if (lane == 0) y[row] = sum;
}
__global__ void blur(const float* in, float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int dy = -3; dy <= 3; ++dy)
        for (int dx = -3; dx <= 3; ++dx) {
            const int cx = min(max(x + dx, 0), side - 1), cy = min(max(y + dy, 0), side - 1);
            sum += in[cy * side + cx];
        }
    out[y * side + x] = sum / 49;
}
__global__ void jacobi(const float* in, float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x == side - 1 || y == side - 1) return;
    const int i = y * side + x;
    out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - side] + in[i + side]);
}

// ----- blocks that work together

__global__ void reduce_interleaved(const float* in, float* out) {
    __shared__ float sums[256];
    const int t = threadIdx.x;
    sums[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int s = 1; s < 256; s *= 2) {
        if (t % (2 * s) == 0) sums[t] += sums[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = sums[0];
}
__global__ void reduce_sequential(const float* in, float* out) {
    __shared__ float sums[256];
    const int t = threadIdx.x;
    sums[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s) sums[t] += sums[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = sums[0];
}
__global__ void reduce_shuffles(const float* in, float* out) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum += in[i];
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
    if (threadIdx.x % 32 == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = sum;
}
__global__ void scan_blocks(const float* in, float* out) {
    __shared__ float sums[2][512];
    const int t = threadIdx.x;
    int from = 0;
    sums[0][t] = in[blockIdx.x * 512 + t];
    __syncthreads();
    for (int offset = 1; offset < 512; offset *= 2) {
        sums[1 - from][t] = sums[from][t] + (t >= offset ? sums[from][t - offset] : 0);
        from = 1 - from;
        __syncthreads();
    }
    out[blockIdx.x * 512 + t] = sums[from][t];
}
__global__ void histogram_shared(const int* values, unsigned* bins) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&own[values[i] & 255], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
__global__ void matmul_tiled(const float* a, const float* b, float* c) {  // 1024 x 1024
    __shared__ float as[32][32], bs[32][32];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
    float sum = 0;
    for (int tile = 0; tile < 1024; tile += 32) {
        as[y][x] = a[row * 1024 + tile + x];
        bs[y][x] = b[(tile + y) * 1024 + column];
        __syncthreads();
        for (int k = 0; k < 32; ++k) sum += as[y][k] * bs[k][x];
        __syncthreads();
    }
    c[row * 1024 + column] = sum;
}
__global__ void nbody(const float4* bodies, float4* forces) {  // 8192 bodies
    __shared__ float4 tile[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float4 own = bodies[i];
    float fx = 0, fy = 0, fz = 0;
    for (int first = 0; first < 8192; first += 256) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256; ++j) {
            const float4 other = tile[j];
            const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            const float s = other.w * inverse * inverse * inverse;
            fx += dx * s;
            fy += dy * s;
            fz += dz * s;
        }
        __syncthreads();
    }
    forces[i] = make_float4(fx, fy, fz, 0);
}
__global__ void pointer_chase(const int* next, int* end) {
    int i = threadIdx.x;
    for (int k = 0; k < 2048; ++k) i = next[i];
    end[threadIdx.x] = i;
}

// ----- measure

bool emulated() {
#ifdef CUDABOOK_EMULATION
    return true;
#else
    return false;
#endif
}

template <class Launch>
void measure(const char* name, Launch launch) {
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    launch(stream);
    launch(stream);
    CHECK(cudaStreamSynchronize(stream));
    if (emulated()) return;
    constexpr int launches = 20;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < launches; ++i) launch(stream);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    float best = 1e30f;
    for (int round = 0; round < 7; ++round) {
        float ms = 0;
        CHECK(cudaEventRecord(begin, stream));
        CHECK(cudaGraphLaunch(executable, stream));
        CHECK(cudaEventRecord(end, stream));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        best = ms < best ? ms : best;
    }
    std::printf("%s,%.5g\n", name, best / launches);
}
#define MEASURE(kernel, blocks, threads, ...) \
    measure(#kernel, [&](cudaStream_t stream) { kernel<<<blocks, threads, 0, stream>>>(__VA_ARGS__); })

int main() {
    float *x, *y;
    int *index, *numbers;
    CHECK(cudaMalloc(&x, count * sizeof(float)));
    CHECK(cudaMalloc(&y, count * sizeof(float)));
    CHECK(cudaMalloc(&index, count * sizeof(int)));
    CHECK(cudaMalloc(&numbers, count * sizeof(int)));
    int* const host = new int[count];
    unsigned random = 1;
    for (int i = 0; i < count; ++i) {
        random = random * 1664525u + 1013904223u;
        host[i] = (random >> 8) % count;
    }
    CHECK(cudaMemcpy(index, host, count * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(x, 0, count * sizeof(float)));
    CHECK(cudaMemset(y, 0, count * sizeof(float)));
    delete[] host;

    if (!emulated()) std::printf("kernel,ms\n");
    MEASURE(saxpy, count / 256, 256, x, y);
    MEASURE(saxpy_grid_stride, 1056, 256, x, y);
    MEASURE(copy_vectors, count / 4 / 256, 256, reinterpret_cast<float4*>(x), reinterpret_cast<float4*>(y));
    MEASURE(copy_strided, count / 16 / 256, 256, x, y);
    MEASURE(gather, count / 256, 256, index, x, y);
    MEASURE(polynomial, count / 256, 256, x, y);
    MEASURE(polynomial_double, count / 256, 256, x, y);
    MEASURE(black_scholes, count / 256, 256, x, y);
    MEASURE(collatz, count / 16 / 256, 256, numbers);
    MEASURE(mandelbrot, dim3(64, 64), dim3(16, 16), numbers);
    MEASURE(transpose_naive, dim3(64, 64), dim3(32, 8), x, y);
    MEASURE(transpose_tiled, dim3(64, 64), dim3(32, 8), x, y);
    MEASURE(transpose_padded, dim3(64, 64), dim3(32, 8), x, y);
    MEASURE(row_sums, side / 128, 128, x, y);
    MEASURE(column_sums, side / 128, 128, x, y);
    MEASURE(matvec_warps, side * 32 / 256, 256, x, y, y + side);
    MEASURE(blur, dim3(128, 128), dim3(16, 16), x, y);
    MEASURE(jacobi, dim3(64, 256), dim3(32, 8), x, y);
    MEASURE(reduce_interleaved, count / 256, 256, x, y);
    MEASURE(reduce_sequential, count / 256, 256, x, y);
    MEASURE(reduce_shuffles, 1056, 256, x, y);
    MEASURE(scan_blocks, count / 512, 512, x, y);
    MEASURE(histogram_shared, 528, 256, index, reinterpret_cast<unsigned*>(numbers));
    MEASURE(matmul_tiled, dim3(32, 32), dim3(32, 32), x, x + 1024 * 1024, y);
    MEASURE(nbody, 32, 256, reinterpret_cast<float4*>(x), reinterpret_cast<float4*>(y));
    MEASURE(pointer_chase, 1, 32, index, numbers);
    CHECK(cudaDeviceSynchronize());
}
