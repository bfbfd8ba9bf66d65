// Calls of the runtime that old programs make and the samples do not; and launches as cudabook-nvcc --emulate
// writes them.
#include <cuda_runtime.h>

#undef NDEBUG  // assertions are tested
#include <assert.h>

#include <latch>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "emulator/engine/launched.hpp"

namespace cudabook {
namespace {

using emulation::launched, emulation::launched_by;

class OldCallsSmall : public testing::Test {
  protected:
    void TearDown() override { cudaDeviceReset(); }
};

#define EXPECT_SUCCESS(call) EXPECT_EQ(call, cudaSuccess)

TEST_F(OldCallsSmall, CopyThroughRowsOfArrays) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array = nullptr;
    EXPECT_SUCCESS(cudaMallocArray(&array, &format, 4, 5));
    std::vector<int> numbers(20);
    for (int i = 0; i < 20; ++i) numbers[i] = i;
    EXPECT_SUCCESS(cudaMemcpyToArray(array, 0, 0, numbers.data(), 80, cudaMemcpyHostToDevice));
    std::vector<int> part(11);  // the end of a row, two rows, the beginning of one
    EXPECT_SUCCESS(cudaMemcpyFromArray(part.data(), array, 8, 1, 44, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 11; ++i) EXPECT_EQ(part[i], 6 + i);
    EXPECT_EQ(cudaMemcpyFromArray(part.data(), array, 8, 4, 44, cudaMemcpyDeviceToHost),
              cudaErrorInvalidValue);
    EXPECT_SUCCESS(cudaMemcpy2DArrayToArray(array, 0, 0, array, 4, 3, 8, 2));
    EXPECT_SUCCESS(cudaMemcpyFromArray(part.data(), array, 0, 0, 24, cudaMemcpyDeviceToHost));
    EXPECT_EQ(part, (std::vector{13, 14, 2, 3, 17, 18, 12, 13, 14, 15, 16}));
}

TEST_F(OldCallsSmall, MemoryOfThreeDimensions) {
    cudaPitchedPtr memory{};
    EXPECT_SUCCESS(cudaMalloc3D(&memory, make_cudaExtent(10, 3, 2)));
    EXPECT_GE(memory.pitch, 10U);
    EXPECT_SUCCESS(cudaMemset3D(memory, 1, make_cudaExtent(10, 3, 2)));
    EXPECT_SUCCESS(cudaMemset3D(memory, 2, make_cudaExtent(3, 2, 2)));
    std::vector<unsigned char> bytes(10 * 6);
    EXPECT_SUCCESS(cudaMemcpy2D(bytes.data(), 10, memory.ptr, memory.pitch, 10, 6, cudaMemcpyDeviceToHost));
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 10; ++x) EXPECT_EQ(bytes[(z * 3 + y) * 10 + x], x < 3 && y < 2 ? 2 : 1);
    EXPECT_EQ(cudaMemset3D(memory, 1, make_cudaExtent(10, 3, 3)), cudaErrorInvalidValue);
}

__constant__ int numbers[4];

TEST_F(OldCallsSmall, Symbols) {
    const int in[] = {1, 2, 3, 4};
    int out[4] = {};
    EXPECT_SUCCESS(cudaMemcpyToSymbolAsync(numbers, in, sizeof in));
    EXPECT_SUCCESS(cudaMemcpyToSymbol(static_cast<const void*>(numbers), in, 4, 8));
    EXPECT_SUCCESS(cudaMemcpyFromSymbol(out, numbers, sizeof out));
    EXPECT_EQ(out[1], 2);
    EXPECT_EQ(out[2], 1);
    EXPECT_EQ(cudaMemcpyToSymbol(numbers, in, sizeof in, 4), cudaErrorInvalidValue);
    std::size_t bytes = 0;
    EXPECT_SUCCESS(cudaGetSymbolSize(&bytes, numbers));
    EXPECT_EQ(bytes, sizeof numbers);
}

TEST_F(OldCallsSmall, SettingsAreKept) {
    EXPECT_SUCCESS(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 12345));
    std::size_t limit = 0;
    EXPECT_SUCCESS(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize));
    EXPECT_EQ(limit, 12345U);
    EXPECT_EQ(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1), cudaErrorUnsupportedLimit);
    unsigned flags = 0;
    EXPECT_SUCCESS(cudaSetDeviceFlags(cudaDeviceScheduleYield));
    EXPECT_SUCCESS(cudaGetDeviceFlags(&flags));
    EXPECT_EQ(flags, cudaDeviceScheduleYield | cudaDeviceMapHost);
    EXPECT_EQ(cudaSetDeviceFlags(0x100), cudaErrorInvalidValue);
}

