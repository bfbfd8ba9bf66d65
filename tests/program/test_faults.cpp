// Every program detects a wrong bit in the result of a CPU kernel or a reference.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/faults.hpp"

namespace cudabook {
namespace {

class CliFault : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Programs, CliFault,
                         testing::Values("heat", "heat_notexture", "tex1dfetch_big", "tex1dfetch_int2float",
                                         "texture_unit", "access_patterns", "occupancy"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(CliFault, IsFoundInEveryKernelOfTheCpu) {
    const std::string program = GetParam();
    const auto kernels = test::listed_kernels(program, "cpu");
    EXPECT_FALSE(kernels.empty());
    for (const std::string& kernel : kernels)
        test::expect_fault_is_found(program, test::short_run(program, "cpu", false), kernel);
}

TEST_P(CliFault, IsFoundByTheBenchmark) {
    const std::string program = GetParam();
    if (program == "tex1dfetch_int2float" || program == "texture_unit") {
        EXPECT_EQ(test::run(program, test::short_run(program, "cpu", true)).status, 3)
            << "it has no CPU benchmark";
        return;
    }
    for (const std::string& kernel : test::listed_kernels(program, "cpu"))
        test::expect_fault_is_found(program, test::short_run(program, "cpu", true), kernel);
}

/// A kernel and its reference share no code, so a fault in the reference makes them differ too.
TEST(CliFaultOfReference, IsFound) {
    for (const std::string program : {"heat", "heat_notexture"}) {
        const auto words = test::short_run(program, "cpu", false);
        test::expect_verified(program, words, "reference", "blocked");
        test::expect_verified(program, words, "blocked", "reference");
    }
    for (const bool benchmark : {false, true})
        test::expect_verified("tex1dfetch_big", test::short_run("tex1dfetch_big", "cpu", benchmark), "stream",
                              "reference");
    test::expect_verified("tex1dfetch_int2float", test::short_run("tex1dfetch_int2float", "cpu", false),
                          "formula", "integers");
    test::expect_verified("access_patterns", test::short_run("access_patterns", "cpu", false), "loop",
                          "reference");
}

TEST(CliFaultOfReference, IsFoundInThePeer) {
    const test::Ending ending = test::run("tex1dfetch_big", {"1", "--device", "cpu", "--benchmark"},
                                          {.unset = {}, .set = {"CUDABOOK_TEST_FAULT=serial"}});
    EXPECT_EQ(ending.status, 1) << ending.err;
    EXPECT_NE(ending.out.find(" NO "), std::string::npos) << ending.out;
}

}  // namespace
}  // namespace cudabook
