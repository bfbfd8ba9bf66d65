// common/program/disk.hpp: the space that a file takes or may take. Access lists are tested in
// test_output_file.cpp.
#include "common/program/disk.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <limits>

#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

/// The size of a file that no disk can hold.
constexpr off_t too_large = std::numeric_limits<off_t>::max() / 2;

class Disk : public testing::Test {
  protected:
    Disk() : file(open((folder / "file").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {}
    ~Disk() override { close(file); }

    test::TemporaryFolder folder;
    const int file;
};

TEST_F(Disk, HasRoomForAFewBytes) {
    EXPECT_EQ(look_for_space(file, 0), 0);
    EXPECT_EQ(look_for_space(file, 1 << 16), 0);
    EXPECT_EQ(reserve_space(file, 1 << 16), 0);
    EXPECT_EQ(pwrite(file, "end", 3, (1 << 16) - 3), 3);
}

TEST_F(Disk, HasNoRoomForMoreThanItHolds) {
    EXPECT_EQ(look_for_space(file, too_large), ENOSPC);
    EXPECT_NE(reserve_space(file, too_large), 0);
}

TEST_F(Disk, MayHaveNoBlocks) {
    const int comm = open("/proc/self/comm", O_WRONLY | O_CLOEXEC);
    if (comm < 0) GTEST_SKIP() << "no /proc";
    EXPECT_EQ(reserve_space(comm, 5), 0);
    close(comm);
}

TEST_F(Disk, NeedsNothingForWhatTheFileHolds) {
    ASSERT_EQ(ftruncate(file, 1LL << 40), 0) << "a file with a hole";
    EXPECT_EQ(look_for_space(file, 1LL << 40), 0);
    EXPECT_EQ(look_for_space(-1, 1), EBADF);
}

}  // namespace
}  // namespace cudabook