TEST_F(OldCallsSmall, ChoosesADevice) {
    cudaDeviceProp wanted{};
    wanted.major = 1;
    int device = -1;
    EXPECT_SUCCESS(cudaChooseDevice(&device, &wanted));
    EXPECT_EQ(device, 0);
    wanted.major = 99;  // no device is that new, so any is chosen
    EXPECT_SUCCESS(cudaChooseDevice(&device, &wanted));
    EXPECT_EQ(device, 0);
}

TEST_F(OldCallsSmall, Callbacks) {
    int calls = 0;
    cudaStream_t stream = nullptr;
    EXPECT_SUCCESS(cudaStreamCreate(&stream));
    EXPECT_SUCCESS(cudaStreamAddCallback(
        stream,
        [](cudaStream_t, cudaError_t error, void* data) { *static_cast<int*>(data) += error == cudaSuccess; },
        &calls, 0));
    EXPECT_SUCCESS(cudaLaunchHostFunc(
        cudaStreamLegacy, [](void* data) { *static_cast<int*>(data) += 10; }, &calls));
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    EXPECT_EQ(calls, 11);
    EXPECT_SUCCESS(cudaStreamDestroy(stream));
    EXPECT_EQ(cudaStreamDestroy(cudaStreamPerThread), cudaErrorInvalidResourceHandle);
}

/// The legacy stream would have to wait for a captured stream, unless the captured stream is non-blocking.
TEST_F(OldCallsSmall, TheLegacyStreamDuringACapture) {
    int* memory = nullptr;
    EXPECT_SUCCESS(cudaMalloc(&memory, 4));
    for (const unsigned flags : {cudaStreamDefault, cudaStreamNonBlocking}) {
        cudaStream_t stream = nullptr;
        EXPECT_SUCCESS(cudaStreamCreateWithFlags(&stream, flags));
        EXPECT_SUCCESS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        EXPECT_EQ(cudaMemsetAsync(memory, 0, 4),
                  flags == cudaStreamDefault ? cudaErrorStreamCaptureImplicit : cudaSuccess);
        cudaGraph_t graph = nullptr;
        EXPECT_EQ(cudaStreamEndCapture(stream, &graph),
                  flags == cudaStreamDefault ? cudaErrorStreamCaptureInvalidated : cudaSuccess);
        if (graph != nullptr) {
            EXPECT_SUCCESS(cudaGraphDestroy(graph));
        }
        EXPECT_SUCCESS(cudaStreamDestroy(stream));
    }
}

TEST_F(OldCallsSmall, TheLegacyStreamWhileAnotherThreadCaptures) {
    int* memory = nullptr;
    EXPECT_SUCCESS(cudaMalloc(&memory, 4));
    std::latch has_begun(1);
    std::latch may_end(1);
    std::thread other([&] {
        cudaStream_t stream = nullptr;
        cudaGraph_t graph = nullptr;
        EXPECT_SUCCESS(cudaStreamCreate(&stream));
        EXPECT_SUCCESS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        has_begun.count_down();
        may_end.wait();
        EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
        EXPECT_SUCCESS(cudaStreamDestroy(stream));
    });
    has_begun.wait();
    EXPECT_EQ(cudaMemset(memory, 0, 4), cudaErrorStreamCaptureImplicit);
    may_end.count_down();
    other.join();
    EXPECT_SUCCESS(cudaMemset(memory, 0, 4));
}

// ----- Launches

__global__ void add(int* sum, long value, const int* more) {
    atomicAdd(sum, static_cast<int>(value) + (more == nullptr ? 0 : *more));
}
__global__ void add(int* sum, float value) { atomicAdd(sum, static_cast<int>(value * 2)); }

class OldLaunchesSmall : public OldCallsSmall {
  protected:
    void SetUp() override {
        EXPECT_SUCCESS(cudaMallocManaged(&sum_, sizeof *sum_));
        *sum_ = 0;
    }
    int* sum_ = nullptr;
};

TEST_F(OldLaunchesSmall, ArgumentsAreConverted) {
    launched(static_cast<void (*)(int*, long, const int*)>(add))(2, dim3(3, 4))(sum_, 5, 0);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    EXPECT_EQ(*sum_, 2 * 12 * 5);
}

TEST_F(OldLaunchesSmall, ErrorsAreTheLastError) {
    launched(static_cast<void (*)(int*, float)>(add))(1, 2000)(sum_, 5);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_SUCCESS(cudaGetLastError());
}

