// The program heat_notexture: see README.md beside this file.
#include "heat_notexture/heat_notexture.hpp"
#include "heat_notexture/program.hpp"

int main(int argc, char** argv) {
    using namespace cudabook;
    return heat::program(
        "heat_notexture",
        "Heat flows through a room: the simulation of CUDA by Example, through global memory",
        if_there_is_a_gpu([] { return heat_notexture::gpu(); }), argc, argv);
}
