// Steps in rounds of about the same length.
#pragma once

namespace cudabook::heat {

/// The fewest rounds of at most `most` steps that make up `steps`.
constexpr int rounds_of(int steps, int most) { return steps / most + (steps % most != 0 ? 1 : 0); }

/// Calls visit(steps) for each of the fewest rounds of at most `most` steps that make up `steps`.
template <class Visit>
void for_each_round(int steps, int most, Visit visit) {
    for (int rounds = rounds_of(steps, most); rounds > 0; --rounds) {
        const int now = rounds_of(steps, rounds);
        visit(now);
        steps -= now;
    }
}

}  // namespace cudabook::heat
