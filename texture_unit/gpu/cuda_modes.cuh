// Conversions to CUDA's address modes, filters and texture descriptions.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>

#include "common/texture_model/addressing.hpp"

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

/// Returns the description of a texture with these modes. All other fields of the description are 0.
inline cudaTextureDesc description_of(const std::array<Address, 3>& address, Filter filter, bool normalized) {
    cudaTextureDesc texture{};
    for (std::size_t d = 0; d < address.size(); ++d) texture.addressMode[d] = cuda(address[d]);
    texture.filterMode = cuda(filter);
    texture.normalizedCoords = normalized ? 1 : 0;
    return texture;
}

}  // namespace cudabook::texture_unit
