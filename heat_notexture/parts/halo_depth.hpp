// The cost of halo exchanges for a part of a grid, and the best depth of its halos.
#pragma once

#include <algorithm>

#include "heat_notexture/kernel.hpp"
#include "heat_notexture/rounds.hpp"

namespace cudabook::heat {

/// The extra cost of an exchange in µs, added to the time of the steps. Measured on two H100s.
inline constexpr double exchange_us = 25;

/// The extra cost in µs of a launch for a part if its blocks leave no room for the blocks of another launch.
/// The exchange with other GPUs then waits for the launch. Measured on eight H200s.
inline constexpr double full_gpu_us = 20;

/// Returns the best depth of a part's halos if `steps` steps are to be done in all. The depth is the most
/// steps between two exchanges. One launch does all steps between two exchanges.
inline int halo_depth(const Kernel& kernel, int width, int height, int steps, const GpuTraits& gpu) {
    if (kernel.time_of_launches == nullptr) return kernel.most_steps;
    return quickest(std::min(steps, kernel.most_steps), [&](int depth) {
        return rounds_of(steps, depth) * exchange_us +
               kernel.time_of_launches(width, height, steps, depth, gpu, nullptr);
    });
}

}  // namespace cudabook::heat
