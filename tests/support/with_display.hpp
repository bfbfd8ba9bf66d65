// A fixture for tests with a virtual display.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/support/x_server.hpp"

namespace cudabook::test {

/// A fixture with an X server, which all tests of the process share. If the X server cannot be started, the
/// tests are skipped or, with CUDABOOK_REQUIRE_DISPLAY=1 in the environment, fail.
class WithDisplay : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        static const std::unique_ptr<XServer> server = start();
        server_ = server.get();
    }

    void SetUp() override {
        if (server_) {
            server_->reset_inputs();
            return;
        }
        const char* required = std::getenv("CUDABOOK_REQUIRE_DISPLAY");
        if (required && std::string(required) == "1") FAIL() << no_server_;
        GTEST_SKIP() << no_server_;
    }

    /// Waits until the condition is true. Returns false after 2 minutes, which is enough for a busy machine.
    template <class Condition>
    static bool soon(Condition condition) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
        while (!condition()) {
            if (std::chrono::steady_clock::now() > deadline) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return true;
    }

    /// Returns the content of the only window on the screen.
    static Screenshot screenshot() { return server_->screenshot(server_->window()); }

    static std::string window_number() { return std::to_string(server_->window()); }

    static inline XServer* server_ = nullptr;
    static inline std::string no_server_;

  private:
    static std::unique_ptr<XServer> start() {
        try {
            return std::make_unique<XServer>();
        } catch (const std::runtime_error& error) {
            no_server_ = error.what();
            return nullptr;
        }
    }
};

}  // namespace cudabook::test
