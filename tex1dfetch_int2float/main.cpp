// The program tex1dfetch_int2float: see README.md beside this file.
#include "tex1dfetch_int2float/program.hpp"

int main(int argc, char** argv) {
    using namespace cudabook;
    return tex1dfetch_int2float::program(if_built_with_cuda([] { return tex1dfetch_int2float::gpu(); }), argc,
                                         argv);
}
