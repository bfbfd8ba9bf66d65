// Steps in rounds of about the same length.
#pragma once

namespace cudabook::heat {

/// Calls visit(steps) for each of the fewest rounds of at most `most` steps that make up `steps`.
template <class Visit>
void for_each_round(int steps, int most, Visit visit) {
    for (int rounds = steps / most + (steps % most != 0 ? 1 : 0); rounds > 0; --rounds) {
        const int now = (steps + rounds - 1) / rounds;
        visit(now);
        steps -= now;
    }
}

}  // namespace cudabook::heat
