// The program matmul: see README.md beside this file.
#include "matmul/program.hpp"

int main(int argc, char** argv) {
    using namespace cudabook;
    return matmul::program(if_built_with_cuda([] { return matmul::gpu(); }), argc, argv);
}
