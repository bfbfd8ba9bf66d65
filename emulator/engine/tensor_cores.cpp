#include "emulator/engine/tensor_cores.hpp"

#include "emulator/runtime/device.hpp"

namespace cudabook::emulation {

const tensor_cores::Adder& tensor_core_adder() {
    const EmulatedGpu& gpu = current_gpu();
    return tensor_cores::adder_of(10 * gpu.major + gpu.minor);
}

}  // namespace cudabook::emulation
