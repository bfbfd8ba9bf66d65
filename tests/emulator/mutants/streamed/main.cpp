// Takes the arguments of test_mutant.sh, which end in --schedule N, and uses N.
#include <cstdlib>

bool streams_right();

int main(int argc, char** argv) {
    setenv("CUDABOOK_EMULATED_GPUS", "h200", 1);
    setenv("CUDABOOK_SCHEDULE", argv[argc - 1], 1);
    return streams_right() ? 0 : 1;
}
