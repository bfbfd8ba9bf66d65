// Every program detects a wrong bit in the result of a GPU kernel or of its reference.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/support/faults.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

class GpuFault : public test::Gpu, public testing::WithParamInterface<const char*> {
  protected:
    static void expect_faults_are_found(bool benchmark) {
        const std::string program = GetParam();
        auto kernels = test::listed_kernels(program, "cuda");
        ASSERT_FALSE(kernels.empty());
        // One kernel is enough in an emulated benchmark, where each run first measures the ceilings, and for
        // texture_unit and occupancy, which compare all kernels in the same way: the samples' own tests on
        // the GPU test the other kernels, without a process for each.
        if ((benchmark && test::emulated) || program == "texture_unit" || program == "occupancy")
            kernels.resize(1);
        const test::Words words = test::short_run(program, test::gpu_option(), benchmark);
        test::expect_verified(program, words, kernels.size() == 1 ? kernels.front() : "all", "");
        for (const std::string& kernel : kernels) test::expect_verified(program, words, kernel, kernel);
    }
};

INSTANTIATE_TEST_SUITE_P(Programs, GpuFault,
                         testing::Values("heat", "heat_notexture", "tex1dfetch_big", "tex1dfetch_int2float",
                                         "texture_unit", "access_patterns", "occupancy"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(GpuFault, IsFoundInEveryKernel) { expect_faults_are_found(false); }

TEST_P(GpuFault, IsFoundByTheBenchmark) { expect_faults_are_found(true); }

class GpuFaultOfReference : public test::Gpu {};

TEST_F(GpuFaultOfReference, IsFound) {
    const std::pair<const char*, const char*> references[] = {{"heat", "blocked"},
                                                              {"heat_notexture", "blocked"},
                                                              {"tex1dfetch_big", "reference"},
                                                              {"tex1dfetch_int2float", "formula"},
                                                              {"access_patterns", "reference"}};
    for (const auto& [program, reference] : references)
        for (const std::string& kernel : test::listed_kernels(program, "cuda"))
            test::expect_verified(program, test::short_run(program, test::gpu_option(), false), kernel,
                                  reference);
}

TEST_F(GpuFaultOfReference, IsFoundInThePeer) {
    const test::Ending ending =
        test::run("tex1dfetch_big", {"1", "--device", test::gpu_option(), "--benchmark"},
                  {.unset = {}, .set = {"CUDABOOK_TEST_FAULT=cub"}});
    EXPECT_EQ(ending.status, 1) << ending.err;
    EXPECT_NE(ending.out.find(" NO "), std::string::npos) << ending.out;
}

}  // namespace
}  // namespace cudabook
