// The program matmul: see README.md beside this file.
#include "matmul/program.hpp"

int main(int argc, char** argv) {
    using namespace cudabook;
    return matmul::program(if_there_is_a_gpu([] { return matmul::gpu(); }), argc, argv);
}
