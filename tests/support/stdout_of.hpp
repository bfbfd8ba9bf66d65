// The output of a function.
#pragma once

#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace cudabook::test {

/// Returns the text that `work` prints on stdout.
inline std::string stdout_of(const std::function<void()>& work) {
    testing::internal::CaptureStdout();
    work();
    return testing::internal::GetCapturedStdout();
}

}  // namespace cudabook::test
