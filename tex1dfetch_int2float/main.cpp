// The program tex1dfetch_int2float: see README.md beside this file.
#include "tex1dfetch_int2float/program.hpp"

int main(int argc, char** argv) {
    using namespace cudabook;
    return tex1dfetch_int2float::program(if_there_is_a_gpu([] { return tex1dfetch_int2float::gpu(); }), argc,
                                         argv);
}
