// The program access_patterns: see README.md beside this file.
#include "access_patterns/program.hpp"

int main(int argc, char** argv) {
    using namespace cudabook;
    return access_patterns::program(if_there_is_a_gpu([] { return access_patterns::gpu(); }), argc, argv);
}
