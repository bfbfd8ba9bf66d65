// Launches and qualifiers in the forms that nvcc takes: arguments that are converted, owned or left out,
// kernels that arguments choose, qualifiers behind a type, friends, lambdas. Prints OK.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <utility>

using namespace std;

#define CHECK(condition)                                           \
    do {                                                           \
        if (!(condition)) {                                        \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                               \
        }                                                          \
    } while (0)

// Owners: one cannot be copied, the other copies what it owns.
struct Array {
    int* data = nullptr;
    Array() {
        cudaMallocManaged(&data, 4 * sizeof(int));
        for (int i = 0; i < 4; ++i) data[i] = 0;
    }
    Array(const Array&) = delete;
    ~Array() { cudaFree(data); }
    operator int*() const { return data; }
};
int copies = 0;
struct Copied {
    int* data = nullptr;
    int* of = nullptr;
    explicit Copied(int* of) : of(of) { cudaMallocManaged(&data, sizeof(int)); }
    Copied(const Copied& other) : Copied(other.of) {
        ++copies;
        *data = *other.data;
    }
    ~Copied() {
        cudaDeviceSynchronize();  // as cudaFree() does
        *of = *data;
        cudaFree(data);
    }
};

// std has functions of this name.
__global__ void reduce(int* sum, const int* in) {
    for (int i = 0; i < 4; ++i) atomicAdd(sum, in[i]);
}

template <class T>
__global__ void add_one(T owner) {
    atomicAdd(owner.data, 1);
}

template <class... Numbers>
__global__ void add_all(int* sum, const int* more, Numbers... numbers) {
    *sum = (numbers + ...) + (more == nullptr ? 100 : *more);
}
template <class... Numbers>
void add_up(int* sum, Numbers... numbers) {
    add_all<<<1, 1>>>(sum, nullptr, numbers...);
    cudaDeviceSynchronize();
}

struct Two {
    int a, b;
};
namespace kernels {
__global__ void put(int* to, int value, int times = 2);
__global__ void put(int* to, Two value) { *to = value.a + value.b; }
__global__ void put(int* to, int n, int times) { *to = n * times; }
}  // namespace kernels
using kernels::put;

// Qualifiers behind a type, attributes behind a qualifier, a friend.
__device__ int table[4] = {1, 2, 3, 4};
int* __device__ table_from(int first) { return table + first; }
__device__ [[nodiscard]] int twice(int value) { return 2 * value; }
class Secret {
    int value_ = 5;
    friend __device__ int value_of(const Secret& secret);
};
__device__ int value_of(const Secret& secret) { return secret.value_; }
__global__ void use_functions(int* to, Secret secret) { *to = *table_from(2) + twice(10) + value_of(secret); }

// A lambda's product and sum are fused into one operation.
template <class Function>
__global__ void call(float* to, Function function, float x) {
    *to = function(x);
}
__global__ void call_one(float* to, int which, float x) {
    float (*const functions[])(float) = {[](float a) { return a * a - 1.0f; },
                                         [](float a) { return a * a - 2.0f; }};
    *to = functions[which](x);
}

// __launch_bounds__ before, between and behind the other specifiers.
constexpr int most = 100;
__launch_bounds__(2 * most, 4) __global__ void bounded_before(int* count) { atomicAdd(count, 1); }
__global__ __launch_bounds__(sizeof(double) * 16) static void bounded_between(int* count) {
    atomicAdd(count, 1);
}
template <class T, int... numbers>
__global__ void __launch_bounds__((numbers + ...)) bounded_behind(T* count) {
    atomicAdd(count, 1);
}
// clang-format off
template <int n>  // < and > are no brackets here
__global__ void __launch_bounds__(n < 256 ? n : 256, n > 64 ? 2 : 1) bounded_by_number(int* count) {
    atomicAdd(count, 1);
}
// clang-format on
extern "C" __global__ void __launch_bounds__(1 << 7) bounded_with_c_linkage(int* count) {
    atomicAdd(count, 1);
}
__global__ void __launch_bounds__(most) hides_its_bound(int* count, int most) { atomicAdd(count, most); }
template <class Kernel>
void check_bounds(Kernel kernel, int threads, int* count) {
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess);
    CHECK(attributes.maxThreadsPerBlock == threads);
    *count = 0;
    kernel<<<1, threads>>>(count);
    CHECK(cudaDeviceSynchronize() == cudaSuccess && *count == threads);
    kernel<<<1, threads + 1>>>(count);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaDeviceSynchronize() == cudaSuccess && *count == threads);
}

