// Which GPUs get a context of the driver. An emulated GPU has no context.
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "common/cuda/device.cuh"
#include "common/program/shared_library.hpp"
#include "heat_notexture/heat_notexture.hpp"
#include "heat_notexture/scene.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

/// For each device, whether this process has a context on it, according to the driver.
std::vector<bool> with_context() {
    const SharedLibrary driver{"libcuda.so.1"};
    auto* const state_of = driver.function<int(int, unsigned*, int*)>("cuDevicePrimaryCtxGetState");
    int count = 0;
    CUDA_CHECK(cudaGetDeviceCount(&count));
    std::vector<bool> active;
    for (int device = 0; device < count; ++device) {
        unsigned flags = 0;
        int is_active = 0;
        EXPECT_EQ(state_of(device, &flags, &is_active), 0);
        active.push_back(is_active != 0);
    }
    return active;
}

/// Not a test::Gpu, which uses the first device before the test begins.
TEST(CudaDevicesOfSeveral, OnlyTheChosenOneIsTouched) {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) static_cast<void>(cudaGetLastError());
    if (count < 2) GTEST_SKIP() << "needs two GPUs, and there are " << count;
    const auto before = with_context();
    if (before.front()) GTEST_SKIP() << "another test has used cuda:0 already; run this one by itself";
    auto after = before;
    after.back() = true;

    const CudaDevices devices = cuda_devices();
    EXPECT_EQ(with_context(), before) << "listing devices creates no context";
    const Device& last = devices.all.back();
    EXPECT_EQ(choose_device(parse_device(fmt::format("cuda:{}", last.index)), cuda_devices).device.index,
              last.index);
    EXPECT_EQ(with_context(), after);
    int current = -1;
    CUDA_CHECK(cudaGetDevice(&current));
    EXPECT_EQ(current, last.index);

    // Runs each kernel on the last device; a thread that has used no device yet destroys the solver.
    for (const heat::Kernel& kernel : heat_notexture::gpu().kernels) {
        auto solver = kernel.make(heat::book_scene(100, 100), {0.25F, last.index});
        std::vector<unsigned char> pixels(100 * 100 * 4);
        solver->frame(3, {pixels.data()});
        EXPECT_TRUE(solver->occupancy().has_value()) << kernel.name;
        std::thread([&] { solver.reset(); }).join();
    }
    device_copy_gb_per_s(last.index);
    EXPECT_EQ(with_context(), after);
}

}  // namespace
}  // namespace cudabook
