// Thrust on the host and in kernels: the results are those of plain loops, and the memory of device vectors
// is the GPU's. Each TEST is a part of the program, which is for emulated and real GPUs.
#include <algorithm>
#include <functional>
#include <new>
#include <numeric>
#include <vector>

#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system_error.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <thrust/universal_vector.h>
#include <cuda/atomic>
#include <cuda/std/functional>

#include "check.h"

#define TEST(suite, name) static void suite##_##name()

constexpr int count = 1000;

static int scattered(int i) { return i * 7919 % 1009; }

static thrust::host_vector<int> numbers() {
    thrust::host_vector<int> numbers(count);
    for (int i = 0; i < count; ++i) numbers[i] = scattered(i);
    return numbers;
}

template <class T, class Vector>
static void expect_all(const char* what, const std::vector<T>& expected, const Vector& got) {
    const std::vector<T> on_host(got.begin(), got.end());
    expect_equal(std::string(what) + ": size", expected.size(), on_host.size());
    for (std::size_t i = 0; i < std::min(expected.size(), on_host.size()); ++i)
        expect_equal(what, expected[i], on_host[i]);
}

static int type_of_memory(const void* memory) {
    cudaPointerAttributes attributes;
    CUDA(cudaPointerGetAttributes(&attributes, memory));
    return attributes.type;
}

__global__ void double_all(int* values, int size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size) values[i] *= 2;
}

TEST(Thrust, MemoryOfVectorsIsTheGpus) {
    thrust::device_vector<int> values = numbers();
    int* const start = thrust::raw_pointer_cast(values.data());
    expect_equal("type of device_vector", int(cudaMemoryTypeDevice), type_of_memory(start));
    double_all<<<4, 256>>>(start, count);
    values[3] = 5;
    int got[count];
    CUDA(cudaMemcpy(got, start, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; ++i) expect_equal("doubled", i == 3 ? 5 : 2 * scattered(i), got[i]);
    thrust::universal_vector<int> managed(10, 4);
    expect_equal("type of universal_vector", int(cudaMemoryTypeManaged),
                 type_of_memory(thrust::raw_pointer_cast(managed.data())));
    const thrust::device_ptr<int> taken = thrust::device_malloc<int>(10);
    expect_equal("type of device_malloc", int(cudaMemoryTypeDevice), type_of_memory(taken.get()));
    thrust::fill(taken, taken + 10, 3);
    expect_equal("sum", 30, thrust::reduce(taken, taken + 10));
    thrust::device_free(taken);
    bool is_refused = false;
    try {
        thrust::device_vector<char> large(std::size_t(1) << 50);
    } catch (const std::bad_alloc&) {
        is_refused = true;
    }
    expect_equal("2^50 bytes are refused", 1, int(is_refused));
    expect_equal("no error stays", int(cudaSuccess), int(cudaGetLastError()));
}

TEST(Thrust, SortsAndScans) {
    std::vector<int> expected(count);
    for (int i = 0; i < count; ++i) expected[i] = scattered(i);
    thrust::device_vector<int> values = numbers();
    thrust::device_vector<int> scanned(count);

    thrust::exclusive_scan(values.begin(), values.end(), scanned.begin());
    std::vector<int> sums(count);
    for (int i = 1; i < count; ++i) sums[i] = sums[i - 1] + expected[i - 1];
    expect_all("exclusive_scan", sums, scanned);
    thrust::inclusive_scan(values.begin(), values.end(), scanned.begin(), thrust::maximum<int>());
    std::vector<int> largest(count);
    for (int i = 0; i < count; ++i) largest[i] = std::max(i > 0 ? largest[i - 1] : 0, expected[i]);
    expect_all("inclusive_scan", largest, scanned);

    thrust::device_vector<int> order(count);
    thrust::sequence(order.begin(), order.end());
    thrust::device_vector<int> keys = values;
    thrust::sort_by_key(keys.begin(), keys.end(), order.begin());
    thrust::sort(values.begin(), values.end());
    std::vector<int> places(count);
    std::iota(places.begin(), places.end(), 0);
    std::sort(places.begin(), places.end(), [&](int a, int b) { return expected[a] < expected[b]; });
    std::sort(expected.begin(), expected.end());
    expect_all("sort", expected, values);
    expect_all("keys", expected, keys);
    expect_all("values", places, order);
    thrust::sort(values.begin(), values.end(), thrust::greater<int>());
    std::reverse(expected.begin(), expected.end());
    expect_all("sort downwards", expected, values);

    const int some[] = {1, 1, 2, 3, 3, 3, 1};
    thrust::device_vector<int> runs(some, some + 7);
    thrust::device_vector<int> lengths(7);
    const auto end = thrust::reduce_by_key(runs.begin(), runs.end(), thrust::constant_iterator<int>(1),
                                           thrust::device_vector<int>(7).begin(), lengths.begin());
    lengths.erase(end.second, lengths.end());
    expect_all("reduce_by_key", std::vector<int>{2, 1, 3, 1}, lengths);
    runs.erase(thrust::unique(runs.begin(), runs.end()), runs.end());
    expect_all("unique", std::vector<int>{1, 2, 3, 1}, runs);
}

struct Square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};

