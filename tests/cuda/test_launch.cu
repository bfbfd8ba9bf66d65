// common/cuda/launch.cuh: arguments, errors, which launches overlap, and that overlapped launches keep
// their order.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/previous_launch.cuh"
#include "tests/support/error_text.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

using test::error_text;

__global__ void write_arguments(double* to, int a, double b, const float* c) {
    if (blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y > 0) return;
    to[0] = a;
    to[1] = b;
    to[2] = *c;
    to[3] = gridDim.x + 10.0 * gridDim.y;
    to[4] = blockDim.x + 10.0 * blockDim.y;
}

__global__ void add_one_in_order(int* value) {
    await_previous_launch();
    *value += 1;
}

__global__ void add_one_without_waiting(int* value) { *value += 1; }

constexpr unsigned ring_threads = 128;
constexpr unsigned ring_blocks = 500;
constexpr unsigned ring_size = ring_threads * ring_blocks;

/// to[i] := from[i + 1] + 1, around a ring. Some blocks are slow, so that a launch that does not wait for the
/// previous one reads old values or overwrites values that are still needed.
__global__ void turn(int* to, const int* from) {
    await_previous_launch();
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const int value = from[(i + 1) % ring_size];
    const long long start = clock64();
    while (clock64() - start < 2000 * (blockIdx.x % 4)) {
    }
    to[i] = value + 1;
}

// Which launches overlap, given the compute capabilities of the GPU and the code. Needs no GPU.
TEST(MayOverlap, PlainReadsFrom90On) {
    for (const int gpu : {90, 100, 103, 120, 121}) EXPECT_TRUE(may_overlap(Reads::memory, gpu, gpu)) << gpu;
    EXPECT_TRUE(may_overlap(Reads::memory, 100, 90));
    for (const int gpu : {75, 80, 86, 87, 89}) EXPECT_FALSE(may_overlap(Reads::memory, gpu, gpu)) << gpu;
}

TEST(MayOverlap, TextureReadsOnlyOn90) {
    EXPECT_TRUE(may_overlap(Reads::textures, 90, 90));
    for (const int gpu : {75, 80, 86, 87, 89, 100, 103, 110, 120, 121}) {
        EXPECT_FALSE(may_overlap(Reads::textures, gpu, gpu)) << gpu;
        EXPECT_FALSE(may_overlap(Reads::textures, gpu, std::min(gpu, 90))) << gpu;
    }
}

TEST(MayOverlap, NotIfTheCodeDoesNotWait) {
    // Code for older GPUs, which the driver compiled from PTX.
    for (const int code : {75, 80, 86, 89})
        for (const int gpu : {90, 100, 120})
            for (const Reads reads : {Reads::memory, Reads::textures})
                EXPECT_FALSE(may_overlap(reads, gpu, code)) << gpu << ", code for " << code;
}

__global__ void write_capability(int* to) {
#ifdef __CUDA_ARCH__
    *to = __CUDA_ARCH__ / 10;
#endif
}

class CudaLaunch : public test::Gpu {
  protected:
    /// A ring of the numbers 0, 1, 2, …, and a second buffer.
    struct Ring {
        Ring() : a(ring_size), b(ring_size) {
            std::vector<int> values(ring_size);
            for (unsigned i = 0; i < ring_size; ++i) values[i] = static_cast<int>(i);
            a.upload(values);
        }
        void expect_turned(unsigned turns) const {
            const std::vector<int> values = (turns % 2 == 0 ? a : b).download();
            for (unsigned i = 0; i < ring_size; ++i)
                ASSERT_EQ(values[i], static_cast<int>((i + turns) % ring_size + turns)) << "at " << i;
        }
        DeviceArray<int> a;
        DeviceArray<int> b;
    };
};

TEST_F(CudaLaunch, KnowsTheCapabilityOfTheCode) {
    const DeviceArray<int> capability(1);
    const Stream stream;
    launch(write_capability, 1, 1, stream, capability.data());
    EXPECT_EQ(capability.download(),
              std::vector<int>{capability_of_code(reinterpret_cast<const void*>(write_capability))});
    EXPECT_EQ(fmt::format("{}.{}", capability_of_device() / 10, capability_of_device() % 10),
              device().compute_capability);
}

