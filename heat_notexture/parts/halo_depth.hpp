// The cost of halo exchanges for a part of a grid, and the best depth of its halos.
#pragma once

#include <algorithm>

#include "heat_notexture/kernel.hpp"
#include "heat_notexture/rounds.hpp"

namespace cudabook::heat {

/// The extra cost of a halo exchange in µs, which is added to the time of the steps. Measured on two H100s.
inline constexpr double exchange_us = 25;

/// The extra cost in µs of a launch whose blocks fill the whole GPU. No other block can then run, so the
/// exchange with other GPUs waits until the launch ends. Measured on eight H200s.
inline constexpr double full_gpu_us = 20;

/// Returns the depth of the halos with which `steps` steps of a part of width × height cells take the least
/// time. The depth is also the most steps between two exchanges; one launch does all these steps. Returns
/// kernel.most_steps if the kernel has no model of its time.
inline int halo_depth(const Kernel& kernel, int width, int height, int steps, const GpuTraits& gpu) {
    if (kernel.time_of_launches == nullptr) return kernel.most_steps;
    return quickest(std::min(steps, kernel.most_steps), [&](int depth) {
        return rounds_of(steps, depth) * exchange_us +
               kernel.time_of_launches(width, height, steps, depth, gpu, nullptr);
    });
}

}  // namespace cudabook::heat
