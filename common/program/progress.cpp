#include "common/program/progress.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "common/program/language.hpp"

namespace cudabook {

Progress::Progress(const std::string& what, bool wanted, Clock clock)
    : what_(in_language_of_user(what)),
      wanted_(wanted && isatty(STDERR_FILENO) != 0),
      clock_(std::move(clock)),
      next_ms_(clock_() + 1000) {}

Progress::~Progress() {
    if (drawn_) fmt::print(stderr, "\r\033[K");
}

void Progress::at(double share) {
    const double now = clock_();
    if (!wanted_ || now < next_ms_) return;
    constexpr int width = 30;
    const auto done = static_cast<std::size_t>(share * width);
    fmt::print(stderr, "\r{}  [{:.<{}}]  {:3.0f} %", what_, std::string(done, '#'), width, 100 * share);
    std::fflush(stderr);
    next_ms_ = now + 100;
    drawn_ = true;
}

std::function<void(double)> Progress::part(double begin, double end) {
    return [this, begin, end](double share) { at(begin + share * (end - begin)); };
}

}  // namespace cudabook
