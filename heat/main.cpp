// The program heat: see README.md beside this file.
#include "common/heat/program.hpp"
#include "heat/heat.hpp"

int main(int argc, char** argv) {
    using namespace cudabook;
    return heat::program("heat",
                         "Heat flows through a room: the simulation of CUDA by Example, through textures",
                         if_built_with_cuda([] { return heat_texture::gpu(); }), argc, argv);
}