TEST_F(CudaLaunch, ArgumentsAndSizesArrive) {
    const DeviceArray<float> c{std::span<const float>(std::vector<float>{2.5F})};
    for (const bool overlapped : {false, true}) {
        const DeviceArray<double> to(5);
        const Stream stream;
        // As in a function call, an int converts to double and a pointer to a pointer to const.
        if (overlapped)
            launch_overlapped(Reads::memory, write_arguments, dim3(2, 3), dim3(4, 5), stream, to.data(), 7, 8,
                              c.data());
        else
            launch(write_arguments, dim3(2, 3), dim3(4, 5), stream, to.data(), 7, 8, c.data());
        EXPECT_EQ(to.download(), (std::vector<double>{7, 8, 2.5, 32, 54}));
    }
}

TEST_F(CudaLaunch, BlockThatIsTooLarge) {
    const DeviceArray<int> value(1);
    const Stream stream;
    for (const bool overlapped : {false, true}) {
        const std::string error = error_text<CudaError>([&] {
            if (overlapped)
                launch_overlapped(Reads::memory, add_one_in_order, 1, 4096, stream, value.data());
            else
                launch(add_one_in_order, 1, 4096, stream, value.data());
        });
        EXPECT_NE(error.find("cudaErrorInvalid"), std::string::npos) << error;
        EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    }
}

TEST_F(CudaLaunch, ThousandDependentIncrements) {
    const DeviceArray<int> value{std::span<const int>(std::vector<int>{0})};
    const Stream stream;
    for (int i = 0; i < 1000; ++i)
        launch_overlapped(Reads::memory, add_one_in_order, 1, 1, stream, value.data());
    EXPECT_EQ(value.download(), std::vector<int>{1000});
}

TEST_F(CudaLaunch, ThousandDependentIncrementsInAGraph) {
    const DeviceArray<int> value{std::span<const int>(std::vector<int>{0})};
    const Stream stream;
    const Graph graph(stream, [&] {
        for (int i = 0; i < 1000; ++i)
            launch_overlapped(Reads::memory, add_one_in_order, 1, 1, stream, value.data());
    });
    for (int i = 0; i < 3; ++i) graph.launch(stream);
    EXPECT_EQ(value.download(), std::vector<int>{3000});
}

TEST_F(CudaLaunch, PlainAndOverlappedTakeTurns) {
    const DeviceArray<int> value{std::span<const int>(std::vector<int>{0})};
    const Stream stream;
    for (int i = 0; i < 500; ++i) {
        launch_overlapped(Reads::memory, add_one_in_order, 1, 1, stream, value.data());
        launch(add_one_without_waiting, 1, 1, stream, value.data());
    }
    EXPECT_EQ(value.download(), std::vector<int>{1000});
}

TEST_F(CudaLaunch, OverlappedAfterACopy) {
    DeviceArray<int> value(1);
    const Stream stream;
    for (int i = 0; i < 50; ++i) {
        value.upload(std::vector<int>{i});
        launch_overlapped(Reads::memory, add_one_in_order, 1, 1, stream, value.data());
        EXPECT_EQ(value.download(), std::vector<int>{i + 1});
    }
}

TEST_F(CudaLaunch, EveryBlockSeesThePreviousLaunch) {
    constexpr unsigned turns = test::emulated ? 101 : 1001;
    const Ring ring;
    const Stream stream;
    for (unsigned i = 0; i < turns; ++i)
        launch_overlapped(Reads::memory, turn, ring_blocks, ring_threads, stream,
                          (i % 2 == 0 ? ring.b : ring.a).data(),
                          static_cast<const int*>((i % 2 == 0 ? ring.a : ring.b).data()));
    ring.expect_turned(turns);
}

TEST_F(CudaLaunch, EveryBlockSeesThePreviousLaunchInAGraph) {
    constexpr unsigned turns = 90;
    const Ring ring;
    const Stream stream;
    const Graph graph(stream, [&] {
        for (unsigned i = 0; i < turns; ++i)
            launch_overlapped(Reads::memory, turn, ring_blocks, ring_threads, stream,
                              (i % 2 == 0 ? ring.b : ring.a).data(),
                              static_cast<const int*>((i % 2 == 0 ? ring.a : ring.b).data()));
    });
    constexpr unsigned launches = test::emulated ? 1 : 5;
    for (unsigned i = 0; i < launches; ++i) graph.launch(stream);
    ring.expect_turned(launches * turns);
}

}  // namespace
}  // namespace cudabook
