// The cost of halo exchanges for a part of a grid, and the best depth of its halos.
#pragma once

#include <algorithm>

#include "heat_notexture/kernel.hpp"
#include "heat_notexture/rounds.hpp"

namespace cudabook::heat {

/// The cost of an exchange in addition to the steps, in µs. Measured on two H100s.
inline constexpr double exchange_us = 25;

/// The cost of a launch for a part in addition to the launch's own time, in µs, if its blocks leave no room
/// for the blocks of another launch: the exchange with other GPUs then waits for it. Measured on eight H200s.
inline constexpr double full_gpu_us = 20;

/// Returns the best depth of a part's halos if `steps` steps are to be done in all: the most steps between
/// two exchanges, which one launch does.
inline int halo_depth(const Kernel& kernel, int width, int height, int steps, int multiprocessors) {
    if (kernel.time_of_launches == nullptr) return kernel.most_steps;
    return quickest(std::min(steps, kernel.most_steps), [&](int depth) {
        return rounds_of(steps, depth) * exchange_us +
               kernel.time_of_launches(width, height, steps, depth, multiprocessors);
    });
}

}  // namespace cudabook::heat
