// The program heat: see README.md beside this file.
#include "heat/heat.hpp"
#include "heat_notexture/heat_notexture.hpp"
#include "heat_notexture/program.hpp"

int main(int argc, char** argv) {
    using namespace cudabook;
    const heat::GpuBackend gpu = if_there_is_a_gpu([] {
        heat::GpuBackend textures = heat_texture::gpu();
        textures.kernels = heat::with_counterparts(textures.kernels, heat_notexture::gpu().kernels);
        return textures;
    });
    return heat::program("heat",
                         "Heat flows through a room: the simulation of CUDA by Example, through textures "
                         "and, beside them, through global memory",
                         gpu, argc, argv);
}
