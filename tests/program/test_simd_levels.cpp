// common/program/simd_levels.hpp: the levels agree with Linux's list of processor features.
#include "common/program/simd_levels.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace cudabook {
namespace {

/// Linux's list of the first processor's features; empty if there is none.
std::set<std::string> features() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.find("flags") != 0) continue;
        std::istringstream words(line.substr(line.find(':') + 1));
        std::set<std::string> features;
        for (std::string word; words >> word;) features.insert(word);
        return features;
    }
    return {};
}

TEST(SimdLevels, AgreeWithTheProcessor) {
    const std::set<std::string> there = features();
    if (!HWY_ARCH_X86 || there.empty()) GTEST_SKIP() << "no list of the features of an x86-64 processor";
    const auto all = [&there](const std::set<std::string>& wanted) {
        for (const std::string& feature : wanted)
            if (!there.contains(feature)) return false;
        return true;
    };
    const bool avx2 = all({"avx2", "fma", "f16c", "bmi1", "bmi2", "abm", "aes", "pclmulqdq"});
    const bool avx512 = avx2 && all({"avx512f", "avx512vl", "avx512bw", "avx512dq", "avx512cd"});
    std::vector<std::string> expected;
    if (avx512) expected.emplace_back("avx512");
    if (avx2) expected.emplace_back("avx2");
    expected.emplace_back("always");
    const std::string wide = "avx512";
    const std::string narrow = "avx2";
    EXPECT_EQ(loops_of_this_processor(&wide, &narrow, std::string("always")), expected);
}

TEST(SimdLevels, ThatWereNotCompiledAreLeftOut) {
    EXPECT_EQ(loops_of_this_processor(nullptr, nullptr, 1), std::vector{1});
    const int always = 1;
    EXPECT_EQ(loops_of_this_processor(&always, nullptr, always), std::vector{1});
    EXPECT_EQ(loops_of_this_processor(nullptr, &always, always), std::vector{1});
}

TEST(SimdLevels, HaveNames) {
    EXPECT_STREQ(simd_name(HWY_AVX3), "avx512");
    EXPECT_STREQ(simd_name(HWY_AVX2), "avx2");
    EXPECT_STREQ(simd_name(HWY_NEON), "neon");
    EXPECT_STREQ(simd_name(HWY_SCALAR), "portable");
    EXPECT_STREQ(simd_name(HWY_EMU128), "portable");
    EXPECT_STREQ(simd_name(HWY_WASM), "portable");
}

}  // namespace
}  // namespace cudabook
