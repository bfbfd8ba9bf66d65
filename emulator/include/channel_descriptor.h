// Channel formats of CUDA's types. Source: CUDA Runtime API, "C++ API Routines".
#pragma once

#include <concepts>
#include <type_traits>

#include <cuda_runtime_api.h>

#include "emulator/textures/texture.hpp"

/// Returns the format of texels of type T. If no texture can have this type, the kind is
/// cudaChannelFormatKindNone.
template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
    if constexpr (cudabook::emulation::IsTexel<T>) {
        using Component = cudabook::emulation::Component<T>;
        constexpr auto count = cudabook::emulation::component_count<T>;
        constexpr int bits = 8 * sizeof(Component);
        return cudaCreateChannelDesc(bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 2 ? bits : 0,
                                     std::same_as<Component, float> ? cudaChannelFormatKindFloat
                                     : std::is_signed_v<Component>  ? cudaChannelFormatKindSigned
                                                                    : cudaChannelFormatKindUnsigned);
    } else {
        return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
    }
}

inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
    return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
    return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
