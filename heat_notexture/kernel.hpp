// A row of the table of kernels, on the CPU or the GPU: its name, its path and how to make its solver.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/program/device_kind.hpp"
#include "heat_notexture/solver.hpp"

namespace cudabook::heat {

struct Kernel {
    std::string name;
    std::string memory;  ///< the path that the lesson is about
    std::string what;    ///< one line
    DeviceKind device = DeviceKind::cpu;
    std::function<std::unique_ptr<Solver>(const Scene&, const SolverOptions&)> make;
    int most_steps = 1;  ///< that it does each time that it reads and writes a cell
    /// How many steps a part of a grid should do between two exchanges with others, of `steps` in all; empty:
    /// most_steps.
    std::function<int(int width, int height, int steps, int device)> halo_depth{};
    bool for_comparison = false;  ///< another sample's: --benchmark times it as a graph alone
};

/// The kernels of two tables in turn: the first of one, the first of the other, the second of one, ...
std::vector<Kernel> in_turn(const std::vector<Kernel>& one, const std::vector<Kernel>& other);

}  // namespace cudabook::heat