// Names of kernels that contain the function's variables, or are in a fold.
template <int number>
__global__ void add_number(int* sum) {
    atomicAdd(sum, number);
}
template <int... numbers>
void add_each(int* sum) {
    (add_number<numbers><<<1, 1>>>(sum), ...);
}

int main() {
    Array sum, in;
    for (int i = 0; i < 4; ++i) in[i] = i + 1;
    reduce<<<1, 2>>>(sum, in);
    cudaDeviceSynchronize();
    CHECK(sum[0] == 20);

    int last = 0;
    {
        const Copied owner(&last);
        *owner.data = 3;
        add_one<<<1, 8>>>(owner);
        CHECK(copies == 1);
        CHECK(last == 11);
        CHECK(*owner.data == 3);
    }

    add_up(sum, 1, 2, 3);
    CHECK(sum[0] == 106);

    put<<<1, 1>>>(sum, 4);
    cudaDeviceSynchronize();
    CHECK(sum[0] == 8);
    put<<<1, 1>>>(sum, 4, 3);
    cudaDeviceSynchronize();
    CHECK(sum[0] == 12);
    put<<<1, 1>>>(sum, Two{5, 6});
    cudaDeviceSynchronize();
    CHECK(sum[0] == 11);

    use_functions<<<1, 1>>>(sum, Secret());
    cudaDeviceSynchronize();
    CHECK(sum[0] == 3 + 20 + 5);

    float* result = nullptr;
    cudaMallocManaged(&result, sizeof *result);
    const float x = 1 + 1 / 4096.0f;  // x * x has a bit more than a float
    const float one = 1;
#if defined(FUSED)
    const float expected = 1 / 2048.0f + 1 / 16777216.0f;
#else
    const float expected = 1 / 2048.0f;
#endif
    call<<<1, 1>>>(
        result, [=] __device__(float a) { return a * a - one; }, x);
    cudaDeviceSynchronize();
    CHECK(*result == expected);
    call_one<<<1, 1>>>(result, 0, x);
    cudaDeviceSynchronize();
    CHECK(*result == expected);
    cudaFree(result);
    CHECK(cudaGetLastError() == cudaSuccess);

    check_bounds(bounded_before, 200, sum);
    check_bounds(bounded_between, 128, sum);
    check_bounds(bounded_behind<int, 64, 32>, 96, sum);
    check_bounds(bounded_by_number<128>, 128, sum);
    check_bounds(bounded_with_c_linkage, 128, sum);
    check_bounds(bounded_by_number<0>, 1024, sum);  // no bound
    sum[0] = 0;
    hides_its_bound<<<1, 100>>>(sum, 2);
    CHECK(cudaDeviceSynchronize() == cudaSuccess && sum[0] == 200);

    sum[0] = 0;
    const auto add_constant = [&](auto n) {
        add_number<n><<<1, 1>>>(sum);
        add_number<n()><<<1, 1>>>(sum);
    };
    add_constant(integral_constant<int, 3>());
    constexpr int four = 4;
    add_number<four><<<1, 1>>>(sum);
    const auto [kernel, count] = pair<void (*)(int*), int>(add_number<5>, 2);
    kernel<<<1, count>>>(sum);
    add_each<6, 7>(sum);
    cudaDeviceSynchronize();
    CHECK(sum[0] == 3 + 3 + 4 + 2 * 5 + 6 + 7);
    printf("OK\n");
    return 0;
}
