// A progress bar for work that takes over a second: on a terminal only, so that pipes and logs stay clean.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace cudabook {

/// Draws `what  [#####.....]  50 %` on stderr and wipes it at the end.
class Progress {
  public:
    Progress(std::string what, bool wanted)
        : what_(std::move(what)), wanted_(wanted && isatty(STDERR_FILENO) != 0) {}
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress() {
        if (drawn_) fmt::print(stderr, "\r\033[K");
    }

    /// `share` of the work is done, 0 to 1.
    void at(double share) {
        const auto now = Clock::now();
        if (!wanted_ || now - started_ < std::chrono::seconds(1) ||
            now - last_ < std::chrono::milliseconds(100))
            return;
        constexpr int width = 30;
        const auto done = static_cast<std::size_t>(share * width);
        fmt::print(stderr, "\r{}  [{:.<{}}]  {:3.0f} %", what_, std::string(done, '#'), width, 100 * share);
        std::fflush(stderr);
        last_ = now;
        drawn_ = true;
    }

    /// For a part of the work, which takes the bar from one share to another: what tells how much of it is
    /// done.
    [[nodiscard]] std::function<void(double)> part(double begin, double end) {
        return [this, begin, end](double share) { at(begin + share * (end - begin)); };
    }

  private:
    using Clock = std::chrono::steady_clock;
    std::string what_;
    bool wanted_;
    bool drawn_ = false;
    Clock::time_point started_ = Clock::now();
    Clock::time_point last_{};
};

}  // namespace cudabook
