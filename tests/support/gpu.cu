// Looks for the GPU of the tests. This is the only file that does, so that tests without a kernel of their
// own need no nvcc.
#include "tests/support/gpu.hpp"

#include "common/cuda/device.cuh"

namespace cudabook::test {

const FoundDevice& found_gpu() {
    static const FoundDevice found = first_usable(cuda_devices(), gpu_kind);
    return found;
}

}  // namespace cudabook::test
