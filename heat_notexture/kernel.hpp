// A row of the kernel table, for the CPU or the GPU: the kernel's name, its memory path and how to make its
// solver.
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
    std::string memory;  ///< the memory path that the lesson is about
    std::string what;    ///< a description in one line
    DeviceKind device = DeviceKind::cpu;
    std::function<std::unique_ptr<Solver>(const Scene&, const SolverOptions&)> make;
    int most_steps = 1;                         ///< the most steps with one read and one write of each cell
    TimeOfLaunches time_of_launches = nullptr;  ///< null means that a launch of more steps is always quicker
    bool for_comparison = false;                ///< whether it is from another sample; timed only as a graph
};

/// Returns the kernels of a table, each followed by its counterpart: the kernel in the same row of
/// heat_notexture's table, renamed NAME_global. If only one of the tables has a row, its kernel stands alone.
std::vector<Kernel> with_counterparts(const std::vector<Kernel>& kernels,
                                      const std::vector<Kernel>& global_memory_kernels);

}  // namespace cudabook::heat
