// A row of the table of kernels, on the CPU or the GPU: its name, its path and how to make its solver.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/program/device_kind.hpp"
#include "heat_notexture/rounds.hpp"
#include "heat_notexture/solver.hpp"

namespace cudabook::heat {

struct Kernel {
    std::string name;
    std::string memory;  ///< the path that the lesson is about
    std::string what;    ///< one line
    DeviceKind device = DeviceKind::cpu;
    std::function<std::unique_ptr<Solver>(const Scene&, const SolverOptions&)> make;
    int most_steps = 1;                         ///< that it does each time that it reads and writes a cell
    TimeOfLaunches time_of_launches = nullptr;  ///< null: a launch of more steps is always quicker
    bool for_comparison = false;                ///< another sample's: --benchmark times it as a graph alone
};

/// Each kernel of a table, then its counterpart: the kernel of the same row of heat_notexture's table, named
/// NAME_global.
std::vector<Kernel> with_counterparts(const std::vector<Kernel>& kernels,
                                      const std::vector<Kernel>& global_memory_kernels);

}  // namespace cudabook::heat
