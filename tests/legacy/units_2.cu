// The other translation unit of units.cu.
#include "check.h"
#include "units.h"

__global__ static void read(float* to, int i) { *to = tex1Dfetch(of_each_unit, i); }

static float* result() {
    static float* memory = to_device(std::vector<float>(1));
    return memory;
}

void bind_in_other_unit(const float* memory, int count) {
    CUDA(cudaBindTexture(NULL, of_each_unit, memory, count * sizeof(float)));
}

float read_in_other_unit(int i) {
    read<<<1, 1>>>(result(), i);
    return to_host(result(), 1)[0];
}

#ifdef __CUDACC_RDC__
__global__ static void read_shared(float* to, int i) { *to = tex1Dfetch(of_all_units, i); }

float read_shared_in_other_unit(int i) {
    read_shared<<<1, 1>>>(result(), i);
    return to_host(result(), 1)[0];
}
#endif
