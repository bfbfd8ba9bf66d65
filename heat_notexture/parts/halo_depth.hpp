// What exchanges of halos cost a part of a grid, and so how deep its halos should be.
#pragma once

#include <algorithm>

#include "heat_notexture/kernel.hpp"
#include "heat_notexture/rounds.hpp"

namespace cudabook::heat {

/// What an exchange costs beside the steps, in µs. Measured on two H100s.
inline constexpr double exchange_us = 25;

/// What a launch costs a part beside its own time, in µs, if its blocks leave no room for the blocks of
/// another: the exchange with other GPUs waits for it. Measured on eight H200s.
inline constexpr double full_gpu_us = 20;

/// The most steps between two exchanges of a part's halos, which one launch does, if `steps` steps are to be
/// done in all.
inline int halo_depth(const Kernel& kernel, int width, int height, int steps, int multiprocessors) {
    if (kernel.time_of_launches == nullptr) return kernel.most_steps;
    return quickest(std::min(steps, kernel.most_steps), [&](int depth) {
        return rounds_of(steps, depth) * exchange_us +
               kernel.time_of_launches(width, height, steps, depth, multiprocessors);
    });
}

}  // namespace cudabook::heat
