// Several translation units: each has its own reference from a header; with -rdc=true they can share one.
#include "check.h"
#ifdef __CUDACC_RDC__
#define of_each_unit of_this_unit
#endif
#include "units.h"

#ifdef __CUDACC_RDC__
texture<float, 1> of_all_units;
__global__ static void read_shared(float* to, int i) { *to = tex1Dfetch(of_all_units, i); }
#endif

__global__ static void read(float* to, int i) { *to = tex1Dfetch(of_each_unit, i); }

int main() {
    need_gpu();
    const std::vector<float> one = texels<float>(16), other = texels<float>(16);
    const float *memory = to_device(one), *other_memory = to_device(other);
    float* result = to_device(std::vector<float>(1));
    CUDA(cudaBindTexture(NULL, of_each_unit, memory, 64));
    bind_in_other_unit(other_memory, 16);
    for (int i = 0; i < 16; ++i) {
        read<<<1, 1>>>(result, i);
        expect_equal("this unit", one[i], to_host(result, 1)[0]);
        expect_equal("other unit", other[i], read_in_other_unit(i));
    }
#ifdef __CUDACC_RDC__
    CUDA(cudaBindTexture(NULL, of_all_units, other_memory, 64));
    for (int i = 0; i < 16; ++i) {
        read_shared<<<1, 1>>>(result, i);
        expect_equal("shared, this unit", other[i], to_host(result, 1)[0]);
        expect_equal("shared, other unit", other[i], read_shared_in_other_unit(i));
    }
#endif
    return failures();
}
