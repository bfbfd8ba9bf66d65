// The sample access_patterns on the GPU: the sum is the same for every order, path and size of the elements.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "access_patterns/access_patterns.hpp"
#include "access_patterns/pattern.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook::access_patterns {
namespace {

class AccessPatterns : public test::Gpu {
  protected:
    /// Reads an array of `bytes` bytes with every kernel, as elements of each size and in each order.
    static void expect_sums(std::size_t bytes, Place place) {
        const std::vector<std::uint32_t> words = random_words(bytes / sizeof(std::uint32_t));
        const std::uint32_t expected = expected_sum(words);
        const auto data = gpu().make(device(), words, place);
        for (const Kernel& kernel : gpu().kernels)
            for (const std::size_t element : element_sizes) {
                if (!kernel.performs(element, place)) continue;
                for (const NamedPattern& pattern : patterns())
                    EXPECT_EQ(data->sum(kernel, element, pattern.make(shape_of(bytes, element), 30)),
                              expected)
                        << kernel.name << ", " << pattern.name << ", " << element << " bytes of " << bytes;
            }
    }

    static const Kernel& kernel(const std::string& name) {
        static const std::vector<Kernel> kernels = gpu().kernels;
        return *std::ranges::find(kernels, name, &Kernel::name);
    }
};

class AccessPatternsSmall : public AccessPatterns {};

TEST_F(AccessPatternsSmall, EveryKernelGivesTheSum) { expect_sums(least_bytes, Place::device); }

TEST_F(AccessPatternsSmall, MappedMemory) { expect_sums(least_bytes, Place::mapped); }

TEST_F(AccessPatterns, LargerArrays) {
    expect_sums(2 * least_bytes, Place::device);
    expect_sums((test::emulated ? 8 : 1024) * least_bytes, Place::device);
}

/// One word differs, at the beginning, in the middle or at the end. The sum shows whether it was read.
TEST_F(AccessPatterns, EveryPartIsRead) {
    const std::vector<std::uint32_t> words(least_bytes / sizeof(std::uint32_t), 0x01010101U);
    for (const std::size_t changed : {std::size_t{0}, words.size() / 2 + 1, words.size() - 1}) {
        std::vector<std::uint32_t> other = words;
        other[changed] = 0x01020408U;
        const auto data = gpu().make(device(), other, Place::device);
        for (const Kernel& kernel : gpu().kernels)
            for (const std::size_t element : element_sizes)
                if (kernel.performs(element, Place::device)) {
                    EXPECT_EQ(
                        data->sum(kernel, element, patterns().back().make(shape_of(least_bytes, element), 0)),
                        least_bytes + 11)
                        << kernel.name << ' ' << element;
                }
    }
}

TEST_F(AccessPatterns, OneSizeOfElementsAfterAnother) {
    const std::vector<std::uint32_t> words = random_words(least_bytes / sizeof(std::uint32_t));
    const std::uint32_t expected = expected_sum(words);
    const auto data = gpu().make(device(), words, Place::device);
    for (const char* name : {"array", "surface", "array", "linear", "wide", "global"})
        for (const std::size_t element : {1U, 8U, 1U})
            EXPECT_EQ(data->sum(kernel(name), element, patterns()[1].make(shape_of(least_bytes, element), 0)),
                      expected)
                << name << ' ' << element;
}

TEST_F(AccessPatterns, TimesAreMeasured) {
    const std::vector<std::uint32_t> words = random_words(least_bytes / sizeof(std::uint32_t));
    const auto data = gpu().make(device(), words, Place::device);
    EXPECT_GT(data->read_gb_per_s(TimeBudget(50)), 0);
    for (const Kernel& kernel : gpu().kernels) {
        const Timing timing =
            data->measure(kernel, 4, patterns().front().make(shape_of(least_bytes, 4), 0), TimeBudget(50));
        EXPECT_GT(timing.time.median, 0) << kernel.name;
        ASSERT_TRUE(timing.occupancy.has_value()) << kernel.name;
        EXPECT_GT(timing.occupancy->percent, 0) << kernel.name;
        EXPECT_GT(gpu().unit_rate(device(), kernel, 4, TimeBudget(50)), 0) << kernel.name;
    }
    for (const NamedPattern& pattern : patterns())
        EXPECT_GT(gpu().walk_rate(device(), pattern, 30, TimeBudget(50)), 0) << pattern.name;
    EXPECT_GT(gpu().cache_bytes(device()), least_bytes);
}

TEST_F(AccessPatterns, WhoReadsWhat) {
    for (const Kernel& kernel : gpu().kernels) {
        EXPECT_EQ(kernel.performs(16, Place::device), kernel.name != "wide") << kernel.name;
        EXPECT_TRUE(kernel.performs(1, Place::device)) << kernel.name;
        EXPECT_EQ(kernel.performs(4, Place::mapped), kernel.name != "array" && kernel.name != "surface")
            << kernel.name;
    }
}

}  // namespace
}  // namespace cudabook::access_patterns
