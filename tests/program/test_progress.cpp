// common/program/progress.hpp: a bar on a terminal, after a second, erased at the end; nothing anywhere else.
#include "common/program/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "tests/support/redirected.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

/// A pseudo-terminal.
class Terminal {
  public:
    Terminal() : screen_(posix_openpt(O_RDWR | O_NOCTTY)) {
        if (screen_ < 0 || grantpt(screen_) != 0 || unlockpt(screen_) != 0)
            throw std::runtime_error("cannot make a terminal");
    }
    ~Terminal() { close(screen_); }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    [[nodiscard]] int program_side() const { return open(ptsname(screen_), O_RDWR | O_NOCTTY); }

    /// Reads what was written to the terminal so far.
    [[nodiscard]] std::string read_all() const {
        std::string text;
        std::array<char, 4096> part{};
        for (pollfd waiting{screen_, POLLIN, 0};
             poll(&waiting, 1, 50) == 1 && (waiting.revents & POLLIN) != 0;) {
            const ssize_t size = read(screen_, part.data(), part.size());
            if (size <= 0) break;
            text.append(part.data(), static_cast<std::size_t>(size));
        }
        return text;
    }

  private:
    int screen_;
};

/// Containers without /dev/pts have no terminals.
class ProgressBar : public testing::Test {
  protected:
    void SetUp() override {
        try {
            const Terminal terminal;
        } catch (const std::runtime_error& error) {
            GTEST_SKIP() << error.what();
        }
    }

    /// The bar of some work, with now_ as its clock.
    Progress progress(const std::string& what, bool wanted = true) {
        return {what, wanted, [this] { return now_; }};
    }

    double now_ = 5000;  ///< ms
};

TEST_F(ProgressBar, OnATerminalAfterASecond) {
    const Terminal terminal;
    const test::Redirected redirected(stderr, terminal.program_side());
    {
        Progress progress = this->progress("checking");
        now_ += 999;
        progress.at(0.1);
        EXPECT_EQ(terminal.read_all(), "") << "before a second has passed";
        now_ += 1;
        progress.at(0.5);
        now_ += 99;
        progress.at(0.51);  // too soon after the last
        EXPECT_EQ(terminal.read_all(), "\rchecking  [###############...............]   50 %");
        now_ += 1;
        progress.at(1);
        EXPECT_EQ(terminal.read_all(), "\rchecking  [##############################]  100 %");
        now_ += 100;
        progress.at(0);
        EXPECT_EQ(terminal.read_all(), "\rchecking  [..............................]    0 %");
    }
    EXPECT_EQ(terminal.read_all(), "\r\033[K");
}

TEST_F(ProgressBar, PartOfTheWork) {
    const Terminal terminal;
    const test::Redirected redirected(stderr, terminal.program_side());
    Progress progress = this->progress("measuring");
    const auto second_half = progress.part(0.5, 1);
    now_ += 1000;
    second_half(0.2);
    EXPECT_EQ(terminal.read_all(), "\rmeasuring  [##################............]   60 %");
}

TEST_F(ProgressBar, NotWanted) {
    const Terminal terminal;
    const test::Redirected redirected(stderr, terminal.program_side());
    {
        Progress progress = this->progress("checking", false);
        now_ += 1000;
        progress.at(0.5);
    }
    EXPECT_EQ(terminal.read_all(), "");
}

TEST_F(ProgressBar, QuickWork) {
    const Terminal terminal;
    const test::Redirected redirected(stderr, terminal.program_side());
    {
        Progress progress = this->progress("checking");
        progress.at(0.5);
        now_ += 999;
        progress.at(1);
    }
    EXPECT_EQ(terminal.read_all(), "");
}

TEST(Progress, NoTerminal) {
    const test::TemporaryFolder folder;
    const auto log = folder.file("log", "");
    {
        const test::Redirected redirected(stderr, open(log.c_str(), O_WRONLY));
        double now = 0;
        Progress progress("checking", true, [&now] { return now; });
        now = 1000;
        progress.at(0.5);
    }
    EXPECT_EQ(test::content_of(log), "");
}

}  // namespace
}  // namespace cudabook
