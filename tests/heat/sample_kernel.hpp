// The kernels of heat and heat_notexture on a GPU, as parameters of tests.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "common/heat/kernel.hpp"
#include "heat/heat.hpp"
#include "heat_notexture/heat_notexture.hpp"

namespace cudabook::heat {

struct SampleKernel {
    std::string sample;
    Kernel kernel;
    friend void PrintTo(const SampleKernel& k, std::ostream* out) {
        *out << k.sample << ' ' << k.kernel.name;
    }
};

inline std::vector<SampleKernel> kernels_of_both_samples() {
    std::vector<SampleKernel> all;
    for (const Kernel& kernel : heat_notexture::gpu().kernels) all.push_back({"heat_notexture", kernel});
    for (const Kernel& kernel : heat_texture::gpu().kernels) all.push_back({"heat", kernel});
    return all;
}

}  // namespace cudabook::heat