struct Weighted {
    __host__ __device__ int operator()(const thrust::tuple<int, int>& both) const {
        return thrust::get<0>(both) * thrust::get<1>(both);
    }
};

struct NextNumber {
    __host__ __device__ int operator()(int i) const {
        thrust::default_random_engine engine(7);
        engine.discard(i);
        return thrust::uniform_int_distribution<int>(0, 99)(engine);
    }
};

TEST(Thrust, IteratorsAndFunctions) {
    using namespace thrust::placeholders;
    const thrust::device_vector<int> values = numbers();
    const auto first = thrust::make_counting_iterator(0);
    int squares = 0;
    int weighted = 0;
    for (int i = 0; i < count; ++i) {
        squares += i * i % 1024;
        weighted += i * scattered(i);
    }
    thrust::device_vector<int> results(count);
    thrust::transform(thrust::device, first, first + count, results.begin(), Square());
    thrust::transform(results.begin(), results.end(), results.begin(), _1 % 1024);
    expect_equal("sum of squares", squares,
                 thrust::reduce(results.begin(), results.end(), 0, thrust::plus<int>()));
    const auto both = thrust::make_zip_iterator(thrust::make_tuple(first, values.begin()));
    expect_equal("weighted", weighted,
                 thrust::transform_reduce(both, both + count, Weighted(), 0, cuda::std::plus<int>()));
    expect_equal("inner_product", weighted, thrust::inner_product(values.begin(), values.end(), first, 0));
    const int chosen[] = {5, 0, 9};
    const thrust::device_vector<int> places(chosen, chosen + 3);
    const auto permuted = thrust::make_permutation_iterator(values.begin(), places.begin());
    expect_equal("permutation", scattered(5) + scattered(0) + scattered(9),
                 thrust::reduce(permuted, permuted + 3));
    expect_equal("largest", 1008, int(*thrust::max_element(values.begin(), values.end())));
    expect_equal("count", 1, int(thrust::count(values.begin(), values.end(), scattered(4))));

    thrust::transform(first, first + count, results.begin(), NextNumber());
    thrust::default_random_engine engine(7);
    for (int i = 0; i < count; ++i) {
        thrust::default_random_engine of_number = engine;
        engine.discard(1);
        expect_equal("random number", thrust::uniform_int_distribution<int>(0, 99)(of_number),
                     int(results[i]));
    }
    const thrust::complex<float> z(1, 2);
    const thrust::complex<float> square = z * z;
    expect_equal("real", -3.0F, square.real());
    expect_equal("imaginary", 4.0F, square.imag());
}

TEST(Thrust, PoliciesAndStreams) {
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    thrust::device_vector<int> values = numbers();
    double_all<<<4, 256, 0, stream>>>(thrust::raw_pointer_cast(values.data()), count);
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += 2 * scattered(i);
    expect_equal("on a stream", sum,
                 thrust::reduce(thrust::cuda::par.on(stream), values.begin(), values.end()));
    expect_equal("par", sum, thrust::reduce(thrust::cuda::par, values.begin(), values.end()));
    std::vector<int> on_host = {3, 1, 2};
    thrust::sort(thrust::host, on_host.begin(), on_host.end());
    expect_equal("host", 1, on_host[0]);
    expect_equal("seq", 6, thrust::reduce(thrust::seq, on_host.begin(), on_host.end()));

    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    bool is_refused = false;
    try {
        thrust::reduce(thrust::cuda::par.on(stream), values.begin(), values.end());
    } catch (const std::runtime_error&) {  // thrust::system_error is one
        is_refused = true;
    }
    expect_equal("a captured stream is refused", 1, int(is_refused));
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(stream, &graph);
    cudaGetLastError();
    CUDA(cudaStreamDestroy(stream));
}

__global__ void sort_rows(int* rows, int width, int* largest) {
    int* const row = rows + threadIdx.x * width;
    thrust::sort(thrust::seq, row, row + width);
    cuda::atomic_ref<int, cuda::thread_scope_device>(*largest).fetch_max(row[width - 1]);
}

TEST(Thrust, InKernels) {
    thrust::device_vector<int> values = numbers();
    thrust::device_vector<int> largest(1);
    sort_rows<<<1, 10>>>(thrust::raw_pointer_cast(values.data()), count / 10,
                         thrust::raw_pointer_cast(largest.data()));
    std::vector<int> expected(count);
    for (int i = 0; i < count; ++i) expected[i] = scattered(i);
    for (int i = 0; i < count; i += count / 10)
        std::sort(expected.begin() + i, expected.begin() + i + count / 10);
    expect_all("rows", expected, values);
    expect_equal("largest", 1008, int(largest[0]));
}

int main() {
    need_gpu();
    Thrust_MemoryOfVectorsIsTheGpus();
    Thrust_SortsAndScans();
    Thrust_IteratorsAndFunctions();
    Thrust_PoliciesAndStreams();
    Thrust_InKernels();
    return failures();
}
