// common/program/simd.hpp: the level agrees with Linux's list of processor features, and a function for a
// level uses its instructions.
#include "common/program/simd.hpp"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#ifdef __x86_64__
#include <immintrin.h>
#endif

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

TEST(Simd, LevelAgreesWithTheProcessor) {
    const std::set<std::string> there = features();
    if (there.empty()) GTEST_SKIP() << "no list of the processor's features";
    const auto all = [&there](const std::set<std::string>& wanted) {
        for (const std::string& feature : wanted)
            if (there.count(feature) == 0) return false;
        return true;
    };
    const bool avx2 = all({"avx2", "fma"});
    const bool avx512 = avx2 && all({"avx512f", "avx512vl", "avx512bw", "avx512dq"});
    EXPECT_EQ(simd_level() >= SimdLevel::avx2, avx2);
    EXPECT_EQ(simd_level() >= SimdLevel::avx512, avx512);
}

TEST(Simd, LevelsAreInOrder) {
    EXPECT_LT(SimdLevel::portable, SimdLevel::avx2);
    EXPECT_LT(SimdLevel::avx2, SimdLevel::avx512);
}

#ifdef __x86_64__

// These do not compile without the attribute.

CUDABOOK_AVX2 void add_8(std::array<float, 8>& c, float a, float b) {
    _mm256_storeu_ps(c.data(),
                     _mm256_fmadd_ps(_mm256_set1_ps(a), _mm256_set1_ps(b), _mm256_loadu_ps(c.data())));
}

CUDABOOK_AVX512 void add_16(std::array<float, 16>& c, float a, float b) {
    _mm512_storeu_ps(c.data(),
                     _mm512_fmadd_ps(_mm512_set1_ps(a), _mm512_set1_ps(b), _mm512_loadu_ps(c.data())));
}

template <class Numbers>
void expect_counting(void (*add)(Numbers&, float, float)) {
    Numbers numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
    add(numbers, 3, 0.5F);
    for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], static_cast<float>(i) + 1.5F);
}

TEST(Simd, FunctionForAvx2) {
    if (simd_level() < SimdLevel::avx2) GTEST_SKIP() << "no AVX2";
    expect_counting(add_8);
}

TEST(Simd, FunctionForAvx512) {
    if (simd_level() < SimdLevel::avx512) GTEST_SKIP() << "no AVX-512";
    expect_counting(add_16);
}

#endif

}  // namespace
}  // namespace cudabook
