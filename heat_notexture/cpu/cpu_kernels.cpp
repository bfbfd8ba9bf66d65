#include "heat_notexture/cpu/cpu_kernels.hpp"

#include <algorithm>
#include <iterator>
#include <memory>

#include "heat_notexture/cpu/blocked_solver.hpp"
#include "heat_notexture/cpu/reference_solver.hpp"

namespace cudabook::heat {

namespace {

template <class OneSolver>
std::unique_ptr<Solver> make(const Scene& scene, const SolverOptions& options) {
    return std::make_unique<OneSolver>(scene, options);
}

}  // namespace

std::vector<Kernel> cpu_kernels() {
    return {{.name = "reference",
             .memory = "host",
             .what = "plain serial loops, with which blocked is compared",
             .device = DeviceKind::cpu,
             .make = make<ReferenceSolver>},
            {.name = "blocked",
             .memory = "host",
             .what = "all cores, SIMD, several steps in one sweep",
             .device = DeviceKind::cpu,
             .make = make<BlockedSolver>,
             .most_steps = BlockedSolver::most_steps}};
}

std::vector<Kernel> with_cpu_kernels(std::vector<Kernel> kernels) {
    std::ranges::copy(cpu_kernels(), std::back_inserter(kernels));
    return kernels;
}

}  // namespace cudabook::heat
