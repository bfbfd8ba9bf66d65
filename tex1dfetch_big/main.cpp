// The program tex1dfetch_big: see README.md beside this file.
#include "tex1dfetch_big/program.hpp"

int main(int argc, char** argv) {
    using namespace cudabook;
    return tex1dfetch_big::program(if_there_is_a_gpu([] { return tex1dfetch_big::gpu(); }), argc, argv);
}
