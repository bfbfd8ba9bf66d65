// The shared memory of blocks, and its content when a block begins.
#pragma once

#include <cstddef>
#include <string>

namespace cudabook::emulation {

/// Prepares shared memory for a block that begins in this operating system's thread: every byte is 0xff, so
/// that a float that is read before it is written is NaN. ThreadSanitizer forgets the accesses of the block
/// before. AddressSanitizer reports accesses beyond `dynamic_bytes` of dynamic shared memory.
void begin_shared_memory(std::size_t dynamic_bytes);

/// Returns whether the address is in the shared memory of the block that runs in this operating system's
/// thread.
bool is_in_shared_memory(const void* address);

/// Returns text for a message if the address is beyond the dynamic shared memory of the running block, else
/// an empty string. With AddressSanitizer only.
std::string beyond_dynamic_text(const void* address);

/// ThreadSanitizer forgets the block's accesses to shared memory since the block began or since the last
/// call.
void forget_touched();

}  // namespace cudabook::emulation
