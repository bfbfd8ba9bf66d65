// CUB on the host and in kernels: the results are those of plain loops. Each TEST is a part of the program,
// which is for emulated and real GPUs.
#include <algorithm>
#include <numeric>
#include <vector>

#include <cub/cub.cuh>

#include "check.h"

#define TEST(suite, name) static void suite##_##name()

constexpr int count = 1000;

static int scattered(int i) { return i * 7919 % 1009 - 500; }

static std::vector<int> numbers() {
    std::vector<int> numbers(count);
    for (int i = 0; i < count; ++i) numbers[i] = scattered(i);
    return numbers;
}

/// Calls an algorithm as CUB requires: the first call has no storage, and only tells how much is needed.
template <class Algorithm>
static void run(Algorithm algorithm) {
    std::size_t bytes = 0;
    CUDA(algorithm(nullptr, bytes));
    void* storage = nullptr;
    CUDA(cudaMalloc(&storage, bytes));
    CUDA(algorithm(storage, bytes));
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaFree(storage));
}

template <class T>
static void expect_all(const char* what, const std::vector<T>& expected, const T* got) {
    const std::vector<T> on_host = to_host(got, static_cast<int>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i) expect_equal(what, expected[i], on_host[i]);
}

struct Larger {
    __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

struct Sum {
    __host__ __device__ float operator()(float a, float b) const { return a + b; }
};

struct IsEven {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

TEST(Cub, ReducesAndScans) {
    const std::vector<int> values = numbers();
    const int* in = to_device(values);
    int* out = to_device(std::vector<int>(count));
    run([&](void* s, std::size_t& b) { return cub::DeviceReduce::Sum(s, b, in, out, count); });
    expect_all("sum", {std::accumulate(values.begin(), values.end(), 0)}, out);
    run([&](void* s, std::size_t& b) { return cub::DeviceReduce::Max(s, b, in, out, count); });
    expect_all("max", {*std::max_element(values.begin(), values.end())}, out);
    std::vector<int> sums(count);
    std::partial_sum(values.begin(), values.end(), sums.begin());
    run([&](void* s, std::size_t& b) { return cub::DeviceScan::InclusiveSum(s, b, in, out, count); });
    expect_all("inclusive sum", sums, out);
    sums.insert(sums.begin(), 0);
    sums.pop_back();
    run([&](void* s, std::size_t& b) { return cub::DeviceScan::ExclusiveSum(s, b, in, out, count); });
    expect_all("exclusive sum", sums, out);
    std::vector<int> largest(count, 3);
    for (int i = 1; i < count; ++i) largest[i] = std::max(largest[i - 1], values[i - 1]);
    run([&](void* s, std::size_t& b) {
        return cub::DeviceScan::ExclusiveScan(s, b, in, out, Larger(), 3, count);
    });
    expect_all("exclusive scan", largest, out);
}

/// A sum is larger than the values of its array can be.
TEST(Cub, SumsAreWiderThanTheirValues) {
    const unsigned char* in = to_device(std::vector<unsigned char>(count, 200));
    int* out = to_device(std::vector<int>(count));
    std::vector<int> sums(count);
    for (int i = 0; i < count; ++i) sums[i] = 200 * i;
    run([&](void* s, std::size_t& b) { return cub::DeviceScan::ExclusiveSum(s, b, in, out, count); });
    expect_all("exclusive sum of bytes", sums, out);
    for (int& sum : sums) sum += 200;
    run([&](void* s, std::size_t& b) { return cub::DeviceScan::InclusiveSum(s, b, in, out, count); });
    expect_all("inclusive sum of bytes", sums, out);
    run([&](void* s, std::size_t& b) { return cub::DeviceReduce::Sum(s, b, in, out, count); });
    expect_all("sum of bytes", {200 * count}, out);
    const float* halves = to_device(std::vector<float>(count, 0.5F));
    run([&](void* s, std::size_t& b) {
        return cub::DeviceReduce::Reduce(s, b, halves, out, count, Sum(), 0);
    });
    expect_all("reduction that begins with an integer", {count / 2}, out);
}

TEST(Cub, SortsByRadix) {
    const std::vector<int> values = numbers();
    const std::vector<float> keys = {2.5F, -1.0F, 0.0F, 1e30F, -0.0F, -1e30F, 2.5F, 1e-40F};
    std::vector<int> places(keys.size());
    std::iota(places.begin(), places.end(), 0);
    const float* unsorted = to_device(keys);
    const int* unsorted_places = to_device(places);
    float* sorted = to_device(keys);
    int* sorted_places = to_device(places);
    const int size = static_cast<int>(keys.size());
    run([&](void* s, std::size_t& b) {
        return cub::DeviceRadixSort::SortPairs(s, b, unsorted, sorted, unsorted_places, sorted_places, size);
    });
    expect_all("pairs", {5, 1, 2, 4, 7, 0, 6, 3}, sorted_places);
    run([&](void* s, std::size_t& b) {
        return cub::DeviceRadixSort::SortPairsDescending(s, b, unsorted, sorted, unsorted_places,
                                                         sorted_places, size);
    });
    expect_all("pairs, downwards", {3, 0, 6, 7, 2, 4, 1, 5}, sorted_places);

    cub::DoubleBuffer<int> both(to_device(values), to_device(values));
    run([&](void* s, std::size_t& b) { return cub::DeviceRadixSort::SortKeys(s, b, both, count); });
    std::vector<int> expected = values;
    std::sort(expected.begin(), expected.end());
    expect_all("keys", expected, both.Current());
    int* by_bits = to_device(values);
    run([&](void* s, std::size_t& b) {
        return cub::DeviceRadixSort::SortKeys(s, b, to_device(values), by_bits, count, 4, 8);
    });
    expected = values;
    std::stable_sort(expected.begin(), expected.end(),
                     [](int a, int b) { return (a >> 4 & 15) < (b >> 4 & 15); });
    expect_all("some bits", expected, by_bits);
}

TEST(Cub, SelectsAndCounts) {
    const std::vector<int> values = numbers();
    const int* in = to_device(values);
    int* out = to_device(std::vector<int>(count));
    int* number = to_device(std::vector<int>(1));
    std::vector<int> even;
    std::copy_if(values.begin(), values.end(), std::back_inserter(even), IsEven());
    run([&](void* s, std::size_t& b) {
        return cub::DeviceSelect::If(s, b, in, out, number, count, IsEven());
    });
    expect_all("even", even, out);
    expect_all("how many", {static_cast<int>(even.size())}, number);

    const std::vector<int> runs = {4, 4, 4, 1, 2, 2, 4};
    int* lengths = to_device(runs);
    run([&](void* s, std::size_t& b) {
        return cub::DeviceRunLengthEncode::Encode(s, b, to_device(runs), out, lengths, number, 7);
    });
    expect_all("runs", {4, 1, 2, 4}, out);
    expect_all("lengths", {3, 1, 2, 1}, lengths);
    expect_all("number of runs", {4}, number);
    run([&](void* s, std::size_t& b) {
        return cub::DeviceSelect::Unique(s, b, to_device(runs), out, number, 7);
    });
    expect_all("unique", {4, 1, 2, 4}, out);

    std::vector<int> bins(10);
    for (const int value : values)
        if (value >= -100 && value < 100) ++bins[(value + 100) / 20];
    run([&](void* s, std::size_t& b) {
        return cub::DeviceHistogram::HistogramEven(s, b, in, out, 11, -100, 100, count);
    });
    expect_all("even histogram", bins, out);
    const std::vector<int> levels = {-100, 0, 7, 400};
    std::vector<int> between(3);
    for (const int value : values)
        for (int bin = 0; bin < 3; ++bin)
            if (value >= levels[bin] && value < levels[bin + 1]) ++between[bin];
    run([&](void* s, std::size_t& b) {
        return cub::DeviceHistogram::HistogramRange(s, b, in, out, 4, to_device(levels), count);
    });
    expect_all("histogram", between, out);
}

constexpr int threads = 96;

__global__ void scan_block(const int* in, int* scanned, int* sums, int* warp_sums) {
    using Scan = cub::BlockScan<int, threads>;
    using Reduce = cub::BlockReduce<int, threads>;
    using Warp = cub::WarpReduce<int, 16>;
    __shared__ typename Scan::TempStorage of_scan;
    __shared__ typename Reduce::TempStorage of_reduce;
    __shared__ typename Warp::TempStorage of_warps[threads / 16];
    int sum;
    Scan(of_scan).ExclusiveSum(in[threadIdx.x], scanned[threadIdx.x], sum);
    const int reduced = Reduce(of_reduce).Sum(in[threadIdx.x]);
    if (threadIdx.x == 0) {
        sums[0] = sum;
        sums[1] = reduced;
    }
    const int of_sixteen = Warp(of_warps[threadIdx.x / 16]).Sum(in[threadIdx.x]);
    if (threadIdx.x % 16 == 0) warp_sums[threadIdx.x / 16] = of_sixteen;
}

TEST(Cub, InBlocksAndWarps) {
    const std::vector<int> values = numbers();
    int* scanned = to_device(std::vector<int>(threads));
    int* sums = to_device(std::vector<int>(2));
    int* warp_sums = to_device(std::vector<int>(threads / 16));
    scan_block<<<1, threads>>>(to_device(values), scanned, sums, warp_sums);
    std::vector<int> expected(threads + 1);
    std::partial_sum(values.begin(), values.begin() + threads, expected.begin() + 1);
    const int sum = expected.back();
    std::vector<int> of_sixteen(threads / 16);
    for (int i = 0; i < threads; ++i) of_sixteen[i / 16] += values[i];
    expected.pop_back();
    expect_all("scanned", expected, scanned);
    expect_all("sums", {sum, sum}, sums);
    expect_all("sums of 16", of_sixteen, warp_sums);
}

int main() {
    need_gpu();
    Cub_ReducesAndScans();
    Cub_SumsAreWiderThanTheirValues();
    Cub_SortsByRadix();
    Cub_SelectsAndCounts();
    Cub_InBlocksAndWarps();
    return failures();
}
