// The program heat: see README.md beside this file.
#include "heat/heat.hpp"
#include "heat_notexture/global_memory_kernels.hpp"
#include "heat_notexture/program.hpp"

int main(int argc, char** argv) {
    using namespace cudabook;
    // Each kernel that reads through textures, then its counterpart that reads global memory, where there is
    // one.
    const heat::GpuBackend gpu = if_there_is_a_gpu([] {
        heat::GpuBackend textures = heat_texture::gpu();
        textures.kernels = heat::in_turn(textures.kernels, heat::global_memory_kernels());
        return textures;
    });
    return heat::program("heat",
                         "Heat flows through a room: the simulation of CUDA by Example, through textures "
                         "and, beside them, through global memory",
                         gpu, argc, argv);
}
