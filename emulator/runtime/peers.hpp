// Peer access: which emulated GPUs may use the memory of which other GPUs.
#pragma once

#include <optional>
#include <string>

namespace cudabook::emulation {

class GpuState;

/// Returns whether real GPUs of these kinds could access each other's memory in one machine.
bool can_be_peers(const GpuState& gpu, const GpuState& peer);

/// Returns why the kernels of `gpu` may not use this memory, or nothing if they may.
std::optional<std::string> why_no_access(const GpuState& gpu, const void* memory);

/// Disables all peer access by this GPU, and all peer access to its memory.
void disable_peers_of(const GpuState& gpu);

}  // namespace cudabook::emulation
