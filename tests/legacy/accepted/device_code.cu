// Device code that nvcc compiles, and code that only resembles a mistake.
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

constexpr int size = 32;
const float half = 0.5F;
__constant__ float factors[2];
__device__ int total;
__managed__ int managed;

__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

__host__ __device__ int square(int x) { return x * x; }

struct Vector {
    float x = 0;
    float y = 0;
    __host__ __device__ float norm() const { return sqrtf(x * x + y * y); }
    __host__ __device__ Vector operator+(Vector b) const { return {x + b.x, y + b.y}; }
};

struct Base {
    __device__ virtual int number() const { return 1; }
};

/// A kernel and a function of the host with one name.
__global__ void fill(int* a) { a[threadIdx.x] = square(threadIdx.x); }
void fill(std::vector<int>& a) {
    for (int& value : a) value = square(3);
}

__global__ auto deduced(int* a) -> void { a[0] = factorial(3); }

template <class F>
__global__ void run(F f) {
    f(threadIdx.x);
}

__global__ void everything(int* a, float* x, const char* text) {
    static int calls = 0;
    __shared__ int sums[size];
    __shared__ Vector corner;
    sums[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x == 0) corner = Vector{1, 2} + Vector{half, factors[0]};
    int* const some = new int[4];
    void* const more = malloc(8);
    memset(some, 0, 4 * sizeof *some);
    memcpy(some, a, 2 * sizeof *some);
    assert(some != nullptr);
    x[0] = std::sqrt(x[1]) + std::fabs(x[2]) + powf(x[3], 2) + fminf(x[4], half) + corner.norm();
    x[1] = float(std::abs(a[0])) + abs(a[1]) + sin(1.0) + ::expf(x[2]);
    if (std::isnan(x[0]) || isinf(x[1])) printf("%d %s\n", atomicAdd(&total, 1) + managed, text);
    const auto twice = [&](int i) { return 2 * i + some[0]; };
    a[threadIdx.x] = max(twice(sums[threadIdx.x]), min(calls++, size)) + __shfl_sync(~0U, a[0], 0);
    Base base;
    a[0] = base.number();
    free(more);
    delete[] some;
}

int main() {
    managed = 1;
    std::vector<int> numbers(size);
    fill(numbers);
    int* a = nullptr;
    float* x = nullptr;
    cudaMalloc(&a, size * sizeof *a);
    cudaMalloc(&x, size * sizeof *x);
    fill<<<1, size>>>(a);
    deduced<<<1, 1>>>(a);
    const int n = numbers[0];
    run<<<1, size>>>([=] __device__(int i) { a[i] = n + square(i); });
    const float values[2] = {1, 2};
    cudaMemcpyToSymbol(factors, values, sizeof values);
    everything<<<1, size>>>(a, x, nullptr);
    try {
        if (cudaDeviceSynchronize() != cudaSuccess) throw std::string("a kernel failed");
    } catch (const std::string& what) {
        std::cout << what << '\n';
    }
    cudaFree(x);
    return cudaFree(a);
}