emulation::Arguments<void, int*, float> arguments_of_add(int* sum, float value) { return {sum, value}; }
emulation::Arguments<void, int*, long, const int*> arguments_of_add(int* sum, long value, const int* more) {
    return {sum, value, more};
}
TEST_F(OldLaunchesSmall, OneOfSeveralKernels) {
    const auto find = [](auto of) { return static_cast<decltype(of)>(add); };
    launched_by(find)(1, 1)(arguments_of_add(sum_, 1.5F));
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    EXPECT_EQ(*sum_, 3);
    launched_by(find)(1, 1)(arguments_of_add(sum_, 2, sum_));  // an int and an int*
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    EXPECT_EQ(*sum_, 8);
    launched_by(find)(1, 2000)(arguments_of_add(sum_, 2, nullptr));
    const std::string error = cudaGetErrorString(cudaGetLastError());
    EXPECT_NE(error.find("add, 1 x 1 x 1 blocks"), std::string::npos) << error;
}

int destroyed = 0;

struct Owner {
    int* memory;
    explicit Owner(int* of) : memory(of) {}
    Owner(const Owner&) = default;
    Owner& operator=(const Owner&) = default;
    ~Owner() {
        ++destroyed;
        cudaFree(memory);
    }
};

__global__ void use(Owner owner, char c) {
    atomicAdd(owner.memory, c);
    owner.memory = nullptr;  // the kernel's own copy
}
template <class T>
__global__ void use_any(T owner) {
    atomicAdd(owner.memory, 1);
}

/// As on a GPU, the kernel gets the bytes of an argument, and destroys nothing.
TEST_F(OldLaunchesSmall, NoDestructorRunsInACudaThread) {
    {
        cudaMallocManaged(&sum_, sizeof *sum_);
        const Owner owner(sum_);
        destroyed = 0;
        launched(use)(1, 8)(owner, 2);
        EXPECT_EQ(destroyed, 1) << "the argument's, on the host";
    }
    EXPECT_EQ(destroyed, 2);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue) << "freed twice";
}

template <class T>
emulation::Arguments<void, T> arguments_of_use_any(T owner) {
    return {owner};
}
struct CopyOfMemory {
    int* memory = nullptr;
    CopyOfMemory() { EXPECT_SUCCESS(cudaMallocManaged(&memory, sizeof *memory)); }
    CopyOfMemory(const CopyOfMemory& other) : CopyOfMemory() { *memory = *other.memory; }
    CopyOfMemory& operator=(const CopyOfMemory&) = delete;
    ~CopyOfMemory() {
        EXPECT_SUCCESS(cudaDeviceSynchronize());
        last = *memory;
        EXPECT_SUCCESS(cudaFree(memory));
    }
    static inline int last = 0;  ///< the content of the memory that was freed last
};
/// The parameters are constructed once, and exist until the launch has returned.
TEST_F(OldLaunchesSmall, ParametersLiveUntilTheLaunchHasReturned) {
    const CopyOfMemory memory;
    *memory.memory = 3;
    launched_by([](auto of) { return static_cast<decltype(of)>(use_any); })(1,
                                                                            8)(arguments_of_use_any(memory));
    EXPECT_EQ(CopyOfMemory::last, 11);
    launched(use_any<CopyOfMemory>)(1, 8)(memory);
    EXPECT_EQ(CopyOfMemory::last, 11);
    const cudaLaunchConfig_t config{1, 8, 0, nullptr, nullptr, 0};
    EXPECT_SUCCESS(cudaLaunchKernelEx(&config, use_any<CopyOfMemory>, memory));
    EXPECT_EQ(CopyOfMemory::last, 11);
    void* arguments[] = {const_cast<CopyOfMemory*>(&memory)};
    EXPECT_SUCCESS(cudaLaunchKernel(use_any<CopyOfMemory>, 1, 8, arguments));  // does not copy the object
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    EXPECT_EQ(*memory.memory, 11);
}

__global__ void assert_less(int limit) { assert(static_cast<int>(threadIdx.x) < limit); }

TEST_F(OldCallsSmall, Assertions) {
    launched(assert_less)(1, 4)(4);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    testing::internal::CaptureStderr();
    launched(assert_less)(1, 3)(2);  // one thread fails, whatever the order of the threads
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorAssert);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(
        said.find(
            "block: [0,0,0], thread: [2,0,0] Assertion `static_cast<int>(threadIdx.x) < limit` failed.\n"),
        std::string::npos)
        << said;
}

}  // namespace
}  // namespace cudabook
