// Addresses in the form that the instructions for shared memory take. Source: PTX ISA, "State Spaces".
#pragma once

#include <cstdint>

namespace cudabook::ptx {

__device__ inline std::uint32_t shared_address(const void* shared) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
}

}  // namespace cudabook::ptx
