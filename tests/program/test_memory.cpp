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
    /// Puts the process into `group` of version 2. Its mount shows the folders below `top`.
    void write_v2(const std::string& group, const std::string& top = "/") const {
        write("proc/self/cgroup", "0::" + group + "\n");
        write("proc/self/mountinfo",
              "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
              "26 22 0:24 " +
                  top + " /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
    }
    /// Writes the files of a group of version 2 in `folder`.
    void write_group(const std::string& folder, const std::string& limit, const std::string& used) const {
        write(folder + "/memory.max", limit + "\n");
        write(folder + "/memory.current", used + "\n");
    }
    [[nodiscard]] std::size_t available() const { return available_memory(folder_.path().string()); }

    const test::TemporaryFolder folder_;
};

constexpr std::size_t kib = 1024;
const std::string v2 = "sys/fs/cgroup";

TEST_F(MadeUpMemory, NoAnswerIsTheLargestNumber) {
    EXPECT_EQ(available(), std::numeric_limits<std::size_t>::max());
}

TEST_F(MadeUpMemory, WithoutGroups) {
    write_meminfo();
    EXPECT_EQ(available(), 20000000 * kib);
}

TEST_F(MadeUpMemory, ContainerWithoutALimit) {
    write_meminfo();
    write_v2("/");
    write_group(v2, "max", "12345");
    EXPECT_EQ(available(), 20000000 * kib);
}

TEST_F(MadeUpMemory, ContainerWithALimit) {
    write_meminfo();
    write_v2("/");
    write_group(v2, "1000000000", "300000000");
    EXPECT_EQ(available(), 700000000U);
}

TEST_F(MadeUpMemory, FileCacheCountsAsAvailable) {
    write_meminfo();
    write_v2("/");
    write_group(v2, "1000000000", "990000000");
    write(v2 + "/memory.stat",
          "anon 100000000\nfile 880000000\nshmem 80000000\ninactive_anon 1\nactive_anon 2\n"
          "inactive_file 500000000\nactive_file 300000000\nunevictable 0\n");
    EXPECT_EQ(available(), 810000000U);
}

TEST_F(MadeUpMemory, ContainerBeyondItsLimit) {
    write_meminfo();
    write_v2("/");
    write_group(v2, "1000", "2000");
    write(v2 + "/memory.stat", "inactive_file 500\n");
    EXPECT_EQ(available(), 0U);
}

TEST_F(MadeUpMemory, FileCacheGrowsBetweenTheReads) {
    write_v2("/");
    write_group(v2, "1000", "100");
    write(v2 + "/memory.stat", "inactive_file 500\n");
    EXPECT_EQ(available(), 1000U);
}

TEST_F(MadeUpMemory, LimitAboveWhatTheMachineHas) {
    write_meminfo();
    write_v2("/");
    write_group(v2, "99000000000", "5");
    EXPECT_EQ(available(), 20000000 * kib);
}

/// As with systemd: the limits of a service, of its slice, and of the slice above.
TEST_F(MadeUpMemory, TheLeastThatAnyGroupOfTheProcessLeaves) {
    write_meminfo();
    write_v2("/system.slice/a.slice/a.service");
    write_group(v2 + "/system.slice", "9000", "1000");
    write_group(v2 + "/system.slice/a.slice", "max", "1000");
    write_group(v2 + "/system.slice/a.slice/a.service", "5000", "100");
    write_group(v2 + "/system.slice/b.service", "2", "1");
    EXPECT_EQ(available(), 4900U) << "its own";
    write_group(v2 + "/system.slice", "9000", "8500");
    EXPECT_EQ(available(), 500U) << "all of the slice's processes together";
    write_group(v2 + "/system.slice/a.slice", "1500", "1100");
    EXPECT_EQ(available(), 400U) << "the one between";
    write_group(v2, "300", "200");
    EXPECT_EQ(available(), 100U) << "the topmost";
}

/// As in a container that shows the host's paths.
TEST_F(MadeUpMemory, GroupsFromTheMountedOneOn) {
    write_meminfo();
    write_v2("/docker/abc/own", "/docker/abc");
    write_group(v2, "9000", "1000");
    EXPECT_EQ(available(), 8000U);
    write_group(v2 + "/own", "5000", "1000");
    EXPECT_EQ(available(), 4000U);
}

TEST_F(MadeUpMemory, GroupsOfOtherProcessesDoNotCount) {
    write_meminfo();
    write_v2("/docker/abc", "/docker/other");
    write_group(v2, "9000", "1000");
    EXPECT_EQ(available(), 20000000 * kib);
    write_v2("/../abc");
    EXPECT_EQ(available(), 20000000 * kib);
}

/// As with Slurm and version 1: each controller has a hierarchy of its own.
TEST_F(MadeUpMemory, GroupsOfVersion1) {
    write_meminfo();
    write("proc/self/cgroup",
          "12:cpuset:/slurm/uid_1/job_2\n11:freezer,memory:/slurm/uid_1/job_2/step_0\n"
          "1:name=systemd:/a:b\n0::/system.slice\n");
    write("proc/self/mountinfo",
          "31 23 0:28 / /sys/fs/cgroup ro - tmpfs tmpfs ro,mode=755\n"
          "32 31 0:29 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
          "33 31 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,freezer,memory\n"
          "34 31 0:31 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
    const std::string memory = "sys/fs/cgroup/memory";
    const auto write_group_of_v1 = [&](const std::string& group, const char* limit, const char* used) {
        write(memory + group + "/memory.limit_in_bytes", limit);
        write(memory + group + "/memory.usage_in_bytes", used);
    };
    write_group_of_v1("", "9223372036854771712\n", "70000\n");
    EXPECT_EQ(available(), 20000000 * kib);
    write_group_of_v1("/slurm/uid_1/job_2", "64000\n", "60000\n");
    EXPECT_EQ(available(), 4000U);
    write(memory + "/slurm/uid_1/job_2/memory.stat",
          "cache 1\ninactive_file 1\nactive_file 1\ntotal_inactive_file 20000\ntotal_active_file 10000\n");
    EXPECT_EQ(available(), 34000U) << "with the file cache of the steps";
    write_group_of_v1("/slurm/uid_1/job_2/step_0", "9000\n", "2000\n");
    EXPECT_EQ(available(), 7000U);
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
