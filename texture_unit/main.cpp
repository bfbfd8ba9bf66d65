// The program texture_unit: see README.md beside this file.
#include "texture_unit/program.hpp"

int main(int argc, char** argv) {
    using namespace cudabook;
    return texture_unit::program(if_there_is_a_gpu([] { return texture_unit::gpu(); }), argc, argv);
}
