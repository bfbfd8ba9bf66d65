// common/program/memory.hpp: the available memory, and the check for enough of it.
#include "common/program/memory.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "tests/support/error_text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

using test::error_text;
using test::is_one_line;

TEST(AvailableMemory, IsPlausible) {
    // This test itself runs in more than a MiB, and no machine has an EiB.
    EXPECT_GT(available_memory(), std::size_t{1} << 20U);
#ifdef __linux__
    EXPECT_LT(available_memory(), std::size_t{1} << 60U);
#endif
}

/// Fake versions of the files in which Linux reports the available memory.
class MadeUpMemory : public testing::Test {
  protected:
    void write(const std::string& name, const std::string& content) const {
        const auto path = folder_ / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << content;
    }
    void write_meminfo() const {
        write("proc/meminfo",
              "MemTotal:       24117248 kB\nMemFree:         1000000 kB\nMemAvailable:   20000000 kB\n"
              "HugePages_Total:       0\nHugepagesize:       2048 kB\n");
    }
    [[nodiscard]] std::size_t available() const { return available_memory(folder_.path().string()); }

    const test::TemporaryFolder folder_;
};

constexpr std::size_t kib = 1024;

TEST_F(MadeUpMemory, NoAnswerIsTheLargestNumber) {
    EXPECT_EQ(available(), std::numeric_limits<std::size_t>::max());
}

TEST_F(MadeUpMemory, WithoutAContainer) {
    write_meminfo();
    EXPECT_EQ(available(), 20000000 * kib);
}

TEST_F(MadeUpMemory, ContainerWithoutALimit) {
    write_meminfo();
    write("sys/fs/cgroup/memory.max", "max\n");
    write("sys/fs/cgroup/memory.current", "12345\n");
    EXPECT_EQ(available(), 20000000 * kib);
}

TEST_F(MadeUpMemory, ContainerWithALimit) {
    write_meminfo();
    write("sys/fs/cgroup/memory.max", "1000000000\n");
    write("sys/fs/cgroup/memory.current", "300000000\n");
    EXPECT_EQ(available(), 700000000U);
}

TEST_F(MadeUpMemory, FileCacheCountsAsAvailable) {
    write_meminfo();
    write("sys/fs/cgroup/memory.max", "1000000000\n");
    write("sys/fs/cgroup/memory.current", "990000000\n");
    write("sys/fs/cgroup/memory.stat",
          "anon 100000000\nfile 880000000\nshmem 80000000\ninactive_anon 1\nactive_anon 2\n"
          "inactive_file 500000000\nactive_file 300000000\nunevictable 0\n");
    EXPECT_EQ(available(), 810000000U);
}

TEST_F(MadeUpMemory, ContainerBeyondItsLimit) {
    write_meminfo();
    write("sys/fs/cgroup/memory.max", "1000\n");
    write("sys/fs/cgroup/memory.current", "2000\n");
    write("sys/fs/cgroup/memory.stat", "inactive_file 500\n");
    EXPECT_EQ(available(), 0U);
}

TEST_F(MadeUpMemory, FileCacheGrowsBetweenTheReads) {
    write("sys/fs/cgroup/memory.max", "1000\n");
    write("sys/fs/cgroup/memory.current", "100\n");
    write("sys/fs/cgroup/memory.stat", "inactive_file 500\n");
    EXPECT_EQ(available(), 1000U);
}

TEST_F(MadeUpMemory, LimitAboveWhatTheMachineHas) {
    write_meminfo();
    write("sys/fs/cgroup/memory.max", "99000000000\n");
    write("sys/fs/cgroup/memory.current", "5\n");
    EXPECT_EQ(available(), 20000000 * kib);
}

TEST(RequireMemory, NothingIsAlwaysThere) {
    EXPECT_EQ(error_text<MachineError>([] { require_memory(0, "nothing"); }), "no error");
}

TEST(RequireMemory, AMegabyteIsThere) {
    EXPECT_EQ(error_text<MachineError>([] { require_memory(1U << 20U, "a little"); }), "no error");
}

#ifdef __linux__

TEST(RequireMemory, MoreThanThereIs) {
    // An EiB is 2^30 GiB.
    const std::string error =
        error_text<MachineError>([] { require_memory(std::size_t{1} << 60U, "a grid of 5x5 cells"); });
    EXPECT_EQ(error.find("a grid of 5x5 cells needs 1073741824.0 GiB of memory, and "), 0U) << error;
    EXPECT_NE(error.find(" GiB are available; choose a smaller one"), std::string::npos) << error;
    EXPECT_TRUE(is_one_line(error)) << error;
}

TEST(RequireMemory, TheLargestNumber) {
    const auto require = [] { require_memory(std::numeric_limits<std::size_t>::max(), "all"); };
    EXPECT_EQ(error_text<MachineError>(require).find("all needs 17179869184.0 GiB"), 0U);
}

TEST(RequireMemory, DoublingWhatThereIsIsTooMuch) {
    // Half and double, because other programs allocate and free memory in the meantime.
    const std::size_t available = available_memory();
    EXPECT_EQ(error_text<MachineError>([&] { require_memory(available / 2, "half"); }), "no error");
    EXPECT_NE(error_text<MachineError>([&] { require_memory(available * 2, "double"); }), "no error");
}

#endif

}  // namespace
}  // namespace cudabook
