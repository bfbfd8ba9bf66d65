#include "heat_notexture/kernel.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>

namespace cudabook::heat {

std::vector<Kernel> with_counterparts(const std::vector<Kernel>& kernels,
                                      const std::vector<Kernel>& global_memory_kernels) {
    std::vector<Kernel> all;
    for (std::size_t i = 0; i < std::max(kernels.size(), global_memory_kernels.size()); ++i) {
        if (i < kernels.size()) all.push_back(kernels[i]);
        if (i >= global_memory_kernels.size()) continue;
        all.push_back(global_memory_kernels[i]);
        const std::string name = all.back().name += "_global";
        all.back().make = [make = all.back().make, name](const Scene& scene, SolverOptions options) {
            options.kernel = name;
            return make(scene, options);
        };
        all.back().memory = "global";
        all.back().for_comparison = true;
    }
    return all;
}

}  // namespace cudabook::heat
