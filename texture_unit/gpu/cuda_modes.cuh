// CUDA's names of address modes and filters.
#pragma once

#include <cuda_runtime.h>

#include "common/texture_unit/addressing.hpp"

namespace cudabook::texture_unit {

inline cudaTextureAddressMode cuda(Address address) {
    switch (address) {
        case Address::wrap:
            return cudaAddressModeWrap;
        case Address::mirror:
            return cudaAddressModeMirror;
        case Address::border:
            return cudaAddressModeBorder;
        case Address::clamp:
            break;
    }
    return cudaAddressModeClamp;
}

inline cudaTextureFilterMode cuda(Filter filter) {
    return filter == Filter::linear ? cudaFilterModeLinear : cudaFilterModePoint;
}

}  // namespace cudabook::texture_unit
