// A store of 16 bytes that stays one. Source: PTX ISA, "st".
#pragma once

namespace cudabook::ptx {

/// Writes four floats to global memory by one instruction. Where a kernel also has a branch that writes them
/// one by one, nvcc 13 makes four stores of a plain assignment too. `to` is aligned to 16 bytes.
__device__ inline void store_four(float4* to, float4 values) {
    asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(values.x), "f"(values.y),
                 "f"(values.z), "f"(values.w)
                 : "memory");
}

}  // namespace cudabook::ptx
