// A fixture for tests in front of a virtual display, in the process of the tests.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include "tests/support/x_server.hpp"

namespace cudabook::test {

/// One X server for all the tests of a suite. Where there is none, they are skipped; if the environment says
/// CUDABOOK_REQUIRE_DISPLAY=1, they fail.
class WithDisplay : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        try {
            server_ = std::make_unique<XServer>();
        } catch (const std::runtime_error& error) {
            no_server_ = error.what();
        }
    }

    static void TearDownTestSuite() { server_.reset(); }

    void SetUp() override {
        if (server_) return;
        const char* required = std::getenv("CUDABOOK_REQUIRE_DISPLAY");
        if (required && std::string(required) == "1") FAIL() << no_server_;
        GTEST_SKIP() << no_server_;
    }

    /// Whether the condition holds before long.
    template <class Condition>
    static bool soon(Condition condition) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!condition())
            if (std::chrono::steady_clock::now() > deadline) return false;
        return true;
    }

    /// What the one window on the screen shows.
    static Screenshot screenshot() { return server_->screenshot(server_->window()); }

    static std::string window_number() { return std::to_string(server_->window()); }

    static inline std::unique_ptr<XServer> server_;
    static inline std::string no_server_;
};

}  // namespace cudabook::test
