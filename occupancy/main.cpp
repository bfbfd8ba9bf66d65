// The program occupancy: see README.md beside this file.
#include "occupancy/program.hpp"

int main(int argc, char** argv) {
    using namespace cudabook;
    return occupancy::program(if_there_is_a_gpu([] { return occupancy::gpu(); }), argc, argv);
}
