#include "common/program/progress.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

namespace cudabook {

Progress::Progress(std::string what, bool wanted)
    : what_(std::move(what)), wanted_(wanted && isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
    if (drawn_) fmt::print(stderr, "\r\033[K");
}

void Progress::at(double share) {
    const auto now = Clock::now();
    if (!wanted_ || now - started_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(100))
        return;
    constexpr int width = 30;
    const auto done = static_cast<std::size_t>(share * width);
    fmt::print(stderr, "\r{}  [{:.<{}}]  {:3.0f} %", what_, std::string(done, '#'), width, 100 * share);
    std::fflush(stderr);
    last_ = now;
    drawn_ = true;
}

std::function<void(double)> Progress::part(double begin, double end) {
    return [this, begin, end](double share) { at(begin + share * (end - begin)); };
}

}  // namespace cudabook
