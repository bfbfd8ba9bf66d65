// common/program/common_options.hpp: notes for the user.
#include "common/program/common_options.hpp"

#include <gtest/gtest.h>

namespace cudabook {
namespace {

TEST(Note, IsALineOnStderrUnlessQuiet) {
    CommonOptions options;
    testing::internal::CaptureStderr();
    note(options, "sample", "on the CPU");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "sample: on the CPU\n");
    options.quiet = true;
    testing::internal::CaptureStderr();
    note(options, "sample", "on the CPU");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace cudabook
