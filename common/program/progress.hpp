// A progress bar for work that takes over a second; on a terminal only, so that pipes and logs stay clean.
#pragma once

#include <functional>
#include <string>

#include "common/program/measurement.hpp"

namespace cudabook {

/// Draws `what  [#####.....]  50 %` on stderr and erases it at the end.
class Progress {
  public:
    Progress(const std::string& what, bool wanted, Clock clock = steady_ms);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    /// Updates the bar: `share` of the work is done, 0 to 1.
    void at(double share);

    /// Returns a function that updates the bar during one part of the work, `begin` to `end` of the whole.
    /// Its argument is the share of this part that is done, 0 to 1.
    [[nodiscard]] std::function<void(double)> part(double begin, double end);

  private:
    std::string what_;
    bool wanted_;
    bool drawn_ = false;
    Clock clock_;
    double next_ms_;  ///< the time before which nothing is drawn
};

}  // namespace cudabook
