// Divides steps into rounds of about the same length: launches, or the steps between two halo exchanges.
#pragma once

#include <algorithm>
#include <limits>

namespace cudabook::heat {

/// Returns the least number of rounds of at most `most` steps that make up `steps`.
constexpr int rounds_of(int steps, int most) { return steps / most + (steps % most != 0 ? 1 : 0); }

/// Divides `steps` into the least number of rounds of at most `most` steps, and calls visit(steps) for each
/// round.
template <class Visit>
void for_each_round(int steps, int most, Visit visit) {
    for (int rounds = rounds_of(steps, most); rounds > 0; --rounds) {
        const int now = rounds_of(steps, rounds);
        visit(now);
        steps -= now;
    }
}

/// Divides `steps` into the least number of launches of at most `most` steps, of about the same length. For
/// each launch, calls visit(number of its steps, whether it is the last launch). If `most` is a multiple of
/// `together`, and the launches have at least `together` steps, all launches but the last do a multiple of
/// `together` steps.
template <class Visit>
void for_each_launch(int steps, int most, int together, Visit visit) {
    const int launches = rounds_of(steps, most);
    if (most % together != 0 || steps / launches < together) together = 1;
    int done = 0;
    for (int i = 1; i <= launches; ++i) {
        const int end = i == launches ? steps : (steps * i / launches + together - 1) / together * together;
        visit(end - done, i == launches);
        done = end;
    }
}

/// The properties of a GPU that decide, together with the grid, how long a launch takes.
struct GpuTraits {
    int multiprocessors;
    bool is_hopper;  ///< compute capability 9.0
};

class SourceTiles;

/// A model of the time in µs that `steps` steps of a grid take, in launches of at most `most` steps each.
/// sources: null if the grid has no sources or they are not known.
using TimeOfLaunches = double (*)(int width, int height, int steps, int most, const GpuTraits& gpu,
                                  SourceTiles* sources);

/// Returns the number i from 1 to `most` for which time_of(i) is least.
template <class TimeOf>
constexpr int quickest(int most, TimeOf time_of) {
    int best = 1;
    double least = std::numeric_limits<double>::max();
    for (int i = 1; i <= most; ++i)
        if (const double time = time_of(i); time < least) {
            least = time;
            best = i;
        }
    return best;
}

/// Returns how many steps each launch should do, at most `most`, if `steps` steps are to be done in all. A
/// null time_of means that a launch of more steps is always quicker.
constexpr int steps_at_once(TimeOfLaunches time_of, int most, int width, int height, int steps,
                            const GpuTraits& gpu, SourceTiles* sources = nullptr) {
    if (time_of == nullptr) return most;
    return quickest(std::min(steps, most),
                    [&](int at_once) { return time_of(width, height, steps, at_once, gpu, sources); });
}

}  // namespace cudabook::heat
