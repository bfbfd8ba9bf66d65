// heat_notexture/ceiling.hpp: which ceiling a kernel has, and that each is measured once.
#include "heat_notexture/ceiling.hpp"

#include <gtest/gtest.h>

namespace cudabook::heat {
namespace {

int copies_measured = 0;
int arithmetic_measured = 0;

GpuBackend gpu() {
    GpuBackend backend;
    backend.copy_gb_per_s = [](int device) { return ++copies_measured, 4000.0 + device; };
    backend.step_arithmetic_gcells_per_s = [](int device) { return ++arithmetic_measured, 6000.0 + device; };
    return backend;
}

Kernel kernel(DeviceKind device, int most_steps) {
    Kernel kernel;
    kernel.device = device;
    kernel.most_steps = most_steps;
    return kernel;
}

TEST(Ceilings, OneStepALaunchIsLimitedByACopy) {
    const GpuBackend backend = gpu();
    Ceilings ceilings(backend);
    const Ceiling ceiling = ceilings.measured(kernel(DeviceKind::cuda, 1), 8);
    EXPECT_EQ(ceiling.name, "copy");
    EXPECT_EQ(ceiling.gcells_per_s, 4008.0 / 8) << "a cell is read and written, four bytes each";
}

TEST(Ceilings, ManyStepsALaunchAreLimitedByArithmetic) {
    const GpuBackend backend = gpu();
    Ceilings ceilings(backend);
    const Ceiling ceiling = ceilings.measured(kernel(DeviceKind::cuda, 16), 2);
    EXPECT_EQ(ceiling.name, "arithmetic");
    EXPECT_EQ(ceiling.gcells_per_s, 6002.0);
}

TEST(Ceilings, EachIsMeasuredOnce) {
    const GpuBackend backend = gpu();
    Ceilings ceilings(backend);
    copies_measured = arithmetic_measured = 0;
    for (int i = 0; i < 3; ++i)
        for (const int most_steps : {1, 16})
            static_cast<void>(ceilings.measured(kernel(DeviceKind::cuda, most_steps), 0));
    EXPECT_EQ(copies_measured, 1);
    EXPECT_EQ(arithmetic_measured, 1);
}

TEST(Ceilings, TheCpusIsItsOwnCopy) {
    const GpuBackend backend = gpu();
    Ceilings ceilings(backend);
    const Ceiling ceiling = ceilings.measured(kernel(DeviceKind::cpu, 16), 0);
    EXPECT_EQ(ceiling.name, "copy");
    EXPECT_GT(ceiling.gcells_per_s, 0);
    EXPECT_EQ(ceilings.copy_gb_per_s(DeviceKind::cpu, 0), 8 * ceiling.gcells_per_s);
}

}  // namespace
}  // namespace cudabook::heat
